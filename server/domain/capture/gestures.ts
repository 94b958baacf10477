/**
 * Whether a face performs a step, compared with the same person's neutral face: geometry of the 68 points, no
 * pictures.
 */
import type { LivenessStep } from '../../contract/flow.ts';
import type { FaceGeometry } from './evidence.ts';
import { EXCLUSIVE, FACING, STEP_MARKS, TURNED_AWAY } from './liveness-thresholds.ts';
import { mean, median } from '../statistics.ts';

export type GestureMeasures = {
  /** Signs as in `FaceGeometry`. */
  yawRad: number;
  pitchRad: number;
  /** Mean of both eyes' height divided by width. */
  eyeAspect: number;
  /** Distance between the inner lips, in interocular distances. */
  mouthGap: number;
  /** Width of the mouth plus height of its corners toward the nose, in interocular distances. */
  mouthSpread: number;
  interocularPx: number;
  /**
   * Interocular distance divided by the distance from nose bridge to chin; a tilted picture makes it smaller.
   */
  breadth: number;
};

/** iBUG indices. */
const EYE_OUTER_RIGHT = 36;
const EYE_OUTER_LEFT = 45;
const NOSE_BRIDGE = 27;
const NOSE_BASE = 33;
const MOUTH_RIGHT = 48;
const MOUTH_LEFT = 54;
const CHIN = 8;
const INNER_LIPS = [
  [61, 67],
  [62, 66],
  [63, 65],
] as const;

export function gesturesOf(face: FaceGeometry): GestureMeasures {
  const point = (index: number) => ({
    x: face.landmarks[2 * index] ?? 0,
    y: face.landmarks[2 * index + 1] ?? 0,
  });
  const apart = (a: number, b: number) => Math.hypot(point(a).x - point(b).x, point(a).y - point(b).y);
  // Measured down the face, perpendicular to the line through the eyes, so that a tilted head measures the
  // same.
  const [right, left] = [point(EYE_OUTER_RIGHT), point(EYE_OUTER_LEFT)];
  const eyeLinePx = Math.max(1, Math.hypot(left.x - right.x, left.y - right.y));
  const down = { x: -(left.y - right.y) / eyeLinePx, y: (left.x - right.x) / eyeLinePx };
  const depth = (index: number) => point(index).x * down.x + point(index).y * down.y;
  const cornersBelowNosePx = (depth(MOUTH_RIGHT) + depth(MOUTH_LEFT)) / 2 - depth(NOSE_BASE);
  const interocularPx = Math.max(1, face.interocularPx);
  return {
    yawRad: face.yawRad,
    pitchRad: face.pitchRad,
    eyeAspect: (face.eyeAspectLeft + face.eyeAspectRight) / 2,
    mouthGap: mean(INNER_LIPS.map(([upper, lower]) => apart(upper, lower))) / interocularPx,
    mouthSpread: (apart(MOUTH_RIGHT, MOUTH_LEFT) - cornersBelowNosePx) / interocularPx,
    interocularPx: face.interocularPx,
    breadth: interocularPx / Math.max(1, apart(NOSE_BRIDGE, CHIN)),
  };
}

/** Median of each measure, so that one frame in mid-blink has no effect. */
export function neutralOf(frames: readonly GestureMeasures[]): GestureMeasures {
  const of = (key: keyof GestureMeasures) => median(frames.map((frame) => frame[key]));
  return {
    yawRad: of('yawRad'),
    pitchRad: of('pitchRad'),
    eyeAspect: of('eyeAspect'),
    mouthGap: of('mouthGap'),
    mouthSpread: of('mouthSpread'),
    interocularPx: of('interocularPx'),
    breadth: of('breadth'),
  };
}

/**
 * How completely a step is done: 0 not at all, 1 at its threshold, higher beyond. Steps of eyes and mouth
 * exclude each other, so that one grin does not count as three of them. Of two movements at once the smaller counts.
 */
export function stepStrength(step: LivenessStep, frame: GestureMeasures, neutral: GestureMeasures): number {
  const yawRad = frame.yawRad - neutral.yawRad;
  const pitchRad = frame.pitchRad - neutral.pitchRad;
  const whileFacing = (strength: number) => (faces({ yawRad, pitchRad }) ? Math.max(0, strength) : 0);
  const eyesOpen = ratio(frame.eyeAspect, neutral.eyeAspect);
  const mouthGap = frame.mouthGap - neutral.mouthGap;
  const mouthSpread = frame.mouthSpread - neutral.mouthSpread;
  switch (step) {
    case 'turn_left':
      return Math.max(0, yawRad / STEP_MARKS.turnRad);
    case 'turn_right':
      return Math.max(0, -yawRad / STEP_MARKS.turnRad);
    case 'look_up':
      // A turned head measures as lifted if a shoulder hides its chin.
      return Math.abs(yawRad) > FACING.yawRad ? 0 : Math.max(0, pitchRad / STEP_MARKS.lookUpRad);
    case 'look_up_smile':
      if (Math.abs(yawRad) > FACING.yawRad || eyesOpen < EXCLUSIVE.smileEyesOpen) return 0;
      return Math.max(
        0,
        Math.min(pitchRad / STEP_MARKS.liftSmilingRad, mouthSpread / STEP_MARKS.smileSpread),
      );
    case 'blink':
      if (mouthSpread > EXCLUSIVE.blinkMouthSpread || mouthGap > EXCLUSIVE.blinkMouthGap) return 0;
      return whileFacing((1 - eyesOpen) / (1 - STEP_MARKS.blinkShare));
    case 'smile':
      return eyesOpen < EXCLUSIVE.smileEyesOpen ? 0 : whileFacing(mouthSpread / STEP_MARKS.smileSpread);
    case 'open_mouth':
      return mouthSpread >= STEP_MARKS.smileSpread ? 0 : whileFacing(mouthGap / STEP_MARKS.mouthGap);
    case 'move_closer':
      return whileFacing(
        (ratio(frame.interocularPx, neutral.interocularPx) - 1) / (STEP_MARKS.closerFactor - 1),
      );
  }
}

/**
 * Whether the head is turned or lifted too far to be recognised.
 * @param restPitchRad of the same face at rest: a phone held low sees it lifted, and can be compared with itself
 */
export const isTurnedAway = (
  { yawRad, pitchRad }: Pick<FaceGeometry, 'yawRad' | 'pitchRad'>,
  restPitchRad = 0,
): boolean =>
  Math.abs(yawRad) > TURNED_AWAY.yawRad ||
  (Math.abs(pitchRad) > TURNED_AWAY.pitchRad && Math.abs(pitchRad - restPitchRad) > FACING.pitchRad);

/** Whether the head is close enough to its neutral pose to compare eyes and mouth. */
export const facesAsNeutral = (frame: GestureMeasures, neutral: GestureMeasures): boolean =>
  faces({ yawRad: frame.yawRad - neutral.yawRad, pitchRad: frame.pitchRad - neutral.pitchRad });

const faces = (turned: { yawRad: number; pitchRad: number }) =>
  Math.abs(turned.yawRad) <= FACING.yawRad && Math.abs(turned.pitchRad) <= FACING.pitchRad;

const ratio = (part: number, whole: number) => (whole > 0 ? part / whole : 1);
