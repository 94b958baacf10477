/** Humans-only codes: which pass got one, until that is forgotten, and which were used here. */
import type { DeletionTime } from '../../domain/clock.ts';
import type { Scope } from '../../domain/scope.ts';
import { inScope, insertRow, ofScope } from '../rows.ts';
import { needLock, type SqlReader, type SqlTx } from '../sql/port.ts';
import { OF_PAST_EVENT } from './rules.ts';

export type StoredCode = {
  /** Hash of the serial. */
  id: string;
  eventId: string;
  keyVersion: number;
  passId: string | null;
  /** Null once nobody may know any more whose code it is. */
  serial: string | null;
  redeemedAt: number | null;
};

const SELECT = `SELECT id, event_id AS eventId, key_version AS keyVersion, pass_id AS passId, serial,
  redeemed_at AS redeemedAt FROM human_codes WHERE company_id = ? AND partition = ?`;

const opened = (db: SqlReader, row: StoredCode | undefined): StoredCode | undefined =>
  row && { ...row, serial: row.serial && db.secrets.open('human_codes.serial', [row.id], row.serial) };

/** The caller holds the company's lock: a pass has one code at an event. */
export async function insertHumanCode(
  tx: SqlTx,
  scope: Scope,
  code: Omit<StoredCode, 'redeemedAt' | 'serial'> & { serial: string },
): Promise<void> {
  needLock(tx, scope.companyId);
  await insertRow(tx, 'human_codes', {
    id: code.id,
    ...inScope(scope),
    event_id: code.eventId,
    key_version: code.keyVersion,
    pass_id: code.passId,
    serial: tx.secrets.seal('human_codes.serial', [code.id], code.serial),
  });
}

export async function findHumanCode(
  db: SqlReader,
  scope: Scope,
  id: string,
): Promise<StoredCode | undefined> {
  return opened(db, await db.one<StoredCode>(`${SELECT} AND id = ?`, ...ofScope(scope), id));
}

export async function findHumanCodeOfPass(
  db: SqlReader,
  scope: Scope,
  { passId, eventId }: { passId: string; eventId: string },
): Promise<StoredCode | undefined> {
  const row = await db.one<StoredCode>(
    `${SELECT} AND pass_id = ? AND event_id = ?`,
    ...ofScope(scope),
    passId,
    eventId,
  );
  return opened(db, row);
}

/** 0 if it was used before: of two at once, one uses it. */
export function redeemHumanCode(tx: SqlTx, scope: Scope, id: string, at: number): Promise<number> {
  return tx.run(
    `UPDATE human_codes SET redeemed_at = ? WHERE company_id = ? AND partition = ? AND id = ? AND redeemed_at IS NULL`,
    at,
    ...ofScope(scope),
    id,
  );
}

export type CodeCount = { keyVersion: number; codes: number; redeemed: number };

/** Of an event, by the key that signed them. */
export function countHumanCodes(db: SqlReader, scope: Scope, eventId: string): Promise<CodeCount[]> {
  return db.all<CodeCount>(
    `SELECT key_version AS keyVersion, COUNT(*) AS codes, COUNT(redeemed_at) AS redeemed FROM human_codes
     WHERE company_id = ? AND partition = ? AND event_id = ? GROUP BY key_version`,
    ...ofScope(scope),
    eventId,
  );
}

/** Ends those of an event that older keys signed and nobody used here. Returns their number. */
export function deleteUnusedCodes(
  tx: SqlTx,
  scope: Scope,
  { eventId, beforeVersion }: { eventId: string; beforeVersion: number },
): Promise<number> {
  return tx.run(
    `DELETE FROM human_codes WHERE company_id = ? AND partition = ? AND event_id = ? AND key_version < ?
       AND redeemed_at IS NULL`,
    ...ofScope(scope),
    eventId,
    beforeVersion,
  );
}

/** Forgets whose codes they were at events whose time has ended. Returns rows changed, at most `limit`. */
export function stripDueHumanCodes(tx: SqlTx, time: DeletionTime, limit: number): Promise<number> {
  return tx.run(
    `UPDATE human_codes SET pass_id = NULL, serial = NULL
     WHERE id IN (SELECT id FROM human_codes WHERE serial IS NOT NULL AND ${OF_PAST_EVENT} LIMIT ?)`,
    time,
    limit,
  );
}
