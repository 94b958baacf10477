/** Makes one backup in a thread of its own, so that the service goes on answering. */
import { parentPort, workerData } from 'node:worker_threads';
import { StoreError } from '../../store/port.ts';
import { BackupError } from './errors.ts';
import { type MadeBackup, type MakeInput, makeBackup } from './make.ts';

/** Errors lose their class between threads; what an operator is told must arrive. */
export type WorkerAnswer =
  | { ok: true; made: MadeBackup }
  | { ok: false; kind: 'backup' | 'store' | 'other'; code: string; message: string };

function refusal(error: unknown): WorkerAnswer {
  if (error instanceof BackupError) {
    return { ok: false, kind: 'backup', code: error.code, message: error.message };
  }
  if (error instanceof StoreError)
    return { ok: false, kind: 'store', code: error.code, message: error.message };
  return {
    ok: false,
    kind: 'other',
    code: '',
    message: error instanceof Error ? error.message : String(error),
  };
}

const answer = await makeBackup(workerData as MakeInput).then(
  (made): WorkerAnswer => ({ ok: true, made }),
  refusal,
);
parentPort?.postMessage(answer);
