import { Worker } from 'node:worker_threads';
import { appendAudit } from '../../store/audit.ts';
import { type Database, STORE_ERRORS, StoreError } from '../../store/port.ts';
import type { Clock } from '../clock.ts';
import { BACKUP_ERRORS, BackupError } from './errors.ts';
import type { MadeBackup, MakeInput } from './make.ts';
import type { WorkerAnswer } from './worker.ts';

export type BackupSource = { databasePath: string; databaseKey: Uint8Array };

/**
 * Makes a verified backup while the service goes on. Nothing stands at `target` that has not been read back whole.
 * @throws BackupError, StoreError
 */
export async function createBackup(input: MakeInput): Promise<MadeBackup> {
  const worker = new Worker(new URL('./worker.ts', import.meta.url), { workerData: input });
  const answer = await new Promise<WorkerAnswer>((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('error', reject);
    worker.once('exit', () => reject(new BackupError('backup_failed', 'The backup stopped half-way.')));
  });
  if (answer.ok) return answer.made;
  throw errorOf(answer);
}

function errorOf({ code, message }: Extract<WorkerAnswer, { ok: false }>): Error {
  const backup = BACKUP_ERRORS.find((known) => known === code);
  if (backup) return new BackupError(backup, message);
  const store = STORE_ERRORS.find((known) => known === code);
  if (store) return new StoreError(store, message);
  return new BackupError('backup_failed', `The backup could not be made: ${message}`);
}

/** As `createBackup`, with its line in the audit log. */
export async function createAuditedBackup(
  db: Database,
  clock: Clock,
  source: BackupSource,
  { target, actor }: { target: string; actor: string },
): Promise<MadeBackup> {
  const made = await createBackup({ ...source, target, nowMs: clock.now() });
  await db.tx((tx) =>
    appendAudit(tx, {
      at: clock.now(),
      actor,
      action: 'backup.create',
      companyId: null,
      partition: null,
      subject: 'installation',
      details: { bytes: made.bytes, rows: made.rows, schema: made.schemaVersion, recovery: made.hasRecovery },
    }),
  );
  return made;
}
