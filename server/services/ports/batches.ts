/** Deletions in short transactions, so that checks at the door continue in between. */
import type { Database, Lock, SqlTx } from '../../store/sql/port.ts';

/** Rows of a table per transaction. */
export const BATCH = 500;

/**
 * Repeats until a batch is not full, or the service ends: what was removed by then stays removed. Returns the rows removed.
 * @param batch removes at most `limit` rows of each table, and returns how many it removed
 */
export async function inBatches(
  db: Pick<Database, 'tx'>,
  batch: (tx: SqlTx, limit: number) => Promise<number>,
  { ending, lock }: { ending?: AbortSignal | undefined; lock?: Lock } = {},
): Promise<number> {
  let removed = 0;
  for (;;) {
    const changed = await db.tx((tx) => batch(tx, BATCH), lock);
    removed += changed;
    if (changed < BATCH || ending?.aborted === true) return removed;
  }
}
