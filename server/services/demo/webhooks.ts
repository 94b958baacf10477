/**
 * The demo's webhooks: one working receiver, and one that has not answered for two days and is paused, so that the
 * demo never sends anything. Both addresses belong to nobody.
 */
import type { CallStatus, WebhookType } from '../../contract/webhook-types.ts';
import { MAX_ATTEMPTS } from '../../domain/webhooks/backoff.ts';
import { insertPastCall } from '../../store/demo/demo.ts';
import { insertWebhookEvent } from '../../store/webhooks/events.ts';
import type { SqlTx } from '../../store/sql/port.ts';
import { disableWebhookConfig, saveWebhookConfig } from '../../store/webhooks/configs.ts';
import { knowDestination, saveDestinationHealth } from '../../store/webhooks/destinations.ts';
import { newId } from '../ports/ids.ts';
import { failureText } from '../webhooks/failure-message.ts';
import { bodyBytes, newTransactionId } from '../webhooks/queue.ts';
import { signingSecret } from '../webhooks/secrets.ts';
import type { DemoTenant } from './tenant.ts';
import type { Dice } from './random.ts';
import type { ConnectEnd } from './write.ts';

const TICKETS = 'https://tickets.demo.example';
const BADGES = 'https://badges.demo.example';
const DESTINATIONS: Record<WebhookType, string> = {
  USER_VERIFICATION_COMPLETED: `${TICKETS}/hooks/gatehouse`,
  USER_VERIFICATION_REVOKED: `${TICKETS}/hooks/gatehouse-old`,
  USER_VERIFICATION_DENIED: `${BADGES}/verification`,
  USER_VERIFICATION_DETERMINED_UNFULFILLABLE: `${BADGES}/verification`,
};
const HOUR_MS = 3_600_000;
/** Since when the badge office has not answered. */
const FAILING_SINCE_MS = 52 * HOUR_MS;
const PAUSED_SINCE_MS = 4 * HOUR_MS;
const TIMEOUT_MS = 15_000;
const NEXT_TRY_MS = 5 * HOUR_MS;
/** Delay of each later attempt of the demo's calls. */
const RETRY_MS = 90_000;

/** Configurations of the v1 and v2 key, with its secret. */
export async function saveReceivers(tx: SqlTx, tenant: DemoTenant, at: number): Promise<void> {
  const { live, keys } = tenant;
  await signingSecret(tx, live, keys.apiLineageId, at);
  for (const [type, destinationUrl] of Object.entries(DESTINATIONS) as [WebhookType, string][]) {
    const config = { lineageId: keys.apiLineageId, type, destinationUrl };
    await saveWebhookConfig(tx, live, { ...config, id: newId(at), changedAt: at });
    if (type !== 'USER_VERIFICATION_REVOKED') continue;
    await disableWebhookConfig(tx, live, config, at + HOUR_MS, 'The receiver answered 410.');
  }
}

/** The webhooks of the last v1 and v2 runs, oldest first. */
export async function writeCalls(
  tx: SqlTx,
  tenant: DemoTenant,
  ends: readonly ConnectEnd[],
  nowMs: number,
  dice: Dice,
): Promise<void> {
  for (const end of ends) await writeCall(tx, tenant, end, nowMs, dice);
  await knowDestination(tx, tenant.live, TICKETS);
  await saveDestinationHealth(tx, tenant.live, TICKETS, {
    failingSince: null,
    lastFailureAt: nowMs - 3 * HOUR_MS,
    lastSuccessAt: ends.at(-1)?.at ?? nowMs,
    pausedAt: null,
  });
  await knowDestination(tx, tenant.live, BADGES);
  await saveDestinationHealth(tx, tenant.live, BADGES, {
    failingSince: nowMs - FAILING_SINCE_MS,
    lastFailureAt: nowMs - PAUSED_SINCE_MS,
    lastSuccessAt: nowMs - FAILING_SINCE_MS - HOUR_MS,
    pausedAt: nowMs - PAUSED_SINCE_MS,
  });
}

type Attempt = { httpStatus: number | null; responseBody: string | null; networkFailure: string | null };
const TAKEN: Attempt = { httpStatus: 200, responseBody: '{"ok":true}', networkFailure: null };
const BUSY: Attempt = { httpStatus: 503, responseBody: 'Service Unavailable', networkFailure: null };
const SILENT: Attempt = {
  httpStatus: null,
  responseBody: null,
  networkFailure: failureText('TIMEOUT', '15 s'),
};

async function writeCall(
  tx: SqlTx,
  tenant: DemoTenant,
  end: ConnectEnd,
  nowMs: number,
  dice: Dice,
): Promise<void> {
  const type = end.isApproved ? 'USER_VERIFICATION_COMPLETED' : 'USER_VERIFICATION_DETERMINED_UNFULFILLABLE';
  const destinationUrl = DESTINATIONS[type];
  const origin = new URL(destinationUrl).origin;
  const { status, attempts } = courseOf(origin, end.at, nowMs, dice);
  const transactionId = newTransactionId();
  const call = { transactionId, lineageId: tenant.keys.apiLineageId, type, destinationUrl, origin } as const;
  const times = attempts.map((_, n) => Math.min(nowMs, end.at + 300 + n * RETRY_MS));
  const lastAttemptAt = times.at(-1) ?? null;
  await insertPastCall(tx, tenant.live, {
    ...call,
    body: bodyBytes({
      transaction_id: transactionId,
      user_id: end.userId,
      reference_user_id: end.referenceUserId,
      type,
      payload: {},
      created_at: new Date(end.at).toISOString(),
    }),
    createdAt: end.at,
    status,
    attempts: attempts.length,
    lastAttemptAt,
    nextAttemptAt: status === 'PENDING' ? nowMs + NEXT_TRY_MS : null,
    completedAt: status === 'COMPLETED' ? lastAttemptAt : null,
  });
  for (const [n, attempt] of attempts.entries()) {
    const durationMs = attempt === SILENT ? TIMEOUT_MS : 40 + dice.below(400);
    const createdAt = times[n] ?? end.at;
    await insertWebhookEvent(tx, tenant.live, call, { attempt: n + 1, ...attempt, durationMs, createdAt });
  }
}

/** The result of a call: the badge office stopped answering a while ago, and the ticket office is sometimes busy. */
function courseOf(
  origin: string,
  at: number,
  nowMs: number,
  dice: Dice,
): { status: CallStatus; attempts: Attempt[] } {
  const isSilent = origin === BADGES && at > nowMs - FAILING_SINCE_MS;
  if (isSilent) {
    const isOver = dice.chance(0.3);
    const tried = isOver ? MAX_ATTEMPTS : 3 + dice.below(6);
    return { status: isOver ? 'FAILED' : 'PENDING', attempts: Array.from({ length: tried }, () => SILENT) };
  }
  const isRefused = dice.chance(0.02);
  if (isRefused) return { status: 'FAILED', attempts: Array.from({ length: MAX_ATTEMPTS }, () => BUSY) };
  const busy = dice.chance(0.08) ? 1 + dice.below(3) : 0;
  return { status: 'COMPLETED', attempts: [...Array.from({ length: busy }, () => BUSY), TAKEN] };
}
