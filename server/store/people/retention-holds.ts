/** Clean-ups on hold until an admin confirms them; at most one is open. */
import type { Actor } from '../../domain/operators/actor.ts';
import { insertUnlessThere } from '../rows.ts';
import type { SqlReader, SqlTx } from '../sql/port.ts';

export type HoldReason = 'clock_ahead' | 'clock_behind' | 'many_faces';

export type OpenHold = {
  id: string;
  reason: HoldReason;
  /** `running` once the backup is made and the time is accepted. */
  state: 'waiting' | 'confirmed' | 'running';
  putOffAt: number;
  /** The machine's clock at the start of the hold; once confirmed, the confirmed time. */
  clockAt: number;
  seenAt: number;
  confirmedAt: number | null;
  confirmedBy: Actor | null;
  /** How many faces the admin was told would be removed. */
  confirmedFaces: number | null;
  backup: string | null;
  /** Why the last attempt at a confirmed clean-up failed. */
  failure: string | null;
};

const IS_OPEN = `state IN ('waiting', 'confirmed', 'running')`;

export function findOpenHold(db: SqlReader): Promise<OpenHold | undefined> {
  return db.one<OpenHold>(
    `SELECT id, reason, state, put_off_at AS putOffAt, clock_at AS clockAt, seen_at AS seenAt,
       confirmed_at AS confirmedAt, confirmed_by AS confirmedBy, confirmed_faces AS confirmedFaces, backup, failure
     FROM retention_holds WHERE ${IS_OPEN}`,
  );
}

/** 0 if one is already open. */
export function insertHold(
  tx: SqlTx,
  hold: Pick<OpenHold, 'id' | 'reason' | 'putOffAt' | 'clockAt' | 'seenAt'>,
): Promise<number> {
  tx.afterCommit('health');
  return insertUnlessThere(tx, 'retention_holds', {
    id: hold.id,
    reason: hold.reason,
    state: 'waiting',
    put_off_at: hold.putOffAt,
    clock_at: hold.clockAt,
    seen_at: hold.seenAt,
  });
}

/** 0 if it is no longer waiting: someone else confirmed it, or it has lapsed. */
export function confirmHold(
  tx: SqlTx,
  id: string,
  confirmed: { at: number; by: string; clockAt: number; faces: number },
): Promise<number> {
  tx.afterCommit('health');
  return tx.run(
    `UPDATE retention_holds SET state = 'confirmed', confirmed_at = ?, confirmed_by = ?, clock_at = ?,
       confirmed_faces = ?, failure = NULL WHERE id = ? AND state = 'waiting'`,
    confirmed.at,
    confirmed.by,
    confirmed.clockAt,
    confirmed.faces,
    id,
  );
}

/** The confirmation no longer matches the clock, so it is requested again. */
export function unconfirmHold(tx: SqlTx, id: string, clockAt: number): Promise<number> {
  tx.afterCommit('health');
  return tx.run(
    `UPDATE retention_holds SET state = 'waiting', confirmed_at = NULL, confirmed_by = NULL, confirmed_faces = NULL,
       failure = NULL, clock_at = ? WHERE id = ? AND state = 'confirmed'`,
    clockAt,
    id,
  );
}

export function failHold(tx: SqlTx, id: string, failure: string): Promise<number> {
  return tx.run(`UPDATE retention_holds SET failure = ? WHERE id = ? AND ${IS_OPEN}`, failure, id);
}

/** 0 if another process has started it. */
export function beginHold(tx: SqlTx, id: string, backup: string): Promise<number> {
  tx.afterCommit('health');
  return tx.run(
    `UPDATE retention_holds SET state = 'running', backup = ?, failure = NULL WHERE id = ? AND state = 'confirmed'`,
    backup,
    id,
  );
}

/** 0 if it has already ended. */
export function endHold(tx: SqlTx, id: string, state: 'done' | 'lapsed', at: number): Promise<number> {
  tx.afterCommit('health');
  return tx.run(
    `UPDATE retention_holds SET state = ?, ended_at = ? WHERE id = ? AND ${IS_OPEN}`,
    state,
    at,
    id,
  );
}
