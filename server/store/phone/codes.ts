import type { Partition, Scope } from '../../domain/scope.ts';
import { announceSession } from '../runs/session-rows.ts';
import { insertRow, ofScope } from '../rows.ts';
import type { SqlReader, SqlTx } from '../sql/port.ts';

/** `none`: a test number, or staff read it out. */
type CodeDelivery = 'none' | 'pending' | 'sent' | 'failed';

export type PhoneCode = {
  id: string;
  /** Null for a code that opens the person's own page. */
  sessionId: string | null;
  number: string;
  /** Null once it has been used. */
  code: string | null;
  sentAt: number;
  expiresAt: number;
  triesLeft: number;
  delivery: CodeDelivery;
};

/** `language` is the one in which the person consented; null if unknown. */
export type PendingCode = PhoneCode & { language: string | null };

const COLUMNS = `id, session_id AS sessionId, number, code, sent_at AS sentAt, expires_at AS expiresAt,
  tries_left AS triesLeft, delivery`;

const withCode = <T extends PhoneCode>({ secrets }: SqlReader, row: T): T => ({
  ...row,
  code: secrets.open('phone_codes.code', [row.id], row.code),
});

export async function insertPhoneCode(tx: SqlTx, scope: Scope | null, code: PhoneCode): Promise<void> {
  await insertRow(tx, 'phone_codes', {
    id: code.id,
    session_id: code.sessionId,
    company_id: scope?.companyId ?? null,
    partition: scope?.partition ?? null,
    number: code.number,
    code: tx.secrets.seal('phone_codes.code', [code.id], code.code),
    sent_at: code.sentAt,
    expires_at: code.expiresAt,
    tries_left: code.triesLeft,
    delivery: code.delivery,
  });
  tx.afterCommit('codes', scope?.companyId);
  if (code.sessionId !== null && scope !== null) announceSession(tx, code.sessionId, scope.companyId);
}

/** The session's last code, the only valid one. */
export async function findLatestCode(
  db: SqlReader,
  scope: Scope,
  sessionId: string,
): Promise<PhoneCode | undefined> {
  const row = await db.one<PhoneCode>(
    `SELECT ${COLUMNS} FROM phone_codes WHERE company_id = ? AND partition = ? AND session_id = ?
     ORDER BY sent_at DESC, id DESC LIMIT 1`,
    ...ofScope(scope),
    sessionId,
  );
  return row && withCode(db, row);
}

export async function countCodesOfSession(db: SqlReader, scope: Scope, sessionId: string): Promise<number> {
  const row = await db.one<{ n: number }>(
    'SELECT COUNT(*) AS n FROM phone_codes WHERE company_id = ? AND partition = ? AND session_id = ?',
    ...ofScope(scope),
    sessionId,
  );
  return row?.n ?? 0;
}

/**
 * Codes for a number since a time, in all companies: those of sessions, or those for the person's own page. Anyone can
 * request the latter, so they do not count against the former.
 */
export async function countCodesOfNumber(
  db: SqlReader,
  number: string,
  { since, ofSessions }: { since: number; ofSessions: boolean },
): Promise<number> {
  const row = await db.one<{ n: number }>(
    `SELECT COUNT(*) AS n FROM phone_codes
     WHERE number = ? AND sent_at >= ? AND session_id IS ${ofSessions ? 'NOT NULL' : 'NULL'}`,
    number,
    since,
  );
  return row?.n ?? 0;
}

/** Uses up one try before the comparison; 0 if none is left. */
export async function spendTry(tx: SqlTx, id: string): Promise<number> {
  const spent = await tx.one<{ companyId: string | null }>(
    `UPDATE phone_codes SET tries_left = tries_left - 1 WHERE id = ? AND tries_left > 0
     RETURNING company_id AS companyId`,
    id,
  );
  if (spent) tx.afterCommit('codes', spent.companyId ?? '');
  return spent ? 1 : 0;
}

/** Removes the digits of a session's codes. */
export function eraseCodes(tx: SqlTx, scope: Scope, sessionId: string): Promise<number> {
  return tx.run(
    'UPDATE phone_codes SET code = NULL WHERE company_id = ? AND partition = ? AND session_id = ?',
    ...ofScope(scope),
    sessionId,
  );
}

/**
 * Codes that staff may currently read out, newest first.
 * @param ownPages includes those for people's own pages that nobody has sent; they open the data of all companies
 */
export async function listReadableCodes(
  db: SqlReader,
  companyId: string,
  { nowMs, ownPages }: { nowMs: number; ownPages: boolean },
): Promise<(PhoneCode & { partition: Partition | null })[]> {
  const rows = await db.all<PhoneCode & { partition: Partition | null }>(
    `SELECT ${COLUMNS}, partition FROM phone_codes
     WHERE (company_id = ?${ownPages ? " OR (company_id IS NULL AND delivery IN ('none', 'failed'))" : ''})
       AND code IS NOT NULL AND expires_at > ? AND tries_left > 0 ORDER BY sent_at DESC`,
    companyId,
    nowMs,
  );
  return rows.map((row) => withCode(db, row));
}

/** Claims one code waiting to be sent, of a session or for a person's own page, so that no two processes send it. */
export async function claimPendingCode(
  tx: SqlTx,
  { nowMs, leaseMs, ofSessions }: { nowMs: number; leaseMs: number; ofSessions: boolean },
): Promise<PendingCode | undefined> {
  const claimed = await tx.one<PendingCode>(
    `UPDATE phone_codes SET lease_until = ?
     WHERE id = (SELECT id FROM phone_codes WHERE delivery = 'pending' AND expires_at > ?
       AND session_id IS ${ofSessions ? 'NOT NULL' : 'NULL'}
       AND (lease_until IS NULL OR lease_until <= ?) ORDER BY sent_at LIMIT 1 /* FOR UPDATE SKIP LOCKED */)
     RETURNING ${COLUMNS},
       (SELECT s.consent_language FROM sessions s WHERE s.id = phone_codes.session_id) AS language`,
    nowMs + leaseMs,
    nowMs,
    nowMs,
  );
  return claimed && withCode(tx, claimed);
}

export function recordDelivery(tx: Pick<SqlTx, 'run'>, id: string, delivery: CodeDelivery): Promise<number> {
  return tx.run('UPDATE phone_codes SET delivery = ?, lease_until = NULL WHERE id = ?', delivery, id);
}

/** The last code for a person's own page that was sent to a number. */
export async function findLatestOwnCode(db: SqlReader, number: string): Promise<PhoneCode | undefined> {
  const row = await db.one<PhoneCode>(
    `SELECT ${COLUMNS} FROM phone_codes WHERE number = ? AND session_id IS NULL ORDER BY sent_at DESC, id DESC LIMIT 1`,
    number,
  );
  return row && withCode(db, row);
}

export function eraseOwnCodes(tx: SqlTx, number: string): Promise<number> {
  tx.afterCommit('codes');
  return tx.run('UPDATE phone_codes SET code = NULL WHERE number = ? AND session_id IS NULL', number);
}
