/** The first start: the first admin, the company and its default verification, in one step that succeeds only once. */
import { timingSafeEqual } from 'node:crypto';
import { type Actor, operatorActor } from '../../domain/operators/actor.ts';
import type {
  FirstCompanyRequest,
  SetupRequest,
  SetupResponse,
  SetupState,
} from '../../contract/console/access.ts';
import { appendAudit } from '../../store/operators/audit.ts';
import { type Company, listCompanies, renameCompany } from '../../store/companies/companies.ts';
import { hasPasskeyAt } from '../../store/operators/passkeys.ts';
import { adminExists } from '../../store/operators/operators.ts';
import { readSetting, writeSetting } from '../../store/settings.ts';
import { type SqlReader, type SqlTx, UniqueViolation } from '../../store/sql/port.ts';
import { findDefaultVerification, updateVerification } from '../../store/companies/verifications.ts';
import { addCompany, findDemoCompany, type NewCompany, readCompanyName } from '../companies/companies.ts';
import { isZone, saveVenueZone } from '../companies/zones.ts';
import { newId, randomBase62, sha256 } from '../ports/ids.ts';
import type { Ports } from '../ports/ports.ts';
import { offeredProvider } from '../operators/oidc-setting.ts';
import type { RelyingParty } from '../operators/webauthn.ts';
import { Refusal } from '../../refusals/refusal.ts';
import { hashSecret } from '../operators/hashing.ts';
import { addOperator, prepare } from '../operators/operators.ts';
import { needsSecondFactor } from '../operators/second-factor.ts';
import { addEvent } from '../venue/events.ts';
import { insertWithCode, withCode } from '../venue/kiosks.ts';
import { openedSession, openSession, type SessionOrigin, toMe } from '../operators/operator-session.ts';
import type { FirstSteps } from '../../contract/console/door.ts';
import { isLoopbackUrl } from '../../domain/address.ts';
import type { Scope } from '../../domain/scope.ts';
import { readFirstStepFacts } from '../../store/setup/first-steps.ts';
import { recoveryMadeAt } from '../backup/recovery-setting.ts';
import { isRecoveryOpen } from './recovery.ts';

/** How the wizard's default verification treats a known face (decisions §5). */
const FIRST_CONFIG = { collision: { action: 'review' } } as const;
const FIRST_KIOSK = 'Kiosk 1';
const ONE_ENTRY = { kind: 'total', max: 1 } as const;
/** 119 bits, short enough to copy from a terminal. */
const SETUP_CODE_LENGTH = 20;

const SETUP_CODES = 'setup_codes';
const SETUP_CODE_VALID_MS = 24 * 60 * 60_000;
/** Each node prints its own at start-up, and a request may reach any node. */
const MOST_SETUP_CODES = 8;

type SetupCode = { hash: string; madeAt: number };

/** Creates a code that every node accepts for a day, until the first admin exists. Only its hash is stored. */
export async function newSetupCode({ db, clock }: Pick<Ports, 'db' | 'clock'>): Promise<string> {
  const code = randomBase62(SETUP_CODE_LENGTH);
  await db.tx(async (tx) => {
    const now = clock.now();
    const made: SetupCode = { hash: sha256(code).toString('hex'), madeAt: now };
    const codes = [made, ...(await validSetupCodes(tx, now))];
    await writeSetting(tx, SETUP_CODES, codes.slice(0, MOST_SETUP_CODES));
  });
  return code;
}

/** Whether the installation has no admin yet. */
export const isSetupNeeded = async (db: SqlReader): Promise<boolean> => !(await adminExists(db));

export async function readSetupState(
  { db, recovery: state }: Pick<Ports, 'db' | 'recovery'>,
  { isLocal, party = null }: { isLocal: boolean; party?: RelyingParty },
): Promise<SetupState> {
  const recovery = isRecoveryOpen({ recovery: state }, { isLocal });
  if (!(await isSetupNeeded(db)))
    return {
      needed: false,
      code_required: false,
      company_name: null,
      recovery,
      single_sign_on: await offeredProvider(db),
      passkeys: party !== null && (await hasPasskeyAt(db, party.id)),
    };
  const company = isLocal ? await companyToAdopt(db) : undefined;
  return {
    needed: true,
    code_required: !isLocal,
    company_name: company?.name ?? null,
    recovery: false,
    single_sign_on: null,
    passkeys: false,
  };
}

/**
 * Creates the first admin and signs them in. An existing company (the start script creates one for trying things out)
 * is adopted: it takes the given name and keeps its keys. A new company has no keys until they are requested.
 * @throws Refusal `setup_done`, `setup_code_required`, `weak_passphrase`, `invalid_event`
 */
export async function setUp(
  deps: Pick<Ports, 'db' | 'clock' | 'randomInt' | 'baseUrl' | 'connectUrl' | 'trustPage' | 'isConsoleOpen'>,
  request: SetupRequest,
  origin: SessionOrigin & { isLocal: boolean },
): Promise<{ token: string; response: SetupResponse }> {
  const { db, clock } = deps;
  if (!(await isSetupNeeded(db))) throw setupDone();
  if (!origin.isLocal && !(await isSetupCode(db, request.setup_code, clock.now()))) {
    throw new Refusal('setup_code_required');
  }
  const { name, passphrase } = await prepare(deps, request.name, request.passphrase);
  const hash = await hashSecret(passphrase);
  const made = await db
    .tx(async (tx) => {
      // Checked again inside the transaction, because two may run at the same time.
      if (await adminExists(tx)) throw setupDone();
      const now = clock.now();
      const operatorId = newId(now);
      const actor = operatorActor(operatorId);
      await addOperator(
        tx,
        { id: operatorId, name, role: 'admin', origin: 'setup', hash, companyIds: null },
        actor,
        now,
      );
      const existing = await companyToAdopt(tx);
      const company = existing
        ? await adopt(tx, existing, request.company_name.trim(), actor, now)
        : await addCompany(tx, now, { name: request.company_name.trim(), actor, config: FIRST_CONFIG });
      const { zone } = request;
      if (zone !== undefined && isZone(zone)) {
        await saveVenueZone(tx, { companyId: company.company_id, zone, actor, at: now });
      }
      const kiosk =
        request.event &&
        (await openFirstEvent(deps, tx, company.company_id, request.event, { at: now, actor }));
      await writeSetting(tx, SETUP_CODES, []);
      const token = await openSession(tx, operatorId, origin, now);
      return { token, company, kiosk, at: now, adopted: existing !== undefined };
    })
    .catch((error: unknown) => {
      throw error instanceof UniqueViolation ? setupDone() : error;
    });
  const signedIn = await openedSession(deps, made.token);
  const { company, kiosk } = made;
  return {
    token: made.token,
    response: {
      me: toMe(signedIn, needsSecondFactor(deps, signedIn)),
      adopted: made.adopted,
      kiosk: kiosk ? await withCode(deps, company.company_id, kiosk.id, kiosk.code, made.at) : null,
      ...company,
    },
  };
}

/**
 * The company that `setUp` would have created, where the command line has created the first admin. Does nothing if there is a company:
 * another admin was faster.
 * @throws Refusal `name_unseen`
 */
export function createMissingCompany(
  { db, clock }: Pick<Ports, 'db' | 'clock'>,
  { company_name: name, zone }: FirstCompanyRequest,
  actor: Actor,
): Promise<void> {
  return db.tx(async (tx) => {
    if ((await listCompanies(tx)).length > 0) return;
    const at = clock.now();
    const { company_id: companyId } = await addCompany(tx, at, { name, actor, config: FIRST_CONFIG });
    if (zone !== undefined && isZone(zone)) await saveVenueZone(tx, { companyId, zone, actor, at });
  });
}

/** An event from now on, one entry per person, with a kiosk to be paired. */
async function openFirstEvent(
  deps: Pick<Ports, 'randomInt'>,
  tx: SqlTx,
  companyId: string,
  { name, ends_at }: NonNullable<SetupRequest['event']>,
  change: { at: number; actor: Actor },
): Promise<{ id: string; code: string }> {
  const scope = { companyId, partition: 'live' } as const;
  const starts_at = new Date(change.at).toISOString();
  const event = await addEvent(tx, scope, { name, starts_at, ends_at, limit: ONE_ENTRY }, change);
  return insertWithCode(deps, tx, companyId, { name: FIRST_KIOSK, event_id: event.id }, change);
}

/** The demo stays unchanged. */
async function companyToAdopt(db: SqlReader): Promise<Company | undefined> {
  const demoId = await findDemoCompany(db);
  return (await listCompanies(db)).find(({ id }) => id !== demoId);
}

async function adopt(
  tx: SqlTx,
  company: Company,
  given: string,
  actor: Actor,
  now: number,
): Promise<Omit<NewCompany, 'keys'>> {
  const name = await readCompanyName(tx, given, company.id);
  await renameCompany(tx, company.id, name);
  const verification = await findDefaultVerification(tx, company.id);
  // A verification that is already configured stays unchanged.
  if (verification && Object.keys(verification.config).length === 0) {
    await updateVerification(tx, { ...verification, config: FIRST_CONFIG, updatedAt: now });
  }
  await appendAudit(tx, {
    at: now,
    actor,
    action: 'company.adopt',
    companyId: company.id,
    subject: company.id,
    details: { from: company.name, to: name },
  });
  return { company_id: company.id, default_verification_id: verification?.id ?? '' };
}

const setupDone = (): Refusal => new Refusal('setup_done');

async function isSetupCode(db: SqlReader, given: string | undefined, now: number): Promise<boolean> {
  const hash = sha256(given?.trim() ?? '');
  const codes = await validSetupCodes(db, now);
  return codes.some((known) => timingSafeEqual(hash, Buffer.from(known.hash, 'hex')));
}

/** Leaves out codes of earlier versions, which were stored as text without a time. */
async function validSetupCodes(db: SqlReader, now: number): Promise<SetupCode[]> {
  const codes = (await readSetting<(SetupCode | string)[]>(db, SETUP_CODES)) ?? [];
  return codes
    .filter((code) => typeof code === 'object')
    .filter(({ madeAt }) => now - madeAt < SETUP_CODE_VALID_MS);
}

// The remaining steps before a venue's first evening, for the checklist next to the door.

export async function readFirstSteps(
  { db, baseUrl }: Pick<Ports, 'db' | 'baseUrl'>,
  scope: Scope,
): Promise<FirstSteps> {
  const { hasEvent, hasKiosk, hasGuest, hasColleague } = await readFirstStepFacts(db, scope);
  return {
    event: hasEvent,
    kiosk: hasKiosk,
    guest: hasGuest,
    colleague: hasColleague,
    recovery: db.engine === 'sqlite' ? (await recoveryMadeAt(db)) !== null : null,
    network: !isLoopbackUrl(baseUrl()),
  };
}
