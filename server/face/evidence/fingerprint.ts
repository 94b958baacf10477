import { luminance, planes, resizeCrop } from '../pictures/resample.ts';
import type { RgbImage } from '../pictures/rgb-image.ts';

const SIDE = 16;
const FINGERPRINT_BYTES = (SIDE * SIDE) / 8;

/**
 * Difference hash: the picture at 17 × 16, one bit for each pair of neighbours in a row (left darker than right). It
 * survives re-encoding and scaling; the Hamming distance measures how similar two pictures are.
 */
export function fingerprint(image: RgbImage): Uint8Array {
  const whole = { x: 0, y: 0, width: image.width, height: image.height };
  const gray = luminance(resizeCrop(image, whole, planes(SIDE + 1, SIDE)));
  const bits = new Uint8Array(FINGERPRINT_BYTES);
  for (let y = 0; y < SIDE; y++) {
    for (let x = 0; x < SIDE; x++) {
      const i = y * (SIDE + 1) + x;
      const bit = y * SIDE + x;
      if ((gray[i] as number) < (gray[i + 1] as number))
        bits[bit >> 3] = (bits[bit >> 3] as number) | (1 << (bit & 7));
    }
  }
  return bits;
}
