/**
 * After the machine's clock was corrected: records made while it was ahead would last too long. Each kind of end is
 * set to now if it is further ahead than its kind can last; a block begins now.
 */
import type { SqlTx, Database, SqlReader } from '../sql/port.ts';
import { pullForward } from '../webhooks/outbox.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

const ENDS: readonly { table: string; column: string; longestMs: number }[] = [
  { table: 'keys', column: 'ends_at', longestMs: 7 * DAY_MS },
  { table: 'webhook_secrets', column: 'ends_at', longestMs: 7 * DAY_MS },
  { table: 'sessions', column: 'expires_at', longestMs: DAY_MS },
  { table: 'sessions', column: 'unopened_since', longestMs: HOUR_MS },
  { table: 'my_sessions', column: 'expires_at', longestMs: DAY_MS },
  { table: 'operator_sessions', column: 'ends_at', longestMs: DAY_MS },
  { table: 'phone_codes', column: 'expires_at', longestMs: HOUR_MS },
  { table: 'phone_codes', column: 'lease_until', longestMs: HOUR_MS },
  { table: 'handoffs', column: 'expires_at', longestMs: HOUR_MS },
  { table: 'challenges', column: 'expires_at', longestMs: HOUR_MS },
  { table: 'kiosks', column: 'pairing_expires_at', longestMs: DAY_MS },
  { table: 'review_cases', column: 'lease_until', longestMs: HOUR_MS },
  { table: 'review_cases', column: 'decision_effective_at', longestMs: HOUR_MS },
  { table: 'operators', column: 'pin_locked_until', longestMs: DAY_MS },
  { table: 'sign_in_failures', column: 'locked_until', longestMs: DAY_MS },
  { table: 'case_frames', column: 'delete_after', longestMs: 366 * DAY_MS },
  // A season's event and the 30 days after it.
  { table: 'guest_photos', column: 'delete_after', longestMs: 397 * DAY_MS },
  // Visits in the future would extend the retention of faces.
  { table: 'people', column: 'last_seen_at', longestMs: DAY_MS },
];

/** Blocks lose no day, because a person whom nobody is to admit would pass unnoticed. */
const restartBlocks = (tx: SqlTx, nowMs: number): Promise<number> =>
  tx.run(
    `UPDATE person_blocks SET expires_at = expires_at - created_at + ?, created_at = ?
     WHERE created_at > ? AND ended_at IS NULL`,
    nowMs,
    nowMs,
    nowMs,
  );

/** Returns rows changed. */
export async function endWhatLastsTooLong(tx: SqlTx, nowMs: number): Promise<number> {
  let changed = (await pullForward(tx, nowMs)) + (await restartBlocks(tx, nowMs));
  for (const { table, column, longestMs } of ENDS) {
    changed += await tx.run(
      `UPDATE ${table} SET ${column} = ? WHERE ${column} > ?`,
      nowMs,
      nowMs + longestMs,
    );
  }
  return changed;
}

/** The last saved time of the installation. */
export type ClockState = {
  /** Epoch milliseconds. */
  seenAt: number;
  /** How often an admin has set it back. */
  resets: number;
};

export function readClockState(db: SqlReader): Promise<ClockState | undefined> {
  return db.one<ClockState>('SELECT seen_at AS seenAt, resets FROM clock_state WHERE id = 1');
}

/** Moves it forward, never back. Does nothing if an admin has set it back meanwhile. */
export function raiseSeen(db: Pick<Database, 'write'>, { seenAt, resets }: ClockState): Promise<number> {
  return db.write(
    `INSERT INTO clock_state (id, seen_at, resets) VALUES (1, ?, 0)
     ON CONFLICT (id) DO UPDATE SET seen_at = excluded.seen_at 
       WHERE clock_state.resets = ? AND clock_state.seen_at < excluded.seen_at`,
    seenAt,
    resets,
  );
}

/** An admin has confirmed the machine's clock: it applies from now on, forward or back. */
export function acceptTime(tx: SqlTx, at: number): Promise<number> {
  return tx.run(
    `UPDATE clock_state SET resets = resets + CASE WHEN seen_at > ? THEN 1 ELSE 0 END, seen_at = ? WHERE id = 1`,
    at,
    at,
  );
}
