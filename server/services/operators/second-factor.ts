/** The second factor: codes of an authenticator app (TOTP, RFC 6238), and recovery codes in case it is lost. */
import type { Actor } from '../../domain/operators/actor.ts';
import { Secret, TOTP } from 'otpauth';
import type {
  RecoveryCodes,
  SecondFactorEnrolment,
  SecondFactorState,
} from '../../contract/console/access.ts';
import { appendAudit } from '../../store/operators/audit.ts';
import { endSessionsOf } from '../../store/operators/sessions.ts';
import { findOperator } from '../../store/operators/operators.ts';
import type { SqlTx } from '../../store/sql/port.ts';
import {
  claimRecoveryCode,
  claimStep,
  countRecoveryCodes,
  deleteEnrolment,
  deleteSecondFactor,
  findEnrolment,
  findSecondFactor,
  saveEnrolment,
  saveRecoveryCodes,
  saveSecondFactor,
} from '../../store/operators/second-factors.ts';
import type { Ports } from '../ports/ports.ts';
import type { RefusalLog } from '../keys/refusals.ts';
import { sha256 } from '../ports/ids.ts';
import { confirmPassphrase } from './passphrases.ts';
import { Refusal, notFound } from '../../refusals/refusal.ts';
import { auditOwnAct, type SignedIn } from './operator-session.ts';
import { isoOrNull } from '../wire/values.ts';

const ISSUER = 'Gatehouse';
/** Supported by all authenticator apps; RFC 6238's defaults. */
const SHAPE = { algorithm: 'SHA1', digits: 6, period: 30 } as const;
const PERIOD_MS = SHAPE.period * 1_000;
const SECRET_BYTES = 20;
/** Steps before and after the current one, for clocks that differ. */
const DRIFT_STEPS = 1;
const ENROLMENT_LIFE_MS = 15 * 60_000;

const RECOVERY_CODES = 10;
/** No ambiguous characters; 16 of them carry 78 bits. */
const RECOVERY_ALPHABET = '23456789ABCDEFGHJKMNPQRSTVWXYZ';
const RECOVERY_LENGTH = 16;
const RECOVERY_GROUP = 4;

type Deps = Pick<Ports, 'db' | 'clock' | 'wallClock' | 'randomInt'> & { refusals: RefusalLog };
type Required = { isConsoleOpen: () => boolean };

/** Admins need one as soon as the console can be reached from other machines, unless an identity provider signed them in. */
export const needsSecondFactor = (
  { isConsoleOpen }: Required,
  { operator, provider }: Pick<SignedIn, 'operator' | 'provider'>,
): boolean => operator.role === 'admin' && provider === null && isConsoleOpen();

export async function readSecondFactor(
  { db, ...required }: Pick<Deps, 'db'> & Required,
  signedIn: SignedIn,
): Promise<SecondFactorState> {
  const factor = await findSecondFactor(db, signedIn.operator.id);
  return {
    is_on: factor !== undefined,
    is_required: needsSecondFactor(required, signedIn),
    enrolled_at: isoOrNull(factor?.enrolledAt ?? null),
    recovery_codes_left: await countRecoveryCodes(db, signedIn.operator.id),
  };
}

/**
 * Starts enrolling an authenticator, which counts after its first code. A previously enrolled one stays until then.
 * @throws Refusal `wrong_passphrase`, `locked_out`
 */
export async function beginEnrolment(
  deps: Deps,
  signedIn: SignedIn,
  { passphrase }: { passphrase: string },
): Promise<SecondFactorEnrolment> {
  const { db, clock } = deps;
  await confirmPassphrase(deps, signedIn, passphrase);
  const secret = new Secret({ size: SECRET_BYTES });
  await db.tx((tx) =>
    saveEnrolment(tx, signedIn.operator.id, {
      secret: secret.base32,
      expiresAt: clock.now() + ENROLMENT_LIFE_MS,
    }),
  );
  const totp = new TOTP({ ...SHAPE, issuer: ISSUER, label: signedIn.operator.name, secret });
  return { secret: secret.base32, uri: totp.toString() };
}

/**
 * Enrols by a first code. Returns recovery codes only once; the operator's other sessions end.
 * @throws Refusal `wrong_code`, `enrolment_over`
 */
export async function confirmEnrolment(
  { db, clock, wallClock, randomInt }: Omit<Deps, 'refusals'>,
  signedIn: SignedIn,
  { code }: { code: string },
): Promise<RecoveryCodes> {
  const codes = newRecoveryCodes(randomInt);
  const { id } = signedIn.operator;
  await db.tx(async (tx) => {
    const now = clock.now();
    const begun = await findEnrolment(tx, id);
    if (!begun || now >= begun.expiresAt) {
      throw new Refusal('enrolment_over');
    }
    const step = stepOf(begun.secret, code, wallClock.now());
    if (step === null) throw new Refusal('wrong_code');
    await deleteEnrolment(tx, id);
    await saveSecondFactor(tx, id, { secret: begun.secret, enrolledAt: now, lastStep: step });
    await saveRecoveryCodes(
      tx,
      id,
      codes.map((text) => hashOf(id, text)),
    );
    await endSessionsOf(tx, id, signedIn.sessionId, now, 'second factor set up');
    await auditOwnAct(tx, signedIn, now, 'operator.second_factor_on');
  });
  return { codes };
}

/** @throws Refusal `wrong_passphrase`, `locked_out`, `second_factor_kept`, `not_found` */
export async function removeSecondFactor(
  deps: Deps & Required,
  signedIn: SignedIn,
  { passphrase }: { passphrase: string },
): Promise<void> {
  const { db, clock } = deps;
  await confirmPassphrase(deps, signedIn, passphrase);
  if (needsSecondFactor(deps, signedIn)) {
    throw new Refusal('second_factor_kept');
  }
  await db.tx(async (tx) => {
    const { id } = signedIn.operator;
    if (!(await deleteSecondFactor(tx, id))) throw notFound();
    await auditOwnAct(tx, signedIn, clock.now(), 'operator.second_factor_off');
  });
}

/**
 * New recovery codes that replace the old ones.
 * @throws Refusal `wrong_passphrase`, `locked_out`, `not_found`
 */
export async function renewRecoveryCodes(
  deps: Deps,
  signedIn: SignedIn,
  { passphrase }: { passphrase: string },
): Promise<RecoveryCodes> {
  await confirmPassphrase(deps, signedIn, passphrase);
  const codes = newRecoveryCodes(deps.randomInt);
  const { id } = signedIn.operator;
  await deps.db.tx(async (tx) => {
    if (!(await findSecondFactor(tx, id))) throw notFound();
    await saveRecoveryCodes(
      tx,
      id,
      codes.map((text) => hashOf(id, text)),
    );
    await auditOwnAct(tx, signedIn, deps.clock.now(), 'operator.recovery_codes');
  });
  return { codes };
}

/**
 * Removes the second factor of someone who lost it. Their sessions end; the passphrase stays.
 * @throws Refusal `not_found`
 */
export async function resetSecondFactor(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  operatorId: string,
  { reason, actor }: { reason: string; actor: Actor },
): Promise<void> {
  await db.tx(async (tx) => {
    const now = clock.now();
    if (!(await findOperator(tx, operatorId))) throw notFound();
    if (!(await deleteSecondFactor(tx, operatorId))) throw notFound();
    await endSessionsOf(tx, operatorId, null, now, 'second factor reset');
    await appendAudit(tx, {
      at: now,
      actor,
      action: 'operator.second_factor_reset',
      subject: operatorId,
      details: { reason },
    });
  });
}

/**
 * Uses up a code of the authenticator or a recovery code; null if it is wrong or was used before.
 * @param times `at` is service time, `wallMs` the machine's own, which phones' clocks agree with
 */
export async function useSecondFactor(
  tx: SqlTx,
  operatorId: string,
  code: string,
  { at, wallMs }: { at: number; wallMs: number },
): Promise<'authenticator' | 'recovery_code' | null> {
  const factor = await findSecondFactor(tx, operatorId);
  if (!factor) return null;
  const step = stepOf(factor.secret, code, wallMs);
  if (step !== null) return (await claimStep(tx, operatorId, step)) === 1 ? 'authenticator' : null;
  const claimed = await claimRecoveryCode(tx, operatorId, hashOf(operatorId, code), at);
  return claimed === 1 ? 'recovery_code' : null;
}

/** The time step of a code; null for a wrong one. */
function stepOf(secret: string, code: string, wallMs: number): number | null {
  const digits = code.replace(/\s/g, '');
  if (!/^[0-9]{6}$/.test(digits)) return null;
  const totp = new TOTP({ ...SHAPE, secret: Secret.fromBase32(secret) });
  const delta = totp.validate({ token: digits, timestamp: wallMs, window: DRIFT_STEPS });
  return delta === null ? null : Math.floor(wallMs / PERIOD_MS) + delta;
}

function newRecoveryCodes(randomInt: (n: number) => number): string[] {
  const character = () => RECOVERY_ALPHABET.charAt(randomInt(RECOVERY_ALPHABET.length));
  return Array.from({ length: RECOVERY_CODES }, () =>
    Array.from({ length: RECOVERY_LENGTH / RECOVERY_GROUP }, () =>
      Array.from({ length: RECOVERY_GROUP }, character).join(''),
    ).join('-'),
  );
}

/** Salted with its operator; the code is random enough not to need a slow hash. */
const hashOf = (operatorId: string, code: string): Buffer =>
  sha256(`recovery:${operatorId}:${code.replace(/[\s-]/g, '').toUpperCase()}`);
