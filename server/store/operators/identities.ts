import { insertRow } from '../rows.ts';
import type { SqlReader, SqlTx } from '../sql/port.ts';

/** The operator of somebody whom an identity provider knows; undefined also if the row was moved to another operator. */
export async function findIdentity(
  db: SqlReader,
  identity: { hash: Uint8Array; subject: string },
): Promise<string | undefined> {
  const row = await db.one<{ operatorId: string; subject: string }>(
    'SELECT operator_id AS operatorId, subject FROM operator_identities WHERE subject_hash = ?',
    identity.hash,
  );
  if (row === undefined) return undefined;
  const kept = db.secrets.open('operator_identities.subject', [row.operatorId], row.subject);
  return kept === identity.subject ? row.operatorId : undefined;
}

/** Fails on a unique constraint if another sign-in was first. */
export async function insertIdentity(
  tx: SqlTx,
  operatorId: string,
  { hash, subject, at }: { hash: Uint8Array; subject: string; at: number },
): Promise<void> {
  await insertRow(tx, 'operator_identities', {
    operator_id: operatorId,
    subject_hash: hash,
    subject: tx.secrets.seal('operator_identities.subject', [operatorId], subject),
    created_at: at,
  });
}

/** The operators whom an identity provider signs in. */
export async function listProvided(db: SqlReader): Promise<Set<string>> {
  const rows = await db.all<{ id: string }>('SELECT operator_id AS id FROM operator_identities');
  return new Set(rows.map(({ id }) => id));
}
