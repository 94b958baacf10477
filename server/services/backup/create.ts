import type { Actor } from '../../domain/operators/actor.ts';
import path from 'node:path';
import { appendAudit } from '../../store/operators/audit.ts';
import { threadFile } from '../../program-files.ts';
import type { Database } from '../../store/sql/port.ts';
import type { Clock } from '../ports/clock.ts';
import type { MadeBackup, MakeInput } from './make.ts';
import { besideDrafts, draftOf, draftsOf, removeDraft } from './drafts.ts';
import { recordByHand, recordGoodBackup } from './history.ts';
import { isAutomaticName } from './names.ts';
import { askWorker } from './worker-answer.ts';
import type { BackupWork } from './worker.ts';

export type BackupSource = { databasePath: string; databaseKey: Uint8Array };

/**
 * Makes a verified backup while the service runs. `target` appears only after all of it was read back.
 * @param ending gives it up: nothing of it stays
 * @throws Refusal, StoreError
 */
export function createBackup(input: MakeInput, ending?: AbortSignal): Promise<MadeBackup> {
  const target = path.resolve(input.target);
  return besideDrafts(input, [path.dirname(target)], async () => {
    const draft = draftOf(target, input);
    const work: BackupWork = { kind: 'make', ...input, target, draft };
    try {
      const script = threadFile('services/backup/worker');
      return await askWorker(script, work, 'The backup stopped before it was complete.', ending);
    } finally {
      // A thread that was stopped could not remove them itself.
      for (const file of Object.values(draftsOf(draft))) await removeDraft(file);
    }
  });
}

/** Like `createBackup`, with an audit entry. */
export async function createAuditedBackup(
  db: Database,
  clock: Clock,
  source: BackupSource,
  {
    actor,
    ending,
    ...file
  }: Pick<MakeInput, 'target' | 'mayReplace'> & {
    actor: Actor;
    ending?: AbortSignal | undefined;
  },
): Promise<MadeBackup> {
  const made = await createBackup({ ...source, ...file, nowMs: clock.now() }, ending);
  await db.tx(async (tx) => {
    await recordGoodBackup(tx, clock.now());
    if (!isAutomaticName(path.basename(made.file)))
      await recordByHand(tx, { file: made.file, madeAt: clock.now() });
    await appendAudit(tx, {
      at: clock.now(),
      actor,
      action: 'backup.create',
      subject: 'installation',
      details: { bytes: made.bytes, rows: made.rows, schema: made.schemaVersion, recovery: made.hasRecovery },
    });
  });
  return made;
}
