import { expect, test } from 'vitest';
import { createPeak } from './peak.ts';

/** Feeds a curve of progress at a frame rate; returns the frames of the peak and how many frames it took. */
function peakOf(curve: readonly number[], apartMs: number, count = 2) {
  const peak = createPeak(count);
  for (const [index, progress] of curve.entries()) {
    const frames = peak.observe({ frameId: index, atMs: index * apartMs, progress });
    if (frames !== null) return { frames: frames.map(({ frameId }) => frameId), looks: index + 1 };
  }
  return null;
}

test('a held expression is taken sooner than a turn', () => {
  const takenAfterMs = (moves: 'head' | 'face') => {
    const peak = createPeak(2, moves);
    for (let atMs = 0; ; atMs += 20) if (peak.observe({ frameId: atMs, atMs, progress: 1.2 })) return atMs;
  };
  expect([takenAfterMs('face'), takenAfterMs('head')]).toEqual([120, 200]);
});

test('a gesture that does not reach its threshold has no peak', () => {
  expect(peakOf([0, 0.5, 0.9, 0.99, 0.6, 0], 40)).toBeNull();
});

test('a blink is taken when it is over, at its lowest lids', () => {
  expect(peakOf([0, 0.4, 1.2, 1.9, 1.6, 0.3, 0], 50)).toEqual({ frames: [3, 4], looks: 6 });
});

test('a gesture that is held is taken after a moment, not when it ends', () => {
  const found = peakOf([0, 0.6, ...Array.from({ length: 60 }, () => 1.3)], 40);
  expect(found?.looks).toBeLessThan(20);
});

test('a gesture that is held just below its mark is taken as far as it goes, from its last half second', () => {
  const found = peakOf([0, 0.5, ...Array.from({ length: 60 }, (_, n) => (n % 2 === 0 ? 0.88 : 0.92))], 40);
  const [first = 0, second = 0] = found?.frames ?? [];
  expect(found?.looks).toBeLessThan(22);
  expect((second - first) * 40).toBeGreaterThanOrEqual(100);
  expect((found?.looks ?? 0) - first).toBeLessThan(14);
  expect(peakOf([0, 0.5, ...Array.from({ length: 60 }, () => 0.75)], 40)).toBeNull();
});

test('a gesture that may not stop short has to reach its threshold', () => {
  const peak = createPeak(2);
  const held = Array.from({ length: 60 }, (_, frameId) =>
    peak.observe({ frameId, atMs: frameId * 40, progress: 0.9 }, false),
  );
  expect(held.every((frames) => frames === null)).toBe(true);
});

test('frames of a held gesture are apart, in chronological order', () => {
  const [first = 0, second = 0] =
    peakOf([0.5, 1.1, 1.2, 1.3, 1.31, 1.32, 1.3, 1.3, 1.3, 1.3, 1.3, 1.3, 1.3], 40)?.frames ?? [];
  expect((second - first) * 40).toBeGreaterThanOrEqual(100);
});

test('a blink on a single frame also returns its nearest neighbour', () => {
  expect(peakOf([0, 0.75, 1.1, 0.2], 60)).toEqual({ frames: [1, 2], looks: 4 });
});

test('an earlier half gesture is not part of the peak', () => {
  expect(peakOf([0.9, 0.1, 0.1, 1.2, 0.2], 60)).toEqual({ frames: [3], looks: 5 });
});
