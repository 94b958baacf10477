import { operatorActor, operatorNameKey } from '../../domain/operators/actor.ts';
import { olderThan } from '../../domain/clock.ts';
import { appendAudit } from '../../store/operators/audit.ts';
import { findOperator, findOperatorByNameKey, type StoredOperator } from '../../store/operators/operators.ts';
import { findSecondFactor } from '../../store/operators/second-factors.ts';
import type { SqlTx } from '../../store/sql/port.ts';
import {
  deleteSessionsOverBefore,
  endOperatorSession,
  endSessionsOf,
  findSessionByToken,
} from '../../store/operators/sessions.ts';
import type { Ports } from '../ports/ports.ts';
import type { RefusalLog } from '../keys/refusals.ts';
import { sha256 } from '../ports/ids.ts';
import { Refusal } from '../../refusals/refusal.ts';
import { verifySecret } from './hashing.ts';
import { type Attempt, claimCode, claimSignIn, lockedOut } from './lock-out.ts';
import { useSecondFactor } from './second-factor.ts';
import {
  auditOwnAct,
  openedSession,
  openSession,
  type SessionDeps,
  type SessionOrigin,
  type SignedIn,
} from './operator-session.ts';

/** How long ended sessions stay readable to an administrator of the database. */
const KEEP_OVER_MS = 30 * 24 * 3_600_000;

type Deps = Pick<Ports, 'db' | 'clock' | 'wallClock' | 'deletions'> & { refusals: RefusalLog };

type SignInRequest = {
  name: string;
  passphrase: string;
  /** Of the authenticator, or a recovery code. */
  code?: string | undefined;
};
export type Origin = SessionOrigin & { previousToken: string | null };

/**
 * Opens a session and ends the browser's previous one, so that no planted cookie survives. An unknown name costs the
 * same work and gets the same answer as a wrong passphrase. Passphrase and code come in one call, so that nothing is
 * granted or stored between the two steps of the page.
 * @throws Refusal `sign_in_failed`, `code_required`, `wrong_code`, `locked_out`, `busy`
 */
export async function signIn(
  deps: Deps,
  request: SignInRequest,
  origin: Origin,
): Promise<{ token: string; signedIn: SignedIn }> {
  const { db, clock, refusals } = deps;
  const found = await findOperatorByNameKey(db, operatorNameKey(request.name));
  const { attempt, closedForMs } = await claimSignIn(
    db,
    {
      name: request.name,
      operatorId: found?.id ?? null,
      address: origin.address,
      withCode: request.code !== undefined,
    },
    clock.now(),
  );
  // People type passphrases into the wrong field, so unknown names are not logged.
  const subject = found?.id ?? 'unknown name';
  const refuse = (error: Refusal, reason: string): Refusal => {
    refusals.note({
      action: 'operator.sign_in_failed',
      subject,
      source: origin.address,
      details: { reason },
    });
    return error;
  };
  if (attempt === null) throw refuse(lockedOut(closedForMs), 'locked');
  const operator = found?.disabledAt === null ? found : undefined;
  let fits: boolean;
  try {
    fits = await verifySecret(operator?.passphraseHash ?? null, request.passphrase);
  } catch (error) {
    await db.tx((tx) => attempt.withdraw(tx), attempt.lock);
    throw error;
  }
  const isClosed = closedForMs > 0;
  const verdict: Verdict =
    operator && fits
      ? await db.tx((tx) => enter(tx, deps, operator, { attempt, isClosed, code: request.code, origin }))
      : { refused: 'passphrase' };
  if ('token' in verdict) {
    return { token: verdict.token, signedIn: await openedSession(deps, verdict.token) };
  }
  if (verdict.refused === 'code_missing' && !isClosed) throw new Refusal('code_required');
  if (attempt.isLast) refusals.note({ action: 'operator.locked_out', subject, source: origin.address });
  throw refuse(refusalOf(verdict, closedForMs), verdict.refused);
}

type Verdict =
  | { token: string }
  | { refused: 'passphrase' | 'code_missing' | 'code' }
  | { refused: 'code_locked'; leftMs: number };

/** While sign-in is locked, the reason is not revealed; otherwise the lock would be worthless. */
function refusalOf(verdict: Exclude<Verdict, { token: string }>, closedForMs: number): Refusal {
  if (closedForMs > 0) return lockedOut(closedForMs);
  if (verdict.refused === 'code_locked') return lockedOut(verdict.leftMs);
  if (verdict.refused === 'code') return new Refusal('wrong_code');
  return new Refusal('sign_in_failed');
}

type Entering = {
  attempt: Attempt;
  isClosed: boolean;
  code: string | undefined;
  origin: Origin;
};

/** The passphrase was right: checks the second factor, if there is one, then opens the session. */
async function enter(
  tx: SqlTx,
  { clock, wallClock, deletions }: Deps,
  operator: StoredOperator,
  { attempt, isClosed, code, origin }: Entering,
): Promise<Verdict> {
  const now = clock.now();
  // In the meantime, an admin may have disabled or reset them.
  const fresh = await findOperator(tx, operator.id);
  if (fresh?.disabledAt !== null || fresh.passphraseHash !== operator.passphraseHash)
    return { refused: 'passphrase' };
  const hasFactor = (await findSecondFactor(tx, operator.id)) !== undefined;
  if (isClosed && !hasFactor) return { refused: 'passphrase' };
  let factor: Awaited<ReturnType<typeof useSecondFactor>> = null;
  if (hasFactor) {
    if (code === undefined) {
      await attempt.succeeded(tx);
      return { refused: 'code_missing' };
    }
    const claimed = await claimCode(tx, operator, now);
    if ('leftMs' in claimed) return { refused: 'code_locked', leftMs: claimed.leftMs };
    factor = await useSecondFactor(tx, operator.id, code, { at: now, wallMs: wallClock.now() });
    if (factor === null) return { refused: 'code' };
    await claimed.succeeded(tx);
  }
  await attempt.succeeded(tx);
  return {
    token: await admit(tx, { deletions }, operator.id, {
      origin,
      now,
      details: { ...(factor && { second_factor: factor }) },
    }),
  };
}

/**
 * Opens the session of an operator who has proved who they are, in the transaction that used up the proof. Returns the
 * cookie’s value.
 * @param provider of a session that an identity provider opened: where it signs out, or an empty text
 */
export async function admit(
  tx: SqlTx,
  { deletions }: Pick<Deps, 'deletions'>,
  operatorId: string,
  {
    origin,
    now,
    details,
    provider = null,
  }: { origin: Origin; now: number; details: Record<string, unknown>; provider?: string | null },
): Promise<string> {
  const deletionTime = deletions.deletionTime();
  if (deletionTime !== null) await deleteSessionsOverBefore(tx, olderThan(deletionTime, KEEP_OVER_MS));
  if (origin.previousToken !== null) {
    const previous = await findSessionByToken(tx, sha256(origin.previousToken));
    if (previous) await endOperatorSession(tx, previous.operatorId, previous.id, now, 'signed in again');
  }
  await appendAudit(tx, {
    at: now,
    actor: operatorActor(operatorId),
    action: 'operator.sign_in',
    subject: operatorId,
    details: { address: origin.address, device: origin.device, ...details },
  });
  return openSession(tx, operatorId, { ...origin, provider }, now);
}

/** Ends this session, or with `everywhere` all of the operator's. */
export async function signOut(
  { db, clock, unsavedActivity }: SessionDeps,
  signedIn: SignedIn,
  { everywhere }: { everywhere: boolean },
): Promise<void> {
  unsavedActivity.delete(signedIn.sessionId);
  await db.tx(async (tx) => {
    const now = clock.now();
    const { operator, sessionId } = signedIn;
    if (everywhere) await endSessionsOf(tx, operator.id, null, now, 'signed out everywhere');
    else await endOperatorSession(tx, operator.id, sessionId, now, 'signed out');
    await auditOwnAct(tx, signedIn, now, everywhere ? 'operator.sign_out_everywhere' : 'operator.sign_out');
  });
}
