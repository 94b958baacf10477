/** The direction of a head, from its 68 points: a least-squares fit of an average head under weak perspective. */
import { point } from '../models/landmarks.ts';

type Pose = { yawRad: number; pitchRad: number; rollRad: number };

type Vector = readonly [number, number, number];

/**
 * Points of an average face that expressions barely move, by iBUG index: x to the image's right, y up, z toward the
 * camera, in centimetres (from MediaPipe's canonical face). Leaves out jaw, brows and mouth, because they move.
 */
const HEAD: readonly (readonly [index: number, position: Vector])[] = [
  [27, [0, 3.27, 5.24]],
  [28, [0, 1.73, 6.32]],
  [29, [0, 0.5, 7.1]],
  [30, [0, -0.75, 7.55]],
  [31, [-1.41, -1.71, 5.24]],
  [32, [-0.6, -2.01, 5.87]],
  [33, [0, -2.09, 6.06]],
  [34, [0.6, -2.01, 5.87]],
  [35, [1.41, -1.71, 5.24]],
  [36, [-4.45, 2.66, 3.17]],
  [39, [-1.86, 2.59, 3.76]],
  [42, [1.86, 2.59, 3.76]],
  [45, [4.45, 2.66, 3.17]],
];

/** The points that the fit uses, by iBUG index. */
export function averageHead(): typeof HEAD {
  return HEAD;
}

const CENTRED = centred(HEAD.map(([, position]) => position));
const GRAM_INVERSE = inverse(gram(CENTRED));

/**
 * Signs as in `FaceGeometry`. Absolute angles have an offset of several degrees per person, so compare with the same
 * person's neutral frames.
 */
export function estimatePose(landmarks: Float32Array): Pose {
  const points = HEAD.map(([index]) => point(landmarks, index));
  const meanX = mean(points.map(({ x }) => x));
  const meanY = mean(points.map(({ y }) => y));
  // Rows of scale × rotation: (XᵀX)⁻¹ Xᵀ x for each image axis, y turned upward.
  const across: [number, number, number] = [0, 0, 0];
  const up: [number, number, number] = [0, 0, 0];
  points.forEach(({ x, y }, i) => {
    const model = CENTRED[i] ?? [0, 0, 0];
    for (const axis of [0, 1, 2] as const) {
      across[axis] += (x - meanX) * model[axis];
      up[axis] += (meanY - y) * model[axis];
    }
  });
  const [right, upward] = orthonormal(times(GRAM_INVERSE, across), times(GRAM_INVERSE, up));
  const forward = cross(right, upward);
  // Rotation = roll · pitch · yaw, so that a tilted phone or head changes neither yaw nor pitch.
  return {
    yawRad: Math.atan2(-forward[0], forward[2]),
    pitchRad: Math.asin(Math.max(-1, Math.min(1, -forward[1]))),
    rollRad: Math.atan2(right[1], upward[1]),
  };
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function centred(vectors: readonly Vector[]): Vector[] {
  const middle = [0, 1, 2].map((axis) => mean(vectors.map((v) => v[axis] ?? 0)));
  return vectors.map((v) => [v[0] - (middle[0] ?? 0), v[1] - (middle[1] ?? 0), v[2] - (middle[2] ?? 0)]);
}

type Matrix = readonly [Vector, Vector, Vector];

function gram(vectors: readonly Vector[]): Matrix {
  const row = (i: 0 | 1 | 2): Vector => {
    const entry = (j: 0 | 1 | 2) => vectors.reduce((sum, v) => sum + v[i] * v[j], 0);
    return [entry(0), entry(1), entry(2)];
  };
  return [row(0), row(1), row(2)];
}

function inverse([a, b, c]: Matrix): Matrix {
  const columns = [cross(b, c), cross(c, a), cross(a, b)] as const;
  const determinant = dot(a, columns[0]);
  const row = (i: 0 | 1 | 2): Vector => [
    columns[0][i] / determinant,
    columns[1][i] / determinant,
    columns[2][i] / determinant,
  ];
  return [row(0), row(1), row(2)];
}

function times([a, b, c]: Matrix, v: Vector): Vector {
  return [dot(a, v), dot(b, v), dot(c, v)];
}

function dot(p: Vector, q: Vector): number {
  return p[0] * q[0] + p[1] * q[1] + p[2] * q[2];
}

function cross(p: Vector, q: Vector): Vector {
  return [p[1] * q[2] - p[2] * q[1], p[2] * q[0] - p[0] * q[2], p[0] * q[1] - p[1] * q[0]];
}

function unit(v: Vector): Vector {
  const length = Math.sqrt(dot(v, v)) || 1;
  return [v[0] / length, v[1] / length, v[2] / length];
}

/** Makes two nearly perpendicular directions perpendicular, changing both equally. */
function orthonormal(p: Vector, q: Vector): [Vector, Vector] {
  const [u, v] = [unit(p), unit(q)];
  const sum = unit([u[0] + v[0], u[1] + v[1], u[2] + v[2]]);
  const difference = unit([u[0] - v[0], u[1] - v[1], u[2] - v[2]]);
  return [
    unit([sum[0] + difference[0], sum[1] + difference[1], sum[2] + difference[2]]),
    unit([sum[0] - difference[0], sum[1] - difference[1], sum[2] - difference[2]]),
  ];
}
