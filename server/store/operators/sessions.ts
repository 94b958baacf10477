import type { Role } from '../../contract/console/common.ts';
import type { DeletionTime } from '../../domain/clock.ts';
import { deleteSome, insertRow, OVER_AT_ONCE } from '../rows.ts';
import type { SqlReader, SqlTx } from '../sql/port.ts';

type StoredOperatorSession = {
  id: string;
  operatorId: string;
  address: string;
  device: string;
  /** Where the identity provider that opened it signs out; empty if nowhere; null for a local sign-in. */
  provider: string | null;
  createdAt: number;
  lastSeenAt: number;
  endsAt: number;
  endedAt: number | null;
  endedReason: string | null;
};

/** A session with the data about its operator that every call needs. */
export type SessionWithOperator = StoredOperatorSession & {
  operatorName: string;
  operatorRole: Role;
  operatorDisabledAt: number | null;
  allCompanies: number;
  hasPin: number;
  hasSecondFactor: number;
};

const COLUMNS = `s.id, s.operator_id AS operatorId, s.address, s.device, s.provider, s.created_at AS createdAt,
  s.last_seen_at AS lastSeenAt, s.ends_at AS endsAt, s.ended_at AS endedAt, s.ended_reason AS endedReason`;

export async function insertOperatorSession(
  tx: SqlTx,
  session: Omit<StoredOperatorSession, 'endedAt' | 'endedReason'> & { tokenHash: Uint8Array },
): Promise<void> {
  await insertRow(tx, 'operator_sessions', {
    id: session.id,
    token_hash: session.tokenHash,
    operator_id: session.operatorId,
    address: tx.secrets.seal('operator_sessions.address', [session.id], session.address),
    device: session.device,
    provider: session.provider,
    created_at: session.createdAt,
    last_seen_at: session.lastSeenAt,
    ends_at: session.endsAt,
  });
}

const withAddress = <T extends StoredOperatorSession>({ secrets }: SqlReader, row: T): T => ({
  ...row,
  address: secrets.open('operator_sessions.address', [row.id], row.address),
});

export async function findSessionByToken(
  db: SqlReader,
  tokenHash: Uint8Array,
): Promise<SessionWithOperator | undefined> {
  const row = await db.one<SessionWithOperator>(
    `SELECT ${COLUMNS}, o.name AS operatorName, o.role AS operatorRole, o.disabled_at AS operatorDisabledAt,
       o.all_companies AS allCompanies,
       o.pin_hash IS NOT NULL AS hasPin,
       EXISTS (SELECT 1 FROM second_factors f WHERE f.operator_id = o.id) AS hasSecondFactor
     FROM operator_sessions s JOIN operators o ON o.id = s.operator_id WHERE s.token_hash = ?`,
    tokenHash,
  );
  return row && withAddress(db, row);
}

/** Active sessions of an operator, newest first. */
export async function listOpenSessions(
  db: SqlReader,
  operatorId: string,
  { now, idleSince }: { now: number; idleSince: number },
): Promise<StoredOperatorSession[]> {
  const rows = await db.all<StoredOperatorSession>(
    `SELECT ${COLUMNS} FROM operator_sessions s
     WHERE s.operator_id = ? AND s.ended_at IS NULL AND s.ends_at > ? AND s.last_seen_at > ?
     ORDER BY s.created_at DESC, s.id DESC`,
    operatorId,
    now,
    idleSince,
  );
  return rows.map((row) => withAddress(db, row));
}

/** Where an operator has signed in, as far back as sessions are kept. */
export async function listSessionAddresses(db: SqlReader, operatorId: string): Promise<string[]> {
  const rows = await db.all<{ id: string; address: string }>(
    'SELECT id, address FROM operator_sessions WHERE operator_id = ?',
    operatorId,
  );
  const addresses = rows.map(({ id, address }) =>
    db.secrets.open('operator_sessions.address', [id], address),
  );
  return [...new Set(addresses)];
}

export async function countOpenSessions(
  db: SqlReader,
  { now, idleSince }: { now: number; idleSince: number },
): Promise<Map<string, number>> {
  const rows = await db.all<{ operatorId: string; n: number }>(
    `SELECT operator_id AS operatorId, COUNT(*) AS n FROM operator_sessions
     WHERE ended_at IS NULL AND ends_at > ? AND last_seen_at > ? GROUP BY operator_id`,
    now,
    idleSince,
  );
  return new Map(rows.map(({ operatorId, n }) => [operatorId, n]));
}

export function touchOperatorSession(tx: Pick<SqlTx, 'run'>, id: string, at: number): Promise<number> {
  return tx.run(
    'UPDATE operator_sessions SET last_seen_at = ? WHERE id = ? AND last_seen_at < ?',
    at,
    id,
    at,
  );
}

/** 0 if it has already ended or belongs to another operator. */
export function endOperatorSession(
  tx: SqlTx,
  operatorId: string,
  id: string,
  at: number,
  reason: string,
): Promise<number> {
  return tx.run(
    `UPDATE operator_sessions SET ended_at = ?, ended_reason = ?
     WHERE operator_id = ? AND id = ? AND ended_at IS NULL`,
    at,
    reason,
    operatorId,
    id,
  );
}

/** Ends all sessions of an operator except one (null: every one). */
export function endSessionsOf(
  tx: SqlTx,
  operatorId: string,
  exceptId: string | null,
  at: number,
  reason: string,
): Promise<number> {
  return tx.run(
    `UPDATE operator_sessions SET ended_at = ?, ended_reason = ?
     WHERE operator_id = ? AND id <> ? AND ended_at IS NULL`,
    at,
    reason,
    operatorId,
    exceptId ?? '',
  );
}

/** Ends the sessions of all operators. */
export function endEverySession(tx: SqlTx, at: number, reason: string): Promise<number> {
  return tx.run(
    'UPDATE operator_sessions SET ended_at = ?, ended_reason = ? WHERE ended_at IS NULL',
    at,
    reason,
  );
}

/** Removes sessions that ended before this time; nobody needs them any more. Returns rows removed, at most `OVER_AT_ONCE`. */
export function deleteSessionsOverBefore(tx: SqlTx, before: DeletionTime): Promise<number> {
  const over = { table: 'operator_sessions', key: 'id', where: 'ends_at < ?' };
  return deleteSome(tx.run, over, [before], OVER_AT_ONCE);
}
