/** One slot for a worker thread: starts it, gives it one frame at a time, and replaces it when it is lost. */
import type { Worker } from 'node:worker_threads';
import type { FrameEvidence } from '../domain/capture/evidence.ts';
import { FaceEngineError } from './errors.ts';
import type { FramePurpose, FrameRequest, StartStage, WorkerReply } from './protocol.ts';

/** The interface that the engine needs of a thread; a `Worker` has it. */
export type EngineWorker = Pick<Worker, 'postMessage' | 'on' | 'terminate'>;

export type EngineEvent =
  | { type: 'worker_starting'; worker: number; stage: StartStage; afterMs: number }
  | { type: 'worker_ready'; worker: number; startMs: number }
  | { type: 'worker_lost'; worker: number; reason: string; restartInMs: number }
  | { type: 'frame_analysed'; worker: number; frameMs: number };

export type FrameJob = {
  bytes: Uint8Array;
  purpose: FramePurpose;
  frameIndex: number;
  resolve(evidence: FrameEvidence): void;
  reject(error: FaceEngineError): void;
};

type SlotOptions = {
  /** Number of the slot, for events. */
  number: number;
  spawn(): EngineWorker;
  frameTimeoutMs: number;
  /**
   * How long a thread may take to finish its current model run before it is terminated. If it is cut off inside a run,
   * the native library finds its JavaScript gone and aborts the whole process.
   */
  endGraceMs: number;
  /** A thread without a frame for so long is ended until it is needed again; undefined for one that stays. */
  idleMs?: number;
  onEvent(event: EngineEvent): void;
  /** The slot can take a frame. */
  onIdle(): void;
  /** The thread was lost; the slot's state says whether another is starting or waits for its back-off. */
  onLost(): void;
};

/** `unused` until the first `start`, and after a thread that was not needed ended. */
type SlotState = 'unused' | 'starting' | 'idle' | 'busy' | 'backing_off' | 'closed';

type WorkerSlot = {
  readonly state: SlotState;
  /** When the next thread is started, on `performance.now()`'s clock; only while backing off. */
  readonly restartAtMs: number;
  readonly restarts: number;
  /** Whether the first loss in a row is being replaced: frames only have to wait for the start. */
  readonly isReplacing: boolean;
  /** Settles with the first thread's start. */
  readonly started: Promise<void>;
  /** Starts a thread. Only while unused. */
  start(): void;
  /** Only while idle. */
  run(job: FrameJob): void;
  close(): Promise<void>;
};

/**
 * Maximum time without progress during a start: each stage takes a third of a second on a free machine, and a starved
 * thread that makes progress is never given up.
 */
export const START_STAGE_TIMEOUT_MS = 120_000;
const DIED = 'worker_died';
/** What ends a wait. */
type Heard = Exclude<WorkerReply, { kind: 'starting' }>;
type Loss = { isOverdue?: boolean; code?: 'worker_died' | 'timeout' };

const FIRST_BACKOFF_MS = 250;
const LONGEST_BACKOFF_MS = 30_000;

/** The first loss is followed by a new thread at once, further ones in a row after increasing delays. */
export function restartDelayMs(lossesInARow: number): number {
  if (lossesInARow <= 1) return 0;
  return Math.min(LONGEST_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** (lossesInARow - 2));
}

export function createWorkerSlot(options: SlotOptions): WorkerSlot {
  const firstStart = Promise.withResolvers<undefined>();
  let state: SlotState = 'unused';
  let worker: EngineWorker | null = null;
  let job: { id: number; frame: FrameJob; startedMs: number } | null = null;
  let timer: NodeJS.Timeout | undefined;
  let restartAtMs = 0;
  let restarts = 0;
  let lossesInARow = 0;
  let lastId = 0;

  function start(): void {
    const startedMs = performance.now();
    const thread = options.spawn();
    const ifCurrent = (act: () => void) => {
      if (worker === thread) act();
    };
    let fault = 'exited';
    worker = thread;
    state = 'starting';
    const wait = () => {
      clearTimeout(timer);
      timer = setTimeout(
        () => lose(thread, 'did not start in time', { isOverdue: true }),
        START_STAGE_TIMEOUT_MS,
      );
    };
    wait();
    thread.on('message', (message: WorkerReply) =>
      ifCurrent(() => {
        if (message.kind === 'starting') {
          wait();
          const afterMs = performance.now() - startedMs;
          options.onEvent({ type: 'worker_starting', worker: options.number, stage: message.stage, afterMs });
        } else hear(thread, message, startedMs);
      }),
    );
    thread.on('error', (error: unknown) => {
      fault = error instanceof Error ? error.message : String(error);
    });
    thread.on('exit', () => ifCurrent(() => lose(thread, fault)));
  }

  function hear(thread: EngineWorker, message: Heard, startedMs: number): void {
    if (message.kind === 'start_failed') {
      firstStart.reject(new FaceEngineError('models_missing', message.message));
      lose(thread, message.message);
      return;
    }
    if (message.kind === 'ready') {
      clearTimeout(timer);
      firstStart.resolve(undefined);
      options.onEvent({
        type: 'worker_ready',
        worker: options.number,
        startMs: performance.now() - startedMs,
      });
      becomeIdle();
      return;
    }
    if (job?.id !== message.id) return;
    const { frame, startedMs: frameStartedMs } = job;
    clearTimeout(timer);
    job = null;
    lossesInARow = 0;
    if (message.kind === 'evidence') {
      const frameMs = performance.now() - frameStartedMs;
      options.onEvent({ type: 'frame_analysed', worker: options.number, frameMs });
      frame.resolve(message.evidence);
    } else {
      frame.reject(
        new FaceEngineError('unreadable_frame', message.message, { frameIndex: frame.frameIndex }),
      );
    }
    becomeIdle();
  }

  function becomeIdle(): void {
    state = 'idle';
    if (options.idleMs !== undefined) {
      timer = setTimeout(release, options.idleMs);
      timer.unref();
    }
    options.onIdle();
  }

  function release(): void {
    const thread = worker;
    worker = null;
    state = 'unused';
    void thread?.terminate();
  }

  /** Releases a thread, dead or alive, and schedules the next. */
  function lose(thread: EngineWorker, reason: string, { isOverdue = false, code = DIED }: Loss = {}): void {
    clearTimeout(timer);
    worker = null;
    const lost = job;
    job = null;
    restarts += 1;
    lossesInARow += 1;
    const delayMs = restartDelayMs(lossesInARow);
    state = 'backing_off';
    restartAtMs = performance.now() + delayMs;
    timer = setTimeout(start, delayMs);
    void (isOverdue ? endAtRest(thread, options.endGraceMs) : thread.terminate());
    firstStart.reject(new FaceEngineError('worker_died', `a worker did not start: ${reason}`));
    options.onEvent({ type: 'worker_lost', worker: options.number, reason, restartInMs: delayMs });
    lost?.frame.reject(
      new FaceEngineError(code, `frame ${lost.frame.frameIndex}: worker ${reason}`, {
        frameIndex: lost.frame.frameIndex,
      }),
    );
    options.onLost();
  }

  // If nobody awaits the rejection, the events still report it.
  firstStart.promise.catch(() => undefined);

  return {
    start,
    get state() {
      return state;
    },
    get restartAtMs() {
      return restartAtMs;
    },
    get restarts() {
      return restarts;
    },
    get isReplacing() {
      return lossesInARow === 1 && (state === 'starting' || state === 'backing_off');
    },
    started: firstStart.promise,
    run(frame) {
      const thread = worker;
      if (state !== 'idle' || thread === null)
        throw new Error('a frame was given to a worker that is not idle');
      clearTimeout(timer);
      state = 'busy';
      lastId += 1;
      job = { id: lastId, frame, startedMs: performance.now() };
      timer = setTimeout(
        () => lose(thread, 'took too long', { isOverdue: true, code: 'timeout' }),
        options.frameTimeoutMs,
      );
      // A copy of only this frame: the caller keeps the original, and a view's whole buffer is not sent.
      const bytes = new Uint8Array(frame.bytes);
      const request: FrameRequest = { id: lastId, bytes, purpose: frame.purpose };
      thread.postMessage(request, [bytes.buffer]);
    },
    async close() {
      clearTimeout(timer);
      const isRunningModels = state === 'busy' || state === 'starting';
      state = 'closed';
      job = null;
      const thread = worker;
      worker = null;
      firstStart.reject(new FaceEngineError('closed', 'the face engine is closed'));
      await (isRunningModels && thread ? endAtRest(thread, options.endGraceMs) : thread?.terminate());
    },
  };
}

/** Ends a thread when its frame or its start is finished, it has exited, or its grace period is over. */
async function endAtRest(thread: EngineWorker, graceMs: number): Promise<void> {
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, graceMs);
    const done = () => {
      clearTimeout(timer);
      resolve();
    };
    thread.on('message', (message: WorkerReply) => {
      if (message.kind !== 'starting') done();
    });
    thread.on('exit', done);
  });
  await thread.terminate();
}
