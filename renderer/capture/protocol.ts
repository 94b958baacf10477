/** What the page and the landmarker's worker say to each other. */
import type { Observation } from './observation.ts';

export type VisionAssets = {
  /** Absolute addresses, all of this origin. */
  loaderUrl: string;
  binaryUrl: string;
  modelUrl: string;
};

export type ToWorker =
  | { type: 'load'; assets: VisionAssets }
  /** The bitmap is handed over; the worker keeps it for a moment and then closes it. */
  | { type: 'look'; frameId: number; atMs: number; bitmap: ImageBitmap }
  | { type: 'encode'; frameId: number }
  /** Lets go of every frame. */
  | { type: 'forget' };

export type FromWorker =
  | { type: 'ready' }
  | { type: 'failed'; reason: string }
  | { type: 'seen'; observation: Observation }
  | { type: 'encoded'; frameId: number; jpeg: Blob | null };
