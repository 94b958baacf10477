/**
 * Slows guessing, shared by all processes on the database. A name at an address, an address and a name are counted
 * separately, so that guessing locks the attacker’s address and not the operator’s.
 */
import {
  type FailureCount,
  type LockOutRule,
  countFailure,
  lockLeftMs,
  NO_FAILURES,
  takeBack,
} from '../../domain/operators/lock-out.ts';
import { operatorNameKey } from '../../domain/operators/actor.ts';
import { placeOf } from '../../domain/address.ts';
import { listSessionAddresses } from '../../store/operators/sessions.ts';
import type { Database, Lock, SqlReader, SqlTx } from '../../store/sql/port.ts';
import {
  findSignInFailures,
  forgetFailuresBefore,
  forgetFailuresOf,
  forgetSignInFailures,
  listSignInFailures,
  saveSignInFailures,
} from '../../store/operators/sign-in-failures.ts';
import { sha256 } from '../ports/ids.ts';
import { Refusal } from '../../refusals/refusal.ts';

const HOUR_MS = 3_600_000;
/** One name at one place. */
const NAME_AT_PLACE: LockOutRule = { failures: 5, longestLockMs: HOUR_MS };
/** One place, whatever the names; failures followed by a success of that operator do not count. */
const PLACE: LockOutRule = { failures: 40, longestLockMs: HOUR_MS };
/** One name at all places where it has never signed in. */
const NAME: LockOutRule = { failures: 25, longestLockMs: HOUR_MS };
/** Codes of the second factor, tried with the right passphrase. */
const CODE: LockOutRule = { failures: 5, longestLockMs: 12 * HOUR_MS };
/** Passphrases confirmed within a session. */
const CONFIRMATION: LockOutRule = { failures: 5, longestLockMs: HOUR_MS };
/** Kiosk PINs at one kiosk. Of any operator, because a PIN is entered without a name. */
const PIN_AT_KIOSK: LockOutRule = { failures: 5, longestLockMs: 12 * HOUR_MS };
/** Kiosk PINs at all kiosks of a company, so that more kiosks do not mean more guesses. */
const PIN_AT_ALL_KIOSKS: LockOutRule = { failures: 25, longestLockMs: 12 * HOUR_MS };
/** Failures further apart than this do not add up. */
const FORGET_AFTER_MS = 24 * HOUR_MS;

type Counter = { key: Buffer; subject: Buffer | null; rule: LockOutRule };

/** Attempts exclude only those that count against the same: anyone can make them. */
const lockOf = (counters: readonly Counter[]): Lock => ({
  companyId: null,
  keys: counters.map(({ key }) => `attempts/${key.toString('hex')}`),
});

const nameHash = (name: string): Buffer => sha256(`operator:${operatorNameKey(name)}`);

function nameAtPlace(name: string, place: string): Counter {
  const key = sha256(`operator:${operatorNameKey(name)} at ${place}`);
  return { key, subject: nameHash(name), rule: NAME_AT_PLACE };
}
function furtherChance(name: string, place: string): Counter {
  const key = sha256(`operator:${operatorNameKey(name)} with code at ${place}`);
  return { key, subject: nameHash(name), rule: NAME_AT_PLACE };
}
const ofName = (name: string): Counter => ({ key: nameHash(name), subject: nameHash(name), rule: NAME });
const ofPlace = (place: string): Counter => ({ key: sha256(`place:${place}`), subject: null, rule: PLACE });
const codesOf = ({ id, name }: { id: string; name: string }): Counter => ({
  key: sha256(`code:${id}`),
  subject: nameHash(name),
  rule: CODE,
});
const confirmationsOf = ({ id, name }: { id: string; name: string }): Counter => ({
  key: sha256(`confirmation:${id}`),
  subject: nameHash(name),
  rule: CONFIRMATION,
});

export function lockedOut(leftMs: number): Refusal {
  const args = { minutes: Math.ceil(leftMs / 60_000) };
  return new Refusal('locked_out', { args, retryAfterS: Math.ceil(leftMs / 1_000) });
}

/** An attempt, counted as a failure before it is checked, and how to take that back. */
export type Attempt = {
  /** Of the transaction that ends it. */
  lock: Lock;
  /** It was the last one allowed: sign-in is now locked, unless it succeeds. */
  isLast: boolean;
  /** It was right. */
  succeeded(tx: SqlTx): Promise<void>;
  /** It was never checked. */
  withdraw(tx: SqlTx): Promise<void>;
};

/**
 * Counts an attempt to sign in, so that a hundred at the same time still count as five. While sign-in is locked, an
 * attempt with a code of the second factor gets a further chance, also counted: the caller then requires both to be
 * right.
 * @returns `closedForMs` the rest of the lock; 0 if sign-in is open. `attempt` null: not to be checked at all.
 */
export function claimSignIn(
  db: Database,
  request: { name: string; operatorId: string | null; address: string; withCode: boolean },
  now: number,
): Promise<{ attempt: Attempt | null; closedForMs: number }> {
  const { name, operatorId } = request;
  const place = placeOf(request.address);
  const all = [nameAtPlace(name, place), furtherChance(name, place), ofPlace(place), ofName(name)];
  return db.tx(async (tx) => {
    await forgetFailuresBefore(tx, now - FORGET_AFTER_MS);
    // Also read for unknown names, so that they take as long.
    const addresses = await listSessionAddresses(tx, operatorId ?? '');
    const isFamiliar = addresses.some((known) => placeOf(known) === place);
    const wide = [ofPlace(place), ...(isFamiliar ? [] : [ofName(name)])];
    const claimed = await claim(tx, nameAtPlace(name, place), wide, now);
    if (!('leftMs' in claimed)) return { attempt: claimed, closedForMs: 0 };
    const closedForMs = claimed.leftMs;
    if (!request.withCode) return { attempt: null, closedForMs };
    const further = await claim(tx, furtherChance(name, place), [], now);
    return { attempt: 'leftMs' in further ? null : further, closedForMs };
  }, lockOf(all));
}

/**
 * Counts a confirmation of the operator's own passphrase.
 * @throws Refusal `locked_out`
 */
export async function claimConfirmation(
  db: Database,
  operator: { id: string; name: string },
  now: number,
): Promise<Attempt> {
  const counter = confirmationsOf(operator);
  const claimed = await db.tx((tx) => claim(tx, counter, [], now), lockOf([counter]));
  if ('leftMs' in claimed) throw lockedOut(claimed.leftMs);
  return claimed;
}

/**
 * Counts a kiosk PIN, at its kiosk and at all of the company.
 * @throws Refusal `locked_out`
 */
export async function claimPin(
  db: Database,
  { kioskId, companyId }: { kioskId: string; companyId: string },
  now: number,
): Promise<Attempt> {
  const here = { key: sha256(`pin at kiosk:${kioskId}`), subject: null, rule: PIN_AT_KIOSK };
  const all = { key: sha256(`pin at kiosks of:${companyId}`), subject: null, rule: PIN_AT_ALL_KIOSKS };
  const claimed = await db.tx(
    async (tx) => {
      await forgetFailuresBefore(tx, now - FORGET_AFTER_MS);
      return claim(tx, here, [all], now);
    },
    lockOf([here, all]),
  );
  if ('leftMs' in claimed) throw lockedOut(claimed.leftMs);
  return claimed;
}

/** Counts a code of the second factor. */
export const claimCode = (
  tx: SqlTx,
  operator: { id: string; name: string },
  now: number,
): Promise<Attempt | { leftMs: number }> => claim(tx, codesOf(operator), [], now);

/** @param main reset by a success @param wide reduced by a success by what `main` had added to it */
async function claim(
  tx: SqlTx,
  main: Counter,
  wide: readonly Counter[],
  now: number,
): Promise<Attempt | { leftMs: number }> {
  const counters = [main, ...wide];
  const before = new Map<Counter, FailureCount>();
  let leftMs = 0;
  for (const counter of counters) {
    const count = (await findSignInFailures(tx, counter.key)) ?? NO_FAILURES;
    before.set(counter, count);
    leftMs = Math.max(leftMs, lockLeftMs(count, counter.rule, now));
  }
  if (leftMs > 0) return { leftMs };
  const locks = new Map<Counter, number | null>();
  for (const [counter, count] of before) {
    const after = countFailure(count, counter.rule, now);
    locks.set(counter, after.lockedUntil);
    await saveSignInFailures(tx, counter, after, now);
  }
  const giveBack = async (inTx: SqlTx, counter: Counter, failures: number): Promise<void> => {
    const count = await findSignInFailures(inTx, counter.key);
    if (!count) return;
    const after = takeBack(count, counter.rule, { failures, ownLock: locks.get(counter) ?? null });
    await saveSignInFailures(inTx, counter, after, now);
  };
  return {
    lock: lockOf(counters),
    isLast: [...locks.values()].some((lock) => lock !== null),
    async succeeded(inTx) {
      const count = await findSignInFailures(inTx, main.key);
      const failures = count === undefined ? 1 : failuresIn(count, main.rule);
      await forgetSignInFailures(inTx, main.key);
      for (const counter of wide) await giveBack(inTx, counter, failures);
    },
    async withdraw(inTx) {
      for (const counter of counters) await giveBack(inTx, counter, 1);
    },
  };
}

const failuresIn = ({ failedAttempts, lockedUntil }: FailureCount, { failures }: LockOutRule): number =>
  lockedUntil === null ? failedAttempts : failures;

/** Clears all failures of the name, in all places. */
export const forgiveFailures = (tx: SqlTx, name: string): Promise<number> =>
  forgetFailuresOf(tx, nameHash(name));

/** The end of the longest lock of the name, in any place; null if there is none. */
export async function lockedUntilOf(db: SqlReader, name: string, now: number): Promise<number | null> {
  const ends = (await listSignInFailures(db, nameHash(name))).flatMap(({ lockedUntil }) =>
    lockedUntil !== null && lockedUntil > now ? [lockedUntil] : [],
  );
  return ends.length === 0 ? null : Math.max(...ends);
}
