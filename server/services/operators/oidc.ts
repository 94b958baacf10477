/**
 * Signing in at an identity provider (OpenID Connect, authorization code with PKCE). Its groups decide the role at each sign-in,
 * and a person without a group stays out. Operators of the provider are never joined to local ones of the same name.
 */
import { createHash } from 'node:crypto';
import type { Role } from '../../contract/console/common.ts';
import { MAX_OPERATOR_NAME_CHARS } from '../../contract/console/access.ts';
import { placeOf } from '../../domain/address.ts';
import { Refusal } from '../../refusals/refusal.ts';
import { findIdentity, insertIdentity } from '../../store/operators/identities.ts';
import { findOperator } from '../../store/operators/operators.ts';
import { keepChallenge, takeChallenge } from '../../store/operators/passkeys.ts';
import { endSessionsOf } from '../../store/operators/sessions.ts';
import { isUniqueViolation } from '../../store/sql/port.ts';
import type { RefusalLog } from '../keys/refusals.ts';
import { newId, randomBase62, sha256 } from '../ports/ids.ts';
import type { Ports } from '../ports/ports.ts';
import { countOrWait, limited } from '../rate-limits/rate-limits.ts';
import { changeOperator } from './change.ts';
import { hashSecret } from './hashing.ts';
import { lockedOut } from './lock-out.ts';
import {
  authorizationUrl,
  checkProvider,
  exchange,
  type Provided,
  ProviderError,
  refusalFor,
} from './oidc-provider.ts';
import { type OidcSetting, readOidcSetting, roleOf } from './oidc-setting.ts';
import { openedSession, type SignedIn } from './operator-session.ts';
import { addOperator, refuseTakenName } from './operators.ts';
import { admit, type Origin } from './sign-in.ts';

/** Signing in there may take a second factor and a forgotten password. */
const LIFE_MS = 10 * 60_000;
/** Of all browsers, together with the challenges of passkeys; beyond it the oldest end. */
const MOST_BEGUN = 1_000;
const PLACE_LIMIT = { limit: 60, windowMs: 10 * 60_000 };
const SECRET_LENGTH = 43;
/** Of the passphrase that nobody knows, until an admin resets it. */
const UNKNOWN_LENGTH = 64;
const REASON = 'groups at the identity provider';

type Deps = Pick<Ports, 'db' | 'clock' | 'deletions'> & { refusals: RefusalLog };

/** The browser's secret is all that is kept: what is sent to the provider follows from it. */
function checksOf(secret: string) {
  const derived = (purpose: string) =>
    createHash('sha256').update(`${purpose}:${secret}`).digest('base64url');
  return { verifier: derived('oidc verifier'), state: derived('oidc state'), nonce: derived('oidc nonce') };
}
const begunHash = (state: string) => sha256(`oidc:${state}`);

/**
 * Where to send the browser, and the secret of its cookie.
 * @param redirectUri where the provider sends it back to
 * @throws Refusal `oidc_off`, `oidc_unreachable`, `oidc_refused`, `locked_out`
 */
export async function beginOidcSignIn(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  { address, redirectUri }: { address: string; redirectUri: string },
): Promise<{ url: string; secret: string }> {
  const setting = await enabledSetting(db);
  const limit = limited('single sign-on', placeOf(address), PLACE_LIMIT);
  const waitMs = await countOrWait(db, [limit], clock.now());
  if (waitMs !== null) throw lockedOut(waitMs);
  const secret = randomBase62(SECRET_LENGTH);
  const checks = checksOf(secret);
  const url = await authorizationUrl(setting, redirectUri, checks).catch((error: unknown) => {
    throw refusalFor(error);
  });
  const now = clock.now();
  const begun = { hash: begunHash(checks.state), operatorId: null, expiresAt: now + LIFE_MS };
  await keepChallenge(db, begun, { now, most: MOST_BEGUN });
  return { url, secret };
}

async function enabledSetting(db: Deps['db']): Promise<OidcSetting> {
  const setting = await readOidcSetting(db);
  if (!setting.enabled) throw new Refusal('oidc_off');
  return setting;
}

/** @throws Refusal `oidc_off`, `oidc_unreachable`, `oidc_refused` */
export async function testOidc({ db }: Pick<Deps, 'db'>): Promise<void> {
  await checkProvider(await enabledSetting(db)).catch((error: unknown) => {
    throw refusalFor(error);
  });
}

/**
 * Opens the session of whom the provider signed in, and creates their operator the first time.
 * @param secret of the browser's cookie
 * @param returned the address that the browser came back to
 * @throws Refusal `oidc_off`, `oidc_unreachable`, `oidc_refused`, `oidc_no_role`, `name_taken`
 */
export async function finishOidcSignIn(
  deps: Deps,
  { secret, returned }: { secret: string | null; returned: URL },
  origin: Origin,
): Promise<{ token: string; signedIn: SignedIn }> {
  const { db, clock } = deps;
  const setting = await enabledSetting(db);
  const refuse = (refusal: Refusal, reason: string, subject = 'unknown name'): Refusal => {
    const details = { reason: `identity provider: ${reason}` };
    deps.refusals.note({ action: 'operator.sign_in_failed', subject, source: origin.address, details });
    return refusal;
  };
  const checks = checksOf(secret ?? '');
  const isBegun =
    secret !== null &&
    (await takeChallenge(db, { hash: begunHash(checks.state), operatorId: null }, clock.now())) === 1;
  if (!isBegun) throw refuse(new Refusal('oidc_refused'), 'not begun in this browser');
  let provided: Provided;
  try {
    provided = await exchange(setting, returned, checks);
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    throw refuse(refusalFor(error) as Refusal, error.message);
  }
  const identity = identityOf(provided);
  const known = await findIdentity(db, identity);
  const role = roleOf(setting, groupsOf(provided.claims[setting.groupsClaim]));
  if (role === null) {
    if (known !== undefined) {
      await db.tx((tx) => endSessionsOf(tx, known, null, clock.now(), 'no group at the identity provider'));
    }
    throw refuse(new Refusal('oidc_no_role'), 'no group', known);
  }
  const id = known ?? (await create(deps, provided, role));
  const operator = await findOperator(db, id);
  if (operator?.disabledAt !== null) throw refuse(new Refusal('oidc_refused'), 'disabled', id);
  if (operator.role !== role) await changeOperator(deps, id, { role }, { reason: REASON, actor: 'system' });
  const token = await db.tx(async (tx) => {
    const now = clock.now();
    if ((await findOperator(tx, id))?.disabledAt !== null) return null;
    const details = { identity_provider: setting.label };
    return admit(tx, deps, id, { origin, now, details, provider: provided.signOutUrl });
  });
  if (token === null) throw refuse(new Refusal('oidc_refused'), 'disabled', id);
  return { token, signedIn: await openedSession(deps, token) };
}

function identityOf({ issuer, subject }: Provided): { hash: Buffer; subject: string } {
  const whole = `${issuer}\n${subject}`;
  return { hash: sha256(`identity:${whole}`), subject: whole };
}

const groupsOf = (claim: unknown): string[] =>
  (Array.isArray(claim) ? claim : [claim]).filter((group) => typeof group === 'string');

/** @returns the operator's ID, also if a parallel sign-in of the same person created it */
async function create({ db, clock }: Deps, provided: Provided, role: Role): Promise<string> {
  const identity = identityOf(provided);
  const hash = await hashSecret(randomBase62(UNKNOWN_LENGTH));
  const insert = (name: string): Promise<string> =>
    refuseTakenName(
      db.tx(async (tx) => {
        const at = clock.now();
        const id = newId(at);
        const operator = { id, name, role, origin: 'console', hash, companyIds: null } as const;
        await addOperator(tx, operator, 'system', at);
        await insertIdentity(tx, id, { ...identity, at });
        return id;
      }),
    );
  const [name, further] = namesOf(provided);
  try {
    return await insert(name).catch((error: unknown) => {
      if (error instanceof Refusal) return insert(further);
      throw error;
    });
  } catch (error) {
    const other = isUniqueViolation(error, 'operator_identities_subject_hash_key')
      ? await findIdentity(db, identity)
      : undefined;
    if (other === undefined) throw error;
    return other;
  }
}

/** The person's name, and one that tells them apart from a local operator of that name. */
function namesOf({ claims, subject }: Provided): [string, string] {
  const texts = ['name', 'preferred_username', 'email'].map((claim) => claims[claim]);
  const [name = subject, ...others] = texts.flatMap((text) =>
    typeof text === 'string' && text.trim() !== '' ? [text.trim().replace(/\s+/g, ' ')] : [],
  );
  const mark = others.find((other) => other !== name) ?? subject;
  const short = name.slice(0, MAX_OPERATOR_NAME_CHARS);
  return [
    short,
    `${short.slice(0, MAX_OPERATOR_NAME_CHARS / 2)} (${mark.slice(0, MAX_OPERATOR_NAME_CHARS / 2 - 3)})`,
  ];
}
