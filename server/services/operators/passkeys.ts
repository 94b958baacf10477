/**
 * Passkeys (WebAuthn): an operator’s own, and signing in with one. A passkey counts as both factors, because its device asks
 * for a finger, a face or a PIN. Passphrase and second factor stay as the other way in.
 */
import type { RegistrationResponseJSON } from '@simplewebauthn/server';
import type * as WebAuthn from '@simplewebauthn/server';
import {
  MAX_PASSKEYS,
  type NewPasskey,
  type PasskeySignIn,
  type Passkeys,
} from '../../contract/console/access.ts';
import { placeOf } from '../../domain/address.ts';
import type { Actor } from '../../domain/operators/actor.ts';
import { notFound, Refusal } from '../../refusals/refusal.ts';
import { appendAudit } from '../../store/operators/audit.ts';
import { findOperator } from '../../store/operators/operators.ts';
import {
  deletePasskey,
  deletePasskeysOf,
  findPasskey,
  insertPasskey,
  keepChallenge,
  listPasskeys,
  renamePasskey,
  type StoredPasskey,
  takeChallenge,
  usePasskey,
} from '../../store/operators/passkeys.ts';
import { endSessionsOf } from '../../store/operators/sessions.ts';
import { isUniqueViolation } from '../../store/sql/port.ts';
import type { RefusalLog } from '../keys/refusals.ts';
import { newId, sha256 } from '../ports/ids.ts';
import type { Ports } from '../ports/ports.ts';
import { countOrWait, limited } from '../rate-limits/rate-limits.ts';
import { iso, isoOrNull } from '../wire/values.ts';
import { lockedOut } from './lock-out.ts';
import { openedSession, type SignedIn } from './operator-session.ts';
import { confirmPassphrase } from './passphrases.ts';
import { admit, type Origin } from './sign-in.ts';

/** The name and the origin of the console that a browser uses; null if browsers allow no passkeys. */
export type RelyingParty = { id: string; origin: string } | null;

const RP_NAME = 'Gatehouse';
const CHALLENGE_LIFE_MS = 5 * 60_000;
/** Of all operators; beyond it the oldest end. */
const MOST_CHALLENGES = 1_000;
/** Sign-ins that one place may begin. */
const PLACE_LIMIT = { limit: 60, windowMs: 10 * 60_000 };
/** EdDSA, ES256 and RS256, by their numbers in COSE: what every authenticator and this Node.js know. */
const ALGORITHMS = [-8, -7, -257];
/** What the answers of all browsers have in common. */
const KIND = { type: 'public-key', clientExtensionResults: {} } as const;

type Deps = Pick<Ports, 'db' | 'clock'> & { refusals: RefusalLog };

/** Loaded with the first passkey, so that no start waits for it. */
async function webAuthn(): Promise<typeof WebAuthn> {
  // Its certificates need it, and the bundler may load them first.
  await import('reflect-metadata');
  return import('@simplewebauthn/server');
}

const handleOf = (operatorId: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(operatorId);

/** @throws Refusal `passkey_needs_name` */
function required(party: RelyingParty): NonNullable<RelyingParty> {
  if (party === null) throw new Refusal('passkey_needs_name');
  return party;
}

export async function readPasskeys(
  { db }: Pick<Deps, 'db'>,
  { operator }: Pick<SignedIn, 'operator'>,
  party: RelyingParty,
): Promise<Passkeys> {
  const passkeys = await listPasskeys(db, operator.id);
  return {
    items: passkeys.map(({ id, name, rpId, createdAt, lastUsedAt }) => ({
      passkey_id: id,
      name,
      works_at: rpId,
      created_at: iso(createdAt),
      last_used_at: isoOrNull(lastUsedAt),
    })),
    name_here: party?.id ?? null,
  };
}

/**
 * Options for the browser to make a passkey with, after the passphrase.
 * @throws Refusal `wrong_passphrase`, `locked_out`, `passkey_needs_name`, `too_many_passkeys`
 */
export async function beginPasskey(
  deps: Deps,
  signedIn: SignedIn,
  { passphrase }: { passphrase: string },
  party: RelyingParty,
): Promise<WebAuthn.PublicKeyCredentialCreationOptionsJSON> {
  const { id } = required(party);
  await confirmPassphrase(deps, signedIn, passphrase);
  const { operator } = signedIn;
  const own = await listPasskeys(deps.db, operator.id);
  if (own.length >= MAX_PASSKEYS) throw new Refusal('too_many_passkeys');
  const { generateRegistrationOptions } = await webAuthn();
  const options = await generateRegistrationOptions({
    rpName: RP_NAME,
    rpID: id,
    userName: operator.name,
    userDisplayName: operator.name,
    userID: handleOf(operator.id),
    timeout: CHALLENGE_LIFE_MS,
    attestationType: 'none',
    supportedAlgorithmIDs: ALGORITHMS,
    excludeCredentials: own.map(({ credentialId }) => ({ id: credentialId })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  });
  await keep(deps, options.challenge, operator.id);
  return options;
}

function keep(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  challenge: string,
  operatorId: string | null,
): Promise<void> {
  const now = clock.now();
  const kept = { hash: sha256(challenge), operatorId, expiresAt: now + CHALLENGE_LIFE_MS };
  return keepChallenge(db, kept, { now, most: MOST_CHALLENGES });
}

/** The challenge that a browser answers; null if its text makes no sense. */
function challengeIn(clientData: string): string | null {
  try {
    const { challenge } = JSON.parse(Buffer.from(clientData, 'base64url').toString()) as {
      challenge?: unknown;
    };
    return typeof challenge === 'string' ? challenge : null;
  } catch {
    return null;
  }
}

/** Uses up the challenge, whether the rest of the answer is right or not; null if there is none. */
async function take(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  clientData: string,
  operatorId: string | null,
): Promise<string | null> {
  const challenge = challengeIn(clientData);
  if (challenge === null) return null;
  const taken = await takeChallenge(db, { hash: sha256(challenge), operatorId }, clock.now());
  return taken === 1 ? challenge : null;
}

/** @throws Refusal `passkey_needs_name`, `passkey_not_added`, `too_many_passkeys` */
export async function addPasskey(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  { operator, actor }: SignedIn,
  request: NewPasskey,
  party: RelyingParty,
): Promise<void> {
  const { id: rpId, origin } = required(party);
  const name = nameOf(request.name);
  const challenge = await take({ db, clock }, request.client_data, operator.id);
  if (challenge === null) throw new Refusal('passkey_not_added');
  const response: RegistrationResponseJSON = {
    ...KIND,
    id: request.id,
    rawId: request.id,
    response: { clientDataJSON: request.client_data, attestationObject: request.attestation },
  };
  const { verifyRegistrationResponse } = await webAuthn();
  const verified = await verifyRegistrationResponse({
    response,
    expectedChallenge: challenge,
    expectedOrigin: origin,
    expectedRPID: rpId,
    requireUserVerification: true,
    supportedAlgorithmIDs: ALGORITHMS,
  }).catch(() => null);
  if (verified?.verified !== true) throw new Refusal('passkey_not_added');
  const { credential } = verified.registrationInfo;
  const added = db.tx(async (tx) => {
    const now = clock.now();
    if ((await listPasskeys(tx, operator.id)).length >= MAX_PASSKEYS) throw new Refusal('too_many_passkeys');
    const id = newId(now);
    await insertPasskey(tx, {
      id,
      operatorId: operator.id,
      credentialId: credential.id,
      rpId,
      publicKey: credential.publicKey,
      counter: credential.counter,
      name,
      createdAt: now,
    });
    await appendAudit(tx, {
      at: now,
      actor,
      action: 'operator.passkey_added',
      subject: operator.id,
      details: { passkey_id: id, name, works_at: rpId },
    });
  });
  await added.catch((error: unknown) => {
    if (isUniqueViolation(error, 'operator_passkeys_credential_id_key'))
      throw new Refusal('passkey_not_added');
    throw error;
  });
}

/** @throws Refusal `invalid_name` */
function nameOf(text: string): string {
  const name = text.trim().replace(/\s+/g, ' ');
  if (name === '') throw new Refusal('invalid_name');
  return name;
}

/** @throws Refusal `not_found`, `invalid_name` */
export async function nameMyPasskey(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  { operator, actor }: SignedIn,
  id: string,
  { name: text }: { name: string },
): Promise<void> {
  const name = nameOf(text);
  await db.tx(async (tx) => {
    if ((await renamePasskey(tx, operator.id, id, name)) === 0) throw notFound();
    await appendAudit(tx, {
      at: clock.now(),
      actor,
      action: 'operator.passkey_renamed',
      subject: operator.id,
      details: { passkey_id: id, name },
    });
  });
}

/** @throws Refusal `wrong_passphrase`, `locked_out`, `not_found` */
export async function removePasskey(
  deps: Deps,
  signedIn: SignedIn,
  id: string,
  { passphrase }: { passphrase: string },
): Promise<void> {
  await confirmPassphrase(deps, signedIn, passphrase);
  const { operator, actor } = signedIn;
  await deps.db.tx(async (tx) => {
    if ((await deletePasskey(tx, operator.id, id)) === 0) throw notFound();
    await appendAudit(tx, {
      at: deps.clock.now(),
      actor,
      action: 'operator.passkey_removed',
      subject: operator.id,
      details: { passkey_id: id },
    });
  });
}

/**
 * Removes all passkeys of someone whose device is gone. Their sessions end; passphrase and second factor stay.
 * @throws Refusal `not_found`
 */
export async function resetPasskeys(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  operatorId: string,
  { reason, actor }: { reason: string; actor: Actor },
): Promise<void> {
  await db.tx(async (tx) => {
    const now = clock.now();
    if ((await deletePasskeysOf(tx, operatorId)) === 0) throw notFound();
    await endSessionsOf(tx, operatorId, null, now, 'passkeys reset');
    await appendAudit(tx, {
      at: now,
      actor,
      action: 'operator.passkeys_reset',
      subject: operatorId,
      details: { reason },
    });
  });
}

/**
 * Options for the browser to find a passkey with. No name is asked for, so the reply says nothing about who exists.
 * @throws Refusal `passkey_needs_name`, `locked_out`
 */
export async function beginPasskeySignIn(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  address: string,
  party: RelyingParty,
): Promise<WebAuthn.PublicKeyCredentialRequestOptionsJSON> {
  const { id } = required(party);
  const waitMs = await countOrWait(
    db,
    [limited('passkey sign-ins', placeOf(address), PLACE_LIMIT)],
    clock.now(),
  );
  if (waitMs !== null) throw lockedOut(waitMs);
  const { generateAuthenticationOptions } = await webAuthn();
  const options = await generateAuthenticationOptions({
    rpID: id,
    userVerification: 'required',
    timeout: CHALLENGE_LIFE_MS,
  });
  await keep({ db, clock }, options.challenge, null);
  return options;
}

/**
 * Opens a session with a passkey. A lock after wrong passphrases doesn't apply: a passkey can't be guessed.
 * @throws Refusal `passkey_needs_name`, `passkey_refused`
 */
export async function signInWithPasskey(
  deps: Deps & Pick<Ports, 'deletions'>,
  request: PasskeySignIn,
  origin: Origin,
  party: RelyingParty,
): Promise<{ token: string; signedIn: SignedIn }> {
  const { db, clock, refusals } = deps;
  const { id: rpId, origin: expectedOrigin } = required(party);
  const challenge = await take(deps, request.client_data, null);
  const passkey = await findPasskey(db, request.id);
  const counter =
    challenge !== null && passkey?.rpId === rpId
      ? await counterAfter(passkey, request, { challenge, rpId, expectedOrigin })
      : null;
  const token =
    passkey === undefined || counter === null
      ? null
      : await db.tx(async (tx) => {
          const now = clock.now();
          const operator = await findOperator(tx, passkey.operatorId);
          if (operator?.disabledAt !== null) return null;
          if ((await usePasskey(tx, passkey, { counter, at: now })) === 0) return null;
          const details = { passkey_id: passkey.id };
          return admit(tx, deps, operator.id, { origin, now, details });
        });
  if (token !== null) return { token, signedIn: await openedSession(deps, token) };
  refusals.note({
    action: 'operator.sign_in_failed',
    subject: passkey?.operatorId ?? 'unknown name',
    source: origin.address,
    details: { reason: 'passkey' },
  });
  throw new Refusal('passkey_refused');
}

/** What the passkey’s counter is after this use; null if the answer is not its own. */
async function counterAfter(
  passkey: StoredPasskey,
  request: PasskeySignIn,
  { challenge, rpId, expectedOrigin }: { challenge: string; rpId: string; expectedOrigin: string },
): Promise<number | null> {
  const handle = Buffer.from(request.user_handle, 'base64url');
  if (!handle.equals(handleOf(passkey.operatorId))) return null;
  const { verifyAuthenticationResponse } = await webAuthn();
  const verified = await verifyAuthenticationResponse({
    response: {
      ...KIND,
      id: request.id,
      rawId: request.id,
      response: {
        clientDataJSON: request.client_data,
        authenticatorData: request.authenticator_data,
        signature: request.signature,
        userHandle: request.user_handle,
      },
    },
    expectedChallenge: challenge,
    expectedOrigin,
    expectedRPID: rpId,
    requireUserVerification: true,
    credential: {
      id: passkey.credentialId,
      publicKey: Uint8Array.from(passkey.publicKey),
      counter: passkey.counter,
    },
  }).catch(() => null);
  return verified?.verified === true ? verified.authenticationInfo.newCounter : null;
}
