import { ManifestError } from '../errors.ts';
import type { EmbedManifest } from './manifest.ts';
import type { Model } from './model.ts';
import type { RgbImage } from '../pictures/rgb-image.ts';
import { fitSimilarity, type Point } from '../../domain/matching/similarity.ts';
import { meanPoint } from './landmarks.ts';
import { type Planes, warp } from '../pictures/resample.ts';

/** Unit-length embedding of the aligned face, which stays on the model’s canvas for the next model. */
export async function embedFace(
  model: Model<EmbedManifest>,
  image: RgbImage,
  landmarks: Float32Array,
): Promise<Float32Array> {
  const { manifest } = model;
  alignFace(image, landmarks, model.canvas);
  const raw = (await model.run())(manifest.outputs.embedding);
  if (raw.length !== manifest.embeddingLength) {
    throw new ManifestError(
      `${manifest.file}: gives ${raw.length} values, its manifest says ${manifest.embeddingLength}`,
    );
  }
  return unitLength(raw);
}

function unitLength(values: Float32Array): Float32Array {
  let squares = 0;
  for (const value of values) squares += value * value;
  const length = Math.sqrt(squares) || 1;
  return values.map((value) => value / length);
}

// Rotates a face upright and scales it to the size that recognition models were trained on.

/** Where ArcFace-style models expect eyes, nose tip and mouth corners, in a picture of 112 × 112. */
const TEMPLATE_SIDE_PX = 112;
const TEMPLATE: readonly Point[] = [
  { x: 38.2946, y: 51.6963 },
  { x: 73.5318, y: 51.5014 },
  { x: 56.0252, y: 71.7366 },
  { x: 41.5493, y: 92.3655 },
  { x: 70.7299, y: 92.2041 },
];

/** The same five points among the 68. */
const PARTS: readonly (readonly number[])[] = [[37, 38, 40, 41], [43, 44, 46, 47], [30], [48, 60], [54, 64]];

/** Draws the aligned face into `out`. */
function alignFace(image: RgbImage, landmarks: Float32Array, out: Planes): Planes {
  const from = PARTS.map((indices) => meanPoint(landmarks, indices));
  const to = TEMPLATE.map(({ x, y }) => ({
    x: (x * out.width) / TEMPLATE_SIDE_PX,
    y: (y * out.height) / TEMPLATE_SIDE_PX,
  }));
  return warp(image, fitSimilarity(from, to), out);
}
