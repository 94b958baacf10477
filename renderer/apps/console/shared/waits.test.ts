import { expect, it } from 'vitest';
import { createWaits } from './waits.ts';

function waitsOnClock() {
  let at = 0;
  const waits = createWaits(0, () => at);
  return { waits, to: (ms: number) => (at = ms) };
}

it('the first wait begins when the page was requested', () => {
  const { waits, to } = waitsOnClock();
  to(700);
  expect(waits.begin()).toBe(700);
});

it('a wait that follows another continues it', () => {
  const { waits, to } = waitsOnClock();
  waits.begin();
  to(900);
  waits.end();
  to(950);
  expect(waits.begin()).toBe(950);
});

it('a wait after a pause is a new one', () => {
  const { waits, to } = waitsOnClock();
  waits.begin();
  to(900);
  waits.end();
  to(5_000);
  expect(waits.begin()).toBe(0);
});
