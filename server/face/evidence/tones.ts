/** Colour of the skin and its surroundings, as linear light: which of them follow the page’s tints. */
import { linearLight } from '../../domain/capture/attack/linear-light.ts';
import type { Tones } from '../../domain/capture/evidence.ts';
import type { PixelGrid, RgbImage } from '../pictures/rgb-image.ts';

/** Cells along the longer side. */
const CELLS = 16;
/**
 * Colours are taken from the first halving of the frame that is at most this long, because single pixels do not
 * matter.
 */
const SIDE_PX = 200;
/** Two landmarks (iBUG), and the position of a patch between them. */
export type Patch = readonly [from: number, to: number, share: number];

/** Radius of the patches, as a share of the distance between the eyes. */
const PATCH = 0.16;
/** A channel from here on is overexposed and carries no colour. */
const BURNT = 250;

const LINEAR = Float32Array.from({ length: 256 }, (_, value) => linearLight(value / 255));

/**
 * Pairs of landmarks (iBUG) and the position of a patch between them: the cheeks and the bridge of the nose, which
 * neither beard nor brows cover. More skin means less noise.
 */
const PATCHES = [
  [41, 48, 0.25],
  [41, 48, 0.5],
  [41, 3, 0.4],
  [46, 54, 0.25],
  [46, 54, 0.5],
  [46, 13, 0.4],
  [27, 28, 0.5],
  [28, 29, 0.5],
  [29, 30, 0.3],
] as const satisfies readonly Patch[];

/** The picture in which colours are measured. */
const reduced = (image: RgbImage) =>
  image.level(Math.max(0, Math.ceil(Math.log2(Math.max(image.width, image.height) / SIDE_PX))));

/** @param landmarks 68 points in pixels of the frame */
export const measureTones = (image: RgbImage, landmarks: Float32Array): Tones => ({
  skin: colourOf(image, landmarks, PATCHES, PATCH),
  tones: cellsOf(reduced(image)),
});

/**
 * Mean linear light of these patches; 0 if all of it is overexposed.
 * @param reach radius of each, as a share of the distance between the eyes
 */
export function colourOf(
  image: RgbImage,
  landmarks: Float32Array,
  patches: readonly Patch[],
  reach: number,
): [number, number, number] {
  const { factor, ...grid } = reduced(image);
  const at = (index: number) => ({
    x: (landmarks[2 * index] ?? 0) / factor,
    y: (landmarks[2 * index + 1] ?? 0) / factor,
  });
  const [right, left] = [at(36), at(45)];
  const radius = Math.max(1, reach * Math.hypot(left.x - right.x, left.y - right.y));
  const sum = { red: 0, green: 0, blue: 0, count: 0 };
  for (const [from, to, share] of patches) {
    const [p, q] = [at(from), at(to)];
    addDisc(grid, { x: p.x + share * (q.x - p.x), y: p.y + share * (q.y - p.y) }, radius, sum);
  }
  const count = Math.max(1, sum.count);
  return [sum.red / count, sum.green / count, sum.blue / count];
}

type Sum = { red: number; green: number; blue: number; count: number };

function addDisc(
  { data, width, height }: PixelGrid,
  { x, y }: { x: number; y: number },
  radius: number,
  sum: Sum,
): void {
  for (let row = Math.max(0, Math.ceil(y - radius)); row <= Math.min(height - 1, y + radius); row++) {
    for (
      let column = Math.max(0, Math.ceil(x - radius));
      column <= Math.min(width - 1, x + radius);
      column++
    ) {
      if ((column - x) ** 2 + (row - y) ** 2 > radius * radius) continue;
      const i = 3 * (row * width + column);
      const red = data[i] as number;
      const green = data[i + 1] as number;
      const blue = data[i + 2] as number;
      if (Math.max(red, green, blue) >= BURNT) continue;
      sum.red += LINEAR[red] as number;
      sum.green += LINEAR[green] as number;
      sum.blue += LINEAR[blue] as number;
      sum.count += 1;
    }
  }
}

/** Mean linear light of each cell. */
function cellsOf({ data, width, height }: PixelGrid): Tones['tones'] {
  const scale = CELLS / Math.max(width, height);
  const columns = Math.max(1, Math.round(width * scale));
  const rows = Math.max(1, Math.round(height * scale));
  const cells = new Float32Array(3 * columns * rows);
  const counts = new Uint32Array(columns * rows);
  const columnOf = Uint8Array.from({ length: width }, (_, x) => Math.floor((x * columns) / width));
  for (let y = 0, i = 0; y < height; y++) {
    const row = Math.floor((y * rows) / height) * columns;
    for (let x = 0; x < width; x++, i += 3) {
      const cell = row + (columnOf[x] as number);
      counts[cell] = (counts[cell] as number) + 1;
      for (let channel = 0; channel < 3; channel++) {
        const at = 3 * cell + channel;
        cells[at] = (cells[at] as number) + (LINEAR[data[i + channel] as number] as number);
      }
    }
  }
  return {
    width: columns,
    height: rows,
    data: cells.map((sum, i) => sum / Math.max(1, counts[Math.floor(i / 3)] ?? 1)),
  };
}
