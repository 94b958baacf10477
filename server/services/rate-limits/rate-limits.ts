/** Rate limits in the database: they apply to all nodes together and across restarts. */
import { type RateLimit, waitFor, windowAt } from '../../domain/rate-limits/window.ts';
import type { Database, SqlReader, SqlTx } from '../../store/sql/port.ts';
import { addHit, countHits, forgetHits, timeOfHitToDrop } from '../../store/rate-limits/hits.ts';
import { sha256 } from '../ports/ids.ts';

/** A limit on one subject: an address, a number. */
export type Limited = RateLimit & { subject: Uint8Array };

const SECOND_MS = 1_000;

/** @param kind what is counted @param who stored only as a hash */
export const limited = (kind: string, who: string, limit: RateLimit): Limited => ({
  ...limit,
  subject: sha256(`${kind}:${who}`),
});

/** Null if one more is allowed, else the milliseconds until then. */
export async function waitMsOf(db: SqlReader, of: Limited, nowMs: number): Promise<number | null> {
  const window = windowAt(of, nowMs);
  if ((await countHits(db, of.subject, window)) < of.limit) return null;
  const at = await timeOfHitToDrop(db, of.subject, window, of.limit - 1);
  return at === undefined ? of.windowMs : waitFor(at, of, nowMs);
}

/** What a transaction that counts against a limit excludes. */
export const keyOf = ({ subject }: Pick<Limited, 'subject'>): string =>
  `rate/${Buffer.from(subject).toString('hex')}`;

/** Counts an allowed hit, in the transaction that called `waitMsOf`. */
export async function recordHit(tx: SqlTx, { subject, windowMs }: Limited, nowMs: number): Promise<void> {
  await forgetHits(tx, subject, nowMs - windowMs);
  await addHit(tx, subject, nowMs - (nowMs % SECOND_MS));
}

/**
 * Counts one hit against each limit, or against none if one is reached. Refused hits are not counted, and cost only
 * reads.
 * @returns null if it is allowed, otherwise the milliseconds until one will be
 */
export async function countOrWait(
  db: Database,
  limits: readonly Limited[],
  nowMs: number,
): Promise<number | null> {
  const refused = await longestWait(db, limits, nowMs);
  if (refused !== null) return refused;
  const keys = limits.map(keyOf);
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
