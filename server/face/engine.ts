/**
 * The face engine: takes captures and returns evidence. Distributes frames over worker threads, with a limited queue.
 */
import { availableParallelism } from 'node:os';
import { SHARE_ENV, Worker } from 'node:worker_threads';
import type { FrameEvidence } from '../domain/capture/evidence.ts';
import { threadFile } from '../program-files.ts';
import { FaceEngineError } from './errors.ts';
import { createFrameQueue } from './frame-queue.ts';
import { loadManifests, readCohort } from './models/model-files.ts';
import type { FramePurpose, WorkerSetup } from './protocol.ts';
import { createWorkerSlot, type EngineEvent, type EngineWorker, type FrameJob } from './worker-slot.ts';
import { readEngineManifests } from './models/manifest.ts';

export type FaceEngine = {
  /** Version of the embedding model, stored with each template: embeddings of two versions are not comparable. */
  readonly embeddingModel: string;
  readonly embeddingLength: number;
  /** The models' own thresholds, from their manifests: cosines at 1,000 enrolled, probability of a genuine face. */
  readonly thresholds: { samePerson: number; near: number; oneToOne?: number; genuine: number };
  /** Different people's vectors that come with the embedding model, of unit length; null if it has none. */
  readonly cohort: readonly Float32Array[] | null;
  /**
   * Analyses all frames of one capture; returns the evidence in the same order. Does not modify the frames.
   * @param purpose what they show; `rest` by default
   * @throws FaceEngineError, or the signal's reason if aborted. One bad frame fails the capture.
   */
  analyse(
    frames: readonly Uint8Array[],
    signal?: AbortSignal,
    purpose?: FramePurpose,
  ): Promise<FrameEvidence[]>;
  stats(): EngineStats;
  /** Ends the workers; unfinished captures are rejected with `closed`. */
  close(): Promise<void>;
};

type EngineStats = {
  /** Threads, including any that are being replaced after their first loss in a row. */
  workers: number;
  busy: number;
  queuedFrames: number;
  restarts: number;
};

export type FaceEngineOptions = {
  /** Folder of the model files. */
  modelDir: string;
  /** Folder of their manifests (`assets/models`). */
  manifestDir: string;
  /**
   * Most threads, each with its own models (45 MiB). Default: one per core, leaving one free from three cores on. The first
   * starts with the engine. When frames have to wait, further ones start, one at a time.
   */
  workers?: number;
  /** Frames of all captures that may wait for a worker; a capture that does not fit is refused as `busy`. */
  maxQueuedFrames?: number;
  /** A worker that takes longer for a frame is replaced. */
  frameTimeoutMs?: number;
  /** How long an overdue thread, or a busy one when the engine closes, has to finish before it is terminated. */
  endGraceMs?: number;
  /** Each thread except the first ends when it has had no frame for so long. */
  idleMs?: number;
  onEvent?: (event: EngineEvent) => void;
  /** Starts a thread; for tests and for packages that store the worker's code elsewhere. */
  spawnWorker?: (setup: WorkerSetup) => EngineWorker;
};

/** Eight captures of sixteen frames: about five seconds of work for two cores. */
const DEFAULT_MAX_QUEUED_FRAMES = 128;
const DEFAULT_FRAME_TIMEOUT_MS = 10_000;
const DEFAULT_END_GRACE_MS = 15_000;
const MOST_WORKERS = 8;
/** Longer than the pauses between guests, so that a start, which takes a second, is rare. */
const DEFAULT_IDLE_MS = 10 * 60_000;

/** Assumed time of a frame before any was measured. */
const ASSUMED_FRAME_MS = 80;
const NEWEST_FRAME_WEIGHT = 0.1;

type Capture = {
  evidence: (FrameEvidence | undefined)[];
  missing: number;
  finish(evidence: FrameEvidence[]): void;
  fail(error: unknown): void;
};

export function defaultWorkers(cores = availableParallelism()): number {
  return Math.min(MOST_WORKERS, cores > 2 ? cores - 1 : cores);
}

/**
 * Resolves when the first worker has opened its models.
 * @throws FaceEngineError `models_missing` if a manifest or a model is missing, damaged or does not match
 */
export async function createFaceEngine(options: FaceEngineOptions): Promise<FaceEngine> {
  const {
    modelDir,
    manifestDir,
    workers = defaultWorkers(),
    maxQueuedFrames = DEFAULT_MAX_QUEUED_FRAMES,
    frameTimeoutMs = DEFAULT_FRAME_TIMEOUT_MS,
    endGraceMs = DEFAULT_END_GRACE_MS,
    idleMs = DEFAULT_IDLE_MS,
    spawnWorker = spawnThread,
    onEvent = () => undefined,
  } = options;
  const manifests = await loadManifests(manifestDir, modelDir);
  const { embed, attack } = manifests;
  const cohort = await readCohort(manifestDir, embed);
  const queue = createFrameQueue<Capture, FrameJob>();
  const captures = new Set<Capture>();
  let closed = false;
  let meanFrameMs = ASSUMED_FRAME_MS;

  const slots = Array.from({ length: workers }, (_, number) =>
    createWorkerSlot({
      number,
      frameTimeoutMs,
      endGraceMs,
      ...(number > 0 && { idleMs }),
      spawn: () => spawnWorker({ manifests, modelDir }),
      onIdle: dispatch,
      onLost: failWaitingWithoutWorkers,
      onEvent(event) {
        if (event.type === 'frame_analysed')
          meanFrameMs += NEWEST_FRAME_WEIGHT * (event.frameMs - meanFrameMs);
        onEvent(event);
      },
    }),
  );

  function dispatch(): void {
    for (const slot of slots) {
      if (slot.state !== 'idle') continue;
      const job = queue.next();
      if (job === undefined) return;
      slot.run(job);
    }
    // A burst is over before more than one has started.
    if (queue.size === 0 || slots.some(({ state }) => state === 'starting')) return;
    slots.find(({ state }) => state === 'unused')?.start();
  }

  /** No capture is left waiting for workers that keep dying at start-up. */
  function failWaitingWithoutWorkers(): void {
    // Starts one that is unused, so that the last of them cannot hide that all others fail.
    dispatch();
    if (backOffMs() <= 0) return;
    for (const capture of queue.owners()) {
      capture.fail(new FaceEngineError('worker_died', 'the face engine’s workers keep failing'));
    }
  }

  /** Time until a worker may be available again; 0 while one is available or starting. */
  function backOffMs(): number {
    if (slots.some((slot) => slot.state !== 'backing_off')) return 0;
    return Math.min(...slots.map((slot) => slot.restartAtMs)) - performance.now();
  }

  function refuseIfBusy(newFrames: number): void {
    const waitMs = backOffMs();
    if (waitMs <= 0 && queue.size + newFrames <= maxQueuedFrames) return;
    const workMs = (queue.size * meanFrameMs) / workers;
    throw new FaceEngineError('busy', 'too many frames are waiting to be checked', {
      retryAfterS: Math.max(1, Math.ceil(Math.max(waitMs, workMs) / 1000)),
    });
  }

  function enqueue(
    frames: readonly Uint8Array[],
    signal: AbortSignal | undefined,
    purpose: FramePurpose,
  ): Promise<FrameEvidence[]> {
    const { promise, resolve, reject } = Promise.withResolvers<FrameEvidence[]>();
    const settle = () => {
      captures.delete(capture);
      queue.remove(capture);
      signal?.removeEventListener('abort', abort);
    };
    const capture: Capture = {
      evidence: frames.map(() => undefined),
      missing: frames.length,
      finish(evidence) {
        settle();
        resolve(evidence);
      },
      fail(error) {
        settle();
        reject(error);
      },
    };
    const abort = () => capture.fail(signal?.reason);
    signal?.addEventListener('abort', abort, { once: true });
    captures.add(capture);
    queue.push(
      capture,
      frames.map((bytes, frameIndex) => frameJob(capture, { bytes, frameIndex, purpose })),
    );
    dispatch();
    return promise;
  }

  const engine: FaceEngine = {
    embeddingModel: embed.version,
    embeddingLength: embed.embeddingLength,
    cohort,
    thresholds: { ...embed.thresholds, genuine: attack.thresholds.genuine },
    async analyse(frames, signal, purpose = 'rest') {
      if (closed) throw new FaceEngineError('closed', 'the face engine is closed');
      signal?.throwIfAborted();
      if (frames.length === 0) return [];
      refuseIfBusy(frames.length);
      return enqueue(frames, signal, purpose);
    },
    stats: () => ({
      workers: slots.filter(({ state, isReplacing }) => state === 'idle' || state === 'busy' || isReplacing)
        .length,
      busy: slots.filter(({ state }) => state === 'busy').length,
      queuedFrames: queue.size,
      restarts: slots.reduce((sum, { restarts }) => sum + restarts, 0),
    }),
    async close() {
      closed = true;
      const ends = slots.map((slot) => slot.close());
      for (const capture of captures)
        capture.fail(new FaceEngineError('closed', 'the face engine was closed'));
      await Promise.all(ends);
    },
  };

  try {
    slots[0]?.start();
    await slots[0]?.started;
  } catch (error) {
    await engine.close();
    throw error;
  }
  return engine;
}

function frameJob(capture: Capture, frame: Pick<FrameJob, 'bytes' | 'frameIndex' | 'purpose'>): FrameJob {
  const { frameIndex } = frame;
  return {
    ...frame,
    reject: (error) => capture.fail(error),
    resolve(evidence) {
      capture.evidence[frameIndex] = evidence;
      capture.missing -= 1;
      if (capture.missing === 0) capture.finish(capture.evidence.filter((frame) => frame !== undefined));
    },
  };
}

function spawnThread(workerData: WorkerSetup): EngineWorker {
  // With an environment of its own, the thread's settings would not reach the native library.
  return new Worker(threadFile('face/worker'), { name: 'face', workerData, env: SHARE_ENV });
}

/** Used while the models are missing: reads their manifests, and refuses every capture. */
export function createUnavailableEngine({ manifestDir }: { manifestDir: string }): FaceEngine {
  const { embed, attack } = readEngineManifests(manifestDir);
  return {
    embeddingModel: embed.version,
    embeddingLength: embed.embeddingLength,
    cohort: null,
    thresholds: { ...embed.thresholds, genuine: attack.thresholds.genuine },
    analyse: () =>
      Promise.reject(new FaceEngineError('models_missing', 'The face models have not been fetched.')),
    stats: () => ({ workers: 0, busy: 0, queuedFrames: 0, restarts: 0 }),
    close: async () => undefined,
  };
}
