/**
 * A person verifies a number by code, sees which organisers know them, disconnects or requests erasure (decisions
 * §4.10).
 */
import type {
  MyAction,
  MyCodeRequest,
  MyCodeResponse,
  MyConnection,
  MyContact,
  MyOpenRequest,
  MyOpenResponse,
} from '../../contract/my.ts';
import { isTestNumber, canonicalPhone } from '../../domain/identity.ts';
import { CODE_LIFETIME_MS, RESEND_AFTER_MS } from '../../domain/phone/code.ts';
import { appendAudit } from '../../store/operators/audit.ts';
import { removeAccountsOf } from '../../store/people/erasure.ts';
import {
  deleteEndedMySessions,
  findMyNumber,
  findOwnPerson,
  insertMySession,
  listPeopleOfNumber,
  type OwnPerson,
} from '../../store/runs/my-sessions.ts';
import { findPass, listPassesOf, revokePassesOf } from '../../store/passes/passes.ts';
import { findSession } from '../../store/runs/sessions.ts';
import { OWN_PROOF_PREFIX } from '../connections/own-proof.ts';
import type { ConnectSigner } from '../connections/signer.ts';
import { eraseOwnCodes, findLatestOwnCode, insertPhoneCode } from '../../store/phone/codes.ts';
import { onlyContact } from '../companies/details.ts';
import { endConnectionsOf } from '../connections/connections.ts';
import type { Ports } from '../ports/ports.ts';
import { type CodeService, newPhoneCode, requireMaySend, tryCode } from '../phone/codes.ts';
import type { FaceIndex } from '../matching/face-index.ts';
import { eraseOnePerson } from '../people/erasure.ts';
import { Refusal } from '../../refusals/refusal.ts';
import { newFlowToken, sha256 } from '../ports/ids.ts';
import { findPerson } from '../../store/people/people.ts';
import { externalIdsOf, queueEvent } from '../webhooks/events.ts';
import { countOwnCode, ownCodeKeys } from '../rate-limits/own-codes.ts';
import { keptOf } from './kept-data.ts';

/** Who a caller has proved to be: the holder of a number, or the guest of a run that was just made. */
type Owner = { number: string } | { sessionId: string };
type OwnerDeps = Pick<Ports, 'db' | 'clock'> & { connect: ConnectSigner };

/** How long the person has access before they have to verify the number again. */
export const MY_SESSION_MS = 15 * 60_000;

/**
 * Sends a code to the number. Answers in the same way whether or not the number is known.
 * @param address of the caller
 * @throws Refusal `identifier_unrecognized`, `resend_too_soon`, `too_many_codes`
 */
export async function requestOwnCode(
  deps: Pick<Ports, 'db' | 'clock' | 'randomInt'> & { codes: CodeService },
  { phone }: MyCodeRequest,
  address: string,
): Promise<MyCodeResponse> {
  const number = readNumber(phone);
  const nowMs = deps.clock.now();
  await deps.db.tx(
    async (tx) => {
      const sent = { last: await findLatestOwnCode(tx, number), inSession: 0, ofSessions: false };
      await requireMaySend(tx, number, sent, nowMs);
      await countOwnCode(tx, { number, address, nowMs });
      await eraseOwnCodes(tx, number);
      await insertPhoneCode(tx, null, newPhoneCode(deps, number, null, nowMs));
    },
    { companyId: null, keys: [ownCodeKey(number), ...ownCodeKeys({ number, address, nowMs })] },
  );
  return {
    resend_at: new Date(nowMs + RESEND_AFTER_MS).toISOString(),
    resend_in_ms: RESEND_AFTER_MS,
    expires_at: new Date(nowMs + CODE_LIFETIME_MS).toISOString(),
  };
}

/** @throws Refusal `identifier_unrecognized`, `code_required`, `code_expired`, `wrong_code`, `too_many_codes` */
export async function openOwnPage(
  deps: Pick<Ports, 'db' | 'clock' | 'deletions'>,
  { phone, code }: MyOpenRequest,
): Promise<MyOpenResponse> {
  const number = readNumber(phone);
  const token = newFlowToken();
  const refusal = await deps.db.tx(
    async (tx) => {
      const nowMs = deps.clock.now();
      const proven = await tryCode(tx, await findLatestOwnCode(tx, number), code, nowMs);
      if (proven instanceof Refusal) return proven;
      await eraseOwnCodes(tx, number);
      const deletionTime = deps.deletions.deletionTime();
      if (deletionTime !== null) await deleteEndedMySessions(tx, deletionTime);
      await insertMySession(tx, { tokenHash: sha256(token), number, expiresAt: nowMs + MY_SESSION_MS });
      return null;
    },
    { companyId: null, keys: [ownCodeKey(number)] },
  );
  if (refusal) throw refusal;
  return { my_token: token, connections: await connectionsOf(deps, { number }) };
}

/** Whom to ask without a number and without a proof. */
export async function readOwnContact({
  db,
  codes,
}: Pick<Ports, 'db'> & { codes: CodeService }): Promise<MyContact> {
  return { ...(await onlyContact(db)), asks_staff: !codes.sends };
}

export async function listOwnConnections(deps: OwnerDeps, token: string | null): Promise<MyConnection[]> {
  return connectionsOf(deps, await ownerOf(deps, token));
}

/** Withdraws the person's approvals at one organiser and disconnects their accounts. */
export async function disconnect(
  deps: OwnerDeps,
  token: string | null,
  action: MyAction,
): Promise<MyConnection[]> {
  const owner = await ownerOf(deps, token);
  const { scope, personId } = await ownPerson(deps, owner, action);
  await deps.db.tx(async (tx) => {
    const at = deps.clock.now();
    const person = await findPerson(tx, scope, personId);
    const passes = await revokePassesOf(tx, scope, personId, at);
    await removeAccountsOf(tx, scope, personId);
    const connections = await endConnectionsOf(tx, scope, personId, 'revoked', at);
    if (passes + connections > 0)
      await queueEvent(tx, scope, {
        type: 'person.disconnected',
        at,
        data: () => externalIdsOf(person?.externalIds ?? []),
      });
    await appendAudit(tx, {
      ...scope,
      at,
      actor: 'person',
      action: 'person.disconnect',
      subject: personId,
      details: { passes, connections },
    });
  }, scope);
  return connectionsOf(deps, owner);
}

/** Erases the person at one organiser. */
export async function eraseMe(
  deps: OwnerDeps & { faceIndex: FaceIndex },
  token: string | null,
  action: MyAction,
): Promise<MyConnection[]> {
  const owner = await ownerOf(deps, token);
  const { scope, personId } = await ownPerson(deps, owner, action);
  await eraseOnePerson(deps, scope, personId, 'person');
  return connectionsOf(deps, owner);
}

/** Codes for the own page belong to no company. Those of one number are requested and tried one after the other. */
const ownCodeKey = (number: string): string => `own-codes/${sha256(number).toString('hex')}`;

function readNumber(phone: string): string {
  const identity = canonicalPhone(phone);
  if (!identity) throw new Refusal('identifier_unrecognized');
  return identity.identifier;
}

/**
 * @param token of a verified number, or the proof of a run
 * @throws Refusal `flow_token_required`, `invalid_flow_token`
 */
export async function ownerOf({ db, clock, connect }: OwnerDeps, token: string | null): Promise<Owner> {
  if (token === null) throw new Refusal('flow_token_required');
  if (token.startsWith(OWN_PROOF_PREFIX)) {
    const proof = connect.readOwnProof(token);
    if (!proof || clock.now() >= proof.expiresAt) throw new Refusal('invalid_flow_token');
    return { sessionId: proof.sessionId };
  }
  const number = await findMyNumber(db, sha256(token), clock.now());
  if (number === undefined) throw new Refusal('invalid_flow_token');
  return { number };
}

/** Everyone knows the code of a test number, so it gives access to test data only. */
async function peopleOf({ db }: Pick<Ports, 'db'>, owner: Owner): Promise<OwnPerson[]> {
  if ('number' in owner) {
    return listPeopleOfNumber(db, owner.number, isTestNumber(owner.number) ? 'test' : 'live');
  }
  // Nobody once the person was erased, or the approval was taken back.
  const session = await findSession(db, owner.sessionId);
  const pass = session?.passId ? await findPass(db, session.scope, session.passId) : undefined;
  if (!session || pass?.status !== 'approved' || pass.personId === null) return [];
  const person = await findOwnPerson(db, session.scope, pass.personId);
  return person ? [person] : [];
}

async function ownPerson(
  deps: Pick<Ports, 'db'>,
  owner: Owner,
  { connection_id: id }: MyAction,
): Promise<OwnPerson> {
  const own = (await peopleOf(deps, owner)).find(({ personId }) => personId === id.toLowerCase());
  if (!own) throw new Refusal('not_found');
  return own;
}

async function connectionsOf(deps: Pick<Ports, 'db' | 'clock'>, owner: Owner): Promise<MyConnection[]> {
  const people = await peopleOf(deps, owner);
  return Promise.all(
    people.map(async (own) => ({
      ...viewOf(own),
      kept: await keptOf(deps, own),
      connected: (await listPassesOf(deps.db, own.scope, own.personId)).some(
        (pass) => pass.status === 'approved' && pass.revokedAt === null,
      ),
    })),
  );
}

const viewOf = ({ scope, personId, organiser, since, lastSeenAt }: OwnPerson) => ({
  connection_id: personId,
  organiser,
  is_test: scope.partition === 'test',
  since: new Date(since).toISOString(),
  last_seen_at: new Date(lastSeenAt).toISOString(),
});
