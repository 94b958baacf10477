import { appendAudit } from '../../store/operators/audit.ts';
import type { Actor } from '../../domain/operators/actor.ts';
import { listNodes } from '../../store/maintenance/nodes.ts';
import { reseal, retireOtherKeys } from '../../store/sql/key-rotation.ts';
import type { Database } from '../../store/sql/port.ts';
import type { KeyRing } from '../../store/sql/secrets.ts';
import type { Clock } from '../clock.ts';
import { NODE_SILENT_MS } from './nodes.ts';

/** A node still seals with another key, so that retiring that key would lose what the node writes next. */
export class OldKeyInUse extends Error {
  constructor(nodes: readonly string[]) {
    super(`These nodes still use an older key: ${nodes.join(', ')}. Restart them with the new key first.`);
    this.name = 'OldKeyInUse';
  }
}

/**
 * Seals every secret column with the first key of the ring and retires the others. Can be interrupted and repeated.
 * @returns the number of values that were sealed again
 * @throws OldKeyInUse
 */
export async function rotateDatabaseKey(
  db: Database,
  clock: Clock,
  ring: KeyRing,
  { reason, actor, onProgress }: { reason: string; actor: Actor; onProgress: (resealed: number) => void },
): Promise<number> {
  const refuseOldKeys = async () => {
    const live = await listNodes(db, clock.now() - NODE_SILENT_MS);
    const old = live.filter(({ keyId }) => keyId !== ring.current);
    if (old.length > 0) throw new OldKeyInUse(old.map(({ name }) => name));
  };
  await refuseOldKeys();
  const resealed = await reseal(db, ring, (_, done) => onProgress(done));
  await refuseOldKeys();
  await db.tx(async (tx) => {
    const retired = await retireOtherKeys(tx, ring);
    if (retired === 0 && resealed === 0) return;
    await appendAudit(tx, {
      at: clock.now(),
      actor,
      action: 'database_key.rotate',
      companyId: null,
      partition: null,
      subject: 'installation',
      details: { key: ring.current, values: resealed, reason },
    });
  });
  return resealed;
}
