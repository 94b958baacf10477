/** Deletes expired data in small transactions, so that checks at the door continue in between. */
import type { Actor } from '../../domain/operators/actor.ts';
import { type DeletionTime, olderThan } from '../../domain/clock.ts';
import { appendAudit } from '../../store/operators/audit.ts';
import {
  deleteOrphans,
  deleteDueCaseFrames,
  deleteDueGuestPhotos,
  deleteInactiveTemplates,
  stripAbandonedRuns,
} from '../../store/people/retention.ts';
import { stripDueEntries, stripDueTickets } from '../../store/tickets/rules.ts';
import type { Database, SqlTx } from '../../store/sql/port.ts';
import type { Clock } from '../ports/clock.ts';
import { readRetention } from './retention-settings.ts';

const DAY_MS = 86_400_000;
/** Rows per transaction. */
const BATCH = 500;

export type Removed = {
  case_frames: number;
  guest_photos: number;
  tickets: number;
  templates: number;
  abandoned_runs: number;
  orphans: number;
};

/**
 * One pass over everything with a retention period. The audit log gets only the counts. Indexes in memory, of this
 * process and of others, follow the store's own log of changed faces.
 */
export async function runRetention(
  db: Database,
  clock: Clock,
  time: DeletionTime,
  actor: Actor,
  ending?: AbortSignal,
): Promise<Removed> {
  const periods = await readRetention(db);
  const seenBefore = olderThan(time, periods.templateInactiveDays * DAY_MS);
  const inBatches = (batch: (tx: SqlTx) => Promise<number>) => repeatBatch(db, batch, ending);
  await inBatches((tx) => stripDueEntries(tx, time, BATCH));
  const removed: Removed = {
    case_frames: await inBatches((tx) => deleteDueCaseFrames(tx, time, BATCH)),
    guest_photos: await inBatches((tx) => deleteDueGuestPhotos(tx, { time, seenBefore }, BATCH)),
    tickets: await inBatches((tx) => stripDueTickets(tx, time, BATCH)),
    templates: await inBatches((tx) => deleteInactiveTemplates(tx, { time, seenBefore }, BATCH)),
    abandoned_runs: await inBatches((tx) =>
      stripAbandonedRuns(
        tx,
        { createdBefore: olderThan(time, periods.abandonedRunDays * DAY_MS), time },
        BATCH,
      ),
    ),
    orphans: await db.tx(async (tx) =>
      Object.values(await deleteOrphans(tx, time)).reduce((sum, n) => sum + n, 0),
    ),
  };
  // A night without work is not logged.
  if (actor === 'system' && Object.values(removed).every((n) => n === 0)) return removed;
  await db.tx((tx) =>
    appendAudit(tx, {
      at: clock.now(),
      actor,
      action: 'retention.run',
      companyId: null,
      partition: null,
      subject: 'installation',
      details: removed,
    }),
  );
  await db.truncateLog();
  return removed;
}

/** Repeats until a batch is not full, or the service ends: what was removed by then is recorded. */
async function repeatBatch(
  db: Database,
  batch: (tx: SqlTx) => Promise<number>,
  ending: AbortSignal | undefined,
): Promise<number> {
  let removed = 0;
  for (;;) {
    const changed = await db.tx(batch);
    removed += changed;
    if (changed < BATCH || ending?.aborted === true) return removed;
  }
}
