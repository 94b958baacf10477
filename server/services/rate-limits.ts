/** Rate limits whose memory is the database: a restart frees nobody, and requests at the same time are counted too. */
import { type RateLimit, waitFor, windowAt } from '../domain/rate-limit.ts';
import type { SqlReader, SqlTx } from '../store/sql/port.ts';
import { addHit, countHits, forgetHits, timeOfHitToDrop } from '../store/rate-hits.ts';
import { sha256 } from './ids.ts';

/** A limit on one subject: an address, a number. */
export type Limited = RateLimit & { subject: Uint8Array };

const SECOND_MS = 1_000;

/** @param kind what is counted @param who kept as a hash only */
export const limited = (kind: string, who: string, limit: RateLimit): Limited => ({
  ...limit,
  subject: sha256(`${kind}:${who}`),
});

/** Null where one more is allowed, else after how many milliseconds one will be. */
export async function waitMsOf(db: SqlReader, of: Limited, nowMs: number): Promise<number | null> {
  const window = windowAt(of, nowMs);
  if ((await countHits(db, of.subject, window)) < of.limit) return null;
  const at = await timeOfHitToDrop(db, of.subject, window, of.limit - 1);
  return at === undefined ? of.windowMs : waitFor(at, of, nowMs);
}

/** Counts one that was allowed. In the transaction that asked `waitMsOf`. */
export async function recordHit(tx: SqlTx, { subject, windowMs }: Limited, nowMs: number): Promise<void> {
  await forgetHits(tx, subject, nowMs - windowMs);
  await addHit(tx, subject, nowMs - (nowMs % SECOND_MS));
}
