import { insertRow } from '../rows.ts';
import type { Database, Lock, SqlReader, SqlTx } from '../sql/port.ts';

/** A passkey of an operator. It works only under the name that it was made for: `rpId`. */
export type StoredPasskey = {
  id: string;
  operatorId: string;
  /** As the authenticator names it, base64url. */
  credentialId: string;
  rpId: string;
  publicKey: Uint8Array;
  /** Uses as the authenticator counts them; 0 if it doesn't. */
  counter: number;
  name: string;
  createdAt: number;
  lastUsedAt: number | null;
};

const COLUMNS = `id, operator_id AS operatorId, credential_id AS credentialId, rp_id AS rpId,
  public_key AS publicKey, counter, name, created_at AS createdAt, last_used_at AS lastUsedAt`;

const opened = ({ secrets }: SqlReader, row: StoredPasskey): StoredPasskey => ({
  ...row,
  publicKey: secrets.open('operator_passkeys.public_key', [row.operatorId, row.id], row.publicKey),
});

export async function insertPasskey(tx: SqlTx, passkey: Omit<StoredPasskey, 'lastUsedAt'>): Promise<void> {
  await insertRow(tx, 'operator_passkeys', {
    id: passkey.id,
    operator_id: passkey.operatorId,
    credential_id: passkey.credentialId,
    rp_id: passkey.rpId,
    public_key: tx.secrets.seal(
      'operator_passkeys.public_key',
      [passkey.operatorId, passkey.id],
      passkey.publicKey,
    ),
    counter: passkey.counter,
    name: passkey.name,
    created_at: passkey.createdAt,
  });
}

/** Oldest first. */
export async function listPasskeys(db: SqlReader, operatorId: string): Promise<StoredPasskey[]> {
  const rows = await db.all<StoredPasskey>(
    `SELECT ${COLUMNS} FROM operator_passkeys WHERE operator_id = ? ORDER BY created_at, id`,
    operatorId,
  );
  return rows.map((row) => opened(db, row));
}

export async function findPasskey(db: SqlReader, credentialId: string): Promise<StoredPasskey | undefined> {
  const row = await db.one<StoredPasskey>(
    `SELECT ${COLUMNS} FROM operator_passkeys WHERE credential_id = ?`,
    credentialId,
  );
  return row && opened(db, row);
}

/** Whether an operator who isn't disabled has one under that name. */
export async function hasPasskeyAt(db: SqlReader, rpId: string): Promise<boolean> {
  const row = await db.one(
    `SELECT 1 AS found FROM operator_passkeys p JOIN operators o ON o.id = p.operator_id
     WHERE p.rp_id = ? AND o.disabled_at IS NULL LIMIT 1`,
    rpId,
  );
  return row !== undefined;
}

/** How many each operator has. */
export async function countPasskeys(db: SqlReader): Promise<Map<string, number>> {
  const rows = await db.all<{ operatorId: string; n: number }>(
    'SELECT operator_id AS operatorId, COUNT(*) AS n FROM operator_passkeys GROUP BY operator_id',
  );
  return new Map(rows.map(({ operatorId, n }) => [operatorId, n]));
}

/** 0 if it was removed, or another sign-in with it came in between. */
export function usePasskey(
  tx: SqlTx,
  { id, counter }: Pick<StoredPasskey, 'id' | 'counter'>,
  after: { counter: number; at: number },
): Promise<number> {
  return tx.run(
    'UPDATE operator_passkeys SET counter = ?, last_used_at = ? WHERE id = ? AND counter = ?',
    after.counter,
    after.at,
    id,
    counter,
  );
}

export function renamePasskey(tx: SqlTx, operatorId: string, id: string, name: string): Promise<number> {
  return tx.run(
    'UPDATE operator_passkeys SET name = ? WHERE operator_id = ? AND id = ?',
    name,
    operatorId,
    id,
  );
}

export function deletePasskey(tx: SqlTx, operatorId: string, id: string): Promise<number> {
  return tx.run('DELETE FROM operator_passkeys WHERE operator_id = ? AND id = ?', operatorId, id);
}

/** Also stops one that is being added. */
export async function deletePasskeysOf(tx: SqlTx, operatorId: string): Promise<number> {
  await tx.run('DELETE FROM passkey_challenges WHERE operator_id = ?', operatorId);
  return tx.run('DELETE FROM operator_passkeys WHERE operator_id = ?', operatorId);
}

/** Rows of their own: what anybody can call must not hold up the checks of a company. */
const CHALLENGES: Lock = { companyId: null, keys: ['passkey challenges'] };

/** Keeps at most `most`: what is over, and then the oldest, make room. */
export function keepChallenge(
  db: Database,
  challenge: { hash: Uint8Array; operatorId: string | null; expiresAt: number },
  { now, most }: { now: number; most: number },
): Promise<void> {
  return db.tx(async (tx) => {
    await tx.run('DELETE FROM passkey_challenges WHERE expires_at <= ?', now);
    await tx.run(
      `DELETE FROM passkey_challenges WHERE challenge_hash IN (
         SELECT challenge_hash FROM passkey_challenges ORDER BY expires_at DESC, challenge_hash LIMIT ? OFFSET ?)`,
      most,
      most - 1,
    );
    await insertRow(tx, 'passkey_challenges', {
      challenge_hash: challenge.hash,
      operator_id: challenge.operatorId,
      expires_at: challenge.expiresAt,
    });
  }, CHALLENGES);
}

/** 1 the first time in its life, for whom it was made. */
export function takeChallenge(
  db: Pick<Database, 'write'>,
  { hash, operatorId }: { hash: Uint8Array; operatorId: string | null },
  now: number,
): Promise<number> {
  const whose = operatorId === null ? 'operator_id IS NULL' : 'operator_id = ?';
  return db.write(
    `DELETE FROM passkey_challenges WHERE challenge_hash = ? AND expires_at > ? AND ${whose}`,
    hash,
    now,
    ...(operatorId === null ? [] : [operatorId]),
  );
}
