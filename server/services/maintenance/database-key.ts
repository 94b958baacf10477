import { appendAudit } from '../../store/operators/audit.ts';
import type { Actor } from '../../domain/operators/actor.ts';
import { listNodes } from '../../store/maintenance/nodes.ts';
import { currentKey, NODE_SILENT_MS, reseal, retireOtherKeys } from '../../store/sql/key-rotation.ts';
import type { Database, SqlReader } from '../../store/sql/port.ts';
import type { Clock } from '../ports/clock.ts';

/** A node still seals with another key. Its next writes could not be read once that key is gone. */
export class OldKeyInUse extends Error {
  constructor(nodes: readonly string[]) {
    super(`These nodes still use an older key: ${nodes.join(', ')}. Restart them with the new key first.`);
    this.name = 'OldKeyInUse';
  }
}

/**
 * Seals every secret column with the key of this process, and retires the others. Can be interrupted and repeated.
 * @returns the number of values that were sealed again
 * @throws OldKeyInUse
 */
export async function rotateDatabaseKey(
  db: Database,
  clock: Clock,
  { reason, actor, onProgress }: { reason: string; actor: Actor; onProgress: (resealed: number) => void },
): Promise<number> {
  await refuseOldKeys(db);
  const resealed = await reseal(db, (_, done) => onProgress(done));
  await db.tx(async (tx) => {
    // Checked here, because a node may have started meanwhile: it saves its row first and then records its key under
    // this lock.
    await refuseOldKeys(tx);
    const retired = await retireOtherKeys(tx);
    if (retired === 0 && resealed === 0) return;
    await appendAudit(tx, {
      at: clock.now(),
      actor,
      action: 'database_key.rotate',
      subject: 'installation',
      details: { key: currentKey(tx), values: resealed, reason },
    });
  });
  return resealed;
}

async function refuseOldKeys(db: SqlReader): Promise<void> {
  const old = (await listNodes(db, NODE_SILENT_MS)).filter(({ keyId }) => keyId !== currentKey(db));
  if (old.length > 0) throw new OldKeyInUse(old.map(({ name }) => name));
}
