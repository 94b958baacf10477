/** Rows that only demo data writes, because it invents a past, and what its removal has to know. */
import type { CallStatus } from '../../contract/webhook-types.ts';
import type { Scope } from '../../domain/scope.ts';
import { insertRow, placesFor } from '../rows.ts';
import type { SqlReader, SqlTx } from '../sql/port.ts';
import { columnsOfCall, type NewWebhookCall } from '../webhooks/calls.ts';
import { knowDestination } from '../webhooks/destinations.ts';

type PastCall = NewWebhookCall & {
  status: CallStatus;
  attempts: number;
  nextAttemptAt: number | null;
  lastAttemptAt: number | null;
  completedAt: number | null;
};

/** A call in the past. */
export async function insertPastCall(tx: SqlTx, scope: Scope, call: PastCall): Promise<void> {
  await knowDestination(tx, scope, call.origin);
  await insertRow(tx, 'webhook_calls', {
    ...columnsOfCall(tx, scope, call),
    status: call.status,
    attempts: call.attempts,
    next_attempt_at: call.nextAttemptAt,
    last_attempt_at: call.lastAttemptAt,
    completed_at: call.completedAt,
  });
}

export async function countPeopleAndSessions(
  db: SqlReader,
  companyId: string,
): Promise<{ people: number; sessions: number }> {
  const counted = await db.one<{ people: number; sessions: number }>(
    `SELECT (SELECT COUNT(*) FROM people WHERE company_id = ?) AS people,
       (SELECT COUNT(*) FROM sessions WHERE company_id = ?) AS sessions`,
    companyId,
    companyId,
  );
  return counted ?? { people: 0, sessions: 0 };
}

/** IDs of the operators with these names: demos of earlier versions did not save whom they made. */
export async function listOperatorsNamed(db: SqlReader, names: readonly string[]): Promise<string[]> {
  const rows = await db.all<{ id: string }>(
    `SELECT id FROM operators WHERE name IN (${placesFor(names)})`,
    ...names,
  );
  return rows.map(({ id }) => id);
}

const MOST_NAMED = 5;

/** Names of active operators who may see this company and no other, some of them. */
export async function listLimitedTo(db: SqlReader, companyId: string): Promise<string[]> {
  const rows = await db.all<{ name: string }>(
    `SELECT o.name FROM operators o JOIN operator_companies oc ON oc.operator_id = o.id
     WHERE o.disabled_at IS NULL AND o.all_companies = 0
     GROUP BY o.id, o.name HAVING MIN(oc.company_id) = ? AND MAX(oc.company_id) = ? ORDER BY o.name LIMIT ?`,
    companyId,
    companyId,
    MOST_NAMED,
  );
  return rows.map(({ name }) => name);
}
