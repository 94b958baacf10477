/** Turns a face upright and to the size that recognition models were trained on. */
import { meanPoint, type Point } from './landmarks.ts';
import { warp, type Planes, type Similarity } from './resample.ts';
import type { RgbImage } from './rgb-image.ts';

/** Where ArcFace-style models expect eyes, nose tip and mouth corners, in a picture of 112 × 112. */
const TEMPLATE_SIDE_PX = 112;
const TEMPLATE: readonly Point[] = [
  { x: 38.2946, y: 51.6963 },
  { x: 73.5318, y: 51.5014 },
  { x: 56.0252, y: 71.7366 },
  { x: 41.5493, y: 92.3655 },
  { x: 70.7299, y: 92.2041 },
];

/** The same five places among the 68 points. */
const PARTS: readonly (readonly number[])[] = [[37, 38, 40, 41], [43, 44, 46, 47], [30], [48, 60], [54, 64]];

/** Draws the aligned face into `out`. */
export function alignFace(image: RgbImage, landmarks: Float32Array, out: Planes): Planes {
  const from = PARTS.map((indices) => meanPoint(landmarks, indices));
  const to = TEMPLATE.map(({ x, y }) => ({
    x: (x * out.width) / TEMPLATE_SIDE_PX,
    y: (y * out.height) / TEMPLATE_SIDE_PX,
  }));
  return warp(image, fitSimilarity(from, to), out);
}

/** Least-squares similarity (turn, scale, shift) from one set of points to the other (Umeyama, without mirroring). */
export function fitSimilarity(from: readonly Point[], to: readonly Point[]): Similarity {
  const p = middle(from);
  const q = middle(to);
  let along = 0;
  let turned = 0;
  let spread = 0;
  from.forEach((point, i) => {
    const target = to[i] ?? q;
    const x = point.x - p.x;
    const y = point.y - p.y;
    const u = target.x - q.x;
    const v = target.y - q.y;
    along += x * u + y * v;
    turned += x * v - y * u;
    spread += x * x + y * y;
  });
  const a = spread > 0 ? along / spread : 1;
  const b = spread > 0 ? turned / spread : 0;
  return { a, b, tx: q.x - a * p.x + b * p.y, ty: q.y - b * p.x - a * p.y };
}

function middle(points: readonly Point[]): Point {
  const n = points.length;
  return {
    x: points.reduce((sum, { x }) => sum + x, 0) / n,
    y: points.reduce((sum, { y }) => sum + y, 0) / n,
  };
}
