/** Finds the frames at the peak of one gesture, among frames that are kept only briefly. */

type PeakSample = { frameId: number; atMs: number; progress: number };

/**
 * A held gesture is taken after this time, which fits two stills. A released one is taken immediately. A head keeps moving
 * meanwhile, and the further it turns, the more depth it shows; a face is at its full expression sooner.
 */
const HOLD_MS = { head: 200, face: 120 } as const;
/** Below this share of its height, a gesture counts as released. */
const LET_GO = 0.75;
/** Minimum interval between frames of one peak if the gesture lasts long enough. */
const APART_MS = 100;
/** A short gesture at a low frame rate may have one frame at its threshold: its neighbour then needs this much. */
const NEARLY = 0.7;
/**
 * A gesture that is held this long just below its mark is as far as this person goes, or as far as these landmarks see it.
 * The server's own marks lie lower still, and it decides.
 */
const PLATEAU = { from: 0.8, heldMs: 600 } as const;
/** Frames are kept for little more than half a second. */
const PLATEAU_FRAMES_MS = 400;

export type Peak = {
  /**
   * The peak's frames in chronological order once the gesture is over or held; null before.
   * @param mayStopShort whether a gesture that is held just below its mark counts
   */
  observe: (sample: PeakSample, mayStopShort?: boolean) => readonly PeakSample[] | null;
};

/** @param count number of frames of the peak; a very short gesture may yield fewer, never none */
export function createPeak(count: number, moves: keyof typeof HOLD_MS = 'head'): Peak {
  const near: PeakSample[] = [];
  let reachedAtMs: number | null = null;
  let plateauSinceMs: number | null = null;
  let highest = 0;
  return {
    observe(sample, mayStopShort = true) {
      if (sample.progress >= NEARLY) near.push(sample);
      if (sample.progress >= 1) reachedAtMs ??= sample.atMs;
      if (reachedAtMs === null) {
        // Only the rise up to the threshold belongs to the gesture.
        if (sample.progress < NEARLY) near.length = 0;
        while (near.length > count && sample.atMs - (near[0]?.atMs ?? 0) > PLATEAU_FRAMES_MS) near.shift();
        const isNear = mayStopShort && sample.progress >= PLATEAU.from;
        plateauSinceMs = isNear ? (plateauSinceMs ?? sample.atMs) : null;
        const isPlateau = plateauSinceMs !== null && sample.atMs - plateauSinceMs >= PLATEAU.heldMs;
        return isPlateau ? best(near, count, PLATEAU.from) : null;
      }
      highest = Math.max(highest, sample.progress);
      const letGo = sample.progress < highest * LET_GO && sample.progress < 1;
      if (!letGo && sample.atMs - reachedAtMs < HOLD_MS[moves]) return null;
      return best(near, count, 1);
    },
  };
}

/** @param mark what frames that lie apart need; where those are too few, their neighbours are taken as well */
function best(samples: readonly PeakSample[], count: number, mark: number): readonly PeakSample[] {
  const chosen: PeakSample[] = [];
  const highestFirst = samples.toSorted((a, b) => b.progress - a.progress);
  for (const apartMs of [APART_MS, 0]) {
    for (const sample of highestFirst) {
      if (chosen.length === count) break;
      if (apartMs > 0 && sample.progress < mark) continue;
      const free = chosen.every(
        ({ frameId, atMs }) => frameId !== sample.frameId && Math.abs(atMs - sample.atMs) >= apartMs,
      );
      if (free) chosen.push(sample);
    }
  }
  return chosen.toSorted((a, b) => a.atMs - b.atMs);
}
