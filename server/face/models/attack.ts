/** Presentation attack detection: whether the picture shows a real face or a picture of one. */
import type { FaceBox } from './detector.ts';
import type { AttackManifest } from './manifest.ts';
import type { Model } from './model.ts';
import { resizeCrop, type Rect } from '../pictures/resample.ts';
import type { RgbImage } from '../pictures/rgb-image.ts';

/** Probability, 0 to 1, that the face is genuine. */
export async function genuineScore(
  model: Model<AttackManifest>,
  image: RgbImage,
  box: FaceBox,
): Promise<number> {
  const { manifest } = model;
  resizeCrop(image, surroundings(image, box, manifest.cropScale), model.canvas);
  const logits = (await model.run())(manifest.outputs.logits).subarray(0, manifest.classes);
  const highest = Math.max(...logits);
  const weights = Array.from(logits, (logit) => Math.exp(logit - highest));
  const sum = weights.reduce((total, weight) => total + weight, 0);
  return (weights[manifest.genuineClass] ?? 0) / sum;
}

/**
 * The face with its surroundings, which would show the edges of a photo or a screen. The crop is shifted, then shrunk,
 * to stay inside the picture, as in the model’s training (MiniFASNet).
 */
function surroundings({ width, height }: RgbImage, box: FaceBox, scale: number): Rect {
  const boxWidth = box.x2 - box.x1;
  const boxHeight = box.y2 - box.y1;
  const fitting = Math.min((height - 1) / boxHeight, (width - 1) / boxWidth, scale);
  const wide = boxWidth * fitting;
  const high = boxHeight * fitting;
  return {
    x: clamp((box.x1 + box.x2 - wide) / 2, width - 1 - wide),
    y: clamp((box.y1 + box.y2 - high) / 2, height - 1 - high),
    width: wide,
    height: high,
  };
}

function clamp(value: number, highest: number): number {
  return Math.max(0, Math.min(value, highest));
}
