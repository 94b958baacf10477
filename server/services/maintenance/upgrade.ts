/** Converts what an earlier version stored, once no node of that version serves any more. */
import { olderNodeServes } from '../../store/maintenance/nodes.ts';
import { continueSealing, NODE_SILENT_MS } from '../../store/sql/key-rotation.ts';
import { canonicaliseIdentities } from '../people/canonical.ts';
import type { Ports } from '../ports/ports.ts';

/** One step; repeated by the leader. After the last one it does nothing. */
export function createUpgrade({ db, clock }: Pick<Ports, 'db' | 'clock'>): () => Promise<void> {
  let isDone = false;
  const older = () => olderNodeServes(db, NODE_SILENT_MS);
  return async () => {
    if (isDone) return;
    const [identities, sealing] = [
      await canonicaliseIdentities({ db, clock }, older),
      await continueSealing(db, older),
    ];
    isDone = identities && sealing;
  };
}
