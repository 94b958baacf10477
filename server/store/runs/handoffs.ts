import type { Device } from '../../contract/flow.ts';
import type { SqlReader, SqlTx, SqlValue } from '../sql/port.ts';
import { announceSession, OWNER_OF_SESSION } from './session-rows.ts';

/** A desktop's offer of its run to a phone. */
export type Handoff = {
  sessionId: string;
  matchCode: string;
  expiresAt: number;
  openedAt: number | null;
  confirmedAt: number | null;
  device: Device | null;
  /** Numbers that the phone may still try; 0 and unconfirmed means that the code has ended. */
  triesLeft: number;
  resumeKeyHash: Uint8Array | null;
};

const COLUMNS = `session_id AS sessionId, match_code AS matchCode, expires_at AS expiresAt, opened_at AS openedAt,
  confirmed_at AS confirmedAt, device, tries_left AS triesLeft,
  resume_key_hash AS resumeKeyHash`;

const withMatchCode = <T extends Pick<Handoff, 'sessionId' | 'matchCode'>>(
  { secrets }: SqlReader,
  row: T,
): T => ({
  ...row,
  matchCode: secrets.open('handoffs.match_code', [row.sessionId], row.matchCode),
});

/** A new offer invalidates the session's earlier ones and their phones. */
export async function replaceHandoff(
  tx: SqlTx,
  offer: { codeHash: Uint8Array; sessionId: string; matchCode: string; at: number; expiresAt: number },
): Promise<void> {
  await deleteHandoffsOf(tx, offer.sessionId);
  await changeHandoff(
    tx,
    'INSERT INTO handoffs (code_hash, session_id, match_code, offered_at, expires_at) VALUES (?, ?, ?, ?, ?)',
    offer.codeHash,
    offer.sessionId,
    tx.secrets.seal('handoffs.match_code', [offer.sessionId], offer.matchCode),
    offer.at,
    offer.expiresAt,
  );
}

/** Adds a handoff, or changes the one that the statement finds, and announces its session. Returns the rows changed. */
async function changeHandoff(tx: SqlTx, sql: string, ...params: SqlValue[]): Promise<number> {
  const changed = await tx.one<{ sessionId: string; companyId: string }>(
    `${sql} RETURNING session_id AS sessionId, ${OWNER_OF_SESSION}`,
    ...params,
  );
  if (!changed) return 0;
  announceSession(tx, changed.sessionId, changed.companyId);
  return 1;
}

async function oneWhere(db: SqlReader, where: string, ...params: SqlValue[]): Promise<Handoff | undefined> {
  const row = await db.one<Handoff>(`SELECT ${COLUMNS} FROM handoffs WHERE ${where}`, ...params);
  return row && withMatchCode(db, row);
}

export function findHandoffByCode(
  db: SqlReader,
  sessionId: string,
  codeHash: Uint8Array,
): Promise<Handoff | undefined> {
  return oneWhere(db, 'session_id = ? AND code_hash = ?', sessionId, codeHash);
}

export function findHandoffByToken(
  db: SqlReader,
  sessionId: string,
  flowTokenHash: Uint8Array,
): Promise<Handoff | undefined> {
  return oneWhere(db, 'session_id = ? AND flow_token_hash = ?', sessionId, flowTokenHash);
}

export function findHandoffOf(db: SqlReader, sessionId: string): Promise<Handoff | undefined> {
  return oneWhere(db, 'session_id = ?', sessionId);
}

/** 1 for the single device that uses the code, 0 for every other. */
export function takeHandoff(
  tx: SqlTx,
  codeHash: Uint8Array,
  taken: { flowTokenHash: Uint8Array; resumeKeyHash: Uint8Array | null; device: Device; at: number },
): Promise<number> {
  return changeHandoff(
    tx,
    `UPDATE handoffs SET flow_token_hash = ?, resume_key_hash = ?, device = ?, opened_at = ?
     WHERE code_hash = ? AND opened_at IS NULL`,
    taken.flowTokenHash,
    taken.resumeKeyHash,
    taken.device,
    taken.at,
    codeHash,
  );
}

/** Gives the same device, before it has confirmed, another token after a lost reply. */
export function retakeHandoff(
  tx: SqlTx,
  codeHash: Uint8Array,
  retaken: { flowTokenHash: Uint8Array; resumeKeyHash: Uint8Array },
): Promise<number> {
  return changeHandoff(
    tx,
    `UPDATE handoffs SET flow_token_hash = ?
     WHERE code_hash = ? AND resume_key_hash = ? AND opened_at IS NOT NULL AND confirmed_at IS NULL
       AND tries_left > 0`,
    retaken.flowTokenHash,
    codeHash,
    retaken.resumeKeyHash,
  );
}

type TriedHandoff = Pick<Handoff, 'sessionId' | 'matchCode' | 'triesLeft' | 'device'>;

/** Uses up one of the phone's tries before its number is compared; undefined if none is left. */
export async function useHandoffTry(tx: SqlTx, flowTokenHash: Uint8Array): Promise<TriedHandoff | undefined> {
  const row = await tx.one<TriedHandoff>(
    `UPDATE handoffs SET tries_left = tries_left - 1
     WHERE flow_token_hash = ? AND confirmed_at IS NULL AND tries_left > 0
     RETURNING session_id AS sessionId, match_code AS matchCode, tries_left AS triesLeft, device`,
    flowTokenHash,
  );
  return row && withMatchCode(tx, row);
}

/** Withdraws all offers of a session. */
export function deleteHandoffsOf(tx: SqlTx, sessionId: string): Promise<number> {
  return tx.run('DELETE FROM handoffs WHERE session_id = ?', sessionId);
}

export async function confirmHandoff(tx: SqlTx, flowTokenHash: Uint8Array, at: number): Promise<void> {
  await changeHandoff(
    tx,
    'UPDATE handoffs SET confirmed_at = ? WHERE flow_token_hash = ?',
    at,
    flowTokenHash,
  );
}

/** Removes the phone's token; the row stays, so that the desktop can explain what happened. */
export async function endHandoff(tx: SqlTx, flowTokenHash: Uint8Array): Promise<void> {
  await changeHandoff(
    tx,
    'UPDATE handoffs SET flow_token_hash = NULL, resume_key_hash = NULL WHERE flow_token_hash = ?',
    flowTokenHash,
  );
}
