/** What a clean-up removes, and how much of it there is. */
import type { Actor } from '../../domain/operators/actor.ts';
import { type DeletionTime, olderThan } from '../../domain/clock.ts';
import type { Database, SqlReader } from '../../store/sql/port.ts';
import { countDue, countDueFaces, type Due, type DueBefore } from '../../store/people/retention.ts';
import { deleteEndedCalls } from '../../store/webhooks/outbox.ts';
import { inBatches } from '../ports/batches.ts';
import type { Clock } from '../ports/clock.ts';
import { clearOldTestData, TEST_DATA_AGE_DAYS } from './test-data.ts';
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
): Promise<Removed> {
  await clearOldTestData(db, clock, time);
  const calledBefore = olderThan(time, WEBHOOK_CALL_KEPT_DAYS * DAY_MS);
  await inBatches(db, (tx, limit) => deleteEndedCalls(tx, calledBefore, limit));
  return runRetention(db, clock, time, actor, ending);
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
export const dueAt = async (db: SqlReader, nowMs: number): Promise<Due> =>
  countDue(db, await dueBefore(db, nowMs));

/** How many of all faces a clean-up at `nowMs` would remove. */
export const dueFacesAt = async (db: SqlReader, nowMs: number): Promise<{ due: number; total: number }> =>
  countDueFaces(db, await dueBefore(db, nowMs));
