/** The whole picture at a model's size. */
import sharp from 'sharp';
import type { Planes, Rect } from './resample.ts';
import type { RgbImage } from './rgb-image.ts';

/**
 * Draws the whole picture into `out` and returns the area of the picture that `out` now shows. A picture narrower than
 * `out` gets black bars, because detectors miss faces that are stretched horizontally (portrait phones); a wider one
 * is squeezed, which they tolerate. Every pixel of the frame is read here, so native code does it: 2 ms instead of 10.
 */
export async function drawWhole(image: RgbImage, out: Planes): Promise<Rect> {
  const aspect = out.width / out.height;
  const wide = Math.max(image.width, image.height * aspect);
  const columns = Math.max(1, Math.round((out.width * image.width) / wide));
  const left = (out.width - columns) >> 1;
  const shrunk = await sharp(image.data, { raw: { width: image.width, height: image.height, channels: 3 } })
    .resize(columns, out.height, { fit: 'fill', kernel: 'linear' })
    .raw()
    .toBuffer();
  place(shrunk, columns, out, left);
  const step = image.width / columns;
  const stepDown = image.height / out.height;
  // Half an output pixel to the right and down, as in the crops with which the thresholds were measured; the landmark
  // model is sensitive to the position of its box.
  return {
    x: -left * step + (step - 1) / 2,
    y: (stepDown - 1) / 2,
    width: out.width * step,
    height: image.height,
  };
}

/** Interleaved columns into the planes, from column `left` on; the rest is black. */
function place(pixels: Uint8Array, columns: number, { data, width, height }: Planes, left: number): void {
  if (columns < width) data.fill(0);
  const plane = width * height;
  let s = 0;
  for (let y = 0; y < height; y++) {
    const start = y * width + left;
    for (let o = start; o < start + columns; o++) {
      data[o] = pixels[s++] as number;
      data[plane + o] = pixels[s++] as number;
      data[2 * plane + o] = pixels[s++] as number;
    }
  }
}
