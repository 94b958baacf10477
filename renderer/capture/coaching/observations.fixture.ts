/** Synthetic observations of a face, for tests of the coach and its parts. */
import type { FaceMeasures } from '../landmarks/measure.ts';
import type { Observation } from '../landmarks/protocol.ts';

export const RESTING_FACE: FaceMeasures = {
  yawRad: 0.02,
  pitchRad: -0.05,
  rollRad: 0,
  eyeImageLeft: 0.3,
  eyeImageRight: 0.28,
  mouthOpening: 0.02,
  smileWidth: 0.4,
  size: 0.5,
  centreX: 0.5,
  centreY: 0.5,
  box: { left: 0.35, right: 0.65, top: 0.25, bottom: 0.75 },
};

export const faceWith = (change: Partial<FaceMeasures>): FaceMeasures => ({ ...RESTING_FACE, ...change });

export const observationOf = (change: Partial<Observation> = {}): Observation => ({
  frameId: 1,
  atMs: 0,
  faceCount: 1,
  isTurned: false,
  face: RESTING_FACE,
  light: { face: 120, frame: 110, spread: 50 },
  ...change,
});
