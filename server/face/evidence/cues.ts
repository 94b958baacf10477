/** Signs of paper, print or screen in a frame, as numbers. */
import type { Layout, PictureCues, Tones } from '../../domain/capture/evidence.ts';
import { measureBorders, type Gray } from './borders.ts';
import type { FaceBox } from '../models/detector.ts';
import type { RgbImage } from '../pictures/rgb-image.ts';
import { measureSpectrum } from './spectrum.ts';

/** Cells along the longer side. */
const LAYOUT_SIDE = 64;
/** Edges are searched in the first halving of the frame that is at most this long. */
const EDGES_SIDE_PX = 200;

export function measureCues(image: RgbImage, box: FaceBox): Omit<PictureCues, keyof Tones> {
  const small = halved(image, EDGES_SIDE_PX);
  const { factor } = small;
  return {
    ...measureSpectrum(image, box),
    borders: measureBorders(small, {
      x1: box.x1 / factor,
      y1: box.y1 / factor,
      x2: box.x2 / factor,
      y2: box.y2 / factor,
    }),
    layout: layoutOf(small),
  };
}

function halved(image: RgbImage, longestSidePx: number): Gray & { factor: number } {
  const halvings = Math.max(0, Math.ceil(Math.log2(Math.max(image.width, image.height) / longestSidePx)));
  const { data, width, height, factor } = image.level(halvings);
  const gray = new Float32Array(width * height);
  for (let i = 0, s = 0; i < gray.length; i++, s += 3) {
    gray[i] = 0.299 * (data[s] ?? 0) + 0.587 * (data[s + 1] ?? 0) + 0.114 * (data[s + 2] ?? 0);
  }
  return { data: gray, width, height, factor };
}

/** Mean of the pixels of each cell. */
function layoutOf({ data, width, height }: Gray): Layout {
  const scale = LAYOUT_SIDE / Math.max(width, height);
  const columns = Math.max(1, Math.round(width * scale));
  const rows = Math.max(1, Math.round(height * scale));
  const sums = new Float32Array(columns * rows);
  const counts = new Uint16Array(columns * rows);
  for (let y = 0; y < height; y++) {
    const row = Math.floor((y * rows) / height) * columns;
    for (let x = 0; x < width; x++) {
      const cell = row + Math.floor((x * columns) / width);
      sums[cell] = (sums[cell] ?? 0) + (data[y * width + x] ?? 0);
      counts[cell] = (counts[cell] ?? 0) + 1;
    }
  }
  const cells = Uint8Array.from(sums, (sum, cell) => Math.round(sum / Math.max(1, counts[cell] ?? 0)));
  return { width: columns, height: rows, data: cells };
}
