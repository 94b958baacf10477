/** The server's side of the index's thread: requests in order, answers as promises. */
import { Worker } from 'node:worker_threads';
import type { IndexReply, IndexRequest, IndexSetup } from './index-protocol.ts';

/** The thread ended with everything it held; a new one starts empty. */
export class IndexLostError extends Error {
  override readonly name = 'IndexLostError';
}

type Unnumbered<T> = T extends unknown ? Omit<T, 'id'> : never;
export type IndexOrder = Unnumbered<IndexRequest>;

export type IndexThread = {
  /** Grows when a thread ends: what was put before is gone. */
  readonly generation: number;
  /**
   * Orders are carried out in the order of the calls. The vectors of a `put` are handed over: the caller's are empty
   * afterwards.
   * @throws IndexLostError when the thread ended before it answered
   */
  ask(order: IndexOrder): Promise<IndexReply>;
  close(): Promise<void>;
};

type Waiting = { resolve: (reply: IndexReply) => void; reject: (error: Error) => void };

/** What is needed of a thread; a `Worker` is one. */
export type IndexWorker = Pick<Worker, 'on' | 'postMessage' | 'ref' | 'unref' | 'terminate'>;
export type IndexThreadOptions = {
  /** An order that takes longer costs the thread its life. */
  answerTimeoutMs?: number;
  /** For tests. */
  spawn?: (setup: IndexSetup) => IndexWorker;
};

/** A search of a million takes a twentieth of a second; beyond this the thread hangs, on a busy machine too. */
const ANSWER_TIMEOUT_MS = 60_000;

const spawnThread = (workerData: IndexSetup): Worker =>
  new Worker(new URL('./index-worker.ts', import.meta.url), { workerData });

/** Starts the thread at the first order, and again at the next one after it was lost. Does not keep the process alive. */
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
      const handedOver =
        order.kind === 'put' && order.vectors.buffer instanceof ArrayBuffer ? [order.vectors.buffer] : [];
      thread.postMessage({ ...order, id } satisfies IndexRequest, handedOver);
      // Its end is told as any other.
      const late = setTimeout(() => void thread.terminate(), answerTimeoutMs);
      return promise.finally(() => clearTimeout(late));
    },
    async close() {
      closed = true;
      await worker?.terminate();
    },
  };
}
