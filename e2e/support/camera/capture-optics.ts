/** What a camera and a hand do to a picture: nothing that it delivers twice is the same. */
import sharp from 'sharp';
import type { Random } from './capture-random.ts';
import type { FrameSize } from './frame-size.ts';

/** How the scene reaches the sensor. `light` is a factor on luminance, `blurSigmaPx` that of a Gaussian. */
export type Optics = { shake: boolean; light: number; blurSigmaPx: number };

export const CLEAR: Optics = { shake: true, light: 1, blurSigmaPx: 0 };
export const DARK: Optics = { ...CLEAR, light: 0.12 };
export const GLARING: Optics = { ...CLEAR, light: 3.5 };
export const BLURRED: Optics = { ...CLEAR, blurSigmaPx: 6 };
/** A photograph on a stand: sensor noise, but no movement at all. */
export const HELD_STILL: Optics = { ...CLEAR, shake: false };

/** Per channel, of 255: a phone's front camera indoors after its own noise reduction. */
const SENSOR_NOISE_SIGMA = 2;
/** The frame is enlarged a little, so that shaking never shows what lies beyond its edge. */
const MARGIN = 1.04;

export async function photograph(
  jpeg: Buffer,
  size: FrameSize,
  { shake, light, blurSigmaPx }: Optics,
  random: Random,
): Promise<Buffer> {
  const angle = shake ? random.normal() * 0.008 : 0;
  const zoom = MARGIN + (shake ? random.between(-0.008, 0.008) : 0);
  const [cos, sin] = [zoom * Math.cos(angle), zoom * Math.sin(angle)];
  const moved = sharp(jpeg).affine([
    [cos, -sin],
    [sin, cos],
  ]);
  const { data: enlarged, info } = await moved.removeAlpha().raw().toBuffer({ resolveWithObject: true });
  const offset = (spare: number) =>
    Math.round(Math.min(spare, Math.max(0, spare / 2 + (shake ? random.normal() * 2.5 : 0))));
  let framed = sharp(enlarged, { raw: { width: info.width, height: info.height, channels: 3 } }).extract({
    left: offset(info.width - size.width),
    top: offset(info.height - size.height),
    ...size,
  });
  if (blurSigmaPx > 0) framed = framed.blur(blurSigmaPx);
  const exposure = light * (shake ? random.between(0.97, 1.03) : 1);
  const pixels = await framed.raw().toBuffer();
  for (let at = 0; at < pixels.length; at++) {
    const value = pixels[at]! * exposure + SENSOR_NOISE_SIGMA * random.normal();
    pixels[at] = Math.min(255, Math.max(0, Math.round(value)));
  }
  return sharp(pixels, { raw: { ...size, channels: 3 } })
    .jpeg({ quality: Math.round(random.between(86, 93)) })
    .toBuffer();
}

/** The same picture saved again: other bytes, same content. */
export async function savedAgain(jpeg: Buffer): Promise<Buffer> {
  return sharp(jpeg).jpeg({ quality: 78 }).toBuffer();
}
