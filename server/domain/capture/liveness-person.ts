/** Whether all frames show one person, and which of them can be used for recognition. */
import type { FaceGeometry } from './evidence.ts';
import { facesAsNeutral, isTurnedAway, type GestureMeasures } from './gestures.ts';
import type { CapturedFrame, Segments } from './liveness-segments.ts';
import { FURTHER_VIEW, PROBE_POSE_RAD, SAME_FACE, STEP_MARKS, TURNED_AWAY } from './liveness-thresholds.ts';
import { cosine, normalisedMean } from '../matching/matching.ts';

/**
 * Leaves out frames of a head that is turned too far to recognise, if a recognised frame of the same step was
 * taken right before or after in the same place. Counting them as evidence would let another person do the
 * turn; counting them as another person would fail people who turn far.
 */
export function recognisable(segments: Segments): Segments {
  const reference = referenceOf(segments);
  if (!reference) return segments;
  const isKnown = ({ evidence }: CapturedFrame) =>
    evidence.embedding !== null && cosine(evidence.embedding, reference) >= SAME_FACE.turned;
  const steps = segments.steps.map((step) => {
    const known = step.filter(isKnown);
    return step.filter((frame) => known.includes(frame) || !known.some((other) => continues(other, frame)));
  });
  return { ...segments, steps, all: [...segments.neutral, ...steps.flat()] };
}

/**
 * Ignores frames without a face. A turned head may hide most of its features, or one frame may have bad
 * landmarks. The other frame of the step then vouches for it, provided that frame is recognised and the two are
 * as alike as frontal faces must be.
 */
export function isOnePerson(segments: Segments, neutral: GestureMeasures): boolean {
  const reference = referenceOf(segments);
  if (!reference) return true;
  const isKnown = ({ evidence, measures }: CapturedFrame) => {
    if (!evidence.embedding || !measures) return false;
    const least = facesAsNeutral(measures, neutral) ? SAME_FACE.facing : SAME_FACE.turned;
    return cosine(evidence.embedding, reference) >= least;
  };
  return [segments.neutral, ...segments.steps].every((segment) => {
    const known = embeddingsOf(segment.filter(isKnown));
    return segment.every((frame) => {
      const { embedding } = frame.evidence;
      if (!embedding || !frame.measures || isKnown(frame)) return true;
      return known.some((other) => cosine(other, embedding) >= SAME_FACE.facing);
    });
  });
}

/**
 * Whether there was no time or movement for another person to take over between two frames, the second of which
 * is turned or lifted far away.
 */
function continues(known: CapturedFrame, frame: CapturedFrame): boolean {
  const [from, to] = [known.evidence.face, frame.evidence.face];
  if (!from || !to || !isTurnedAway(to)) return false;
  return (
    Math.abs(frame.atMs - known.atMs) <= TURNED_AWAY.maxBetweenMs &&
    overlap(from.box, to.box) >= TURNED_AWAY.minOverlap
  );
}

type Box = FaceGeometry['box'];

/** Intersection over union, 0 to 1. */
function overlap(a: Box, b: Box): number {
  const across = Math.min(a.x2, b.x2) - Math.max(a.x1, b.x1);
  const down = Math.min(a.y2, b.y2) - Math.max(a.y1, b.y1);
  if (across <= 0 || down <= 0) return 0;
  const area = ({ x1, y1, x2, y2 }: Box) => (x2 - x1) * (y2 - y1);
  return (across * down) / (area(a) + area(b) - across * down);
}

/**
 * Upload indices of the frames to average: head as in the neutral, face barely changed by its expression.
 * Prefers the frontal ones; uses all if the person's neutral measures as turned, so that a pass always has a
 * face for recognition.
 */
export function framesForProbe(segments: Segments, neutral: GestureMeasures): number[] {
  const reference = referenceOf(segments);
  if (!reference) return [];
  const resting = segments.all.filter(
    ({ evidence, measures }) =>
      evidence.embedding !== null &&
      measures !== null &&
      Math.abs(measures.yawRad - neutral.yawRad) <= PROBE_POSE_RAD &&
      Math.abs(measures.pitchRad - neutral.pitchRad) <= PROBE_POSE_RAD &&
      cosine(evidence.embedding, reference) >= SAME_FACE.probe,
  );
  const frontal = resting.filter(({ measures }) => Math.abs(measures?.yawRad ?? 0) <= PROBE_POSE_RAD);
  return (frontal.length > 0 ? frontal : resting).map(({ index }) => index);
}

/**
 * Indices of the frames of each further view: the head turned to one side, to the other, or lifted, far enough to look
 * different, not so far that it is hard to recognise, and certainly the same face. Sides stay apart, because the mean of both
 * would be almost frontal.
 */
export function framesOfViews(segments: Segments, neutral: GestureMeasures): number[][] {
  const reference = referenceOf(segments);
  if (!reference) return [];
  const views = segments.steps.flat().flatMap(({ index, evidence, measures }) => {
    if (!evidence.embedding || !measures || isTurnedAway(measures, neutral.pitchRad)) return [];
    const view = viewOf(measures, neutral);
    return view !== null && cosine(evidence.embedding, reference) >= FURTHER_VIEW.sameFace
      ? [{ index, view }]
      : [];
  });
  return [...Map.groupBy(views, ({ view }) => view).values()].map((of) => of.map(({ index }) => index));
}

function viewOf(measures: GestureMeasures, neutral: GestureMeasures): 'left' | 'right' | 'lifted' | null {
  const turnedRad = measures.yawRad - neutral.yawRad;
  if (Math.abs(turnedRad) >= FURTHER_VIEW.fromRad) return turnedRad > 0 ? 'left' : 'right';
  const isSmiling = measures.mouthSpread - neutral.mouthSpread >= STEP_MARKS.smileSpread;
  return !isSmiling && measures.pitchRad - neutral.pitchRad >= FURTHER_VIEW.fromRad ? 'lifted' : null;
}

const embeddingsOf = (frames: readonly CapturedFrame[]): Float32Array[] =>
  frames.flatMap(({ evidence }) => evidence.embedding ?? []);

function referenceOf({ neutral }: Segments): Float32Array | null {
  const embeddings = embeddingsOf(neutral);
  return embeddings.length > 0 ? normalisedMean(embeddings) : null;
}
