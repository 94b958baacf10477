/** Finds every QR code of a picture, the one that is held up first. */
import type { DecodeQR, FinderPoints, Image } from 'qr/decode.js';

export type Code = { text: string; prominence: number };

/** Codes of one picture, readable or not: a wall of posters must not hold up the next picture. */
const MOST_CODES = 4;
/** Pixels around a code that are blanked with it. */
const MARGIN_PX = 4;

/**
 * Changes the picture: each code that was found is blanked, so that the decoder finds the next.
 * @returns the largest and nearest to the middle first
 */
export function codesIn(picture: Image, decode: DecodeQR): Code[] {
  const codes: Code[] = [];
  for (let found = 0; found < MOST_CODES; found += 1) {
    let place: FinderPoints | undefined;
    let text = '';
    try {
      text = decode(picture, { pointsOnDetect: (points) => void (place = points) });
    } catch {
      // A code that cannot be read, or none.
    }
    if (place === undefined) break;
    const box = boxOf(place, picture);
    if (text !== '') codes.push({ text, prominence: prominenceOf(box, picture) });
    blank(picture, box);
  }
  return codes.toSorted((p, q) => q.prominence - p.prominence);
}

/** Swaps left and right in place: some cameras mirror, and a mirrored code cannot be read. */
export function mirror({ data, width, height }: Image): void {
  const pixels = new Uint32Array(data.buffer, data.byteOffset, width * height);
  for (let row = 0; row < height; row += 1) pixels.subarray(row * width, (row + 1) * width).reverse();
}

type Box = { left: number; top: number; right: number; bottom: number };

function boxOf({ bounds }: FinderPoints, { width, height }: Image): Box {
  const xs = bounds.map(({ x }) => x);
  const ys = bounds.map(({ y }) => y);
  return {
    left: Math.max(0, Math.floor(Math.min(...xs)) - MARGIN_PX),
    top: Math.max(0, Math.floor(Math.min(...ys)) - MARGIN_PX),
    right: Math.min(width, Math.ceil(Math.max(...xs)) + MARGIN_PX),
    bottom: Math.min(height, Math.ceil(Math.max(...ys)) + MARGIN_PX),
  };
}

function prominenceOf({ left, top, right, bottom }: Box, { width, height }: Image): number {
  const offCentre = Math.hypot((left + right) / 2 / width - 0.5, (top + bottom) / 2 / height - 0.5);
  return (right - left) * (bottom - top) * (1 - offCentre);
}

function blank({ data, width }: Image, { left, top, right, bottom }: Box): void {
  for (let row = top; row < bottom; row += 1)
    data.fill(255, 4 * (row * width + left), 4 * (row * width + right));
}
