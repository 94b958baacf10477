/** How many sessions one address may start without a secret key (decisions §6). */
import { placeOf } from '../../domain/address.ts';
import type { Scope } from '../../domain/scope.ts';
import type { Lock, SqlReader, SqlTx } from '../../store/sql/port.ts';
import { Refusal } from '../../refusals/refusal.ts';
import { readLimits } from './limits.ts';
import { keyOf, type Limited, limited, recordHit, waitMsOf } from './rate-limits.ts';

const HOUR_MS = 3_600_000;

/** What the sessions of an address count against. */
export async function sessionsFrom(db: SqlReader, address: string): Promise<Limited> {
  const { sessionsPerHour } = await readLimits(db);
  return limited('sessions', placeOf(address), { limit: sessionsPerHour, windowMs: HOUR_MS });
}

/**
 * Refuses an address that has already started too many, before doing any work.
 * @throws Refusal `too_many_sessions`
 */
export async function refuseCrowd(db: SqlReader, sessions: Limited, nowMs: number): Promise<void> {
  const waitMs = await waitMsOf(db, sessions, nowMs);
  if (waitMs !== null) throw new Refusal('too_many_sessions', { retryAfterS: waitMs / 1_000 });
}

/** For the transaction that inserts a session: companies share the count of the caller's address. */
export const lockOfSession = ({ companyId }: Scope, sessions: Limited | null): Lock => ({
  companyId,
  keys: sessions === null ? [] : [keyOf(sessions)],
});

/**
 * Counts a session against its caller's address, under `lockOfSession`, in the transaction that inserts it.
 * @throws Refusal `too_many_sessions`
 */
export async function countSessionOf(tx: SqlTx, sessions: Limited, nowMs: number): Promise<void> {
  await refuseCrowd(tx, sessions, nowMs);
  await recordHit(tx, sessions, nowMs);
}
