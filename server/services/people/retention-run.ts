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
import { stripDueHumanCodes } from '../../store/tickets/human-codes.ts';
import { stripDueEntries, stripDueTickets } from '../../store/tickets/rules.ts';
import type { Database, SqlTx } from '../../store/sql/port.ts';
import { inBatches } from '../ports/batches.ts';
import type { Clock } from '../ports/clock.ts';
import { readRetention } from './retention-settings.ts';

const DAY_MS = 86_400_000;

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
  const createdBefore = olderThan(time, periods.abandonedRunDays * DAY_MS);
  const remove = (batch: (tx: SqlTx, limit: number) => Promise<number>) => inBatches(db, batch, { ending });
  await remove((tx, limit) => stripDueEntries(tx, time, limit));
  await remove((tx, limit) => stripDueHumanCodes(tx, time, limit));
  const removed: Removed = {
    case_frames: await remove((tx, limit) => deleteDueCaseFrames(tx, time, limit)),
    guest_photos: await remove((tx, limit) => deleteDueGuestPhotos(tx, { time, seenBefore }, limit)),
    tickets: await remove((tx, limit) => stripDueTickets(tx, time, limit)),
    templates: await remove((tx, limit) => deleteInactiveTemplates(tx, { time, seenBefore }, limit)),
    abandoned_runs: await remove((tx, limit) => stripAbandonedRuns(tx, { createdBefore, time }, limit)),
    orphans: await remove(async (tx, limit) =>
      Object.values(await deleteOrphans(tx, time, limit)).reduce((sum, n) => sum + n, 0),
    ),
  };
  // A night without work is not logged.
  if (actor === 'system' && Object.values(removed).every((n) => n === 0)) return removed;
  await db.tx((tx) =>
    appendAudit(tx, {
      at: clock.now(),
      actor,
      action: 'retention.run',
      subject: 'installation',
      details: removed,
    }),
  );
  await db.truncateLog();
  return removed;
}
