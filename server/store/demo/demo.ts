/** Rows that only demo data writes, because it invents a past, and what its removal has to know. */
import type { CallStatus } from '../../contract/webhook-types.ts';
import type { Scope } from '../../domain/scope.ts';
import { inScope, insertRow } from '../rows.ts';
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
  await insertRow(tx, 'webhook_calls', {
    transaction_id: call.transactionId,
    ...inScope(scope),
    key_lineage_id: call.lineageId,
    webhook_type: call.type,
    destination_url: tx.secrets.seal('webhook_calls.destination_url', [call.lineageId], call.destinationUrl),
    origin: call.origin,
    body: tx.secrets.seal('webhook_calls.body', [call.transactionId], call.body),
    status: call.status,
    attempts: call.attempts,
    created_at: call.createdAt,
    next_attempt_at: call.nextAttemptAt,
    last_attempt_at: call.lastAttemptAt,
    completed_at: call.completedAt,
  });
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
  await insertRow(tx, 'webhook_events', {
    ...inScope(scope),
    key_lineage_id: call.lineageId,
    transaction_id: call.transactionId,
    attempt: attempt.attempt,
    destination_url: tx.secrets.seal('webhook_events.destination_url', [call.lineageId], call.destinationUrl),
    http_status: attempt.httpStatus,
    response_body: tx.secrets.seal('webhook_events.response_body', name, attempt.responseBody),
    network_failure: attempt.networkFailure,
    duration_ms: attempt.durationMs,
    created_at: attempt.at,
  });
}

export async function insertCapChange(
  tx: SqlTx,
  companyId: string,
  change: { from: number; to: number; at: number; by: string },
): Promise<void> {
  await insertRow(tx, 'usage_cap_changes', {
    company_id: companyId,
    from_limit: change.from,
    daily_limit: change.to,
    changed_at: change.at,
    changed_by: change.by,
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
