/** The result of each attempt at a webhook call. */
import type { Scope } from '../../domain/scope.ts';
import { inScope, insertRow, ofScope } from '../rows.ts';
import type { SqlReader, SqlTx } from '../sql/port.ts';

export type WebhookEvent = {
  seq: number;
  transactionId: string;
  attempt: number;
  destinationUrl: string;
  httpStatus: number | null;
  responseBody: string | null;
  networkFailure: string | null;
  durationMs: number;
  /** When the attempt ended. */
  createdAt: number;
};

const COLUMNS = `seq, transaction_id AS transactionId, attempt, destination_url AS destinationUrl,
  http_status AS httpStatus, response_body AS responseBody, network_failure AS networkFailure,
  duration_ms AS durationMs, created_at AS createdAt`;

const opened = ({ secrets }: SqlReader, lineageId: string, row: WebhookEvent): WebhookEvent => ({
  ...row,
  destinationUrl: secrets.open('webhook_events.destination_url', [lineageId], row.destinationUrl),
  responseBody: secrets.open(
    'webhook_events.response_body',
    [row.transactionId, row.attempt],
    row.responseBody,
  ),
});

export async function insertWebhookEvent(
  tx: SqlTx,
  scope: Scope,
  call: { transactionId: string; lineageId: string; destinationUrl: string },
  attempt: Omit<WebhookEvent, 'seq' | 'transactionId' | 'destinationUrl'>,
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
    created_at: attempt.createdAt,
  });
}

/** A page of a key family's attempts, newest first; of one call if it is given. */
export async function listWebhookEvents(
  db: SqlReader,
  scope: Scope,
  lineageId: string,
  page: { limit: number; beforeSeq: number | null; transactionId: string | null },
): Promise<WebhookEvent[]> {
  const narrowed = page.transactionId === null ? [] : [page.transactionId];
  const rows = await db.all<WebhookEvent>(
    `SELECT ${COLUMNS} FROM webhook_events
     WHERE company_id = ? AND partition = ? AND key_lineage_id = ? AND seq < ?
       ${page.transactionId === null ? '' : 'AND transaction_id = ?'}
     ORDER BY seq DESC LIMIT ?`,
    ...ofScope(scope),
    lineageId,
    page.beforeSeq ?? Number.MAX_SAFE_INTEGER,
    ...narrowed,
    page.limit,
  );
  return rows.map((row) => opened(db, lineageId, row));
}

/** The attempts of one call, newest first: 16 at most. */
export async function listAttemptsOf(
  db: SqlReader,
  scope: Scope,
  lineageId: string,
  transactionId: string,
): Promise<WebhookEvent[]> {
  const rows = await db.all<WebhookEvent>(
    `SELECT ${COLUMNS} FROM webhook_events
     WHERE transaction_id = ? AND company_id = ? AND partition = ? AND key_lineage_id = ?
     ORDER BY attempt DESC`,
    transactionId,
    ...ofScope(scope),
    lineageId,
  );
  return rows.map((row) => opened(db, lineageId, row));
}
