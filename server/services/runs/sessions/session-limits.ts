/**
 * Nobody may fill the disk without a key (decisions §6): sessions created without a secret key are counted and
 * limited.
 */
import { placeOf } from '../../../domain/address.ts';
import type { Scope } from '../../../domain/scope.ts';
import type { Lock, SqlReader, SqlTx } from '../../../store/sql/port.ts';
import { insertSession, type Session } from '../../../store/runs/sessions.ts';
import { deleteOldestUnopened, recordOpened } from '../../../store/runs/unopened-sessions.ts';
import { ServiceError } from '../../errors.ts';
import { readLimits } from '../../limits.ts';
import { type Limited, limited, recordHit, waitMsOf } from '../../rate-limits.ts';
import { SESSION_LIFETIME_MS } from './sessions.ts';

const HOUR_MS = 3_600_000;
/** Maximum of unopened ones in one company and partition. */
export const MAX_UNOPENED = 5_000;
/** One is removed for each new one; a few more if the limit was lowered. */
const GIVEN_UP_AT_ONCE = 100;

async function sessionsFrom(db: SqlReader, address: string): Promise<Limited> {
  const { sessionsPerHour } = await readLimits(db);
  return limited('sessions', placeOf(address), { limit: sessionsPerHour, windowMs: HOUR_MS });
}

/**
 * Refuses an address that has already started too many, before doing any work.
 * @throws ServiceError `too_many_sessions`
 */
export async function refuseCrowdedAddress(db: SqlReader, address: string, nowMs: number): Promise<void> {
  const waitMs = await waitMsOf(db, await sessionsFrom(db, address), nowMs);
  if (waitMs !== null) throw new ServiceError('too_many_sessions', { retryAfterS: waitMs / 1_000 });
}

/** For the transaction that inserts a session: companies share the count of the caller's address. */
export const lockOfSession = ({ companyId }: Scope, address: string | null): Lock => ({
  companyId,
  keys: address === null ? [] : [`sessions/${placeOf(address)}`],
});

/**
 * Counts a session against its caller's address, under `lockOfSession`, in the transaction that inserts it.
 * @throws ServiceError `too_many_sessions`
 */
export async function countSessionOf(tx: SqlTx, address: string, nowMs: number): Promise<void> {
  await refuseCrowdedAddress(tx, address, nowMs);
  await recordHit(tx, await sessionsFrom(tx, address), nowMs);
}

/** Inserts a session. If it is unopened, the oldest unopened ones beyond 5,000 are removed. */
export async function insertBounded(tx: SqlTx, session: Session): Promise<void> {
  await insertSession(tx, session);
  if (session.unopenedSince === null) return;
  await deleteOldestUnopened(tx, session.scope, { most: MAX_UNOPENED, limit: GIVEN_UP_AT_ONCE });
}

/** Someone has opened the session, or has given consent in one that a link opened: it lives a day. */
export async function keepOpened(tx: SqlTx, { scope, id, unopenedSince }: Session): Promise<void> {
  if (unopenedSince !== null) await recordOpened(tx, scope, id, SESSION_LIFETIME_MS);
}
