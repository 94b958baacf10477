import { expect, test } from 'vitest';
import { timelineOf } from './capture-run.ts';

test('times count from the challenge and strictly increase', () => {
  const kept = [
    { frameId: 1, step: null, atMs: 990 },
    { frameId: 2, step: null, atMs: 1_000.2 },
    { frameId: 3, step: 0, atMs: 1_000.4 },
    { frameId: 4, step: 0, atMs: 1_250.6 },
  ];
  expect(timelineOf(kept, 1_000)).toEqual({
    frames: [
      { step: null, at_ms: 0 },
      { step: null, at_ms: 1 },
      { step: 0, at_ms: 2 },
      { step: 0, at_ms: 251 },
    ],
  });
});
