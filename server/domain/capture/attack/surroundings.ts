/**
 * Whether the surroundings of a face stand still or move with it. The room behind a head stands still (or
 * shakes as a whole with a hand-held phone); the background of a moving picture moves with the face.
 */
import type { FaceGeometry, Layout } from '../evidence.ts';
import { applySimilarity, fitSimilarity, type Point } from '../../matching/similarity.ts';

export type SeenAround = { width: number; height: number; face: FaceGeometry; layout: Layout };

/**
 * Half the size of the area that belongs to the person, including hair and shoulders, in halves of the face's
 * box.
 */
const HEAD = { across: 1.7, up: 1.5 } as const;
const SHOULDERS_ACROSS = 2.6;
/** Cells that must be usable in a frame: a sixteenth of the picture. */
const LEAST_CELLS = 190;
/** Minimum motion of the face, in cells. Less cannot be told from standing still. */
const LEAST_SHIFT = 1.2;
/** Luminance differences below this are noise. */
const NOISE = 2.5;

/**
 * Natural logarithm of how much better "moves with the face" explains the surroundings than "stands still":
 * below 0 a room, above 0 a picture. Null if the face moved too little, or nothing around it is visible.
 */
export function goesAlong(before: SeenAround, after: SeenAround): number | null {
  const { layout } = before;
  const cellPx = before.width / layout.width;
  const inCells = ({ face }: SeenAround) =>
    pointsOf(face).map(({ x, y }) => ({ x: x / cellPx, y: y / cellPx }));
  const motion = fitSimilarity(inCells(before), inCells(after));
  const gain = meanOf(layout) / Math.max(1, meanOf(after.layout));
  let still = 0;
  let along = 0;
  let cells = 0;
  for (let y = 0; y < layout.height; y++) {
    for (let x = 0; x < layout.width; x++) {
      const here = { x: x + 0.5, y: y + 0.5 };
      const there = applySimilarity(motion, here);
      if (Math.hypot(there.x - here.x, there.y - here.y) < LEAST_SHIFT) continue;
      const moved = sample(after.layout, there);
      const stayed = sample(after.layout, here);
      if (moved === null || stayed === null) continue;
      const hidden = [here, there].some(
        (cell) => isPerson(before.face, cell, cellPx) || isPerson(after.face, cell, cellPx),
      );
      if (hidden) continue;
      const was = layout.data[y * layout.width + x] ?? 0;
      still += Math.abs(was - gain * stayed);
      along += Math.abs(was - gain * moved);
      cells += 1;
    }
  }
  if (cells < LEAST_CELLS) return null;
  // A plain wall fits both explanations, so it is no evidence.
  if (Math.max(still, along) / cells < NOISE) return null;
  return Math.log((still / cells + NOISE) / (along / cells + NOISE));
}

const pointsOf = ({ landmarks }: FaceGeometry): Point[] =>
  Array.from({ length: landmarks.length / 2 }, (_, i) => ({
    x: landmarks[2 * i] ?? 0,
    y: landmarks[2 * i + 1] ?? 0,
  }));

/**
 * Whether a cell shows head or shoulders rather than the background.
 * @param cellPx side of a cell in pixels of the frame
 */
export function isPerson({ box }: FaceGeometry, cell: Point, cellPx: number): boolean {
  const dx = Math.abs((cell.x * cellPx - (box.x1 + box.x2) / 2) / ((box.x2 - box.x1) / 2));
  const dy = (cell.y * cellPx - (box.y1 + box.y2) / 2) / ((box.y2 - box.y1) / 2);
  return Math.hypot(dx / HEAD.across, dy / HEAD.up) < 1 || (dy > 0.5 && dx < SHOULDERS_ACROSS);
}

/** Bilinear; null outside the picture. */
function sample({ width, height, data }: Layout, { x, y }: Point): number | null {
  const [left, top] = [Math.floor(x - 0.5), Math.floor(y - 0.5)];
  if (left < 0 || top < 0 || left + 1 >= width || top + 1 >= height) return null;
  const [fx, fy] = [x - 0.5 - left, y - 0.5 - top];
  const at = (column: number, row: number) => data[row * width + column] ?? 0;
  const above = at(left, top) * (1 - fx) + at(left + 1, top) * fx;
  const below = at(left, top + 1) * (1 - fx) + at(left + 1, top + 1) * fx;
  return above * (1 - fy) + below * fy;
}

const meanOf = ({ data }: Layout): number => data.reduce((sum, value) => sum + value, 0) / data.length;
