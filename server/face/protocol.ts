/** What travels between the engine and its worker threads. */
import type { FrameEvidence } from '../domain/capture/evidence.ts';
import type { EngineManifests } from './manifest.ts';

export type WorkerSetup = { manifests: EngineManifests; modelDir: string };

/** `step`: the attack model, which judges resting faces only, is not asked. */
export type FramePurpose = 'rest' | 'step';

/** One frame to analyse; a worker has one at a time. */
export type FrameRequest = { id: number; bytes: Uint8Array; purpose: FramePurpose };

/** How far a thread's start has come: its code is loaded, its models are open. Then it tries each of them once. */
export type StartStage = 'loaded' | 'opened';

export type WorkerReply =
  | { kind: 'starting'; stage: StartStage }
  | { kind: 'ready' }
  | { kind: 'start_failed'; message: string }
  | { kind: 'evidence'; id: number; evidence: FrameEvidence }
  | { kind: 'unreadable'; id: number; message: string };
