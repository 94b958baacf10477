import { expect, it } from 'vitest';
import { createRecovery } from './recovery.ts';

it('a page that crashes is reloaded', () => {
  expect(createRecovery(() => 0).died()).toBe('reload');
});

it('one that keeps crashing is given up, and is reset by a manual retry', () => {
  const recovery = createRecovery(() => 0);
  const outcomes = Array.from({ length: 5 }, () => recovery.died());
  expect(outcomes).toEqual(['reload', 'reload', 'reload', 'give-up', 'reload']);
});

it('one that crashes occasionally is reloaded each time', () => {
  let nowMs = 0;
  const recovery = createRecovery(() => nowMs);
  for (let n = 0; n < 20; n++) {
    nowMs += 30_000;
    expect(recovery.died()).toBe('reload');
  }
});
