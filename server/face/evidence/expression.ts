/** Eyes and mouth, measured on the 68 points. */
import { distance, meanPoint, point } from '../models/landmarks.ts';

type Expression = {
  eyeAspectLeft: number;
  eyeAspectRight: number;
  mouthOpening: number;
  smileWidth: number;
  interocularPx: number;
};

/** Outer corner, two of the upper lid, inner corner, two of the lower lid. The person's left is on the image's right. */
const EYE_RIGHT = [36, 37, 38, 39, 40, 41] as const;
const EYE_LEFT = [45, 44, 43, 42, 47, 46] as const;

const LIP_PAIRS = [
  [61, 67],
  [62, 66],
  [63, 65],
] as const;
const INNER_MOUTH_CORNERS = [60, 64] as const;
const OUTER_MOUTH_CORNERS = [48, 54] as const;
/** Ends of the jaw line, next to the ears. */
const FACE_SIDES = [0, 16] as const;

export function measureExpression(landmarks: Float32Array): Expression {
  const apart = (p: number, q: number) => distance(point(landmarks, p), point(landmarks, q));
  // Eye aspect ratio as in Soukupová and Čech, "Real-time eye blink detection using facial landmarks" (2016).
  const eyeAspect = ([outer, up1, up2, inner, low1, low2]: typeof EYE_RIGHT | typeof EYE_LEFT) =>
    ratio(apart(up1, low2) + apart(up2, low1), 2 * apart(outer, inner));
  const lipGap = LIP_PAIRS.reduce((sum, [upper, lower]) => sum + apart(upper, lower), 0) / LIP_PAIRS.length;
  return {
    eyeAspectLeft: eyeAspect(EYE_LEFT),
    eyeAspectRight: eyeAspect(EYE_RIGHT),
    mouthOpening: ratio(lipGap, apart(...INNER_MOUTH_CORNERS)),
    smileWidth: ratio(apart(...OUTER_MOUTH_CORNERS), apart(...FACE_SIDES)),
    interocularPx: distance(meanPoint(landmarks, EYE_LEFT), meanPoint(landmarks, EYE_RIGHT)),
  };
}

function ratio(part: number, whole: number): number {
  return whole > 0 ? part / whole : 0;
}
