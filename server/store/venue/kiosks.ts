import type { KioskCamera, KioskCommandKind, KioskScreen } from '../../contract/kiosk.ts';
import { flag, insertRow } from '../rows.ts';
import type { SqlReader, SqlTx } from '../sql/port.ts';

/** A device of a company. Waiting: a code and no token; paired: a token; revoked: neither. */
export type Kiosk = {
  id: string;
  companyId: string;
  name: string;
  eventId: string | null;
  /** Guests leave through it. */
  wayOut: 0 | 1;
  /** When its pairing code ends; null if there is none, or it was used. */
  pairingExpiresAt: number | null;
  pairedAt: number | null;
  /** It was paired with a key, so its captures count as trusted. */
  hasKey: 0 | 1;
  revokedAt: number | null;
  lastSeenAt: number | null;
  screen: KioskScreen | null;
  camera: KioskCamera | null;
  /** The run on its screen. */
  sessionId: string | null;
  commandId: string | null;
  command: KioskCommandKind | null;
  commandAt: number | null;
  createdAt: number;
  changedAt: number;
};

const COLUMNS = `id, company_id AS companyId, name, event_id AS eventId, way_out AS wayOut, pairing_expires_at AS pairingExpiresAt,
  paired_at AS pairedAt, CASE WHEN public_key IS NULL THEN 0 ELSE 1 END AS hasKey, revoked_at AS revokedAt, last_seen_at AS lastSeenAt, screen, camera, session_id AS sessionId,
  command_id AS commandId, command, command_at AS commandAt, created_at AS createdAt, changed_at AS changedAt`;

/** Always a later time than before: restored access compares it, and the clock of a node may be behind. */
const CHANGED = 'CASE WHEN changed_at < ? THEN ? ELSE changed_at + 1 END';

export type NewKiosk = Pick<Kiosk, 'id' | 'companyId' | 'name' | 'eventId'> & {
  codeHash: Uint8Array;
  codeExpiresAt: number;
  at: number;
};

export async function insertKiosk(tx: SqlTx, kiosk: NewKiosk): Promise<void> {
  await insertRow(tx, 'kiosks', {
    id: kiosk.id,
    company_id: kiosk.companyId,
    name: kiosk.name,
    event_id: kiosk.eventId,
    pairing_code_hash: kiosk.codeHash,
    pairing_expires_at: kiosk.codeExpiresAt,
    created_at: kiosk.at,
    changed_at: kiosk.at,
  });
}

export function findKiosk(db: SqlReader, companyId: string, id: string): Promise<Kiosk | undefined> {
  return db.one<Kiosk>(`SELECT ${COLUMNS} FROM kiosks WHERE company_id = ? AND id = ?`, companyId, id);
}

/** Those that are not revoked, oldest first. A venue has a few dozen; `MAX_KIOSKS` bounds them. */
export function listKiosks(db: SqlReader, companyId: string): Promise<Kiosk[]> {
  return db.all<Kiosk>(
    `SELECT ${COLUMNS} FROM kiosks WHERE company_id = ? AND revoked_at IS NULL ORDER BY created_at, id`,
    companyId,
  );
}

/** Of all companies: those that have reported since `since` (epoch milliseconds). */
export async function countReportingKiosks(db: SqlReader, since: number): Promise<number> {
  const row = await db.one<{ n: number }>(
    'SELECT COUNT(*) AS n FROM kiosks WHERE revoked_at IS NULL AND paired_at IS NOT NULL AND last_seen_at > ?',
    since,
  );
  return row?.n ?? 0;
}

export async function countKiosks(db: SqlReader, companyId: string): Promise<number> {
  const row = await db.one<{ n: number }>(
    'SELECT COUNT(*) AS n FROM kiosks WHERE company_id = ? AND revoked_at IS NULL',
    companyId,
  );
  return row?.n ?? 0;
}

/** The company whose kiosk a code pairs; undefined if the code is unknown, used or expired. */
export async function companyOfCode(
  db: SqlReader,
  codeHash: Uint8Array,
  at: number,
): Promise<string | undefined> {
  const row = await db.one<{ companyId: string }>(
    `SELECT company_id AS companyId FROM kiosks
     WHERE pairing_code_hash = ? AND pairing_expires_at > ? AND revoked_at IS NULL`,
    codeHash,
    at,
  );
  return row?.companyId;
}

/** The token grants access, and determines its own company. */
export function findKioskByToken(db: SqlReader, tokenHash: Uint8Array): Promise<Kiosk | undefined> {
  return db.one<Kiosk>(
    `SELECT ${COLUMNS} FROM kiosks WHERE token_hash = ? AND revoked_at IS NULL`,
    tokenHash,
  );
}

/** Uses up a code. Returns the kiosk that it pairs; undefined if the code is unknown, used or expired. */
export function pairKiosk(
  tx: SqlTx,
  codeHash: Uint8Array,
  pairing: { tokenHash: Uint8Array; publicKey: Uint8Array | null; at: number },
): Promise<Kiosk | undefined> {
  return tx.one<Kiosk>(
    `UPDATE kiosks SET token_hash = ?, public_key = ?, paired_at = ?, pairing_code_hash = NULL, pairing_expires_at = NULL,
       last_seen_at = ?, screen = NULL, camera = NULL, session_id = NULL, command_id = NULL, command = NULL,
       command_at = NULL, changed_at = ${CHANGED}
     WHERE pairing_code_hash = ? AND pairing_expires_at > ? AND revoked_at IS NULL
     RETURNING ${COLUMNS}`,
    pairing.tokenHash,
    pairing.publicKey,
    pairing.at,
    pairing.at,
    pairing.at,
    pairing.at,
    codeHash,
    pairing.at,
  );
}

/** Another pairing code; a paired device stays paired until the code is used. */
export function setPairingCode(
  tx: SqlTx,
  companyId: string,
  id: string,
  code: { hash: Uint8Array; expiresAt: number; at: number },
): Promise<number> {
  return tx.run(
    `UPDATE kiosks SET pairing_code_hash = ?, pairing_expires_at = ?, changed_at = ${CHANGED}
     WHERE company_id = ? AND id = ? AND revoked_at IS NULL`,
    code.hash,
    code.expiresAt,
    code.at,
    code.at,
    companyId,
    id,
  );
}

export function updateKiosk(
  tx: SqlTx,
  companyId: string,
  id: string,
  change: { name: string; eventId: string | null; isWayOut: boolean; at: number },
): Promise<number> {
  return tx.run(
    `UPDATE kiosks SET name = ?, event_id = ?, way_out = ?, changed_at = ${CHANGED}
     WHERE company_id = ? AND id = ? AND revoked_at IS NULL`,
    change.name,
    change.eventId,
    flag(change.isWayOut),
    change.at,
    change.at,
    companyId,
    id,
  );
}

/** Deletes the token and the code, so that the row can never grant access again, and the record of its light. */
export async function revokeKiosk(tx: SqlTx, companyId: string, id: string, at: number): Promise<number> {
  await tx.run('DELETE FROM page_light WHERE company_id = ? AND kiosk_id = ?', companyId, id);
  return tx.run(
    `UPDATE kiosks SET revoked_at = ?, token_hash = NULL, public_key = NULL, pairing_code_hash = NULL, pairing_expires_at = NULL,
       event_id = NULL, session_id = NULL, command_id = NULL, command = NULL, command_at = NULL, changed_at = ${CHANGED}
     WHERE company_id = ? AND id = ? AND revoked_at IS NULL`,
    at,
    at,
    at,
    companyId,
    id,
  );
}

/** Deletes the device's token; the kiosk keeps its name and event, and waits for another code. */
export function unpairKiosk(tx: SqlTx, companyId: string, id: string, at: number): Promise<number> {
  return tx.run(
    `UPDATE kiosks SET token_hash = NULL, public_key = NULL, paired_at = NULL, screen = NULL, camera = NULL, session_id = NULL,
       command_id = NULL, command = NULL, command_at = NULL, changed_at = ${CHANGED}
     WHERE company_id = ? AND id = ? AND revoked_at IS NULL AND token_hash IS NOT NULL`,
    at,
    at,
    companyId,
    id,
  );
}

export function setCommand(
  tx: SqlTx,
  companyId: string,
  id: string,
  command: { id: string; kind: KioskCommandKind; at: number },
): Promise<number> {
  return tx.run(
    `UPDATE kiosks SET command_id = ?, command = ?, command_at = ?
     WHERE company_id = ? AND id = ? AND revoked_at IS NULL AND token_hash IS NOT NULL`,
    command.id,
    command.kind,
    command.at,
    companyId,
    id,
  );
}

export function clearCommand(db: Pick<SqlTx, 'run'>, kioskId: string, commandId: string): Promise<number> {
  return db.run(
    'UPDATE kiosks SET command_id = NULL, command = NULL, command_at = NULL WHERE id = ? AND command_id = ?',
    kioskId,
    commandId,
  );
}

export function recordHeartbeat(
  db: Pick<SqlTx, 'run'>,
  kioskId: string,
  seen: { screen: KioskScreen; camera: KioskCamera; sessionId: string | null; at: number },
): Promise<number> {
  return db.run(
    `UPDATE kiosks SET last_seen_at = ?, screen = ?, camera = ?,
       session_id = (SELECT s.id FROM sessions s WHERE s.id = ? AND s.company_id = kiosks.company_id)
     WHERE id = ? AND revoked_at IS NULL`,
    seen.at,
    seen.screen,
    seen.camera,
    seen.sessionId,
    kioskId,
  );
}
