import type { SqlReader, SqlTx } from './port.ts';

/** A secret of the server itself; the newest version signs, all of them verify. */
export type SigningKey = { version: number; secret: Uint8Array };

export function listSigningKeys(db: SqlReader, purpose: string): Promise<SigningKey[]> {
  return db.all<SigningKey>(
    'SELECT version, secret FROM signing_keys WHERE purpose = ? ORDER BY version DESC',
    purpose,
  );
}

/** Keeps the first of two that are made at once. */
export async function insertSigningKey(
  tx: SqlTx,
  purpose: string,
  key: SigningKey,
  at: number,
): Promise<void> {
  await tx.run(
    'INSERT INTO signing_keys (purpose, version, secret, created_at) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING',
    purpose,
    key.version,
    key.secret,
    at,
  );
}
