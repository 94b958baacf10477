/** Clearing the test partition: on request, and every night data older than 30 days. */
import type { Actor } from '../../domain/operators/actor.ts';
import { ANY_AGE, type DeletionTime, olderThan } from '../../domain/clock.ts';
import { appendAudit } from '../../store/operators/audit.ts';
import { listCompanies } from '../../store/companies/companies.ts';
import type { Database, SqlTx } from '../../store/sql/port.ts';
import { deleteRunsBefore } from '../../store/people/test-data.ts';
import { readTestClock, setTestClock } from '../../store/people/test-clock.ts';
import { BATCH } from '../ports/batches.ts';
import type { Clock } from '../ports/clock.ts';

const DAY_MS = 86_400_000;
export const TEST_DATA_AGE_DAYS = 30;

/** On request, all of it goes in one transaction, so that nobody sees a part of it. */
const ALL_ROWS = Number.MAX_SAFE_INTEGER;

/**
 * Removes a company's test runs and people from before `before`, in parts; if it is null, all of them, and sets their clock
 * back.
 */
export async function clearTestData(
  db: Database,
  clock: Clock,
  request: { companyId: string; before: DeletionTime | null; reason?: string; actor: Actor },
): Promise<Record<string, number>> {
  const scope = { companyId: request.companyId, partition: 'test' } as const;
  const cleared: Record<string, number> = {};
  const limit = request.before === null ? ALL_ROWS : BATCH;
  const clear = async (tx: SqlTx) => {
    const removed = await deleteRunsBefore(tx, scope, request.before ?? ANY_AGE, limit);
    const wasAhead = request.before === null && (await readTestClock(tx, scope)) > 0;
    if (wasAhead) await setTestClock(tx, request.companyId, 0);
    if (wasAhead || Object.values(removed).some((rows) => rows > 0)) {
      await appendAudit(tx, {
        ...scope,
        at: clock.now(),
        actor: request.actor,
        action: 'test_data.clear',
        subject: request.companyId,
        details: {
          before: request.before === null ? null : new Date(request.before).toISOString(),
          removed,
          ...(request.reason !== undefined && { reason: request.reason }),
        },
      });
      tx.afterCommit('session', request.companyId);
    }
    return removed;
  };
  let isFull = true;
  while (isFull) {
    const removed = Object.entries(await db.tx(clear));
    for (const [table, rows] of removed) cleared[table] = (cleared[table] ?? 0) + rows;
    isFull = removed.some(([, rows]) => rows === limit);
  }
  if (Object.values(cleared).some((rows) => rows > 0)) await db.truncateLog();
  return cleared;
}

/** The nightly clean-up of every company. */
export async function clearOldTestData(db: Database, clock: Clock, time: DeletionTime): Promise<void> {
  const before = olderThan(time, TEST_DATA_AGE_DAYS * DAY_MS);
  for (const { id } of await listCompanies(db)) {
    await clearTestData(db, clock, { companyId: id, before, actor: 'system' });
  }
}
