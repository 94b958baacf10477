/** Rows that only demo data writes, because it invents a past, and what its removal has to know. */
import type { CallStatus } from '../../contract/webhook-types.ts';
import type { Scope } from '../../domain/scope.ts';
import { ofScope } from '../rows.ts';
import type { SqlReader, SqlTx } from '../sql/port.ts';
import type { NewWebhookCall } from '../webhooks/calls.ts';
import { knowDestination } from '../webhooks/destinations.ts';

type PastCall = NewWebhookCall & {
  status: CallStatus;
  attempts: number;
  nextAttemptAt: number | null;
  lastAttemptAt: number | null;
  completedAt: number | null;
};

/** A call in the past, with all of its attempts. */
export async function insertPastCall(tx: SqlTx, scope: Scope, call: PastCall): Promise<void> {
  await knowDestination(tx, scope, call.origin);
  await tx.run(
    `INSERT INTO webhook_calls (transaction_id, company_id, partition, key_lineage_id, webhook_type, destination_url,
       origin, body, status, attempts, created_at, next_attempt_at, last_attempt_at, completed_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    call.transactionId,
    ...ofScope(scope),
    call.lineageId,
    call.type,
    tx.secrets.seal('webhook_calls.destination_url', [call.lineageId], call.destinationUrl),
    call.origin,
    tx.secrets.seal('webhook_calls.body', [call.transactionId], call.body),
    call.status,
    call.attempts,
    call.createdAt,
    call.nextAttemptAt,
    call.lastAttemptAt,
    call.completedAt,
  );
}

export async function insertPastAttempt(
  tx: SqlTx,
  scope: Scope,
  call: Pick<PastCall, 'transactionId' | 'lineageId' | 'destinationUrl'>,
  attempt: {
    attempt: number;
    httpStatus: number | null;
    responseBody: string | null;
    networkFailure: string | null;
    durationMs: number;
    at: number;
  },
): Promise<void> {
  const name = [call.transactionId, attempt.attempt] as const;
  await tx.run(
    `INSERT INTO webhook_events (company_id, partition, key_lineage_id, transaction_id, attempt, destination_url,
       http_status, response_body, network_failure, duration_ms, created_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ...ofScope(scope),
    call.lineageId,
    call.transactionId,
    attempt.attempt,
    tx.secrets.seal('webhook_events.destination_url', [call.lineageId], call.destinationUrl),
    attempt.httpStatus,
    tx.secrets.seal('webhook_events.response_body', name, attempt.responseBody),
    attempt.networkFailure,
    attempt.durationMs,
    attempt.at,
  );
}

export async function insertCapChange(
  tx: SqlTx,
  companyId: string,
  change: { from: number; to: number; at: number; by: string },
): Promise<void> {
  await tx.run(
    `INSERT INTO usage_cap_changes (company_id, from_limit, daily_limit, changed_at, changed_by) VALUES (?, ?, ?, ?, ?)`,
    companyId,
    change.from,
    change.to,
    change.at,
    change.by,
  );
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
    `SELECT id FROM operators WHERE name IN (${names.map(() => '?').join(', ')})`,
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
