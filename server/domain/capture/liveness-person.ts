/** Whether all frames show one person, and which of them are fit to recognise that person by. */
import { facesAsNeutral, type GestureMeasures } from './gestures.ts';
import type { CapturedFrame, Segments } from './liveness-segments.ts';
import { PROBE_POSE_RAD, SAME_FACE } from './liveness-thresholds.ts';
import { cosine, normalisedMean } from '../matching/matching.ts';

/**
 * Frames without a face are not judged here. A turned head may hide most of what it is known by, or lie badly in one
 * frame: then the step's other frame may vouch for it, if that is known and the two are as alike as faces that face the
 * camera have to be.
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
 * Upload indices of the frames to average: the head as in the neutral, the face hardly changed by its expression. Of
 * these the frontal ones, or all where a person's neutral reads as turned: a pass never lacks a face to know them by.
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

const embeddingsOf = (frames: readonly CapturedFrame[]): Float32Array[] =>
  frames.flatMap(({ evidence }) => evidence.embedding ?? []);

function referenceOf({ neutral }: Segments): Float32Array | null {
  const embeddings = embeddingsOf(neutral);
  return embeddings.length > 0 ? normalisedMean(embeddings) : null;
}
