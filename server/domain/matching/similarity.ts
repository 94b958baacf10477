/** Rotation, scale and shift between two sets of points. */

export type Point = { x: number; y: number };

/** `u = a·x − b·y + tx`, `v = b·x + a·y + ty`. */
type Similarity = { a: number; b: number; tx: number; ty: number };

/** Least-squares similarity from one set of points to the other (Umeyama, without mirroring). */
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

export const applySimilarity = ({ a, b, tx, ty }: Similarity, { x, y }: Point): Point => ({
  x: a * x - b * y + tx,
  y: b * x + a * y + ty,
});

function middle(points: readonly Point[]): Point {
  const n = points.length;
  return {
    x: points.reduce((sum, { x }) => sum + x, 0) / n,
    y: points.reduce((sum, { y }) => sum + y, 0) / n,
  };
}
