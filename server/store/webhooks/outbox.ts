/**
 * Processing the outbox, over all companies. A call being sent is PENDING without a next attempt: one process has
 * claimed it for the next attempt. Every change of a claim names both, so that it has no effect once another process
 * has ended it.
 */
import type { CallStatus } from '../../contract/webhook-types.ts';
import type { DeletionTime } from '../../domain/clock.ts';
import type { Scope } from '../../domain/scope.ts';
import { deleteSome, ofScope } from '../rows.ts';
import { needLock, type SqlReader, type SqlTx } from '../sql/port.ts';
import { insertWebhookEvent } from './events.ts';
import { CALL_COLUMNS, type WebhookCall, opened } from './calls.ts';
import { knowDestination } from './destinations.ts';

export type DueDestination = Scope & {
  origin: string;
  failingSince: number | null;
  /** Calls that are due, counted up to the limit. */
  due: number;
  /** When the next of the others falls due. */
  nextAt: number | null;
};

/** Receivers, not paused, with calls that are due or fall due by `untilMs`. */
export function listDueDestinations(
  db: SqlReader,
  { nowMs, untilMs, countUpTo }: { nowMs: number; untilMs: number; countUpTo: number },
): Promise<DueDestination[]> {
  return db.all<DueDestination>(
    `SELECT * FROM (
       SELECT d.company_id AS companyId, d.partition, d.origin, d.failing_since AS failingSince,
         (SELECT COUNT(*) FROM (
            SELECT 1 FROM webhook_calls c WHERE c.company_id = d.company_id AND c.partition = d.partition
              AND c.origin = d.origin AND c.status = 'PENDING' AND c.next_attempt_at <= ? LIMIT ?) AS waiting) AS due,
         (SELECT MIN(c.next_attempt_at) FROM webhook_calls c WHERE c.company_id = d.company_id AND c.partition = d.partition
            AND c.origin = d.origin AND c.status = 'PENDING' AND c.next_attempt_at > ? AND c.next_attempt_at <= ?) AS "nextAt"
       FROM webhook_destinations d WHERE d.paused_at IS NULL) AS receivers WHERE due > 0 OR "nextAt" IS NOT NULL`,
    nowMs,
    countUpTo,
    nowMs,
    untilMs,
  );
}

export type Claim = WebhookCall & { scope: Scope; owner: string };

/** Claims up to `limit` due calls of one receiver, longest due first. */
export async function claimDueCalls(
  tx: SqlTx,
  destination: Scope & { origin: string },
  claim: { owner: string; nowMs: number; leaseUntil: number; limit: number },
): Promise<Claim[]> {
  const { companyId, partition, origin } = destination;
  const calls = await tx.all<WebhookCall>(
    // PostgreSQL evaluates a subquery again for each row of a nested loop, and would claim more than the limit.
    `WITH due AS MATERIALIZED (SELECT seq FROM webhook_calls WHERE company_id = ? AND partition = ? AND origin = ?
       AND status = 'PENDING' AND next_attempt_at <= ? ORDER BY next_attempt_at, seq LIMIT ?
       /* FOR UPDATE SKIP LOCKED */)
     UPDATE webhook_calls SET lease_owner = ?, lease_until = ?, next_attempt_at = NULL
     WHERE seq IN (SELECT seq FROM due)
     RETURNING ${CALL_COLUMNS}`,
    companyId,
    partition,
    origin,
    claim.nowMs,
    claim.limit,
    claim.owner,
    claim.leaseUntil,
  );
  return calls.map((call) => ({
    ...opened(tx, call),
    scope: { companyId, partition },
    owner: claim.owner,
  }));
}

/** All claims, of any process. */
export async function listClaims(db: SqlReader): Promise<Claim[]> {
  const rows = await db.all<WebhookCall & Scope & { owner: string }>(
    `SELECT ${CALL_COLUMNS}, company_id AS companyId, partition, lease_owner AS owner FROM webhook_calls
     WHERE status = 'PENDING' AND next_attempt_at IS NULL`,
  );
  return rows.map(({ companyId, partition, ...call }) => ({
    ...opened(db, call),
    scope: { companyId, partition },
  }));
}

export type AttemptResult = {
  httpStatus: number | null;
  responseBody: string | null;
  networkFailure: string | null;
  durationMs: number;
};

/**
 * Ends a claim: counts and records the attempt, once. False, without changes, if the caller no longer has the claim.
 */
export async function recordAttempt(
  tx: SqlTx,
  claim: Claim,
  result: AttemptResult,
  then: { status: CallStatus; nextAttemptAt: number | null; at: number },
): Promise<boolean> {
  const attempt = claim.attempts + 1;
  const changed = await tx.run(
    `UPDATE webhook_calls SET status = ?, attempts = ?, last_attempt_at = ?, next_attempt_at = ?, completed_at = ?,
       lease_owner = NULL, lease_until = NULL
     WHERE transaction_id = ? AND status = 'PENDING' AND lease_owner = ? AND attempts = ?`,
    then.status,
    attempt,
    then.at,
    then.nextAttemptAt,
    then.status === 'COMPLETED' ? then.at : null,
    claim.transactionId,
    claim.owner,
    claim.attempts,
  );
  if (changed === 0) return false;
  needLock(tx, claim.scope.companyId);
  await insertWebhookEvent(tx, claim.scope, claim, { attempt, ...result, createdAt: then.at });
  tx.afterCommit('attempt', claim.scope.companyId);
  return true;
}

/**
 * Why a call ended without being sent. Part of the v1 interface, as `network_failure` of its last event.
 * `destination_gone`: the receiver answered 410. `destination_deleted`: the configuration was deleted.
 */
export type Unsent = 'destination_gone' | 'destination_deleted';

/**
 * Ends all waiting calls of a key family and type, or one of them, each with an event that says why. Returns the
 * number of calls.
 */
export async function failWaitingCalls(
  tx: SqlTx,
  scope: Scope,
  of: Pick<WebhookCall, 'lineageId' | 'type'> & { transactionId?: string },
  { at, why }: { at: number; why: Unsent },
): Promise<number> {
  needLock(tx, scope.companyId);
  const family = [...ofScope(scope), of.lineageId, of.type];
  const one = of.transactionId === undefined ? [] : [of.transactionId];
  const where = `company_id = ? AND partition = ? AND key_lineage_id = ? AND webhook_type = ?
    ${of.transactionId === undefined ? '' : 'AND transaction_id = ?'}`;
  const ended = await tx.run(
    `UPDATE webhook_calls SET status = 'FAILED', attempts = attempts + 1, last_attempt_at = ?, next_attempt_at = NULL
     WHERE ${where} AND status = 'PENDING' AND next_attempt_at IS NOT NULL`,
    at,
    ...family,
    ...one,
  );
  if (ended === 0) return 0;
  await tx.run(
    `INSERT INTO webhook_events (company_id, partition, key_lineage_id, transaction_id, attempt, destination_url,
       network_failure, duration_ms, created_at)
     SELECT company_id, partition, key_lineage_id, transaction_id, attempts, destination_url, ?, 0, last_attempt_at
     FROM webhook_calls c WHERE ${where} AND status = 'FAILED' AND last_attempt_at = ? AND NOT EXISTS
       (SELECT 1 FROM webhook_events e WHERE e.transaction_id = c.transaction_id AND e.attempt = c.attempts)`,
    why,
    ...family,
    ...one,
    at,
  );
  tx.afterCommit('attempt', scope.companyId);
  return ended;
}

/** Sends waiting calls of a key family and type to another address, immediately. Returns the number of calls. */
export async function readdressCalls(
  tx: SqlTx,
  scope: Scope,
  to: Pick<WebhookCall, 'lineageId' | 'type' | 'destinationUrl' | 'origin'>,
  at: number,
): Promise<number> {
  await knowDestination(tx, scope, to.origin);
  tx.afterCommit('webhooks', scope.companyId);
  return tx.run(
    `UPDATE webhook_calls SET destination_url = ?, origin = ?,
       next_attempt_at = CASE WHEN next_attempt_at IS NULL OR next_attempt_at < ? THEN next_attempt_at ELSE ? END
     WHERE company_id = ? AND partition = ? AND key_lineage_id = ? AND webhook_type = ? AND status = 'PENDING'`,
    tx.secrets.seal('webhook_calls.destination_url', [to.lineageId], to.destinationUrl),
    to.origin,
    at,
    at,
    ...ofScope(scope),
    to.lineageId,
    to.type,
  );
}

/**
 * Makes waiting calls of a key family due, or one of them, at a receiver that is not paused. Returns the origins of those that
 * wait, one for each call; a call that is being sent stays as it is.
 */
export async function hurryCalls(
  tx: SqlTx,
  scope: Scope,
  { lineageId, transactionId }: { lineageId: string; transactionId?: string },
  at: number,
): Promise<string[]> {
  tx.afterCommit('webhooks', scope.companyId);
  const hurried = await tx.all<{ origin: string }>(
    `UPDATE webhook_calls SET next_attempt_at = CASE WHEN next_attempt_at < ? THEN next_attempt_at ELSE ? END
     WHERE company_id = ? AND partition = ? AND key_lineage_id = ? AND status = 'PENDING' AND next_attempt_at IS NOT NULL
       ${transactionId === undefined ? '' : 'AND transaction_id = ?'} RETURNING origin`,
    at,
    at,
    ...ofScope(scope),
    lineageId,
    ...(transactionId === undefined ? [] : [transactionId]),
  );
  return hurried.map(({ origin }) => origin);
}

/**
 * After the clock was set back: calls timed by the earlier clock keep their remaining wait, from now on. Can be
 * repeated; it never delays anything.
 */
export function pullForward(tx: SqlTx, nowMs: number): Promise<number> {
  return tx.run(
    `UPDATE webhook_calls
     SET next_attempt_at = ? + (next_attempt_at - COALESCE(last_attempt_at, created_at))
     WHERE status = 'PENDING' AND next_attempt_at > ? AND COALESCE(last_attempt_at, created_at) > ?`,
    nowMs,
    nowMs,
    nowMs,
  );
}

/**
 * Removes up to `limit` ended calls created before `before`, oldest first, with their events. Returns the number of
 * calls.
 */
export function deleteEndedCalls(tx: SqlTx, before: DeletionTime, limit: number): Promise<number> {
  const where = "status <> 'PENDING' AND created_at < ?";
  return deleteSome(tx.run, { table: 'webhook_calls', key: 'seq', where }, [before], limit);
}
