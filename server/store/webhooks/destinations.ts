/** The health of receivers, one origin of a scope each. */
import type { DestinationHealth } from '../../domain/webhooks/backoff.ts';
import type { Scope } from '../../domain/scope.ts';
import { inScope, insertUnlessThere, ofScope } from '../rows.ts';
import type { SqlReader, SqlTx } from '../sql/port.ts';

export type WebhookDestination = DestinationHealth & {
  origin: string;
  /** Calls that are waiting or being sent. */
  pending: number;
};

const HEALTH = `failing_since AS failingSince, last_failure_at AS lastFailureAt, last_success_at AS lastSuccessAt,
  paused_at AS pausedAt`;

/** Makes sure that a receiver has a row. */
export async function knowDestination(tx: SqlTx, scope: Scope, origin: string): Promise<void> {
  await insertUnlessThere(tx, 'webhook_destinations', { ...inScope(scope), origin });
}

export function findDestinationHealth(
  db: SqlReader,
  scope: Scope,
  origin: string,
): Promise<DestinationHealth | undefined> {
  return db.one<DestinationHealth>(
    `SELECT ${HEALTH} FROM webhook_destinations WHERE company_id = ? AND partition = ? AND origin = ?`,
    ...ofScope(scope),
    origin,
  );
}

export function saveDestinationHealth(
  tx: SqlTx,
  scope: Scope,
  origin: string,
  health: DestinationHealth,
): Promise<number> {
  return tx.run(
    `UPDATE webhook_destinations SET failing_since = ?, last_failure_at = ?, last_success_at = ?, paused_at = ?
     WHERE company_id = ? AND partition = ? AND origin = ?`,
    health.failingSince,
    health.lastFailureAt,
    health.lastSuccessAt,
    health.pausedAt,
    ...ofScope(scope),
    origin,
  );
}

export function listWebhookDestinations(db: SqlReader, scope: Scope): Promise<WebhookDestination[]> {
  return db.all<WebhookDestination>(
    `SELECT origin, ${HEALTH},
       (SELECT COUNT(*) FROM webhook_calls c WHERE c.company_id = d.company_id AND c.partition = d.partition
          AND c.origin = d.origin AND c.status = 'PENDING') AS pending
     FROM webhook_destinations d WHERE company_id = ? AND partition = ? ORDER BY origin`,
    ...ofScope(scope),
  );
}
