/** Hints about the picture of the face, before any judgement: presence, light, distance, position, direction. */
import type { CoachHint } from '../../i18n/messages.ts';
import type { FaceMeasures } from '../landmarks/measure.ts';
import type { Light, Observation } from '../landmarks/protocol.ts';
import { degrees } from './gestures.ts';

/**
 * Luminance, 0 to 255. Low on purpose: a dark face in good light is not a dark picture. The server refuses darker
 * ones.
 */
const LIGHT = {
  darkFrame: 38,
  darkFace: 38,
  brightFace: 224,
  backlitBy: 105,
  coveredMean: 40,
  coveredSpread: 9,
} as const;
type PlaceBounds = {
  /** Height of the face divided by the image's shorter side. The upper limit leaves space to move closer. */
  minSize: number;
  maxSize: number;
  /** Distance of the face's centre from the image's, as a fraction of its width or height. */
  offCentreX: number;
  offCentreY: number;
  /** The pitch range is wide because a phone held low shows a face from below. */
  yawRad: number;
  pitchRad: number;
  rollRad: number;
};

const PLACE: PlaceBounds = {
  minSize: 0.33,
  maxSize: 0.7,
  offCentreX: 0.16,
  offCentreY: 0.2,
  yawRad: degrees(14),
  pitchRad: degrees(24),
  rollRad: degrees(18),
};
/** For a face that was well placed a moment ago, so that hints do not alternate at a limit. */
const KEPT_PLACE: PlaceBounds = {
  minSize: 0.28,
  maxSize: 0.8,
  offCentreX: 0.21,
  offCentreY: 0.25,
  yawRad: degrees(18),
  pitchRad: degrees(28),
  rollRad: degrees(22),
};

/** Why a face cannot be seen at all, or null. */
export function presenceHint({ faceCount, face, light }: Observation): CoachHint | null {
  if (faceCount > 1) return 'several_faces';
  if (face !== null) return null;
  if (light.frame < LIGHT.coveredMean && light.spread < LIGHT.coveredSpread) return 'covered';
  return light.frame < LIGHT.darkFrame ? 'too_dark' : 'no_face';
}

/** The problem with the light on a face, or null. */
export function lightHint(light: Light): CoachHint | null {
  if (light.face < LIGHT.darkFace) return 'too_dark';
  if (light.face > LIGHT.brightFace) return 'too_bright';
  return light.frame - light.face > LIGHT.backlitBy ? 'backlit' : null;
}

/**
 * The problem with a face's position or direction, or null.
 * @param wasPlaced it had no problem in the previous frame
 */
export function placeHint(face: FaceMeasures, wasPlaced = false): CoachHint | null {
  const bounds = wasPlaced ? KEPT_PLACE : PLACE;
  if (face.size < bounds.minSize) return 'too_far';
  if (face.size > bounds.maxSize) return 'too_close';
  const asideX = Math.abs(face.centreX - 0.5);
  const asideY = Math.abs(face.centreY - 0.5);
  if (asideX > bounds.offCentreX || asideY > bounds.offCentreY) return 'off_centre';
  const straight =
    Math.abs(face.yawRad) < bounds.yawRad &&
    Math.abs(face.pitchRad) < bounds.pitchRad &&
    Math.abs(face.rollRad) < bounds.rollRad;
  return straight ? null : 'look_straight';
}

/**
 * Mean and standard deviation of Rec. 601 luma, 0 to 255.
 * @param rgba 4 bytes per pixel
 */
export function lumaStatistics(rgba: Uint8ClampedArray): { mean: number; spread: number } {
  const count = rgba.length / 4;
  if (count === 0) return { mean: 0, spread: 0 };
  let sum = 0;
  let squares = 0;
  for (let i = 0; i < rgba.length; i += 4) {
    const luma = 0.299 * (rgba[i] ?? 0) + 0.587 * (rgba[i + 1] ?? 0) + 0.114 * (rgba[i + 2] ?? 0);
    sum += luma;
    squares += luma * luma;
  }
  const mean = sum / count;
  return { mean, spread: Math.sqrt(Math.max(0, squares / count - mean * mean)) };
}

/** What staff learn about a camera's picture as a whole; faces are analysed when people come. */
export type PictureVerdict = 'good' | 'dark' | 'covered' | 'bright';

/** Luminance, 0 to 255. Dark and bright as for a person's picture (`LIGHT`), with a margin. */
const BOUNDS = { dark: 50, bright: 225, coveredMean: 40, coveredSpread: 9 } as const;

/** @param mean luminance of the whole picture @param spread its standard deviation */
export function pictureVerdict({ mean, spread }: { mean: number; spread: number }): PictureVerdict {
  if (mean < BOUNDS.coveredMean && spread < BOUNDS.coveredSpread) return 'covered';
  if (mean < BOUNDS.dark) return 'dark';
  return mean > BOUNDS.bright ? 'bright' : 'good';
}

const VERDICT_SIDE_PX = 32;

/** Of a video's current picture. A browser that draws none says nothing against it. */
export function videoVerdict(video: HTMLVideoElement): PictureVerdict {
  const side = VERDICT_SIDE_PX;
  const context = new OffscreenCanvas(side, side).getContext('2d', { willReadFrequently: true });
  if (context === null) return 'good';
  context.drawImage(video, 0, 0, side, side);
  return pictureVerdict(lumaStatistics(context.getImageData(0, 0, side, side).data));
}
