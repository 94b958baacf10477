/** Webhooks of v3: what they share with those of key families is in `configs.ts`, under their ID. */
import type { Signing } from '../../contract/webhook-types.ts';
import type { Scope } from '../../domain/scope.ts';
import { inScope, insertRow, ofScope } from '../rows.ts';
import type { SqlReader, SqlTx } from '../sql/port.ts';

export type V3Webhook = { id: string; description: string; signing: Signing; createdAt: number };

const COLUMNS = 'id, description, signing, created_at AS createdAt';

/** Oldest first. */
export const listV3Webhooks = (db: SqlReader, scope: Scope): Promise<V3Webhook[]> =>
  db.all(
    `SELECT ${COLUMNS} FROM v3_webhooks WHERE company_id = ? AND partition = ? ORDER BY created_at, id`,
    ...ofScope(scope),
  );

export const findV3Webhook = (db: SqlReader, scope: Scope, id: string): Promise<V3Webhook | undefined> =>
  db.one(
    `SELECT ${COLUMNS} FROM v3_webhooks WHERE company_id = ? AND partition = ? AND id = ?`,
    ...ofScope(scope),
    id,
  );

export const insertV3Webhook = (tx: SqlTx, scope: Scope, webhook: V3Webhook): Promise<number> =>
  insertRow(tx, 'v3_webhooks', {
    id: webhook.id,
    ...inScope(scope),
    description: webhook.description,
    signing: webhook.signing,
    created_at: webhook.createdAt,
  });

export const describeV3Webhook = (
  tx: SqlTx,
  scope: Scope,
  { id, description }: Pick<V3Webhook, 'id' | 'description'>,
): Promise<number> =>
  tx.run(
    'UPDATE v3_webhooks SET description = ? WHERE company_id = ? AND partition = ? AND id = ?',
    description,
    ...ofScope(scope),
    id,
  );

/** With its secrets. Its calls stay until their time, as those of a removed configuration do. */
export async function deleteV3Webhook(tx: SqlTx, scope: Scope, id: string): Promise<number> {
  const own = [...ofScope(scope), id] as const;
  await tx.run(
    'DELETE FROM webhook_secrets WHERE company_id = ? AND partition = ? AND key_lineage_id = ?',
    ...own,
  );
  return tx.run('DELETE FROM v3_webhooks WHERE company_id = ? AND partition = ? AND id = ?', ...own);
}
