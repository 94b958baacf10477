/** An operator’s own passkeys (WebAuthn). Passphrase and second factor stay as the other way in. */
import type { RegistrationResponseJSON } from '@simplewebauthn/server';
import type * as WebAuthn from '@simplewebauthn/server';
import { MAX_PASSKEYS, type NewPasskey, type Passkeys } from '../../contract/console/access.ts';
import type { Actor } from '../../domain/operators/actor.ts';
import { notFound, Refusal } from '../../refusals/refusal.ts';
import { appendAudit } from '../../store/operators/audit.ts';
import {
  deletePasskey,
  deletePasskeysOf,
  insertPasskey,
  listPasskeys,
  renamePasskey,
  takeChallenge,
} from '../../store/operators/passkeys.ts';
import { endSessionsOf } from '../../store/operators/sessions.ts';
import { isUniqueViolation } from '../../store/sql/port.ts';
import type { RefusalLog } from '../keys/refusals.ts';
import { newId, sha256 } from '../ports/ids.ts';
import type { Ports } from '../ports/ports.ts';
import { iso, isoOrNull } from '../wire/values.ts';
import { auditOwnAct, type SignedIn } from './operator-session.ts';
import { confirmPassphrase } from './passphrases.ts';
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

const RP_NAME = 'Gatehouse';
/** EdDSA, ES256 and RS256, by their numbers in COSE: what every authenticator and this Node.js know. */
const ALGORITHMS = [-8, -7, -257];

type Deps = Pick<Ports, 'db' | 'clock'> & { refusals: RefusalLog };

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

/** @throws Refusal `passkey_needs_name`, `passkey_not_added`, `too_many_passkeys` */
export async function addPasskey(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  signedIn: SignedIn,
  request: NewPasskey,
  party: RelyingParty,
): Promise<void> {
  const { id: rpId, origin } = required(party);
  const { operator } = signedIn;
  const name = nameOf(request.name);
  const challenge = challengeIn(request.client_data);
  if (challenge === null) throw new Refusal('passkey_not_added');
  const kept = { hash: sha256(challenge), operatorId: operator.id };
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
  if (verified?.verified !== true) {
    await takeChallenge(db, kept, clock.now());
    throw new Refusal('passkey_not_added');
  }
  const { credential } = verified.registrationInfo;
  const added = db.tx(async (tx) => {
    const now = clock.now();
    // Here, because an admin's reset in between ends it.
    const write: typeof db.write = (sql, ...values) => tx.run(sql, ...values);
    if ((await takeChallenge({ write }, kept, now)) !== 1) throw new Refusal('passkey_not_added');
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
    await auditOwnAct(tx, signedIn, now, 'operator.passkey_added', { passkey_id: id, name, works_at: rpId });
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
  signedIn: SignedIn,
  id: string,
  { name: text }: { name: string },
): Promise<void> {
  const name = nameOf(text);
  await db.tx(async (tx) => {
    if ((await renamePasskey(tx, signedIn.operator.id, id, name)) === 0) throw notFound();
    await auditOwnAct(tx, signedIn, clock.now(), 'operator.passkey_renamed', { passkey_id: id, name });
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
  await deps.db.tx(async (tx) => {
    if ((await deletePasskey(tx, signedIn.operator.id, id)) === 0) throw notFound();
    await auditOwnAct(tx, signedIn, deps.clock.now(), 'operator.passkey_removed', { passkey_id: id });
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
