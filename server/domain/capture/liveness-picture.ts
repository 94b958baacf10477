/** Light, sharpness and size: whether the frames are good enough to judge, and how good they are. */
import type { FrameEvidence } from './evidence.ts';
import type { LivenessFinding } from './liveness-findings.ts';
import type { Segments } from './liveness-segments.ts';
import { GOOD_PICTURE, PICTURE, USUAL_CONTRAST } from './liveness-thresholds.ts';
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
    const [middle] = rested
      .map(({ evidence }) => evidence)
      .toSorted((p, q) => sharpnessOf(p) - sharpnessOf(q))
      .slice((rested.length - 1) >> 1);
    const blur = middle === undefined ? null : blurCause(middle);
    if (blur !== null) findings.push(blur);
    if (median(seen.map((face) => face.interocularPx)) < PICTURE.minInterocularPx)
      findings.push('face_too_small');
  }
  return findings;
}

/**
 * Sharpness as it would be at the usual contrast: edges fade with the square of a picture's contrast, in dim light for
 * example, though it is in focus.
 */
const sharpnessOf = ({ sharpness, contrast }: FrameEvidence): number =>
  sharpness * Math.max(1, (USUAL_CONTRAST / Math.max(1, contrast)) ** 2);

/**
 * What makes a picture of a face unclear; null if it is sharp. In dim light, the camera itself smooths a picture to
 * remove its noise, and only more light helps.
 */
export function blurCause(evidence: FrameEvidence): 'too_dark' | 'blurred' | null {
  if (sharpnessOf(evidence) >= PICTURE.minSharpness) return null;
  return evidence.brightness < GOOD_PICTURE.brightness.from ? 'too_dark' : 'blurred';
}

/** 0 to 1, where 1 is the best: the median over the frames of each one's most limiting quality. */
export function pictureQuality(frames: readonly FrameEvidence[]): number {
  return median(frames.map(frameQuality));
}

function frameQuality(evidence: FrameEvidence): number {
  const { brightness, contrast, face } = evidence;
  if (!face) return 0;
  return Math.min(
    share(brightness, PICTURE.minBrightness, GOOD_PICTURE.brightness.from),
    share(brightness, PICTURE.maxBrightness, GOOD_PICTURE.brightness.to),
    share(contrast, PICTURE.minContrast, GOOD_PICTURE.contrast),
    share(sharpnessOf(evidence), PICTURE.minSharpness, GOOD_PICTURE.sharpness),
    share(face.interocularPx, PICTURE.minInterocularPx, GOOD_PICTURE.interocularPx),
  );
}

/** 0 up to `bad`, 1 from `good` on, linear in between. `bad` may be the greater of the two. */
const share = (value: number, bad: number, good: number): number =>
  Math.min(1, Math.max(0, (value - bad) / (good - bad)));
