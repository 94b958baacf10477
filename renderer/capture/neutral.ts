/** This person's own face at rest: every gesture is judged against it, never against an average. */
import type { FaceMeasures } from './measure.ts';

export type Neutral = Omit<FaceMeasures, 'box' | 'centreX' | 'centreY'>;

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? 0;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? upper) + upper) / 2;
}

/** The median of each measure, so that a blink or a twitch among the frames does not count. */
export function neutralOf(faces: readonly FaceMeasures[]): Neutral {
  const of = (field: keyof Neutral) => median(faces.map((face) => face[field]));
  return {
    yawRad: of('yawRad'),
    pitchRad: of('pitchRad'),
    rollRad: of('rollRad'),
    eyeImageLeft: of('eyeImageLeft'),
    eyeImageRight: of('eyeImageRight'),
    mouthOpening: of('mouthOpening'),
    smileWidth: of('smileWidth'),
    size: of('size'),
  };
}
