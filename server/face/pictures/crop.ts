/** A small photo of one face, cut out of a camera's still. */
import sharp from 'sharp';
import type { FaceFraming } from '../../domain/reviews/framing.ts';
import { decodeJpeg } from './decode.ts';

/** Side of the photo: enough to compare two faces. */
export const FACE_CROP_PX = 320;
/** Side of the square around the face, in distances between the eyes: the head with its hair and chin. */
const SIDE_BY_EYES = 4.6;
/** The eyes are this share of the square below its top. */
const EYES_FROM_TOP = 0.43;
const QUALITY = 82;

/** Whether the still shows the whole square around the face. */
export function showsWholeHead({ width, height, eyesX, eyesY, interocularPx }: FaceFraming): boolean {
  const side = SIDE_BY_EYES * interocularPx;
  const [left, top] = [eyesX - side / 2, eyesY - EYES_FROM_TOP * side];
  return left >= 0 && top >= 0 && left + side <= width && top + side <= height;
}

/**
 * Cuts out the face and encodes it again as JPEG, without metadata; at most `FACE_CROP_PX` on each side. Accepts every
 * still that the engine accepts.
 * @param framing position of the face, as measured on the decoded still
 * @throws FaceEngineError `unreadable_frame`
 */
export async function cropFace(
  still: Uint8Array,
  framing: FaceFraming,
): Promise<{ jpeg: Uint8Array; framing: FaceFraming }> {
  const { data, width, height } = await decodeJpeg(still);
  const { eyesX, eyesY, interocularPx } = framing;
  const side = Math.round(Math.min(width, height, SIDE_BY_EYES * interocularPx));
  const left = clamp(Math.round(eyesX - side / 2), width - side);
  const top = clamp(Math.round(eyesY - EYES_FROM_TOP * side), height - side);
  const out = Math.min(side, FACE_CROP_PX);
  const jpeg = await sharp(data, { raw: { width, height, channels: 3 } })
    .extract({ left, top, width: side, height: side })
    .resize(out, out)
    .jpeg({ quality: QUALITY })
    .toBuffer();
  const scale = out / side;
  return {
    jpeg,
    framing: {
      width: out,
      height: out,
      eyesX: (eyesX - left) * scale,
      eyesY: (eyesY - top) * scale,
      interocularPx: interocularPx * scale,
      rollRad: framing.rollRad,
    },
  };
}

const clamp = (value: number, most: number): number => Math.max(0, Math.min(value, most));
