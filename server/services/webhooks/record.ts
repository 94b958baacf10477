/** Records the outcome of an attempt with all its effects, in one transaction. */
import {
  healthAfter,
  MAX_ATTEMPTS,
  type NextStep,
  nextStep,
  parseRetryAfter,
} from '../../domain/webhooks/backoff.ts';
import { isV3Event } from '../../contract/webhook-types.ts';
import { appendAudit } from '../../store/operators/audit.ts';
import type { SqlTx } from '../../store/sql/port.ts';
import { disableWebhookConfig, findWebhookConfig, listWebhookConfigs } from '../../store/webhooks/configs.ts';
import { findDestinationHealth, saveDestinationHealth } from '../../store/webhooks/destinations.ts';
import {
  type AttemptResult,
  type Claim,
  failWaitingCalls,
  recordAttempt,
} from '../../store/webhooks/outbox.ts';
import type { SendResult } from './send.ts';

const GONE = 'The receiver answered 410.';

/**
 * Records a completed attempt. False, and nothing is written, if another process has taken the claim.
 * @param random uniform in [0, 1)
 */
export async function recordEnd(
  tx: SqlTx,
  claim: Claim,
  result: SendResult,
  { at, random }: { at: number; random: number },
): Promise<boolean> {
  const retryAfterMs = parseRetryAfter(result.retryAfter, at);
  const answer = { httpStatus: result.httpStatus, retryAfterMs };
  const next = await asConfigured(tx, claim, nextStep(claim.attempts + 1, answer, random));
  // What a receiver says about a person who left could not be found again to erase it.
  const said = claim.type.startsWith('person.') ? null : result.responseBody;
  const kept = { ...result, responseBody: said };
  const isRecorded = await recordAttempt(tx, claim, kept, {
    at,
    status: next.kind === 'completed' ? 'COMPLETED' : next.kind === 'retry' ? 'PENDING' : 'FAILED',
    nextAttemptAt: next.kind === 'retry' ? at + next.waitMs : null,
  });
  if (!isRecorded) return false;
  if (next.kind === 'gone') await switchOff(tx, claim, at);
  await recordHealth(tx, claim, next.kind === 'completed' || result.httpStatus === 410, at);
  return true;
}

/** The configuration may have changed during the attempt: nothing is retried if it was deleted or disabled. */
async function asConfigured(tx: SqlTx, claim: Claim, next: NextStep): Promise<NextStep> {
  if (next.kind === 'completed' || next.kind === 'failed') return next;
  const config = await findWebhookConfig(tx, claim.scope, claim.lineageId, claim.type);
  if (!config || config.disabledAt !== null) return { kind: 'failed' };
  const wasMoved = config.destinationUrl !== claim.destinationUrl;
  // The address that answered 410 is no longer the configured one.
  if (next.kind === 'gone' && wasMoved && claim.attempts + 1 < MAX_ATTEMPTS)
    return { kind: 'retry', waitMs: 0 };
  return next;
}

/**
 * Records an attempt that was aborted, so it is unknown whether the receiver got it. It counts, and the next one is
 * due at once, unless the configuration was deleted or disabled. False if another process has taken the claim.
 */
export async function recordInterruption(
  tx: SqlTx,
  claim: Claim,
  interruption: Pick<AttemptResult, 'networkFailure' | 'durationMs'>,
  at: number,
): Promise<boolean> {
  const next = await asConfigured(tx, claim, { kind: 'retry', waitMs: 0 });
  const isLast = next.kind === 'failed' || claim.attempts + 1 >= MAX_ATTEMPTS;
  return recordAttempt(
    tx,
    claim,
    { httpStatus: null, responseBody: null, ...interruption },
    { at, status: isLast ? 'FAILED' : 'PENDING', nextAttemptAt: isLast ? null : at },
  );
}

/** The receiver answered 410: its configuration is disabled until it is saved again, and its waiting calls end. */
async function switchOff(tx: SqlTx, claim: Claim, at: number): Promise<void> {
  const { scope, lineageId, destinationUrl } = claim;
  const types = isV3Event(claim.type)
    ? (await listWebhookConfigs(tx, scope, lineageId)).map(({ type }) => type)
    : [claim.type];
  let disabled = 0;
  let ended = 0;
  for (const type of types) {
    const off = await disableWebhookConfig(tx, scope, { lineageId, type, destinationUrl }, at, GONE);
    if (off === 0) continue;
    disabled += off;
    ended += await failWaitingCalls(tx, scope, { lineageId, type }, { at, why: 'destination_gone' });
  }
  if (disabled === 0) return;
  await appendAudit(tx, {
    at,
    actor: 'system',
    action: 'webhook_config.disable',
    ...claim.scope,
    subject: claim.transactionId,
    details: {
      webhook_type: claim.type,
      destination_url: claim.origin,
      reason: GONE,
      ended_calls: ended,
    },
  });
}

async function recordHealth(tx: SqlTx, claim: Claim, wasSuccess: boolean, at: number): Promise<void> {
  const { scope, origin } = claim;
  const before = await findDestinationHealth(tx, scope, origin);
  if (!before) return;
  const after = healthAfter(before, wasSuccess, at);
  await saveDestinationHealth(tx, scope, origin, after);
  if (before.pausedAt !== null || after.pausedAt === null) return;
  tx.afterCommit('health');
  await appendAudit(tx, {
    ...scope,
    at,
    actor: 'system',
    action: 'webhook_destination.pause',
    subject: origin,
    details: {
      failing_since: after.failingSince === null ? null : new Date(after.failingSince).toISOString(),
    },
  });
}
