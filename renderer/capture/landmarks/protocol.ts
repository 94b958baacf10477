/** The landmarker, and the messages between the page and its worker. */
import type { FaceMeasures } from './measure.ts';

export type VisionAssets = {
  /** Absolute addresses, all of this origin. */
  loaderUrl: string;
  binaryUrl: string;
  modelUrl: string;
};

export type ToWorker =
  | { type: 'load'; assets: VisionAssets; program: WebAssembly.Module | null }
  /** The bitmap is transferred; the worker keeps it for a moment and then closes it. */
  | { type: 'look'; frameId: number; atMs: number; bitmap: ImageBitmap }
  | { type: 'encode'; frameId: number }
  /** Releases every frame. */
  | { type: 'forget' };

export type FromWorker =
  /** With the compiled program, for the next worker. */
  | { type: 'ready'; program: WebAssembly.Module }
  | { type: 'failed'; reason: string }
  | { type: 'seen'; observation: Observation }
  | { type: 'encoded'; frameId: number; jpeg: Blob | null };

export type Landmarker = {
  /** Resolves when frames can be analysed; rejects with a `LoadFailure` if it cannot be loaded. */
  ready: Promise<void>;
  /** Loaded share of its files, 0 to 1; left out if unknown. */
  loaded?: () => number;
  /** Analyses one frame; one at a time. The bitmap is transferred. */
  look: (frameId: number, atMs: number, bitmap: ImageBitmap) => Promise<Observation>;
  /** JPEG of a recently analysed frame. */
  encode: (frameId: number) => Promise<Blob>;
  forget: () => void;
  close: () => void;
};

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
  /** People, as `countPeople` counts them. */
  faceCount: number;
  /** The picture seems turned, although no face in it as it is shows that: see `turned-search.ts`. */
  isTurned: boolean;
  /** The largest face. */
  face: FaceMeasures | null;
  light: Light;
};
