/** Codes that make phones scanners, and the phones. */
import type { ShiftRole } from '../../domain/tickets/ticket.ts';
import type { Scope } from '../../domain/scope.ts';
import { inScope, insertRow, ofScope } from '../rows.ts';
import type { SqlReader, SqlTx } from '../sql/port.ts';

export type Shift = {
  id: string;
  eventId: string;
  role: ShiftRole;
  code: string;
  createdAt: number;
  createdBy: string;
  endsAt: number;
  revokedAt: number | null;
};

export type ShiftPhone = { id: string; shiftId: string; name: string; joinedAt: number };

const COLUMNS = `s.id, s.event_id AS eventId, s.role, s.code, s.created_at AS createdAt, s.created_by AS createdBy,
  s.ends_at AS endsAt, s.revoked_at AS revokedAt`;

const opened = <T extends Shift>(db: SqlReader, row: T): T => ({
  ...row,
  code: db.secrets.open('ticket_shifts.code', [row.id], row.code),
});

export async function insertShift(
  tx: SqlTx,
  scope: Scope,
  shift: Omit<Shift, 'revokedAt'> & { codeHash: Uint8Array },
): Promise<void> {
  await insertRow(tx, 'ticket_shifts', {
    id: shift.id,
    ...inScope(scope),
    event_id: shift.eventId,
    role: shift.role,
    code_hash: shift.codeHash,
    code: tx.secrets.seal('ticket_shifts.code', [shift.id], shift.code),
    created_at: shift.createdAt,
    created_by: shift.createdBy,
    ends_at: shift.endsAt,
  });
}

/** Those that still make phones scanners, oldest first; of more than 50 the latest. */
export async function listShifts(
  db: SqlReader,
  scope: Scope,
  { eventId, now }: { eventId: string; now: number },
): Promise<(Shift & { phones: number })[]> {
  const rows = await db.all<Shift & { phones: number }>(
    `SELECT ${COLUMNS}, (SELECT COUNT(*) FROM shift_phones p WHERE p.shift_id = s.id) AS phones
     FROM ticket_shifts s WHERE s.company_id = ? AND s.partition = ? AND s.event_id = ? AND s.revoked_at IS NULL
       AND s.ends_at > ? ORDER BY s.created_at DESC, s.id DESC LIMIT 50`,
    ...ofScope(scope),
    eventId,
    now,
  );
  return rows.map((row) => opened(db, row)).reverse();
}

/** Its phones stop working at once. 0 if it was revoked before. */
export function revokeShift(tx: SqlTx, scope: Scope, id: string, at: number): Promise<number> {
  return tx.run(
    `UPDATE ticket_shifts SET revoked_at = ? WHERE company_id = ? AND partition = ? AND id = ? AND revoked_at IS NULL`,
    at,
    ...ofScope(scope),
    id,
  );
}

const OPEN = 's.revoked_at IS NULL AND s.ends_at > ?';

/** The code grants access, and determines its own scope. */
export async function findShiftByCode(
  db: SqlReader,
  codeHash: Uint8Array,
  now: number,
): Promise<(Shift & Scope) | undefined> {
  const row = await db.one<Shift & Scope>(
    `SELECT ${COLUMNS}, s.company_id AS companyId, s.partition FROM ticket_shifts s WHERE s.code_hash = ? AND ${OPEN}`,
    codeHash,
    now,
  );
  return row && opened(db, row);
}

export async function insertPhone(tx: SqlTx, phone: ShiftPhone & { tokenHash: Uint8Array }): Promise<void> {
  await insertRow(tx, 'shift_phones', {
    id: phone.id,
    shift_id: phone.shiftId,
    name: phone.name,
    token_hash: phone.tokenHash,
    joined_at: phone.joinedAt,
  });
}

export type PhoneOnDuty = Scope &
  Pick<Shift, 'role' | 'eventId' | 'endsAt'> &
  Pick<ShiftPhone, 'id' | 'name'>;

/** The token grants access, and determines its own scope. */
export function findPhoneByToken(
  db: SqlReader,
  tokenHash: Uint8Array,
  now: number,
): Promise<PhoneOnDuty | undefined> {
  return db.one<PhoneOnDuty>(
    `SELECT p.id, p.name, s.role, s.event_id AS eventId, s.ends_at AS endsAt, s.company_id AS companyId, s.partition
     FROM shift_phones p JOIN ticket_shifts s ON s.id = p.shift_id WHERE p.token_hash = ? AND ${OPEN}`,
    tokenHash,
    now,
  );
}

/** Null takes the call back. 0 if nothing changes. */
export function callFrom(tx: SqlTx, phoneId: string, at: number | null): Promise<number> {
  return tx.run(
    `UPDATE shift_phones SET called_at = ? WHERE id = ? AND called_at IS ${at === null ? 'NOT NULL' : 'NULL'}`,
    at,
    phoneId,
  );
}

/** Longest waiting first. */
export function listCalls(
  db: SqlReader,
  scope: Scope,
  { eventId, now }: { eventId: string; now: number },
): Promise<{ id: string; name: string; at: number }[]> {
  return db.all(
    `SELECT p.id, p.name, p.called_at AS at FROM shift_phones p JOIN ticket_shifts s ON s.id = p.shift_id
     WHERE s.company_id = ? AND s.partition = ? AND s.event_id = ? AND ${OPEN} AND p.called_at IS NOT NULL
     ORDER BY p.called_at, p.id LIMIT 20`,
    ...ofScope(scope),
    eventId,
    now,
  );
}
