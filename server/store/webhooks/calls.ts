/** The outbox of webhook calls: rows written with the change that causes them, and lists of them. */
import type { CallStatus, WebhookEventType } from '../../contract/webhook-types.ts';
import type { Scope } from '../../domain/scope.ts';
import { inScope, insertRow, ofScope } from '../rows.ts';
import { needLock, type SqlReader, type SqlTx } from '../sql/port.ts';
import { knowDestination } from './destinations.ts';

/** One call: the exact bytes that are signed and sent, and its progress. Times are epoch milliseconds. */
export type WebhookCall = {
  /** Increases with every call; lists use it for paging. */
  seq: number;
  /** `ewh:` and a UUID, the same in the body. */
  transactionId: string;
  lineageId: string;
  type: WebhookEventType;
  destinationUrl: string;
  origin: string;
  body: Uint8Array;
  status: CallStatus;
  attempts: number;
  createdAt: number;
  /** Null once it has ended, and during an attempt. */
  nextAttemptAt: number | null;
  lastAttemptAt: number | null;
  completedAt: number | null;
};

export type NewWebhookCall = Pick<
  WebhookCall,
  'transactionId' | 'lineageId' | 'type' | 'destinationUrl' | 'origin' | 'body' | 'createdAt'
>;

export const CALL_COLUMNS = `seq, transaction_id AS transactionId, key_lineage_id AS lineageId, webhook_type AS type,
  destination_url AS destinationUrl, origin, body, status, attempts, created_at AS createdAt,
  next_attempt_at AS nextAttemptAt, last_attempt_at AS lastAttemptAt, completed_at AS completedAt`;

export const opened = <
  T extends Pick<WebhookCall, 'transactionId' | 'lineageId' | 'type' | 'destinationUrl' | 'body'>,
>(
  { secrets }: SqlReader,
  call: T,
): T => ({
  ...call,
  destinationUrl: secrets.open('webhook_calls.destination_url', [call.lineageId], call.destinationUrl),
  body: secrets.open('webhook_calls.body', [call.transactionId], call.body),
});

export const columnsOfCall = ({ secrets }: SqlTx, scope: Scope, call: NewWebhookCall) => ({
  transaction_id: call.transactionId,
  ...inScope(scope),
  key_lineage_id: call.lineageId,
  webhook_type: call.type,
  destination_url: secrets.seal('webhook_calls.destination_url', [call.lineageId], call.destinationUrl),
  origin: call.origin,
  body: secrets.seal('webhook_calls.body', [call.transactionId], call.body),
  created_at: call.createdAt,
});

/** Adds a call to the outbox, due immediately, and makes sure that its receiver is known. */
export async function insertWebhookCall(tx: SqlTx, scope: Scope, call: NewWebhookCall): Promise<void> {
  needLock(tx, scope.companyId);
  await knowDestination(tx, scope, call.origin);
  await insertRow(tx, 'webhook_calls', {
    ...columnsOfCall(tx, scope, call),
    status: 'PENDING',
    next_attempt_at: call.createdAt,
  });
  tx.afterCommit('webhooks', scope.companyId);
}

export async function findWebhookCall(
  db: SqlReader,
  scope: Scope,
  lineageId: string,
  transactionId: string,
): Promise<WebhookCall | undefined> {
  const call = await db.one<WebhookCall>(
    `SELECT ${CALL_COLUMNS} FROM webhook_calls
     WHERE company_id = ? AND partition = ? AND key_lineage_id = ? AND transaction_id = ?`,
    ...ofScope(scope),
    lineageId,
    transactionId,
  );
  return call && opened(db, call);
}

/** The run whose result a user's webhook of this type reports: the last that ended until `at` (epoch milliseconds). */
export function findReportedRun(
  db: SqlReader,
  scope: Scope,
  { userId, type, at }: { userId: string; type: WebhookEventType; at: number },
): Promise<{ sessionId: string; settledAt: number | null } | undefined> {
  return db.one(
    `SELECT s.id AS sessionId, s.settled_at AS settledAt
     FROM sessions s JOIN run_events e ON e.session_id = s.id
     WHERE s.company_id = ? AND s.partition = ? AND s.connect_user_id = ? AND e.kind = 'webhook' AND e.at <= ?
       AND json_extract(e.details, '$.type') = ?
     ORDER BY e.at DESC, e.seq DESC LIMIT 1`,
    ...ofScope(scope),
    userId,
    at,
    type,
  );
}

/** The run that a call of v3 names, if it still exists. */
export const findSettledRun = (
  db: SqlReader,
  scope: Scope,
  sessionId: string,
): Promise<{ sessionId: string; settledAt: number | null } | undefined> =>
  db.one(
    'SELECT id AS sessionId, settled_at AS settledAt FROM sessions WHERE company_id = ? AND partition = ? AND id = ?',
    ...ofScope(scope),
    sessionId,
  );

/** A page of a key family's calls, newest first. */
export async function listWebhookCalls(
  db: SqlReader,
  scope: Scope,
  lineageId: string,
  page: { limit: number; beforeSeq: number | null; status: CallStatus | null },
): Promise<WebhookCall[]> {
  const calls = await db.all<WebhookCall>(
    `SELECT ${CALL_COLUMNS} FROM webhook_calls
     WHERE company_id = ? AND partition = ? AND key_lineage_id = ? AND seq < ?${page.status === null ? '' : ' AND status = ?'}
     ORDER BY seq DESC LIMIT ?`,
    ...ofScope(scope),
    lineageId,
    page.beforeSeq ?? Number.MAX_SAFE_INTEGER,
    ...(page.status === null ? [] : [page.status]),
    page.limit,
  );
  return calls.map((call) => opened(db, call));
}

/** Calls of a key family that failed permanently, or also those that were taken, and were created at `since` or later, oldest first. */
export async function listEndedSince(
  db: SqlReader,
  scope: Scope,
  lineageId: string,
  { since, isCompletedToo, limit }: { since: number; isCompletedToo: boolean; limit: number },
): Promise<WebhookCall[]> {
  const calls = await db.all<WebhookCall>(
    `SELECT ${CALL_COLUMNS} FROM webhook_calls
     WHERE company_id = ? AND partition = ? AND key_lineage_id = ? AND ${isCompletedToo ? "status <> 'PENDING'" : "status = 'FAILED'"} AND created_at >= ?
     ORDER BY seq LIMIT ?`,
    ...ofScope(scope),
    lineageId,
    since,
    limit,
  );
  return calls.map((call) => opened(db, call));
}
