/** Crops one person out of a demo photo and blurs everyone else. */
import sharp from 'sharp';
import { CHEEK_LEFT, CHEEK_RIGHT, CHIN, FOREHEAD } from './face-points.ts';
import { demoPhoto, type FrameSize } from './sources.ts';
import { faceMeshes, type FaceMesh } from './landmarks.ts';
import type { Person } from './people.ts';
import { distance, lerp, midpoint, smoothstep, type Vec3 } from './vectors.ts';

export type Still = {
  size: FrameSize;
  /** RGB, row by row. */
  pixels: Uint8Array;
  /** 478 landmarks in pixels of the still; z away from the camera. */
  landmarks: Vec3[];
  /** Pose of the head in the photo, column-major 4 × 4 (MediaPipe's facial transformation matrix). */
  matrix: number[];
};

const BOKEH_SIGMA_PX = 22;

/** A person's place in a picture. */
export type Cut = Omit<Person, 'photo'>;

/** @throws Error when the photo shows no face */
export async function still(person: Person, size: FrameSize): Promise<Still> {
  const [made] = await stills([{ photo: await demoPhoto(person.photo), cut: person }], size);
  if (!made) throw new Error(`no face found for ${person.name}`);
  return made;
}

/** @returns a still for each picture, in the same order; null if no face was found */
export async function stills(
  pictures: readonly { photo: Buffer; cut: Cut }[],
  size: FrameSize,
): Promise<(Still | null)[]> {
  const cuts = await Promise.all(pictures.map(({ photo, cut }) => cutOut(photo, cut, size)));
  const meshes = await faceMeshes(cuts);
  return Promise.all(cuts.map((cut, place) => stillOf(cut, meshes[place] ?? [], size)));
}

async function stillOf(cut: Buffer, found: readonly FaceMesh[], size: FrameSize): Promise<Still | null> {
  const meshes = found.map(({ landmarks, matrix }) => ({
    matrix,
    landmarks: landmarks.map(([x, y, z]): Vec3 => [x * size.width, y * size.height, z * size.width]),
  }));
  const middle: Vec3 = [size.width / 2, size.height / 2, 0];
  const offCentre = (landmarks: Vec3[]) => distance(noseOf(landmarks), middle);
  const [mesh] = meshes.sort((a, b) => offCentre(a.landmarks) - offCentre(b.landmarks));
  if (!mesh) return null;
  const sharpPixels = await sharp(cut).removeAlpha().raw().toBuffer();
  const softPixels = await sharp(cut).blur(BOKEH_SIGMA_PX).removeAlpha().raw().toBuffer();
  return { size, pixels: focusOn(mesh.landmarks, size, sharpPixels, softPixels), ...mesh };
}

const noseOf = (landmarks: Vec3[]): Vec3 => [landmarks[1]![0], landmarks[1]![1], 0];

/** The crop may extend beyond the photo; the photo's edge is mirrored there. */
async function cutOut(photo: Buffer, person: Cut, size: FrameSize): Promise<Buffer> {
  const { width: photoWidth, height: photoHeight } = await sharp(photo).metadata();
  // In a portrait frame, the face fills the usual share of the width, not of the height.
  const height = person.cropHeight * Math.max(1, size.height / size.width);
  const width = (height * size.width) / size.height;
  const left = Math.round(person.face.x - width / 2);
  const top = Math.round(person.face.y - height / 2);
  const right = left + Math.round(width);
  const bottom = top + Math.round(height);
  const inside = await sharp(photo)
    .extract({
      left: Math.max(0, left),
      top: Math.max(0, top),
      width: Math.min(photoWidth, right) - Math.max(0, left),
      height: Math.min(photoHeight, bottom) - Math.max(0, top),
    })
    .toBuffer();
  const whole = await sharp(inside)
    .extend({
      left: Math.max(0, -left),
      top: Math.max(0, -top),
      right: Math.max(0, right - photoWidth),
      bottom: Math.max(0, bottom - photoHeight),
      extendWith: 'mirror',
    })
    .toBuffer();
  return sharp(whole)
    .resize(size.width, size.height, { fit: 'fill' })
    .linear(person.brighten, 0)
    .jpeg({ quality: 97 })
    .toBuffer();
}

/**
 * Sharp on head and shoulders, blurred elsewhere, so that other people's faces disappear as behind a portrait lens.
 */
function focusOn(landmarks: Vec3[], size: FrameSize, sharpPixels: Buffer, softPixels: Buffer): Uint8Array {
  const middle = midpoint(landmarks[FOREHEAD]!, landmarks[CHIN]!);
  const halfWidth = distance(landmarks[CHEEK_RIGHT]!, landmarks[CHEEK_LEFT]!) / 2;
  const halfHeight = distance(landmarks[FOREHEAD]!, landmarks[CHIN]!) / 2;
  const pixels = new Uint8Array(sharpPixels.length);
  for (let y = 0; y < size.height; y++) {
    for (let x = 0; x < size.width; x++) {
      const [dx, dy] = [(x - middle[0]) / halfWidth, (y - middle[1]) / halfHeight];
      const head = Math.hypot(dx / 1.55, dy / 1.6);
      // Shoulders widen from the chin downward.
      const shoulders = dy < 0.9 ? Infinity : Math.abs(dx) / (1.2 + 0.9 * (dy - 0.9));
      const focus = 1 - smoothstep((Math.min(head, shoulders) - 0.95) / 0.2);
      for (let channel = 0, at = 3 * (y * size.width + x); channel < 3; channel++, at++) {
        pixels[at] = Math.round(lerp(softPixels[at]!, sharpPixels[at]!, focus));
      }
    }
  }
  return pixels;
}
