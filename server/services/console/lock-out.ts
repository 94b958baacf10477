/** Slows guessing: five failures close a name for five minutes, for all processes on the database alike. */
import { operatorNameKey } from '../../domain/operator-name.ts';
import { appendAudit } from '../../store/audit.ts';
import { findOperatorByNameKey } from '../../store/operators.ts';
import type { Database, SqlReader, SqlTx } from '../../store/port.ts';
import {
  findSignInFailures,
  forgetFailuresBefore,
  forgetSignInFailures,
  saveSignInFailures,
} from '../../store/sign-in-failures.ts';
import { sha256 } from '../ids.ts';
import { ConsoleError } from './errors.ts';

export const MAX_FAILURES = 5;
export const LOCK_OUT_MS = 5 * 60_000;
/** Failures further apart than this do not add up. */
const FORGET_AFTER_MS = 24 * 3_600_000;

const nameHash = (name: string): Buffer => sha256(`operator:${operatorNameKey(name)}`);

/** What is left of a lock, in milliseconds; 0 where there is none. A clock set back never lengthens it. */
export const lockLeftMs = (lockedUntil: number | null, now: number): number =>
  lockedUntil === null ? 0 : Math.min(LOCK_OUT_MS, Math.max(0, lockedUntil - now));

export function lockedOut(leftMs: number): ConsoleError {
  const minutes = Math.ceil(leftMs / 60_000);
  return new ConsoleError(
    'locked_out',
    `Too many failed attempts. Try again in ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}, or ask an admin.`,
    { retryAfterS: Math.ceil(leftMs / 1_000) },
  );
}

/** One failure more: the count, and the lock where it is the last that was allowed. */
export function countFailure(
  failedAttempts: number,
  now: number,
): { failedAttempts: number; lockedUntil: number | null } {
  const failed = failedAttempts + 1;
  return failed >= MAX_FAILURES
    ? { failedAttempts: 0, lockedUntil: now + LOCK_OUT_MS }
    : { failedAttempts: failed, lockedUntil: null };
}

/**
 * Takes one of the attempts before the work of checking it, so that a hundred at the same time are still five.
 * @throws ConsoleError `locked_out`
 */
export async function claimAttempt(db: Database, name: string, now: number): Promise<void> {
  const leftMs = await db.tx(async (tx) => {
    await forgetFailuresBefore(tx, now - FORGET_AFTER_MS);
    const before = await findSignInFailures(tx, nameHash(name));
    const left = lockLeftMs(before?.lockedUntil ?? null, now);
    if (left > 0) return left;
    const after = countFailure(before?.failedAttempts ?? 0, now);
    await saveSignInFailures(tx, nameHash(name), after, now);
    if (after.lockedUntil !== null) await auditLock(tx, name, now);
    return 0;
  });
  if (leftMs > 0) throw lockedOut(leftMs);
}

/** The attempt was a good one: nothing is held against the name any more. */
export async function forgiveFailures(tx: SqlTx, name: string): Promise<void> {
  await forgetSignInFailures(tx, nameHash(name));
}

export async function lockedUntilOf(db: SqlReader, name: string, now: number): Promise<number | null> {
  const failures = await findSignInFailures(db, nameHash(name));
  const left = lockLeftMs(failures?.lockedUntil ?? null, now);
  return left === 0 ? null : now + left;
}

async function auditLock(tx: SqlTx, name: string, at: number): Promise<void> {
  await appendAudit(tx, {
    at,
    actor: 'system',
    action: 'operator.locked_out',
    companyId: null,
    partition: null,
    // People type passphrases into the wrong field: a name that nobody has is not written down.
    subject: await knownName(tx, name),
    details: { failures: MAX_FAILURES, minutes: LOCK_OUT_MS / 60_000 },
  });
}

async function knownName(tx: SqlTx, name: string): Promise<string> {
  return (await findOperatorByNameKey(tx, operatorNameKey(name)))?.id ?? 'unknown name';
}
