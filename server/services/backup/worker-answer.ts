/**
 * The result of a backup's thread. Errors lose their class between threads, so it carries the message for the
 * operator.
 */
import { Worker } from 'node:worker_threads';
import { STORE_ERRORS, StoreError } from '../../store/sql/port.ts';
import { BACKUP_ERRORS } from '../../contract/console/errors.ts';
import { Refusal } from '../../refusals/refusal.ts';

type WorkerAnswer<T> = { ok: true; value: T } | { ok: false; code: string; message: string };

/** In the thread: the message to post. */
export async function answerOf<T>(work: Promise<T>): Promise<WorkerAnswer<T>> {
  try {
    return { ok: true, value: await work };
  } catch (error) {
    const code = error instanceof Refusal || error instanceof StoreError ? error.code : '';
    return { ok: false, code, message: error instanceof Error ? error.message : String(error) };
  }
}

/**
 * Runs a thread that posts one message.
 * @param stopped error for a thread that ends without one
 * @param ending stops the thread; one inside SQLite first ends that statement
 * @throws Refusal, StoreError
 */
export async function askWorker<T>(
  script: URL,
  workerData: unknown,
  stopped: string,
  ending?: AbortSignal,
): Promise<T> {
  if (ending?.aborted === true) throw new Refusal('backup_failed', { message: stopped });
  const worker = new Worker(script, { workerData });
  const stop = () => void worker.terminate();
  ending?.addEventListener('abort', stop, { once: true });
  const answer = await new Promise<WorkerAnswer<T>>((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('error', reject);
    worker.once('exit', () => reject(new Refusal('backup_failed', { message: stopped })));
  }).finally(() => ending?.removeEventListener('abort', stop));
  if (answer.ok) return answer.value;
  const { code, message } = answer;
  const backup = BACKUP_ERRORS.find((known) => known === code);
  if (backup) throw new Refusal(backup, { message });
  const store = STORE_ERRORS.find((known) => known === code);
  if (store) throw new StoreError(store, message);
  throw new Refusal('backup_failed', { message });
}
