/** Rate limits kept in the database: they hold for all nodes together and across restarts. */
import { type RateLimit, waitFor, windowAt } from '../domain/rate-limit.ts';
import type { Database, SqlReader, SqlTx } from '../store/sql/port.ts';
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

/**
 * Counts one against each limit, or against none of them where one is reached. What is refused is not counted, and costs
 * reads only.
 * @returns null if it is allowed, otherwise the milliseconds until one will be
 */
export async function countOrWait(
  db: Database,
  limits: readonly Limited[],
  nowMs: number,
): Promise<number | null> {
  const refused = await longestWait(db, limits, nowMs);
  if (refused !== null) return refused;
  const keys = limits.map(({ subject }) => `rate/${Buffer.from(subject).toString('hex')}`);
  return db.tx(
    async (tx) => {
      const waitMs = await longestWait(tx, limits, nowMs);
      if (waitMs === null) for (const of of limits) await recordHit(tx, of, nowMs);
      return waitMs;
    },
    { companyId: null, keys },
  );
}

async function longestWait(db: SqlReader, limits: readonly Limited[], nowMs: number): Promise<number | null> {
  const waits: number[] = [];
  for (const of of limits) {
    const waitMs = await waitMsOf(db, of, nowMs);
    if (waitMs !== null) waits.push(waitMs);
  }
  return waits.length === 0 ? null : Math.max(...waits);
}
