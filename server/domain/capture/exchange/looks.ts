/** What one still of a capture can be used for, and which hint would improve it. */
import type { CaptureHint } from '../../../contract/capture.ts';
import type { LivenessStep } from '../../../contract/flow.ts';
import type { FaceGeometry, FrameEvidence } from '../evidence.ts';
import { gesturesOf, isTurnedAway, stepStrength, type GestureMeasures } from '../gestures.ts';
import { FOR_ATTACK_MODEL, NEUTRAL, PICTURE } from '../liveness-thresholds.ts';
import { blurCause } from '../liveness-picture.ts';
import type { Ask } from './requests.ts';

/** `usable`: a still of the resting face that can be compared with, or one that shows the step. */
type Look = { usable: boolean; hints: CaptureHint[] };

/**
 * Offset of the face's centre from the picture's centre, as a share of its width or height, from which a hint
 * helps.
 */
const OFF_CENTRE = { x: 0.2, y: 0.25 } as const;
/** Height of the face divided by the picture's shorter side. */
const TOO_CLOSE = 0.8;
/**
 * Radians of yaw between a still and the median one of the resting face, up to which they count as the same
 * pose.
 */
export const STEADY_YAW_RAD = NEUTRAL.maxYawSpreadRad / 2;
/** Share of a step from which its direction counts as right. */
const BEGUN = 0.35;
const OTHER_SIDE: Partial<Record<LivenessStep, LivenessStep>> = {
  turn_left: 'turn_right',
  turn_right: 'turn_left',
};

/**
 * @param neutral the resting face; null if not known yet
 * @param mayUncover the person still has time to take a mask off
 */
export function lookAt(
  evidence: FrameEvidence,
  ask: Ask,
  neutral: GestureMeasures | null,
  mayUncover = false,
): Look {
  const { face, faceCount, brightness } = evidence;
  const unusable = (...hints: CaptureHint[]): Look => ({ usable: false, hints });
  if (faceCount > 1) return unusable('several_faces');
  const light = lightHint(brightness);
  if (!face) return unusable(light === 'too_dark' ? 'too_dark' : 'no_face');
  if (ask.kind === 'step') return stepLook(face, ask, neutral, light);
  if (light) return unusable(light);
  if (evidence.isCovered === true && mayUncover) return unusable('face_covered');
  if (face.interocularPx < PICTURE.minInterocularPx) return unusable('too_far');
  const place = placeHints(evidence, face);
  if (Math.abs(face.yawRad) > FOR_ATTACK_MODEL.maxYawRad) return unusable('look_straight', ...place);
  const blur = blurCause(evidence);
  if (blur !== null) return unusable(blur, ...place);
  const moved = neutral !== null && Math.abs(face.yawRad - neutral.yawRad) > STEADY_YAW_RAD;
  return { usable: true, hints: moved ? ['hold_still', ...place] : place };
}

function stepLook(
  face: FaceGeometry,
  { step }: Extract<Ask, { kind: 'step' }>,
  neutral: GestureMeasures | null,
  light: CaptureHint | null,
): Look {
  const hints: CaptureHint[] = light ? [light] : [];
  if (!neutral) return { usable: false, hints };
  if (isTurnedAway(face, neutral.pitchRad)) return { usable: false, hints: ['less', ...hints] };
  const strength = stepStrength(step, gesturesOf(face), neutral);
  if (strength >= 1) return { usable: true, hints };
  if (strength >= BEGUN) return { usable: false, hints: ['more', ...hints] };
  // A mirrored picture shows every turn on the wrong side, and so does a person who mistakes left and right.
  const other = OTHER_SIDE[step];
  const isOther = other !== undefined && stepStrength(other, gesturesOf(face), neutral) >= 1;
  return { usable: false, hints: isOther ? ['other_side', ...hints] : hints };
}

function lightHint(brightness: number): CaptureHint | null {
  if (brightness < PICTURE.minBrightness) return 'too_dark';
  return brightness > PICTURE.maxBrightness ? 'too_bright' : null;
}

function placeHints({ width, height }: FrameEvidence, { box }: FaceGeometry): CaptureHint[] {
  const hints: CaptureHint[] = [];
  if (box.y2 - box.y1 > TOO_CLOSE * Math.min(width, height)) hints.push('too_close');
  const asideShare = Math.abs((box.x1 + box.x2) / 2 / width - 0.5);
  const belowShare = Math.abs((box.y1 + box.y2) / 2 / height - 0.5);
  if (asideShare > OFF_CENTRE.x || belowShare > OFF_CENTRE.y) hints.push('off_centre');
  return hints;
}
