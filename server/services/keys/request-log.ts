/**
 * Remembers what each call of the interface was, so that staff find it by its Request-Id. Written once a second, so that no
 * call waits for it: a crash may lose the last second, and a flood more than can be kept.
 */
import { olderThan } from '../../domain/clock.ts';
import { deleteRequests, insertRequest, type LoggedRequest } from '../../store/keys/request-log.ts';
import type { Database } from '../../store/sql/port.ts';
import { inBatches } from '../ports/batches.ts';
import type { Ports } from '../ports/ports.ts';

const FLUSH_MS = 1_000;
/** Rows per transaction. */
const BATCH = 100;
/** Calls that wait to be written; those beyond are not remembered. */
const MOST_WAITING = 200;
/** How long a call can be found. */
const REQUEST_DAYS = 7;
const MOST_KEPT = 100_000;
const DAY_MS = 86_400_000;

export type RequestLog = {
  /** Returns at once. */
  note(call: LoggedRequest): void;
  flush(): Promise<void>;
  /** Flushes and stops. */
  close(): Promise<void>;
};

export function createRequestLog(db: Database, onError: (error: unknown) => void): RequestLog {
  let waiting: LoggedRequest[] = [];
  let flushing: Promise<void> = Promise.resolve();

  async function write(): Promise<void> {
    const calls = waiting;
    waiting = [];
    for (let start = 0; start < calls.length; start += BATCH) {
      const batch = calls.slice(start, start + BATCH);
      await db.tx(
        async (tx) => {
          for (const call of batch) await insertRequest(tx, call);
        },
        // Rows of their own, so no company needs a lock.
        { companyId: null },
      );
    }
  }

  /** One after the other. What could not be written is given up: it only helps to find something. */
  const flush = (): Promise<void> => (flushing = flushing.then(write).catch(onError));
  const timer = setInterval(() => {
    if (waiting.length > 0) void flush();
  }, FLUSH_MS);
  timer.unref();

  return {
    note(call) {
      if (waiting.length < MOST_WAITING) waiting.push(call);
    },
    flush,
    async close() {
      clearInterval(timer);
      await flush();
    },
  };
}

/** Deletes those that are older, and the oldest beyond what is kept, in small transactions. */
export async function forgetRequests({ db, deletions }: Pick<Ports, 'db' | 'deletions'>): Promise<void> {
  const time = deletions.deletionTime();
  if (time === null) return;
  const before = olderThan(time, REQUEST_DAYS * DAY_MS);
  await inBatches(db, (tx, limit) => deleteRequests(tx, { before, keep: MOST_KEPT }, limit), {
    lock: { companyId: null },
  });
}
