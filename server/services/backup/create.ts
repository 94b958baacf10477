import type { Actor } from '../../domain/operators/actor.ts';
import { appendAudit } from '../../store/operators/audit.ts';
import { threadFile } from '../../program-files.ts';
import type { Database } from '../../store/sql/port.ts';
import type { Clock } from '../clock.ts';
import type { MadeBackup, MakeInput } from './make.ts';
import { recordGoodBackup } from './history.ts';
import { askWorker } from './worker-answer.ts';
import type { BackupWork } from './worker.ts';

export type BackupSource = { databasePath: string; databaseKey: Uint8Array };

/**
 * Makes a verified backup while the service runs. `target` appears only after all of it was read back.
 * @throws BackupError, StoreError
 */
export function createBackup(input: MakeInput): Promise<MadeBackup> {
  const work: BackupWork = { kind: 'make', ...input };
  return askWorker(threadFile('services/backup/worker'), work, 'The backup stopped before it was complete.');
}

/** Like `createBackup`, with an audit entry. */
export async function createAuditedBackup(
  db: Database,
  clock: Clock,
  source: BackupSource,
  { actor, ...file }: Pick<MakeInput, 'target' | 'mayReplace'> & { actor: Actor },
): Promise<MadeBackup> {
  const made = await createBackup({ ...source, ...file, nowMs: clock.now() });
  await db.tx(async (tx) => {
    await recordGoodBackup(tx, clock.now());
    await appendAudit(tx, {
      at: clock.now(),
      actor,
      action: 'backup.create',
      companyId: null,
      partition: null,
      subject: 'installation',
      details: { bytes: made.bytes, rows: made.rows, schema: made.schemaVersion, recovery: made.hasRecovery },
    });
  });
  return made;
}
