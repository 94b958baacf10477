/** What a clean-up removes, and how much of it there is. */
import type { Actor } from '../../domain/operators/actor.ts';
import { type DeletionTime, olderThan } from '../../domain/clock.ts';
import type { Database, SqlReader } from '../../store/sql/port.ts';
import { countDue, countDueFaces, type Due, type DueBefore } from '../../store/people/retention.ts';
import { deleteEndedCalls } from '../../store/webhooks/outbox.ts';
import { inBatches } from '../ports/batches.ts';
import type { Clock } from '../ports/clock.ts';
import { clearOldTestData, TEST_DATA_AGE_DAYS } from './test-data.ts';
import { dueFaces, endFaces, unforeseenFaces } from './faces-end.ts';
import { runRetention, type Removed } from './retention-run.ts';
import { readRetention } from './retention-settings.ts';

const DAY_MS = 86_400_000;
/** Days for which ended webhook calls are kept, from their creation: listed, and able to be sent again. */
export const WEBHOOK_CALL_KEPT_DAYS = 90;

/** Removes test data older than 30 days, ended webhook calls, and everything whose retention has ended. */
export async function removeDue(
  db: Database,
  clock: Clock,
  time: DeletionTime,
  actor: Actor,
  ending?: AbortSignal,
): Promise<Removed & { event_faces: number }> {
  const eventFaces = await endFaces(db, clock, await dueFaces(db, time), ending);
  await clearOldTestData(db, clock, time);
  const calledBefore = olderThan(time, WEBHOOK_CALL_KEPT_DAYS * DAY_MS);
  await inBatches(db, (tx, limit) => deleteEndedCalls(tx, calledBefore, limit));
  const removed = await runRetention(db, clock, time, actor, ending);
  return { event_faces: eventFaces, ...removed };
}

async function dueBefore(db: SqlReader, nowMs: number): Promise<DueBefore> {
  const periods = await readRetention(db);
  return {
    nowMs,
    seen: nowMs - periods.templateInactiveDays * DAY_MS,
    begun: nowMs - periods.abandonedRunDays * DAY_MS,
    test: nowMs - TEST_DATA_AGE_DAYS * DAY_MS,
    called: nowMs - WEBHOOK_CALL_KEPT_DAYS * DAY_MS,
  };
}

/** What a clean-up at `nowMs` would remove. */
export const dueAt = async (db: SqlReader, nowMs: number): Promise<Due> => {
  const due = await countDue(db, await dueBefore(db, nowMs));
  return { ...due, faces: due.faces + (await unforeseenFacesAt(db, nowMs)) };
};

/** Those of events end at their time without anybody's confirmation, unless the clock leapt there. */
const unforeseenFacesAt = async (db: SqlReader, nowMs: number): Promise<number> =>
  unforeseenFaces(await dueFaces(db, nowMs));

/** How many of all faces a clean-up at `nowMs` would remove. */
export const dueFacesAt = async (db: SqlReader, nowMs: number): Promise<{ due: number; total: number }> => {
  const { due, total } = await countDueFaces(db, await dueBefore(db, nowMs));
  return { due: due + (await unforeseenFacesAt(db, nowMs)), total };
};
