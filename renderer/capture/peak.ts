/** Finds the frames at the peak of one gesture, among frames that are kept for a moment only. */

export type PeakSample = { frameId: number; atMs: number; progress: number };

/** A held gesture is taken after this time: two stills lie apart in it. A released one is taken at once. */
const HOLD_MS = 200;
/** Below this share of its height, a gesture counts as released. */
const LET_GO = 0.75;
/** Frames of one peak lie this far apart where the gesture lasts long enough. */
const APART_MS = 100;
/** A short gesture at a low frame rate may have one frame at its mark: its neighbour then needs this much. */
const NEARLY = 0.7;

export type Peak = {
  /** The peak's frames in the order of their times once the gesture is over or held; null before. */
  observe: (sample: PeakSample) => readonly PeakSample[] | null;
};

/** @param count how many frames of the peak are wanted; a very short gesture may yield fewer, never none */
export function createPeak(count: number): Peak {
  const near: PeakSample[] = [];
  let reachedAtMs: number | null = null;
  let highest = 0;
  return {
    observe(sample) {
      if (sample.progress >= NEARLY) near.push(sample);
      if (sample.progress >= 1) reachedAtMs ??= sample.atMs;
      if (reachedAtMs === null) {
        // Only the rise that leads to the mark belongs to the gesture.
        if (sample.progress < NEARLY) near.length = 0;
        else if (near.length > count) near.shift();
        return null;
      }
      highest = Math.max(highest, sample.progress);
      const letGo = sample.progress < highest * LET_GO && sample.progress < 1;
      if (!letGo && sample.atMs - reachedAtMs < HOLD_MS) return null;
      return best(near, count);
    },
  };
}

function best(samples: readonly PeakSample[], count: number): readonly PeakSample[] {
  const chosen: PeakSample[] = [];
  const highestFirst = samples.toSorted((a, b) => b.progress - a.progress);
  for (const apartMs of [APART_MS, 0]) {
    for (const sample of highestFirst) {
      if (chosen.length === count) break;
      if (apartMs > 0 && sample.progress < 1) continue;
      const free = chosen.every(
        ({ frameId, atMs }) => frameId !== sample.frameId && Math.abs(atMs - sample.atMs) >= apartMs,
      );
      if (free) chosen.push(sample);
    }
  }
  return chosen.toSorted((a, b) => a.atMs - b.atMs);
}
