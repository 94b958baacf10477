/** Long straight edges beside the face: the rim of a photograph, the bezel of a screen. Door frames have them, too. */
import type { FaceBox } from '../models/detector.ts';

/** Luminance, row by row. */
export type Gray = { data: Float32Array; width: number; height: number };

type Borders = [left: number, right: number, above: number, below: number];

/** Slopes to search: up to 10° off vertical. */
const SLOPES = [-0.18, -0.12, -0.06, 0, 0.06, 0.12, 0.18] as const;
/** Difference of luminance between neighbours two apart that counts as an edge. */
const EDGE = 14;
/** The edge must extend beyond the box on both ends by this share of the box's length. */
const BEYOND = 0.15;
/** Distance from the box, as a share of its width. Nearer lines are hair and ears. */
const APART = 0.12;

/**
 * For each side, the longest straight edge of one polarity, as the share of its length that is an edge.
 * @param box in pixels of `gray`
 */
export function measureBorders(gray: Gray, { x1, y1, x2, y2 }: Omit<FaceBox, 'score'>): Borders {
  const upright = (from: number, to: number) => longest(gray, 1, gray.width, [from, to], [y1, y2]);
  const level = (from: number, to: number) => longest(gray, gray.width, 1, [from, to], [x1, x2]);
  const [aside, abreast] = [APART * (x2 - x1), APART * (y2 - y1)];
  return [
    upright(2, x1 - aside),
    upright(x2 + aside, gray.width - 2),
    level(2, y1 - abreast),
    level(y2 + abreast, gray.height - 2),
  ];
}

/**
 * @param across memory offset between neighbours across the edge, `along` the same along it
 * @param places where the edge may cross the middle of `span`
 */
function longest(
  { data, width, height }: Gray,
  across: number,
  along: number,
  [first, last]: readonly [number, number],
  [from, to]: readonly [number, number],
): number {
  const limitAcross = across === 1 ? width : height;
  const limitAlong = across === 1 ? height : width;
  const extra = BEYOND * (to - from);
  const start = Math.max(0, Math.round(from - extra));
  const end = Math.min(limitAlong - 1, Math.round(to + extra));
  const middle = (start + end) / 2;
  const lowest = Math.max(1, Math.ceil(first));
  const highest = Math.min(limitAcross - 2, Math.floor(last));
  let best = 0;
  for (const slope of SLOPES) {
    const shifts = Int16Array.from({ length: end - start + 1 }, (_, i) =>
      Math.round(slope * (start + i - middle)),
    );
    for (let place = lowest; place <= highest; place++) {
      let rising = 0;
      let falling = 0;
      for (let i = 0; i < shifts.length; i++) {
        const at = place + (shifts[i] as number);
        if (at < 1 || at > limitAcross - 2) continue;
        const here = (start + i) * along + at * across;
        const change = (data[here + across] as number) - (data[here - across] as number);
        if (change > EDGE) rising += 1;
        else if (change < -EDGE) falling += 1;
      }
      best = Math.max(best, rising, falling);
    }
  }
  return best / Math.max(1, end - start + 1);
}
