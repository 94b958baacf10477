import { expect, it } from 'vitest';
import { createRecovery } from './recovery.ts';

it('a page that dies is loaded again', () => {
  expect(createRecovery(() => 0).died()).toBe('reload');
});

it('one that dies over and over is given up, and starts with a clean slate when somebody tries again', () => {
  const recovery = createRecovery(() => 0);
  const outcomes = Array.from({ length: 5 }, () => recovery.died());
  expect(outcomes).toEqual(['reload', 'reload', 'reload', 'give-up', 'reload']);
});

it('one that dies now and then is loaded again each time', () => {
  let nowMs = 0;
  const recovery = createRecovery(() => nowMs);
  for (let n = 0; n < 20; n++) {
    nowMs += 30_000;
    expect(recovery.died()).toBe('reload');
  }
});
