/**
 * The pictures that a reviewer compares: the most frontal and sharpest of a capture, and the position of the
 * eyes in each.
 */
import type { FaceGeometry, FrameEvidence } from '../capture/evidence.ts';

/** Position of a face in its picture. Lengths in pixels, the angle in radians. */
export type FaceFraming = {
  width: number;
  height: number;
  /** Half-way between the eyes. */
  eyesX: number;
  eyesY: number;
  interocularPx: number;
  /** As `FaceGeometry.rollRad`. */
  rollRad: number;
};

/** More pictures help a reviewer little, and store more of a face than needed. */
export const MAX_CASE_FRAMES = 3;

/** The eyes among the 68 points, as the person sees them: right 36–41, left 42–47. */
const EYES: { readonly from: number; readonly to: number } = { from: 36, to: 48 };
/** Each radian of head rotation costs a picture this share of its sharpness. */
const TURN_COST_PER_RAD = 3;

/**
 * Indices of the frames to keep for a reviewer, best first.
 * @param good indices of the frames used for recognition
 */
export function framesForReview(good: readonly number[], frames: readonly FrameEvidence[]): number[] {
  const sharpest = Math.max(1e-9, ...good.map((index) => frames[index]?.sharpness ?? 0));
  const worth = (index: number): number => {
    const frame = frames[index];
    if (!frame?.face) return -Infinity;
    const turnRad = Math.hypot(frame.face.yawRad, frame.face.pitchRad);
    return frame.sharpness / sharpest - TURN_COST_PER_RAD * turnRad;
  };
  return [...good]
    .filter((index) => frames[index]?.face)
    .sort((a, b) => worth(b) - worth(a))
    .slice(0, MAX_CASE_FRAMES);
}

/** Null if no face was found. */
export function framingOf({ width, height, face }: FrameEvidence): FaceFraming | null {
  if (!face) return null;
  const [eyesX, eyesY] = betweenEyes(face);
  return { width, height, eyesX, eyesY, interocularPx: face.interocularPx, rollRad: face.rollRad };
}

function betweenEyes({ landmarks }: FaceGeometry): [x: number, y: number] {
  let [x, y] = [0, 0];
  for (let point = EYES.from; point < EYES.to; point++) {
    x += landmarks[2 * point] ?? 0;
    y += landmarks[2 * point + 1] ?? 0;
  }
  const points = EYES.to - EYES.from;
  return [x / points, y / points];
}
