import { randomBytes } from 'node:crypto';
import { insertUnlessThere } from '../rows.ts';
import type { Database, Lock, SqlReader, SqlTx } from '../sql/port.ts';

/** A secret of the server itself: the newest version is used, older ones only read what they signed. */
type SigningKey = { version: number; secret: Uint8Array };
/** `createdAt` in epoch milliseconds: when this version replaced the previous one. */
export type DatedSigningKey = SigningKey & { createdAt: number };

/** Newest first. */
export async function listSigningKeys(db: SqlReader, purpose: string): Promise<DatedSigningKey[]> {
  const rows = await db.all<DatedSigningKey>(
    'SELECT version, secret, created_at AS createdAt FROM signing_keys WHERE purpose = ? ORDER BY version DESC',
    purpose,
  );
  return rows.map((row) => ({
    ...row,
    secret: db.secrets.open('signing_keys.secret', [purpose, row.version], row.secret),
  }));
}

/** Keeps the first of two that are created at the same time. */
export async function insertSigningKey(
  tx: SqlTx,
  purpose: string,
  key: SigningKey,
  at: number,
): Promise<void> {
  await insertUnlessThere(tx, 'signing_keys', {
    purpose,
    version: key.version,
    secret: tx.secrets.seal('signing_keys.secret', [purpose, key.version], key.secret),
    created_at: at,
  });
}

const SECRET_BYTES = 32;

export const newSigningSecret = (): Uint8Array => randomBytes(SECRET_BYTES);

/** All keys of a purpose, newest first. */
type SigningKeys = [DatedSigningKey, ...DatedSigningKey[]];

/** Makes the first one if there is none yet. */
export async function ensureSigningKeys(tx: SqlTx, purpose: string, at: number): Promise<SigningKeys> {
  const [newest, ...older] = await listSigningKeys(tx, purpose);
  if (newest) return [newest, ...older];
  await insertSigningKey(tx, purpose, { version: 1, secret: newSigningSecret() }, at);
  const [made] = await listSigningKeys(tx, purpose);
  if (!made) throw new Error('A secret that was just stored is not there.');
  return [made];
}

/** The same, with a transaction of its own only for the first one. */
export async function loadSigningKeys(
  db: Database,
  purpose: string,
  at: number,
  lock?: Lock,
): Promise<SigningKeys> {
  const [newest, ...older] = await listSigningKeys(db, purpose);
  return newest ? [newest, ...older] : db.tx((tx) => ensureSigningKeys(tx, purpose, at), lock);
}
