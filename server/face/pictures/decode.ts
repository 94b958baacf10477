/** JPEG bytes to pixels, with limits, because the input is not trusted. */
import sharp from 'sharp';
import { FaceEngineError } from '../errors.ts';
import { rgbImage, type RgbImage } from './rgb-image.ts';

/** Longer side that the engine works on. More pixels cost time and gain nothing at a door's distance. */
const MAX_SIDE_PX = 1280;

/** Maximum number of pixels that a picture may claim before it is decoded (a 16-megapixel camera). */
const MAX_INPUT_PIXELS = 16_800_000;

/** Narrower pictures are not camera frames. */
const MIN_SIDE_PX = 32;

/**
 * Passes that a progressive JPEG may request. Encoders use about 10; thousands fit into a small file, and each costs a
 * pass over all blocks.
 */
const MAX_SCANS = 64;

/**
 * Decodes one JPEG upright (applies the EXIF rotation), at most MAX_SIDE_PX on its longer side.
 * @throws FaceEngineError `unreadable_frame` for anything except a complete JPEG of plausible size
 */
export async function decodeJpeg(bytes: Uint8Array): Promise<RgbImage> {
  if (!startsAsJpeg(bytes)) throw new FaceEngineError('unreadable_frame', 'not a JPEG');
  if (scansIn(bytes) > MAX_SCANS) throw new FaceEngineError('unreadable_frame', 'too many scans');
  try {
    const { data, info } = await sharp(bytes, {
      limitInputPixels: MAX_INPUT_PIXELS,
      failOn: 'truncated',
      sequentialRead: true,
    })
      .rotate()
      .resize(MAX_SIDE_PX, MAX_SIDE_PX, { fit: 'inside', withoutEnlargement: true })
      .removeAlpha()
      .toColourspace('srgb')
      .raw()
      .toBuffer({ resolveWithObject: true });
    if (info.channels !== 3 || Math.min(info.width, info.height) < MIN_SIDE_PX) {
      throw new FaceEngineError('unreadable_frame', 'picture too small');
    }
    // A plain Uint8Array, like its halvings: a single array type keeps the pixel loops fast.
    const pixels = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
    return rgbImage({ data: pixels, width: info.width, height: info.height });
  } catch (cause) {
    if (cause instanceof FaceEngineError) throw cause;
    throw new FaceEngineError('unreadable_frame', 'the JPEG cannot be decoded', { cause });
  }
}

/** Start-of-image marker, then another marker. The decoder is chosen by it as well, so no other format is accepted. */
function startsAsJpeg(bytes: Uint8Array): boolean {
  return bytes.length > 4 && bytes[0] === 0xff && bytes[1] === 0xd8 && bytes[2] === 0xff;
}

/** Markers that start a scan; among the picture's own data a byte of 255 is always followed by 0. */
function scansIn(bytes: Uint8Array): number {
  let scans = 0;
  for (let at = bytes.indexOf(0xff); at !== -1; at = bytes.indexOf(0xff, at + 1)) {
    if (bytes[at + 1] === 0xda) scans += 1;
  }
  return scans;
}
