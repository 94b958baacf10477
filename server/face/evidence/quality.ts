/** Light and sharpness of a picture, as numbers; the liveness rules decide what is sufficient. */
import type { FaceBox } from '../models/detector.ts';
import { luminance, planes, type Planes, type Rect, resizeCrop } from '../pictures/resample.ts';
import type { RgbImage } from '../pictures/rgb-image.ts';

type Light = { brightness: number; contrast: number };

/** Enough for mean and spread, and small enough to average out sensor noise. */
const LIGHT_SIDE_PX = 32;

/** Mean and standard deviation of luminance inside the face's box, or of the whole picture without a face. */
export function measureLight(image: RgbImage, box: FaceBox | null): Light {
  const gray = luminance(resizeCrop(image, inside(image, box), planes(LIGHT_SIDE_PX, LIGHT_SIDE_PX)));
  const brightness = mean(gray);
  return { brightness, contrast: Math.sqrt(variance(gray, brightness)) };
}

/** Variance of the 4-neighbour Laplacian of luminance. */
export function measureSharpness(face: Planes): number {
  const { width, height } = face;
  const gray = luminance(face);
  const edges = new Float32Array((width - 2) * (height - 2));
  let o = 0;
  for (let y = 1; y < height - 1; y++) {
    for (let i = y * width + 1; i < (y + 1) * width - 1; i++) {
      edges[o++] =
        (gray[i - 1] as number) +
        (gray[i + 1] as number) +
        (gray[i - width] as number) +
        (gray[i + width] as number) -
        4 * (gray[i] as number);
    }
  }
  return variance(edges, mean(edges));
}

function inside({ width, height }: RgbImage, box: FaceBox | null): Rect {
  if (box === null) return { x: 0, y: 0, width, height };
  const x1 = Math.max(0, Math.min(box.x1, width - 1));
  const y1 = Math.max(0, Math.min(box.y1, height - 1));
  const x2 = Math.max(x1 + 1, Math.min(box.x2, width));
  const y2 = Math.max(y1 + 1, Math.min(box.y2, height));
  return { x: x1, y: y1, width: x2 - x1, height: y2 - y1 };
}

function mean(values: Float32Array): number {
  let sum = 0;
  for (const value of values) sum += value;
  return sum / values.length;
}

function variance(values: Float32Array, middle: number): number {
  let squares = 0;
  for (const value of values) squares += (value - middle) ** 2;
  return squares / values.length;
}
