/** Receivers as the console shows them: their health, and whether they are paused. */
import type { Actor } from '../../domain/operators/actor.ts';
import { type DestinationHealth, isPausedByFailures } from '../../domain/webhooks/backoff.ts';
import type { Scope } from '../../domain/scope.ts';
import { appendAudit } from '../../store/operators/audit.ts';
import type { Database, SqlReader, SqlTx } from '../../store/sql/port.ts';
import {
  findDestinationHealth,
  listWebhookDestinations,
  saveDestinationHealth,
  type WebhookDestination,
} from '../../store/webhooks/destinations.ts';
import { enableWebhookConfig, listWebhookConfigs, type WebhookConfig } from '../../store/webhooks/configs.ts';
import type { Clock } from '../ports/clock.ts';
import { Refusal } from '../../refusals/refusal.ts';
import { isoOrNull } from '../wire/values.ts';

/** `gone`: it answered 410, so the events of at least one configuration become failed calls. */
type DestinationState = 'working' | 'failing' | 'paused' | 'gone';
export type DestinationItem = {
  origin: string;
  state: DestinationState;
  failing_since: string | null;
  last_failure_at: string | null;
  last_success_at: string | null;
  paused_at: string | null;
  /** Calls that are waiting or being sent. */
  pending: number;
};

function toItem(destination: WebhookDestination, gone: readonly WebhookConfig[]): DestinationItem {
  const { origin, failingSince, pausedAt, pending } = destination;
  return {
    origin,
    state: gone.some((config) => originOf(config) === origin)
      ? 'gone'
      : pausedAt !== null
        ? 'paused'
        : failingSince !== null
          ? 'failing'
          : 'working',
    failing_since: isoOrNull(failingSince),
    last_failure_at: isoOrNull(destination.lastFailureAt),
    last_success_at: isoOrNull(destination.lastSuccessAt),
    paused_at: isoOrNull(pausedAt),
    pending,
  };
}

export async function listDestinations(db: SqlReader, scope: Scope): Promise<DestinationItem[]> {
  const gone = await goneConfigs(db, scope);
  return (await listWebhookDestinations(db, scope)).map((destination) => toItem(destination, gone));
}

const originOf = ({ destinationUrl }: WebhookConfig): string => new URL(destinationUrl).origin;

const goneConfigs = async (db: SqlReader, scope: Scope): Promise<WebhookConfig[]> =>
  (await listWebhookConfigs(db, scope, null)).filter(({ disabledAt }) => disabledAt !== null);

type Request = { scope: Scope; origin: string; actor: Actor; reason?: string };

/** Pauses a receiver: its calls wait. @throws Refusal `webhook_not_found` */
export function pauseDestination(db: Database, clock: Clock, request: Request): Promise<DestinationItem> {
  return setPaused(db, clock, request, true);
}

/**
 * Sends the waiting calls at once, resets the limit of three days, and asks a receiver that answered 410 again.
 * @throws Refusal `webhook_not_found`
 */
export function resumeDestination(db: Database, clock: Clock, request: Request): Promise<DestinationItem> {
  return setPaused(db, clock, request, false);
}

async function setPaused(
  db: Database,
  clock: Clock,
  { scope, origin, actor, reason }: Request,
  isPaused: boolean,
): Promise<DestinationItem> {
  return db.tx(async (tx) => {
    const at = clock.now();
    const health = await findDestinationHealth(tx, scope, origin);
    if (!health) throw new Refusal('webhook_not_found', { message: `No webhook has gone to ${origin}.` });
    const gone = isPaused
      ? []
      : (await goneConfigs(tx, scope)).filter((config) => originOf(config) === origin);
    for (const config of gone) await enableWebhookConfig(tx, scope, config);
    if ((health.pausedAt !== null) === isPaused && gone.length === 0) return itemOf(tx, scope, origin);
    if (!isPaused) {
      await resume(tx, scope, { origin, actor, at, health, reason });
      return itemOf(tx, scope, origin);
    }
    await saveDestinationHealth(tx, scope, origin, { ...health, pausedAt: at });
    tx.afterCommit('health');
    await appendAudit(tx, {
      ...scope,
      at,
      actor,
      action: 'webhook_destination.pause',
      subject: origin,
      details: reason === undefined ? {} : { reason },
    });
    return itemOf(tx, scope, origin);
  });
}

/**
 * Resumes a receiver that was paused because it failed for three days: its owner has just asked for calls. One that an
 * operator paused stays so.
 */
export async function takeUpReceiver(
  tx: SqlTx,
  scope: Scope,
  { origin, actor, at }: { origin: string; actor: Actor; at: number },
): Promise<void> {
  const health = await findDestinationHealth(tx, scope, origin);
  if (!health || !isPausedByFailures(health)) return;
  await resume(tx, scope, { origin, actor, at, health });
}

async function resume(
  tx: SqlTx,
  scope: Scope,
  {
    origin,
    actor,
    at,
    health,
    reason,
  }: { origin: string; actor: Actor; at: number; health: DestinationHealth; reason?: string | undefined },
): Promise<void> {
  const working = { ...health, failingSince: null, lastFailureAt: null, pausedAt: null };
  await saveDestinationHealth(tx, scope, origin, working);
  tx.afterCommit('health');
  tx.afterCommit('webhooks');
  await appendAudit(tx, {
    ...scope,
    at,
    actor,
    action: 'webhook_destination.resume',
    subject: origin,
    details: reason === undefined ? {} : { reason },
  });
}

async function itemOf(tx: SqlReader, scope: Scope, origin: string): Promise<DestinationItem> {
  const item = (await listDestinations(tx, scope)).find((known) => known.origin === origin);
  if (!item) throw new Refusal('webhook_not_found', { message: `No webhook has gone to ${origin}.` });
  return item;
}
