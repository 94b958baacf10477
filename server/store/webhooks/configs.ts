/** The destinations of a key family by event type, and the secrets that sign its calls. */
import type { WebhookEventType } from '../../contract/webhook-types.ts';
import type { Scope } from '../../domain/scope.ts';
import { inScope, insertRow, ofScope } from '../rows.ts';
import type { SqlReader, SqlTx } from '../sql/port.ts';

export type WebhookConfig = {
  id: string;
  lineageId: string;
  type: WebhookEventType;
  destinationUrl: string;
  createdAt: number;
  changedAt: number;
  disabledAt: number | null;
  disabledReason: string | null;
};

const COLUMNS = `id, key_lineage_id AS lineageId, webhook_type AS type, destination_url AS destinationUrl,
  created_at AS createdAt, changed_at AS changedAt, disabled_at AS disabledAt, disabled_reason AS disabledReason`;

const opened = ({ secrets }: SqlReader, row: WebhookConfig): WebhookConfig => ({
  ...row,
  destinationUrl: secrets.open(
    'webhook_configs.destination_url',
    [row.lineageId, row.type],
    row.destinationUrl,
  ),
});

export async function findWebhookConfig(
  db: SqlReader,
  scope: Scope,
  lineageId: string,
  type: WebhookEventType,
): Promise<WebhookConfig | undefined> {
  const row = await db.one<WebhookConfig>(
    `SELECT ${COLUMNS} FROM webhook_configs
     WHERE company_id = ? AND partition = ? AND key_lineage_id = ? AND webhook_type = ?`,
    ...ofScope(scope),
    lineageId,
    type,
  );
  return row && opened(db, row);
}

/** Configurations of a scope, or of one key family in it, sorted by type. */
export async function listWebhookConfigs(
  db: SqlReader,
  scope: Scope,
  lineageId: string | null,
): Promise<WebhookConfig[]> {
  const narrowed = lineageId === null ? [] : [lineageId];
  const rows = await db.all<WebhookConfig>(
    `SELECT ${COLUMNS} FROM webhook_configs
     WHERE company_id = ? AND partition = ? ${lineageId === null ? '' : 'AND key_lineage_id = ?'}
     ORDER BY key_lineage_id, webhook_type`,
    ...ofScope(scope),
    ...narrowed,
  );
  return rows.map((row) => opened(db, row));
}

/** Configurations of a scope that ask for an event. */
export async function listConfigsOfType(
  db: SqlReader,
  scope: Scope,
  type: WebhookEventType,
): Promise<WebhookConfig[]> {
  const rows = await db.all<WebhookConfig>(
    `SELECT ${COLUMNS} FROM webhook_configs
     WHERE company_id = ? AND partition = ? AND webhook_type = ? ORDER BY key_lineage_id`,
    ...ofScope(scope),
    type,
  );
  return rows.map((row) => opened(db, row));
}

/** Creates or changes the one configuration of a key family and type; a change enables it again. */
export async function saveWebhookConfig(
  tx: SqlTx,
  scope: Scope,
  config: Pick<WebhookConfig, 'id' | 'lineageId' | 'type' | 'destinationUrl' | 'changedAt'>,
): Promise<void> {
  tx.afterCommit('health');
  await tx.run(
    `INSERT INTO webhook_configs (id, company_id, partition, key_lineage_id, webhook_type, destination_url,
       created_at, changed_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (key_lineage_id, webhook_type) DO UPDATE SET destination_url = excluded.destination_url,
       changed_at = excluded.changed_at, disabled_at = NULL, disabled_reason = NULL`,
    config.id,
    ...ofScope(scope),
    config.lineageId,
    config.type,
    tx.secrets.seal(
      'webhook_configs.destination_url',
      [config.lineageId, config.type],
      config.destinationUrl,
    ),
    config.changedAt,
    config.changedAt,
  );
}

/** Number of rows removed. */
export function deleteWebhookConfig(
  tx: SqlTx,
  scope: Scope,
  lineageId: string,
  type: WebhookEventType,
): Promise<number> {
  tx.afterCommit('health');
  return tx.run(
    `DELETE FROM webhook_configs WHERE company_id = ? AND partition = ? AND key_lineage_id = ? AND webhook_type = ?`,
    ...ofScope(scope),
    lineageId,
    type,
  );
}

/** Disables a configuration if it still has this address. Returns the number of rows changed. */
export async function disableWebhookConfig(
  tx: SqlTx,
  scope: Scope,
  config: Pick<WebhookConfig, 'lineageId' | 'type' | 'destinationUrl'>,
  at: number,
  reason: string,
): Promise<number> {
  const saved = await findWebhookConfig(tx, scope, config.lineageId, config.type);
  if (saved?.destinationUrl !== config.destinationUrl) return 0;
  tx.afterCommit('health');
  return tx.run(
    `UPDATE webhook_configs SET disabled_at = ?, disabled_reason = ?
     WHERE company_id = ? AND partition = ? AND key_lineage_id = ? AND webhook_type = ? AND disabled_at IS NULL`,
    at,
    reason,
    ...ofScope(scope),
    config.lineageId,
    config.type,
  );
}

export function enableWebhookConfig(
  tx: SqlTx,
  scope: Scope,
  { lineageId, type }: Pick<WebhookConfig, 'lineageId' | 'type'>,
): Promise<number> {
  tx.afterCommit('health');
  return tx.run(
    `UPDATE webhook_configs SET disabled_at = NULL, disabled_reason = NULL
     WHERE company_id = ? AND partition = ? AND key_lineage_id = ? AND webhook_type = ?`,
    ...ofScope(scope),
    lineageId,
    type,
  );
}

export type WebhookSecret = {
  version: number;
  /** `whsec_…`, complete, because every attempt needs it. */
  secret: string;
  createdAt: number;
  /** When receivers may forget it; null for the one that signs. */
  endsAt: number | null;
};

/** Secrets of a key family, the signing one first. */
export async function listWebhookSecrets(
  db: SqlReader,
  scope: Scope,
  lineageId: string,
): Promise<WebhookSecret[]> {
  const rows = await db.all<WebhookSecret>(
    `SELECT version, secret, created_at AS createdAt, ends_at AS endsAt FROM webhook_secrets
     WHERE company_id = ? AND partition = ? AND key_lineage_id = ? ORDER BY version DESC`,
    ...ofScope(scope),
    lineageId,
  );
  return rows.map((row) => ({
    ...row,
    secret: db.secrets.open('webhook_secrets.secret', [lineageId, row.version], row.secret),
  }));
}

/** A call carries a signature of each, and a receiver reads headers of a few kilobytes only. */
const MOST_SECRETS = 5;

/**
 * Adds the secret that signs from now on. The previous ones end at `previousEndsAt` at the latest, and those beyond
 * `MOST_SECRETS` at once.
 */
export async function addWebhookSecret(
  tx: SqlTx,
  scope: Scope,
  lineageId: string,
  secret: Omit<WebhookSecret, 'endsAt'>,
  previousEndsAt: number,
): Promise<void> {
  await tx.run(
    `UPDATE webhook_secrets SET ends_at = ?
     WHERE company_id = ? AND partition = ? AND key_lineage_id = ? AND (ends_at IS NULL OR ends_at > ?)`,
    previousEndsAt,
    ...ofScope(scope),
    lineageId,
    previousEndsAt,
  );
  await tx.run(
    'DELETE FROM webhook_secrets WHERE company_id = ? AND partition = ? AND key_lineage_id = ? AND version <= ?',
    ...ofScope(scope),
    lineageId,
    secret.version - MOST_SECRETS,
  );
  await insertRow(tx, 'webhook_secrets', {
    key_lineage_id: lineageId,
    version: secret.version,
    ...inScope(scope),
    secret: tx.secrets.seal('webhook_secrets.secret', [lineageId, secret.version], secret.secret),
    created_at: secret.createdAt,
  });
}
