/**
 * How far a gesture has progressed, compared with the person's own neutral. The thresholds are above the server's,
 * which judges the stills with another set of points, so that a gesture that reaches the threshold here has a margin
 * there.
 */
import type { LivenessStep } from '../../../server/contract/flow.ts';
import type { FaceMeasures } from '../landmarks/measure.ts';

export const degrees = (value: number): number => (value * Math.PI) / 180;

/** Change from neutral at which a gesture counts as made. */
const MARKS = {
  turnRad: degrees(20),
  lookUpRad: degrees(9),
  /** A smile takes a few degrees off the measured lift. */
  liftSmilingRad: degrees(5),
  /**
   * Remaining share of the eye's neutral opening. Landmarks lag behind a video, so a quick blink barely shows; the
   * peak is taken wherever the lids fall below this.
   */
  eyeShare: 0.76,
  smileGrowth: 1.2,
  mouthGap: 0.24,
  sizeGrowth: 1.28,
} as const;

/**
 * From the camera's axis, as on the server, which accepts 35° and 30° (`TURNED_AWAY`). Beyond this a head hides the features
 * needed for recognition, so the stills are taken before.
 */
const FURTHEST = { turnRad: degrees(32), liftRad: degrees(26) } as const;
/** A turn may always go this far from neutral, so that somebody who looks aside at rest can make it. */
const LEAST_TURN_RAD = degrees(22);

/** Change from neutral within which a face counts as back at rest. */
const REST = {
  turnRad: degrees(6),
  pitchRad: degrees(5),
  smileGrowth: 1.1,
  mouthGap: 0.1,
  eyeShare: 0.8,
} as const;

/** Further from its neutral, a face is not looking at the camera, and its eyes and mouth are foreshortened. */
const FACING_RAD = degrees(11);

const over = (part: number, whole: number): number => (whole > 0 ? part / whole : 1);

/** The wider open of the two eyes, as a share of its neutral, so that a wink is no blink. */
const openEyeShare = (face: FaceMeasures, neutral: Neutral): number =>
  Math.max(over(face.eyeImageLeft, neutral.eyeImageLeft), over(face.eyeImageRight, neutral.eyeImageRight));

/**
 * Increases up to the furthest movement, and decreases beyond it, so that the face can still be recognised at the peak.
 */
const headProgress = (rad: number, markRad: number, furthestRad: number): number =>
  Math.min(rad, 2 * furthestRad - rad) / markRad;

const isLift = (step: LivenessStep): boolean => step === 'look_up' || step === 'look_up_smile';

/** How far from its neutral the head may go in a step; null if nothing is too far. */
function furthestRad(step: LivenessStep, { yawRad, pitchRad }: Neutral): number | null {
  // Within what counts as facing, a head that is lifted at rest, as above a phone held low, is no further away.
  if (isLift(step)) return Math.max(FACING_RAD, FURTHEST.liftRad - pitchRad);
  if (step === 'turn_left') return Math.max(LEAST_TURN_RAD, FURTHEST.turnRad - yawRad);
  return step === 'turn_right' ? Math.max(LEAST_TURN_RAD, FURTHEST.turnRad + yawRad) : null;
}

/** Of the head in a step's own direction; 0 for the steps that move no head. */
function headRad(step: LivenessStep, face: FaceMeasures, neutral: Neutral): number {
  if (isLift(step)) return face.pitchRad - neutral.pitchRad;
  if (step === 'turn_left') return face.yawRad - neutral.yawRad;
  return step === 'turn_right' ? neutral.yawRad - face.yawRad : 0;
}

const smileOf = (growth: number): number => (growth - 1) / (MARKS.smileGrowth - 1);

/**
 * 0 at neutral, 1 at the threshold, higher beyond; negative if the face moves the other way. As on the server, all
 * gestures except turns are made facing the camera, and a grin is neither a blink nor an open mouth.
 */
export function gestureProgress(step: LivenessStep, face: FaceMeasures, neutral: Neutral): number {
  const smileGrowth = over(face.smileWidth, neutral.smileWidth);
  const mouthGap = face.mouthOpening - neutral.mouthOpening;
  const yawRad = Math.abs(face.yawRad - neutral.yawRad);
  const pitchRad = Math.abs(face.pitchRad - neutral.pitchRad);
  const isTurn = step === 'turn_left' || step === 'turn_right';
  if (!isTurn && (yawRad > FACING_RAD || (!isLift(step) && pitchRad > FACING_RAD))) return 0;
  switch (step) {
    case 'turn_left':
    case 'turn_right':
    case 'look_up': {
      const markRad = isTurn ? MARKS.turnRad : MARKS.lookUpRad;
      return headProgress(headRad(step, face, neutral), markRad, furthestRad(step, neutral) ?? markRad);
    }
    case 'look_up_smile': {
      const { liftSmilingRad: markRad } = MARKS;
      const lift = headProgress(headRad(step, face, neutral), markRad, furthestRad(step, neutral) ?? markRad);
      return Math.min(lift, smileOf(smileGrowth));
    }
    case 'blink':
      if (smileGrowth > REST.smileGrowth || mouthGap > REST.mouthGap) return 0;
      return (1 - openEyeShare(face, neutral)) / (1 - MARKS.eyeShare);
    case 'smile':
      return smileOf(smileGrowth);
    case 'open_mouth':
      return smileGrowth >= MARKS.smileGrowth ? 0 : mouthGap / MARKS.mouthGap;
    case 'move_closer':
      return (over(face.size, neutral.size) - 1) / (MARKS.sizeGrowth - 1);
  }
}

/** Whether the head is turned, to either side, or lifted too far to be recognised. */
export function isTurnedTooFar(step: LivenessStep, face: FaceMeasures, neutral: Neutral): boolean {
  const ways: readonly LivenessStep[] = isLift(step) ? [step] : ['turn_left', 'turn_right'];
  if (!ways.includes(step)) return false;
  return ways.some((way) => headRad(way, face, neutral) > (furthestRad(way, neutral) ?? Infinity));
}

/** Whether the face rests as in its neutral. Its distance may change: a person who came closer need not move back. */
export function atRest(face: FaceMeasures, neutral: Neutral): boolean {
  return (
    Math.abs(face.yawRad - neutral.yawRad) < REST.turnRad &&
    Math.abs(face.pitchRad - neutral.pitchRad) < REST.pitchRad &&
    face.mouthOpening - neutral.mouthOpening < REST.mouthGap &&
    over(face.smileWidth, neutral.smileWidth) < REST.smileGrowth &&
    openEyeShare(face, neutral) > REST.eyeShare
  );
}

/** This person's own face at rest: every gesture is compared with it, never with an average. */
export type Neutral = Omit<FaceMeasures, 'box' | 'centreX' | 'centreY'>;

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? 0;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? upper) + upper) / 2;
}

/** The median of each measure, so that a blink or a twitch has no effect. */
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
