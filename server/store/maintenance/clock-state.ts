/** The last time that was durably seen, of the installation as a whole. */
import type { Database, SqlReader, SqlTx } from '../sql/port.ts';

export type ClockState = {
  /** Epoch milliseconds. */
  seenAt: number;
  /** How often an admin set it back. */
  resets: number;
};

export function readClockState(db: SqlReader): Promise<ClockState | undefined> {
  return db.one<ClockState>('SELECT seen_at AS seenAt, resets FROM clock_state WHERE id = 1');
}

/** Moves it forward, never back; does nothing where an admin has set it back meanwhile. */
export function raiseSeen(db: Pick<Database, 'write'>, { seenAt, resets }: ClockState): Promise<number> {
  return db.write(
    `INSERT INTO clock_state (id, seen_at, resets) VALUES (1, ?, 0)
     ON CONFLICT (id) DO UPDATE SET seen_at = excluded.seen_at WHERE resets = ? AND seen_at < excluded.seen_at`,
    seenAt,
    resets,
  );
}

/** An admin has confirmed the machine's clock: it counts from now on, forward or back. */
export function acceptTime(tx: SqlTx, at: number): Promise<number> {
  return tx.run(
    `UPDATE clock_state SET resets = resets + CASE WHEN seen_at > ? THEN 1 ELSE 0 END, seen_at = ? WHERE id = 1`,
    at,
    at,
  );
}
