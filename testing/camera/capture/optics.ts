/** The effects of a camera and a hand on a picture: no two delivered frames are the same. */
import sharp from 'sharp';
import type { Random } from './random.ts';
import type { FrameSize } from '../sources.ts';

/**
 * What the camera does to the scene. `light` multiplies the luminance, `blurSigmaPx` is a Gaussian's sigma; without
 * `shake` only the sensor's noise changes.
 */
type Optics = { shake: boolean; light: number; blurSigmaPx: number };

export const CLEAR: Optics = { shake: true, light: 1, blurSigmaPx: 0 };
export const DARK: Optics = { ...CLEAR, light: 0.12 };
export const GLARING: Optics = { ...CLEAR, light: 3.5 };
export const BLURRED: Optics = { ...CLEAR, blurSigmaPx: 6 };
/** A photograph on a stand. */
export const HELD_STILL: Optics = { ...CLEAR, shake: false };

/** A person’s position in one capture; all movement is relative to it. */
type Stance = { zoom: number; angleRad: number; dxPx: number; dyPx: number };

/** Per channel, of 255: a phone's front camera indoors after its own noise reduction. */
const SENSOR_NOISE_SIGMA = 2;
/** The frame is enlarged, so that neither position nor shaking shows its edge. */
const LEAST_ZOOM = 1.06;

export const takeStance = (random: Random): Stance => ({
  zoom: random.between(LEAST_ZOOM, LEAST_ZOOM + 0.06),
  angleRad: random.between(-0.012, 0.012),
  dxPx: random.between(-5, 5),
  dyPx: random.between(-4, 4),
});

export async function photograph(
  jpeg: Buffer,
  size: FrameSize,
  { shake, light, blurSigmaPx }: Optics,
  { stance, random }: { stance: Stance; random: Random },
): Promise<Buffer> {
  const shaken = (sigma: number) => (shake ? sigma * random.normal() : 0);
  const angle = stance.angleRad + shaken(0.004);
  const zoom = stance.zoom * (1 + shaken(0.003));
  const [cos, sin] = [zoom * Math.cos(angle), zoom * Math.sin(angle)];
  const moved = sharp(jpeg).affine([
    [cos, -sin],
    [sin, cos],
  ]);
  const { data: enlarged, info } = await moved.removeAlpha().raw().toBuffer({ resolveWithObject: true });
  const offset = (spare: number, byPx: number) =>
    Math.round(Math.min(spare, Math.max(0, spare / 2 + byPx + shaken(2))));
  let framed = sharp(enlarged, { raw: { width: info.width, height: info.height, channels: 3 } }).extract({
    left: offset(info.width - size.width, stance.dxPx),
    top: offset(info.height - size.height, stance.dyPx),
    ...size,
  });
  if (blurSigmaPx > 0) framed = framed.blur(blurSigmaPx);
  const exposure = light * (1 + shaken(0.012));
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
