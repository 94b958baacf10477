/** Recently allowed hits of an address, a number or everyone, in all companies: the memory of rate limits. */
import type { SqlReader, SqlTx } from '../sql/port.ts';

/** Start (exclusive) and end (inclusive). */
type HitWindow = { after: number; until: number };

export async function countHits(
  db: SqlReader,
  subject: Uint8Array,
  { after, until }: HitWindow,
): Promise<number> {
  const row = await db.one<{ n: number }>(
    'SELECT coalesce(sum(n), 0) AS n FROM rate_hits WHERE subject = ? AND at > ? AND at <= ?',
    db.secrets.digest(subject),
    after,
    until,
  );
  return row?.n ?? 0;
}

/**
 * The time at which the window has at most `keep` hits, once everything up to it has left the window; undefined if it
 * already has no more.
 */
export async function timeOfHitToDrop(
  db: SqlReader,
  subject: Uint8Array,
  { after, until }: HitWindow,
  keep: number,
): Promise<number | undefined> {
  const row = await db.one<{ at: number }>(
    `SELECT at FROM (
       SELECT at, sum(n) OVER (ORDER BY at DESC) AS fromHere FROM rate_hits
       WHERE subject = ? AND at > ? AND at <= ?) AS hits
     WHERE fromHere > ? ORDER BY at DESC LIMIT 1`,
    db.secrets.digest(subject),
    after,
    until,
    keep,
  );
  return row?.at;
}

export async function addHit(tx: SqlTx, subject: Uint8Array, at: number): Promise<void> {
  await tx.run(
    `INSERT INTO rate_hits (subject, at, n) VALUES (?, ?, 1)
     ON CONFLICT (subject, at) DO UPDATE SET n = rate_hits.n + 1`,
    tx.secrets.digest(subject),
    at,
  );
}

/** Removes old hits of a subject. */
export function forgetHits(tx: SqlTx, subject: Uint8Array, until: number): Promise<number> {
  return tx.run('DELETE FROM rate_hits WHERE subject = ? AND at <= ?', tx.secrets.digest(subject), until);
}
