/**
 * The coach's measurements of a face, from MediaPipe's 478 points and pose matrix. The image is not mirrored: the
 * person's left is on its right. Formulas and indices follow the canonical face mesh.
 */
export type Point = { x: number; y: number; z: number };

export type FaceMeasures = {
  /** > 0: the nose points to the image's right, so the person turned to their own left. */
  yawRad: number;
  /** > 0: looking up. */
  pitchRad: number;
  rollRad: number;
  /** Height divided by width of each eye's opening; left and right as in the image. */
  eyeImageLeft: number;
  eyeImageRight: number;
  /** Gap between the lips divided by the width of the mouth. */
  mouthOpening: number;
  /** Width of the mouth divided by the width of the face. */
  smileWidth: number;
  /** Height of the face divided by the shorter side of the image. */
  size: number;
  /** Centre of the face as fractions of the image, from its left and top. */
  centreX: number;
  centreY: number;
  /** Box around the face, fractions of the image. */
  box: { left: number; top: number; right: number; bottom: number };
};

/** Outer corner, two of the upper lid, inner corner, two of the lower lid. */
const EYE_IMAGE_LEFT = [33, 160, 158, 133, 153, 144] as const;
const EYE_IMAGE_RIGHT = [362, 385, 387, 263, 373, 380] as const;
const INNER_LIPS = [13, 14] as const;
const INNER_MOUTH_CORNERS = [78, 308] as const;
const OUTER_MOUTH_CORNERS = [61, 291] as const;
const FACE_SIDES = [234, 454] as const;
const FOREHEAD_AND_CHIN = [10, 152] as const;

const NOWHERE: Point = { x: 0, y: 0, z: 0 };

/**
 * @param points 478 points as fractions of the image's width (x and z) and height (y)
 * @param matrix 4 × 4 pose, column-major: x right, y up, z toward the camera
 */
export function measureFace(
  points: readonly Point[],
  matrix: ArrayLike<number>,
  widthPx: number,
  heightPx: number,
): FaceMeasures {
  const at = (index: number): Point => points[index] ?? NOWHERE;
  const apart = (p: number, q: number): number => {
    const [a, b] = [at(p), at(q)];
    return Math.hypot(a.x - b.x, ((a.y - b.y) * heightPx) / widthPx, a.z - b.z);
  };
  const over = (part: number, whole: number): number => (whole > 0 ? part / whole : 0);
  const eye = ([outer, up1, up2, inner, low1, low2]: typeof EYE_IMAGE_LEFT | typeof EYE_IMAGE_RIGHT) =>
    over(apart(up1, low2) + apart(up2, low1), 2 * apart(outer, inner));
  const cell = (index: number): number => matrix[index] ?? 0;
  const xs = points.map(({ x }) => x);
  const ys = points.map(({ y }) => y);
  const box = {
    left: Math.min(...xs),
    right: Math.max(...xs),
    top: Math.min(...ys),
    bottom: Math.max(...ys),
  };
  return {
    yawRad: Math.atan2(cell(8), cell(10)),
    pitchRad: Math.asin(Math.max(-1, Math.min(1, cell(9)))),
    rollRad: Math.atan2(cell(1), cell(5)),
    eyeImageLeft: eye(EYE_IMAGE_LEFT),
    eyeImageRight: eye(EYE_IMAGE_RIGHT),
    mouthOpening: over(apart(...INNER_LIPS), apart(...INNER_MOUTH_CORNERS)),
    smileWidth: over(apart(...OUTER_MOUTH_CORNERS), apart(...FACE_SIDES)),
    size: (apart(...FOREHEAD_AND_CHIN) * widthPx) / Math.min(widthPx, heightPx),
    centreX: (box.left + box.right) / 2,
    centreY: (box.top + box.bottom) / 2,
    box,
  };
}
