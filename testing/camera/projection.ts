/** Turns and moves the head in front of a mild perspective camera. */
import { withExpression, type Expression } from './expressions.ts';
import type { Head } from './head-model.ts';
import { apply, headRotation, inImageAxes, lerp, multiply, sub, type Vec3 } from './vectors.ts';

/** Degrees, pixels and, for `closer`, the factor by which the face grows (1 = unchanged). */
export type HeadState = Expression & {
  yawDeg: number;
  pitchDeg: number;
  rollDeg: number;
  dxPx: number;
  dyPx: number;
  closer: number;
};

export const AT_REST: HeadState = {
  blink: 0,
  smile: 0,
  jaw: 0,
  yawDeg: 0,
  pitchDeg: 0,
  rollDeg: 0,
  dxPx: 0,
  dyPx: 0,
  closer: 1,
};

/** MediaPipe's report for a face that looks straight at the camera. */
const NEUTRAL_PITCH_DEG = -8;
/** Focal length in picture widths, about that of a phone's front camera at arm's length. */
const FOCAL_WIDTHS = 1.3;

export function project(head: Head, state: HeadState, flat: boolean): Vec3[] {
  const { width, height } = head.still.size;
  const wanted = headRotation(state.yawDeg, state.pitchDeg + (flat ? 0 : NEUTRAL_PITCH_DEG), state.rollDeg);
  const rotation = inImageAxes(multiply(wanted, head.neutralise));
  const focalPx = FOCAL_WIDTHS * width;
  // Coming closer by this much enlarges content at depth 0 by the requested factor.
  const approachPx = focalPx * (1 - 1 / state.closer);
  const [middleX, middleY] = [width / 2, height / 2];
  return withExpression(head, state).map((point, index) => {
    const weight = head.weights[index]!;
    if (weight === 0) return point;
    const fromPivot = sub(point, head.pivot);
    const turned = apply(rotation, fromPivot);
    const place = (axis: 0 | 1 | 2) => head.pivot[axis] + lerp(fromPivot[axis], turned[axis], weight);
    const z = place(2);
    // Relative to the depth at rest, so that a head at rest reproduces the photo.
    const perspective = lerp(1, (focalPx + point[2]) / (focalPx + z - approachPx), weight);
    return [
      middleX + (place(0) - middleX) * perspective + state.dxPx * weight,
      middleY + (place(1) - middleY) * perspective + state.dyPx * weight,
      z + (1 - weight) * head.faceWidthPx,
    ];
  });
}
