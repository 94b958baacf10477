/**
 * A plane does not turn like a head. One projective map explains all points between two views of a plane; a
 * smooth curve across it is enough for a bent sheet. The nose of a head moves further than either allows.
 */
import type { Point } from '../../matching/similarity.ts';
import { leastSquares } from './least-squares.ts';

type Parallax = {
  /** Root mean square of the residual of the best plane, in interocular distances. */
  offPlane: number;
  /**
   * Sine of the angle by which the nose turned against the best-fitting sheet, flat or bent. Positive toward
   * the image's right for `across`, upward for `up`. 0 for any sheet.
   */
  across: number;
  up: number;
  /**
   * Correlation, −1 to 1, between the residual of an affine map along the stronger axis and the relief of an
   * average head. Distorting a picture moves points, but not the right ones.
   */
  headlike: number;
};

const EYE_RIGHT = [36, 37, 38, 39, 40, 41];
const EYE_LEFT = [42, 43, 44, 45, 46, 47];

/**
 * @param before landmarks at rest, x0 y0 x1 y1 …, in pixels
 * @param after the same points in another view
 */
export function measureParallax(before: Float32Array, after: Float32Array): Parallax {
  const unitPx = Math.max(1, interocularPx(before));
  const from = inOwnAxes(before, unitPx);
  const to = inOwnAxes(after, unitPx);
  const plane = fitHomography(from, to);
  const squares = from.reduce((sum, point, i) => {
    const { x, y } = applyHomography(plane, point);
    const seen = to[i] ?? { x, y };
    return sum + (seen.x - x) ** 2 + (seen.y - y) ** 2;
  }, 0);
  const moved = (axis: 'x' | 'y') => from.map((point, i) => (to[i]?.[axis] ?? 0) - point[axis]);
  const [right, down] = [moved('x'), moved('y')];
  const sheet = from.map(({ x, y }, i) => [1, x, y, x * x, x * y, y * y, RELIEF[i] ?? 0]);
  const stoodOut = (shift: readonly number[]) => leastSquares(sheet, shift)[6] ?? 0;
  const across = stoodOut(right);
  const up = -stoodOut(down);
  const flat = from.map(({ x, y }) => [1, x, y]);
  const stronger = Math.abs(across) >= Math.abs(up) ? right : down;
  const sign = stronger === right ? Math.sign(across) : -Math.sign(up);
  return {
    offPlane: Math.sqrt(squares / Math.max(1, from.length)),
    across,
    up,
    headlike: sign * correlation(unexplained(flat, stronger), unexplained(flat, RELIEF)),
  };
}

function interocularPx(landmarks: Float32Array): number {
  const [right, left] = [middle(landmarks, EYE_RIGHT), middle(landmarks, EYE_LEFT)];
  return Math.hypot(left.x - right.x, left.y - right.y);
}

/**
 * The relief points relative to the midpoint of the eyes and the line through them, so that a leaning head
 * measures the same.
 */
function inOwnAxes(landmarks: Float32Array, unitPx: number): Point[] {
  const [right, left] = [middle(landmarks, EYE_RIGHT), middle(landmarks, EYE_LEFT)];
  const length = Math.max(1e-6, Math.hypot(left.x - right.x, left.y - right.y));
  const [cos, sin] = [(left.x - right.x) / length, (left.y - right.y) / length];
  const centre = { x: (left.x + right.x) / 2, y: (left.y + right.y) / 2 };
  return RELIEF_POINTS.map((index) => {
    const x = ((landmarks[2 * index] ?? 0) - centre.x) / unitPx;
    const y = ((landmarks[2 * index + 1] ?? 0) - centre.y) / unitPx;
    return { x: cos * x + sin * y, y: cos * y - sin * x };
  });
}

function middle(landmarks: Float32Array, indices: readonly number[]): Point {
  const of = (axis: 0 | 1) =>
    indices.reduce((sum, index) => sum + (landmarks[2 * index + axis] ?? 0), 0) / indices.length;
  return { x: of(0), y: of(1) };
}

function unexplained(rows: readonly (readonly number[])[], values: readonly number[]): number[] {
  const fit = leastSquares(rows, values);
  return values.map((value, i) => value - (rows[i] ?? []).reduce((sum, x, j) => sum + x * (fit[j] ?? 0), 0));
}

/** Expects values with mean 0. Returns 0 if one of them does not vary. */
function correlation(p: readonly number[], q: readonly number[]): number {
  const product = (a: readonly number[], b: readonly number[]) =>
    a.reduce((sum, value, i) => sum + value * (b[i] ?? 0), 0);
  const size = Math.sqrt(product(p, p) * product(q, q));
  return size > 1e-12 ? product(p, q) / size : 0;
}

/** The projective map between two pictures of a plane: `u = (h0·x + h1·y + h2) / w`, `v = (h3·x + h4·y + h5) / w`, `w = h6·x + h7·y + 1`. */
type Homography = readonly number[];

/**
 * Least-squares fit (direct linear transform); exact for points of a plane. Expects points near the origin with
 * a size of about 1.
 */
function fitHomography(from: readonly Point[], to: readonly Point[]): Homography {
  const rows: number[][] = [];
  const targets: number[] = [];
  from.forEach(({ x, y }, i) => {
    const { x: u, y: v } = to[i] ?? { x: 0, y: 0 };
    rows.push([x, y, 1, 0, 0, 0, -u * x, -u * y], [0, 0, 0, x, y, 1, -v * x, -v * y]);
    targets.push(u, v);
  });
  return leastSquares(rows, targets);
}

function applyHomography(h: Homography, { x, y }: Point): Point {
  const at = (index: number) => h[index] ?? 0;
  const w = at(6) * x + at(7) * y + 1;
  return { x: (at(0) * x + at(1) * y + at(2)) / w, y: (at(3) * x + at(4) * y + at(5)) / w };
}

/**
 * How far each point of an average face protrudes toward the camera, by iBUG index, in interocular distances
 * (rounded measurements of MediaPipe's canonical face). Leaves out the jaw: landmark models place it on the
 * outline, which slides over the skin when the head turns. Also leaves out the lips, except their corners and
 * centres.
 */
const CANONICAL_INTEROCULAR_CM = 6.3;

/** Centimetres; the right half of each pair mirrors the left. */
/* oxfmt-ignore */
const DEPTH_CM: readonly (readonly [index: number, depthCm: number])[] = [
  [17, 3.0], [18, 4.3], [19, 4.9], [20, 5.2], [21, 5.3], [22, 5.3], [23, 5.2], [24, 4.9], [25, 4.3], [26, 3.0],
  [27, 5.24], [28, 6.32], [29, 7.1], [30, 7.55], [31, 5.24], [32, 5.87], [33, 6.06], [34, 5.87], [35, 5.24],
  [36, 3.17], [37, 3.9], [38, 4.05], [39, 3.76], [40, 3.8], [41, 3.75],
  [42, 3.76], [43, 4.05], [44, 3.9], [45, 3.17], [46, 3.75], [47, 3.8],
  [48, 4.28], [51, 6.1], [54, 4.28], [57, 5.9],
];

export const RELIEF_POINTS: readonly number[] = DEPTH_CM.map(([index]) => index);
/** In the order of `RELIEF_POINTS`. */
export const RELIEF: readonly number[] = DEPTH_CM.map(([, depthCm]) => depthCm / CANONICAL_INTEROCULAR_CM);
