/** The server's side of the index's thread: requests in order, answers as promises. */
import { Worker } from 'node:worker_threads';
import { threadFile } from '../../program-files.ts';
import type { IndexReply, IndexRequest, IndexSetup } from './index-protocol.ts';

/** The thread ended with all of its data; a new one starts empty. */
export class IndexLostError extends Error {
  override readonly name = 'IndexLostError';
}

type Unnumbered<T> = T extends unknown ? Omit<T, 'id'> : never;
type IndexOrder = Unnumbered<IndexRequest>;

type IndexThread = {
  /** Increases when a thread ends: earlier data is lost. */
  readonly generation: number;
  /**
   * Requests are processed in the order of the calls. The vectors or rows of a `put` are transferred, so the caller's
   * are empty afterwards.
   * @throws IndexLostError if the thread ended before it answered
   */
  ask(order: IndexOrder): Promise<IndexReply>;
  close(): Promise<void>;
};

function handedOver(order: IndexOrder): ArrayBuffer[] {
  const data = order.kind === 'put' ? order.vectors : order.kind === 'put_packed' ? order.rows : null;
  return data?.buffer instanceof ArrayBuffer ? [data.buffer] : [];
}

type Waiting = { resolve: (reply: IndexReply) => void; reject: (error: Error) => void };

/** The required interface of a thread; a `Worker` has it. */
export type IndexWorker = Pick<Worker, 'on' | 'postMessage' | 'ref' | 'unref' | 'terminate'>;
type IndexThreadOptions = {
  /** A thread that takes longer for a request is ended. */
  answerTimeoutMs?: number;
  /** For tests. */
  spawn?: (setup: IndexSetup) => IndexWorker;
};

/** Searching a million people takes 50 ms; a thread that exceeds this hangs, even on a busy machine. */
const ANSWER_TIMEOUT_MS = 60_000;

const spawnThread = (workerData: IndexSetup): Worker =>
  new Worker(threadFile('face/index/index-worker'), { workerData });

/**
 * Starts the thread at the first request, and again at the next one after it was lost. Does not keep the process
 * alive.
 */
export function createIndexThread(
  setup: IndexSetup,
  { answerTimeoutMs = ANSWER_TIMEOUT_MS, spawn = spawnThread }: IndexThreadOptions = {},
): IndexThread {
  const waiting = new Map<number, Waiting>();
  let worker: IndexWorker | null = null;
  let lastId = 0;
  let generation = 0;
  let closed = false;

  function start(): IndexWorker {
    const started = spawn(setup);
    let fault: unknown;
    started.unref();
    started.on('message', (reply: IndexReply) => {
      const asked = waiting.get(reply.id);
      waiting.delete(reply.id);
      if (waiting.size === 0) started.unref();
      asked?.resolve(reply);
    });
    started.on('error', (error) => {
      fault = error;
    });
    started.on('exit', () => {
      worker = null;
      generation += 1;
      const lost = [...waiting.values()];
      waiting.clear();
      for (const asked of lost)
        asked.reject(new IndexLostError('the thread of the face index ended', { cause: fault }));
    });
    return started;
  }

  return {
    get generation() {
      return generation;
    },
    ask(order) {
      if (closed) return Promise.reject(new IndexLostError('the face index is closed'));
      const thread = (worker ??= start());
      lastId += 1;
      const id = lastId;
      const { promise, resolve, reject } = Promise.withResolvers<IndexReply>();
      waiting.set(id, { resolve, reject });
      // Pending requests keep the process alive until they are answered.
      thread.ref();
      thread.postMessage({ ...order, id } satisfies IndexRequest, handedOver(order));
      // Its end is reported like any other.
      const late = setTimeout(() => void thread.terminate(), answerTimeoutMs);
      return promise.finally(() => clearTimeout(late));
    },
    async close() {
      closed = true;
      await worker?.terminate();
    },
  };
}
