import { alignFace } from './alignment.ts';
import { ManifestError } from './errors.ts';
import type { EmbedManifest } from './manifest.ts';
import type { Model } from './model.ts';
import type { RgbImage } from './rgb-image.ts';

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
