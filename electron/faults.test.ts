import { expect, it } from 'vitest';
import { createFaultRule, faultLine, restartArguments, restartsIn } from './faults.ts';

it('a fault is logged, and the app stays as it is', () => {
  const rule = createFaultRule([], () => 0);
  expect(rule()).toEqual({ isLogged: true, act: 'stay' });
});

it('repeated faults restart the app, once', () => {
  const rule = createFaultRule([], () => 0);
  const acts = Array.from({ length: 8 }, () => rule().act);
  expect(acts).toEqual(['stay', 'stay', 'stay', 'stay', 'stay', 'restart', 'stay', 'stay']);
});

it('faults that occur now and then never restart it', () => {
  let nowMs = 0;
  const rule = createFaultRule([], () => nowMs);
  for (let n = 0; n < 100; n += 1) {
    nowMs += 15_000;
    expect(rule().act).toBe('stay');
  }
});

it('after three restarts in ten minutes it only logs, and a fault that repeats does not fill the log', () => {
  let nowMs = 1_000_000;
  const rule = createFaultRule([700_000, 800_000, 900_000], () => nowMs);
  const answers = Array.from({ length: 50 }, rule);
  expect(answers.every(({ act }) => act === 'stay')).toBe(true);
  expect(answers.filter(({ isLogged }) => isLogged)).toHaveLength(20);
  nowMs += 600_000;
  expect(Array.from({ length: 6 }, rule).at(-1)).toEqual({ isLogged: true, act: 'restart' });
});

it('the next start shows what this one showed, and knows of the last three restarts', () => {
  const first = restartArguments(['/app', '--kiosk', '--disable-gpu'], { shown: ['--kiosk'], nowMs: 1 });
  expect(first).toEqual(['/app', '--disable-gpu', '--kiosk', '--restarted-at=1']);
  const fourth = [2, 3, 4].reduce((argv, nowMs) => restartArguments(argv, { shown: [], nowMs }), first);
  expect(fourth).toEqual(['/app', '--disable-gpu', '--restarted-at=2,3,4']);
  expect(restartsIn(fourth)).toEqual([2, 3, 4]);
  expect(restartsIn(['--restarted-at=x,-1,,5'])).toEqual([5]);
});

it('is one line in the log, whatever was thrown', () => {
  expect(faultLine('unhandled rejection', 'words')).toBe('unhandled rejection: words');
  expect(faultLine('error', new Error('two\nlines'))).not.toContain('\n');
});
