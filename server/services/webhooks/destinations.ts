/** Receivers as the console shows them: their health, and whether they are paused. */
import type { Actor } from '../../domain/operators/actor.ts';
import type { Scope } from '../../domain/scope.ts';
import { appendAudit } from '../../store/operators/audit.ts';
import type { Database, SqlReader } from '../../store/sql/port.ts';
import {
  findDestinationHealth,
  listWebhookDestinations,
  saveDestinationHealth,
  type WebhookDestination,
} from '../../store/webhooks/destinations.ts';
import type { Clock } from '../clock.ts';
import { refuse } from './refusals.ts';
import { isoOrNull } from '../wire-values.ts';

type DestinationState = 'working' | 'failing' | 'paused';
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

function toItem(destination: WebhookDestination): DestinationItem {
  const { origin, failingSince, pausedAt, pending } = destination;
  return {
    origin,
    state: pausedAt !== null ? 'paused' : failingSince !== null ? 'failing' : 'working',
    failing_since: isoOrNull(failingSince),
    last_failure_at: isoOrNull(destination.lastFailureAt),
    last_success_at: isoOrNull(destination.lastSuccessAt),
    paused_at: isoOrNull(pausedAt),
    pending,
  };
}

export async function listDestinations(db: SqlReader, scope: Scope): Promise<DestinationItem[]> {
  return (await listWebhookDestinations(db, scope)).map(toItem);
}

type Request = { scope: Scope; origin: string; actor: Actor; reason?: string };

/** Pauses a receiver: its calls wait. @throws ServiceError `webhook_not_found` */
export function pauseDestination(db: Database, clock: Clock, request: Request): Promise<DestinationItem> {
  return setPaused(db, clock, request, true);
}

/** Sends the waiting calls at once and resets the limit of three days. @throws ServiceError `webhook_not_found` */
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
    if (!health) throw refuse('webhook_not_found', `No webhook has gone to ${origin}.`);
    if ((health.pausedAt !== null) === isPaused) return itemOf(tx, scope, origin);
    const failures = isPaused ? {} : { failingSince: null, lastFailureAt: null };
    await saveDestinationHealth(tx, scope, origin, {
      ...health,
      ...failures,
      pausedAt: isPaused ? at : null,
    });
    if (!isPaused) tx.afterCommit('webhooks');
    await appendAudit(tx, {
      at,
      actor,
      action: isPaused ? 'webhook_destination.pause' : 'webhook_destination.resume',
      ...scope,
      subject: origin,
      details: reason === undefined ? {} : { reason },
    });
    return itemOf(tx, scope, origin);
  });
}

async function itemOf(tx: SqlReader, scope: Scope, origin: string): Promise<DestinationItem> {
  const item = (await listDestinations(tx, scope)).find((known) => known.origin === origin);
  if (!item) throw refuse('webhook_not_found', `No webhook has gone to ${origin}.`);
  return item;
}
