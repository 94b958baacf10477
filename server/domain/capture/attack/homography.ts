/** How a plane is seen from two sides: the projective map between its two pictures. */
import type { Point } from '../../matching/similarity.ts';
import { leastSquares } from './least-squares.ts';

/** `u = (h0·x + h1·y + h2) / w`, `v = (h3·x + h4·y + h5) / w`, `w = h6·x + h7·y + 1`. */
export type Homography = readonly number[];

/** Least-squares fit (direct linear transform); exact for points of a plane. Give points near the origin, of size 1. */
export function fitHomography(from: readonly Point[], to: readonly Point[]): Homography {
  const rows: number[][] = [];
  const targets: number[] = [];
  from.forEach(({ x, y }, i) => {
    const { x: u, y: v } = to[i] ?? { x: 0, y: 0 };
    rows.push([x, y, 1, 0, 0, 0, -u * x, -u * y], [0, 0, 0, x, y, 1, -v * x, -v * y]);
    targets.push(u, v);
  });
  return leastSquares(rows, targets);
}

export function applyHomography(h: Homography, { x, y }: Point): Point {
  const at = (index: number) => h[index] ?? 0;
  const w = at(6) * x + at(7) * y + 1;
  return { x: (at(0) * x + at(1) * y + at(2)) / w, y: (at(3) * x + at(4) * y + at(5)) / w };
}
