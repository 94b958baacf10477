/** Signing in with a passkey. It counts as both factors, because its device asks for a finger, a face or a PIN. */
import type * as WebAuthn from '@simplewebauthn/server';
import type { PasskeySignIn } from '../../contract/console/access.ts';
import { placeOf } from '../../domain/address.ts';
import { Refusal } from '../../refusals/refusal.ts';
import { findOperator } from '../../store/operators/operators.ts';
import {
  findPasskey,
  type StoredPasskey,
  takeChallenge,
  usePasskey,
} from '../../store/operators/passkeys.ts';
import type { RefusalLog } from '../keys/refusals.ts';
import { sha256 } from '../ports/ids.ts';
import type { Ports } from '../ports/ports.ts';
import { countOrWait, limited } from '../rate-limits/rate-limits.ts';
import { lockedOut } from './lock-out.ts';
import { openedSession, type SignedIn } from './operator-session.ts';
import { admit, type Origin } from './sign-in.ts';
import {
  CHALLENGE_LIFE_MS,
  challengeIn,
  handleOf,
  keep,
  KIND,
  type RelyingParty,
  required,
  webAuthn,
} from './webauthn.ts';

/** Sign-ins that one place may begin. */
const PLACE_LIMIT = { limit: 60, windowMs: 10 * 60_000 };
type Deps = Pick<Ports, 'db' | 'clock'> & { refusals: RefusalLog };

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
  const challenge = await take(deps, request.client_data);
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

/** Uses up the challenge, whether the rest of the answer is right or not; null if there is none. */
async function take({ db, clock }: Pick<Deps, 'db' | 'clock'>, clientData: string): Promise<string | null> {
  const challenge = challengeIn(clientData);
  if (challenge === null) return null;
  const kept = { hash: sha256(challenge), operatorId: null };
  return (await takeChallenge(db, kept, clock.now())) === 1 ? challenge : null;
}
