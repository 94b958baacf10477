/** One look at the camera: what was seen on one frame, in numbers. */
import type { FaceMeasures } from './measure.ts';

/** Luminance, 0 to 255. */
export type Light = {
  /** Mean over the face's box; over the picture without a face. */
  face: number;
  /** Mean over the whole picture. */
  frame: number;
  /** Standard deviation over the whole picture. */
  spread: number;
};

export type Observation = {
  frameId: number;
  /** When the frame was taken, on `performance.now()`'s clock. */
  atMs: number;
  faceCount: number;
  /** The largest face. */
  face: FaceMeasures | null;
  light: Light;
};
