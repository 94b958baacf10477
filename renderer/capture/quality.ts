/** Hints about the view of the face, before anything is judged: presence, light, distance, place, direction. */
import type { CoachHint } from '../i18n/messages.ts';
import type { FaceMeasures } from './measure.ts';
import type { Light, Observation } from './observation.ts';

const degrees = (value: number): number => (value * Math.PI) / 180;

/** Luminance, 0 to 255. Low on purpose: a dark face in good light is no dark picture. The server refuses darker ones. */
const LIGHT = {
  darkFrame: 38,
  darkFace: 38,
  brightFace: 224,
  backlitBy: 105,
  coveredMean: 40,
  coveredSpread: 9,
} as const;
/** Height of the face over the image's shorter side. The upper bound leaves room to move closer. */
const SIZE = { min: 0.33, max: 0.7 } as const;
/** Distance of the face's middle from the image's, as a fraction of its width or height. */
const OFF_CENTRE = { x: 0.16, y: 0.2 } as const;
/** A phone held low shows a face from below; that is no looking away. */
const STRAIGHT = { yawRad: degrees(14), pitchRad: degrees(24), rollRad: degrees(18) } as const;

/** What keeps a face from being seen at all, or null. */
export function presenceHint({ faceCount, face, light }: Observation): CoachHint | null {
  if (faceCount > 1) return 'several_faces';
  if (face !== null) return null;
  if (light.frame < LIGHT.coveredMean && light.spread < LIGHT.coveredSpread) return 'covered';
  return light.frame < LIGHT.darkFrame ? 'too_dark' : 'no_face';
}

/** What is wrong with the light on a face, or null. */
export function lightHint(light: Light): CoachHint | null {
  if (light.face < LIGHT.darkFace) return 'too_dark';
  if (light.face > LIGHT.brightFace) return 'too_bright';
  return light.frame - light.face > LIGHT.backlitBy ? 'backlit' : null;
}

/** What is wrong with where a face is or looks, or null. */
export function placeHint(face: FaceMeasures): CoachHint | null {
  if (face.size < SIZE.min) return 'too_far';
  if (face.size > SIZE.max) return 'too_close';
  if (Math.abs(face.centreX - 0.5) > OFF_CENTRE.x || Math.abs(face.centreY - 0.5) > OFF_CENTRE.y) {
    return 'off_centre';
  }
  const straight =
    Math.abs(face.yawRad) < STRAIGHT.yawRad &&
    Math.abs(face.pitchRad) < STRAIGHT.pitchRad &&
    Math.abs(face.rollRad) < STRAIGHT.rollRad;
  return straight ? null : 'look_straight';
}
