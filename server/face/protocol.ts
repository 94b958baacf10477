/** The messages between the engine and its worker threads. */
import type { FrameEvidence } from '../domain/capture/evidence.ts';
import type { EngineManifests } from './models/manifest.ts';

export type WorkerSetup = { manifests: EngineManifests; modelDir: string };

/** `step`: skips the attack model, which judges only resting faces. */
export type FramePurpose = 'rest' | 'step';

/** One frame to analyse; a worker has one at a time. */
export type FrameRequest = { id: number; bytes: Uint8Array; purpose: FramePurpose };

/** Progress of a thread's start: its code is loaded, its models are open. Then it runs each of them once. */
export type StartStage = 'loaded' | 'opened';

export type WorkerReply =
  | { kind: 'starting'; stage: StartStage }
  | { kind: 'ready' }
  | { kind: 'start_failed'; message: string }
  | { kind: 'evidence'; id: number; evidence: FrameEvidence }
  | { kind: 'unreadable'; id: number; message: string };
