/** Finds the faces. */
import type { DetectManifest } from './manifest.ts';
import type { Model } from './model.ts';
import type { RgbImage } from '../pictures/rgb-image.ts';
import { drawWhole } from '../pictures/whole-picture.ts';

/** Corners in pixels of the picture; may extend slightly beyond it. */
export type FaceBox = { x1: number; y1: number; x2: number; y2: number; score: number };

/** Smaller faces have too few pixels for the next steps. */
const MIN_FACE_HEIGHT_PX = 24;

/** Below this score a box counts little when the main face is chosen. */
const SURE_SCORE = 0.9;
const UNSURE_WEIGHT = 0.2;

/** All faces, the main one (large, central, certain) first. */
export async function detectFaces(model: Model<DetectManifest>, image: RgbImage): Promise<FaceBox[]> {
  const { manifest, canvas } = model;
  const rect = await drawWhole(image, canvas);
  const output = await model.run();
  const scores = output(manifest.outputs.scores);
  const corners = output(manifest.outputs.boxes);
  const found: FaceBox[] = [];
  for (let i = 0; i < scores.length / manifest.classes; i++) {
    const score = scores[i * manifest.classes + manifest.faceClass] ?? 0;
    if (score <= manifest.thresholds.score) continue;
    const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = corners.subarray(4 * i, 4 * i + 4);
    const box = {
      x1: rect.x + x1 * rect.width,
      y1: rect.y + y1 * rect.height,
      x2: rect.x + x2 * rect.width,
      y2: rect.y + y2 * rect.height,
      score,
    };
    if (box.y2 - box.y1 >= MIN_FACE_HEIGHT_PX && box.x2 > box.x1) found.push(box);
  }
  const faces = withoutOverlaps(found, manifest.thresholds.overlap);
  return faces.toSorted((p, q) => prominence(q, image) - prominence(p, image));
}

/** A smaller box covered to this share by another one is a second look at the same face, as where its chin is cut off. */
const SAME_FACE_SHARE = 0.5;

/**
 * People at the camera: faces that are large enough next to the main one, and not part of one that counts already.
 * @param faces the main one first
 */
export function countPeople(
  faces: readonly FaceBox[],
  { thresholds }: { thresholds: Pick<DetectManifest['thresholds'], 'bystanderHeight'> },
): number {
  const [main] = faces;
  if (main === undefined) return 0;
  const least = (main.y2 - main.y1) * thresholds.bystanderHeight;
  const people: FaceBox[] = [];
  for (const face of faces) {
    if (face.y2 - face.y1 < least) continue;
    if (people.every((other) => shared(face, other) < SAME_FACE_SHARE * Math.min(area(face), area(other))))
      people.push(face);
  }
  return people.length;
}

/** Of overlapping boxes, only the most certain (non-maximum suppression). */
function withoutOverlaps(boxes: FaceBox[], limit: number): FaceBox[] {
  const kept: FaceBox[] = [];
  for (const box of boxes.toSorted((p, q) => q.score - p.score)) {
    if (kept.every((other) => overlap(box, other) < limit)) kept.push(box);
  }
  return kept;
}

function area(box: FaceBox): number {
  return (box.x2 - box.x1) * (box.y2 - box.y1);
}

/** Area that two boxes have in common. */
function shared(p: FaceBox, q: FaceBox): number {
  const width = Math.min(p.x2, q.x2) - Math.max(p.x1, q.x1);
  const height = Math.min(p.y2, q.y2) - Math.max(p.y1, q.y1);
  return width <= 0 || height <= 0 ? 0 : width * height;
}

/** Intersection over union. */
function overlap(p: FaceBox, q: FaceBox): number {
  const common = shared(p, q);
  return common / (area(p) + area(q) - common);
}

function prominence(box: FaceBox, { width, height }: RgbImage): number {
  const offCentre = Math.hypot((box.x1 + box.x2) / 2 / width - 0.5, (box.y1 + box.y2) / 2 / height - 0.5);
  return area(box) * (box.score > SURE_SCORE ? 1 : UNSURE_WEIGHT) * (1 - offCentre);
}
