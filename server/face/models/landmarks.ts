/** The 68 points of a face, in iBUG 300-W order counted from 0; 36–41 is the eye on the image's left. */
import type { FaceBox } from './detector.ts';
import { ManifestError } from '../errors.ts';
import type { LandmarksManifest } from './manifest.ts';
import type { Model } from './model.ts';
import { resizeCrop } from '../pictures/resample.ts';
import type { RgbImage } from '../pictures/rgb-image.ts';

export const LANDMARK_COUNT = 68;

type Point = { x: number; y: number };

/** @returns x0 y0 x1 y1 … in pixels of the picture */
export async function findLandmarks(
  model: Model<LandmarksManifest>,
  image: RgbImage,
  box: FaceBox,
): Promise<Float32Array> {
  // The model was trained on squares with the height of the face's box.
  const side = box.y2 - box.y1;
  const left = (box.x1 + box.x2 - side) / 2;
  resizeCrop(image, { x: left, y: box.y1, width: side, height: side }, model.canvas);
  const shares = (await model.run())(model.manifest.outputs.points);
  if (shares.length !== 2 * LANDMARK_COUNT) {
    throw new ManifestError(
      `${model.manifest.file}: gives ${shares.length} values, not ${2 * LANDMARK_COUNT}`,
    );
  }
  return shares.map((value, i) => value * side + (i % 2 === 0 ? left : box.y1));
}

export function point(landmarks: Float32Array, index: number): Point {
  return { x: landmarks[2 * index] ?? 0, y: landmarks[2 * index + 1] ?? 0 };
}

export function meanPoint(landmarks: Float32Array, indices: readonly number[]): Point {
  const sum = { x: 0, y: 0 };
  for (const index of indices) {
    const { x, y } = point(landmarks, index);
    sum.x += x;
    sum.y += y;
  }
  return { x: sum.x / indices.length, y: sum.y / indices.length };
}

export function distance(p: Point, q: Point): number {
  return Math.hypot(p.x - q.x, p.y - q.y);
}
