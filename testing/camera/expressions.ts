/** Moves the mesh's vertices as a face moves: lids, mouth corners, jaw. */
import {
  EYES,
  LOWER_LIP_POINTS,
  MOUTH_CORNER_LEFT,
  MOUTH_CORNER_RIGHT,
  MOUTH_CORNERS,
} from './face-points.ts';
import { MESH_POINTS, type Head } from './head-model.ts';
import { distance, dot, lerp, smoothstep, sub, type Vec3 } from './vectors.ts';

/** Each from 0 (at rest) to 1 (as far as a person is asked to). */
export type Expression = { blink: number; smile: number; jaw: number };

export function withExpression(head: Head, { blink, smile, jaw }: Expression): Vec3[] {
  const points = head.rest.map((point): Vec3 => [...point]);
  if (smile > 0) pullMouthCorners(head, points, smile);
  if (jaw > 0) dropJaw(head, points, jaw);
  if (blink > 0) closeLids(head, points, blink);
  return points;
}

const move = (point: Vec3, direction: Vec3, byPx: number) => {
  for (const axis of [0, 1, 2] as const) point[axis] += direction[axis] * byPx;
};

/** Corners move outward and up by a fifth of the mouth's width; cheeks follow less with distance. */
function pullMouthCorners(head: Head, points: Vec3[], amount: number): void {
  const pullPx = 0.2 * head.mouthWidthPx;
  const reachPx = 0.42 * head.mouthWidthPx;
  for (let index = 0; index < MESH_POINTS; index++) {
    for (const [corner, side] of [
      [MOUTH_CORNER_RIGHT, -1],
      [MOUTH_CORNER_LEFT, 1],
    ] as const) {
      const near = Math.exp(-((distance(head.rest[index]!, head.rest[corner]!) / reachPx) ** 2)) * amount;
      move(points[index]!, head.right, side * pullPx * near);
      move(points[index]!, head.up, pullPx * near);
    }
  }
}

/** Lower lip and chin sink by a seventh of the face's height, less toward the sides of the jaw. */
function dropJaw(head: Head, points: Vec3[], amount: number): void {
  head.rest.forEach((rest, index) => {
    if (index >= MESH_POINTS && head.weights[index]! < 0.9) return;
    const fromMouth = sub(rest, head.mouthMiddle);
    const below = -dot(fromMouth, head.up) / head.faceHeightPx;
    const aside = Math.abs(dot(fromMouth, head.right)) / head.faceWidthPx;
    const follows = LOWER_LIP_POINTS.has(index) ? 1 : smoothstep((below - 0.015) / 0.05);
    const share = MOUTH_CORNERS.has(index) ? 0.25 : follows * (1 - smoothstep((aside - 0.12) / 0.4));
    move(points[index]!, head.up, -0.14 * head.faceHeightPx * amount * share);
  });
}

/**
 * Upper lids meet the lower ones except for 4 % of the opening; the fold above follows and provides the lid's skin.
 */
function closeLids(head: Head, points: Vec3[], amount: number): void {
  for (const { upper, lower, fold } of [EYES.right, EYES.left]) {
    upper.forEach((lid, index) => {
      for (const axis of [0, 1, 2] as const) {
        const target = lerp(points[lower[index]!]![axis], head.rest[lid]![axis], 0.04);
        const step = (target - points[lid]![axis]) * amount;
        points[lid]![axis] += step;
        points[fold[index]!]![axis] += 0.35 * step;
      }
    });
  }
}
