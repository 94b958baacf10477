/** Light, sharpness and size: whether the frames are good enough to judge, and how good they are. */
import type { FrameEvidence } from './evidence.ts';
import type { LivenessFinding } from './liveness-findings.ts';
import type { Segments } from './liveness-segments.ts';
import { GOOD_PICTURE, PICTURE } from './liveness-thresholds.ts';
import { median } from '../statistics.ts';

/**
 * Light and size are judged over all frames; sharpness only on the neutral ones, because a turning head may
 * blur.
 */
export function pictureFindings({ neutral, all }: Segments): LivenessFinding[] {
  const of = (key: 'brightness' | 'contrast') => median(all.map(({ evidence }) => evidence[key]));
  const seen = all.flatMap(({ evidence }) => evidence.face ?? []);
  const findings: LivenessFinding[] = [];
  const brightness = of('brightness');
  if (brightness < PICTURE.minBrightness) findings.push('too_dark');
  else if (brightness > PICTURE.maxBrightness) findings.push('too_bright');
  else if (of('contrast') < PICTURE.minContrast) findings.push('low_contrast');
  // If nothing is visible, the light is the cause and the missing face only its consequence.
  if (seen.length < all.length && findings.length === 0) findings.push('no_face');
  if (all.some(({ evidence }) => evidence.faceCount > 1)) findings.push('several_faces');
  const rested = neutral.filter(({ evidence }) => evidence.face !== null);
  if (rested.length > 0 && findings.length === 0) {
    if (median(rested.map(({ evidence }) => evidence.sharpness)) < PICTURE.minSharpness)
      findings.push('blurred');
    if (median(seen.map((face) => face.interocularPx)) < PICTURE.minInterocularPx)
      findings.push('face_too_small');
  }
  return findings;
}

/** 0 to 1, where 1 is the best: the median over the frames of each one's most limiting quality. */
export function pictureQuality(frames: readonly FrameEvidence[]): number {
  return median(frames.map(frameQuality));
}

function frameQuality({ brightness, contrast, sharpness, face }: FrameEvidence): number {
  if (!face) return 0;
  return Math.min(
    share(brightness, PICTURE.minBrightness, GOOD_PICTURE.brightness.from),
    share(brightness, PICTURE.maxBrightness, GOOD_PICTURE.brightness.to),
    share(contrast, PICTURE.minContrast, GOOD_PICTURE.contrast),
    share(sharpness, PICTURE.minSharpness, GOOD_PICTURE.sharpness),
    share(face.interocularPx, PICTURE.minInterocularPx, GOOD_PICTURE.interocularPx),
  );
}

/** 0 up to `bad`, 1 from `good` on, linear in between. `bad` may be the greater of the two. */
const share = (value: number, bad: number, good: number): number =>
  Math.min(1, Math.max(0, (value - bad) / (good - bad)));
