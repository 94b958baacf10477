/**
 * A person verifies a number by code, sees which organisers know them, disconnects or requests erasure (decisions
 * §4.10).
 */
import type {
  MyAction,
  MyCodeRequest,
  MyCodeResponse,
  MyConnection,
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
  insertMySession,
  listPeopleOfNumber,
  type OwnPerson,
} from '../../store/runs/my-sessions.ts';
import { listPassesOf, revokePassesOf } from '../../store/passes/passes.ts';
import { eraseOwnCodes, findLatestOwnCode, insertPhoneCode } from '../../store/phone/codes.ts';
import { endConnectionsOf } from '../connections/connections.ts';
import type { Ports } from '../ports.ts';
import { type CodeService, newPhoneCode, requireMaySend, tryCode } from '../phone/codes.ts';
import type { FaceIndex } from '../matching/face-index.ts';
import { eraseOnePerson } from '../people/erasure.ts';
import { ServiceError } from '../errors.ts';
import { newFlowToken, sha256 } from '../ids.ts';
import { countOwnCode } from '../phone/own-code-limits.ts';

/** How long the person has access before they have to verify the number again. */
export const MY_SESSION_MS = 15 * 60_000;

/**
 * Sends a code to the number. Answers in the same way whether or not the number is known.
 * @param address of the caller
 * @throws ServiceError `identifier_unrecognized`, `resend_too_soon`, `too_many_codes`
 */
export async function requestOwnCode(
  deps: Pick<Ports, 'db' | 'clock' | 'randomInt'> & { codes: CodeService },
  { phone }: MyCodeRequest,
  address: string,
): Promise<MyCodeResponse> {
  const number = readNumber(phone);
  const nowMs = deps.clock.now();
  await deps.db.tx(async (tx) => {
    const sent = { last: await findLatestOwnCode(tx, number), inSession: 0, ofSessions: false };
    await requireMaySend(tx, number, sent, nowMs);
    await countOwnCode(tx, { number, address, nowMs });
    await eraseOwnCodes(tx, number);
    await insertPhoneCode(tx, null, newPhoneCode(deps, number, null, nowMs));
  });
  return {
    resend_at: new Date(nowMs + RESEND_AFTER_MS).toISOString(),
    expires_at: new Date(nowMs + CODE_LIFETIME_MS).toISOString(),
  };
}

/** @throws ServiceError `identifier_unrecognized`, `code_required`, `code_expired`, `wrong_code`, `too_many_codes` */
export async function openOwnPage(
  deps: Pick<Ports, 'db' | 'clock' | 'deletions'>,
  { phone, code }: MyOpenRequest,
): Promise<MyOpenResponse> {
  const number = readNumber(phone);
  const token = newFlowToken();
  const refusal = await deps.db.tx(async (tx) => {
    const nowMs = deps.clock.now();
    const proven = await tryCode(tx, await findLatestOwnCode(tx, number), code, nowMs);
    if (proven instanceof ServiceError) return proven;
    await eraseOwnCodes(tx, number);
    const deletionTime = deps.deletions.deletionTime();
    if (deletionTime !== null) await deleteEndedMySessions(tx, deletionTime);
    await insertMySession(tx, { tokenHash: sha256(token), number, expiresAt: nowMs + MY_SESSION_MS });
    return null;
  });
  if (refusal) throw refusal;
  return { my_token: token, connections: await connectionsOf(deps, number) };
}

export async function listOwnConnections(
  deps: Pick<Ports, 'db' | 'clock'>,
  token: string | null,
): Promise<MyConnection[]> {
  return connectionsOf(deps, await numberOf(deps, token));
}

/** Withdraws the person's approvals at one organiser and disconnects their accounts. */
export async function disconnect(
  deps: Pick<Ports, 'db' | 'clock'>,
  token: string | null,
  action: MyAction,
): Promise<MyConnection[]> {
  const number = await numberOf(deps, token);
  const { scope, personId } = await ownPerson(deps, number, action);
  await deps.db.tx(async (tx) => {
    const at = deps.clock.now();
    const passes = await revokePassesOf(tx, scope, personId, at);
    await removeAccountsOf(tx, scope, personId);
    const connections = await endConnectionsOf(tx, scope, personId, 'revoked', at);
    await appendAudit(tx, {
      at,
      actor: 'person',
      action: 'person.disconnect',
      companyId: scope.companyId,
      partition: scope.partition,
      subject: personId,
      details: { passes, connections },
    });
  });
  return connectionsOf(deps, number);
}

/** Erases the person at one organiser. */
export async function eraseMe(
  deps: Pick<Ports, 'db' | 'clock'> & { faceIndex: FaceIndex },
  token: string | null,
  action: MyAction,
): Promise<MyConnection[]> {
  const number = await numberOf(deps, token);
  const { scope, personId } = await ownPerson(deps, number, action);
  await eraseOnePerson(deps, scope, personId, 'person');
  return connectionsOf(deps, number);
}

function readNumber(phone: string): string {
  const identity = canonicalPhone(phone);
  if (!identity) throw new ServiceError('identifier_unrecognized');
  return identity.identifier;
}

async function numberOf({ db, clock }: Pick<Ports, 'db' | 'clock'>, token: string | null): Promise<string> {
  if (token === null) throw new ServiceError('flow_token_required');
  const number = await findMyNumber(db, sha256(token), clock.now());
  if (number === undefined) throw new ServiceError('invalid_flow_token');
  return number;
}

/** Everyone knows the code of a test number, so it gives access to test data only. */
function peopleOf({ db }: Pick<Ports, 'db'>, number: string): Promise<OwnPerson[]> {
  return listPeopleOfNumber(db, number, isTestNumber(number) ? 'test' : 'live');
}

async function ownPerson(
  deps: Pick<Ports, 'db'>,
  number: string,
  { connection_id: id }: MyAction,
): Promise<OwnPerson> {
  const own = (await peopleOf(deps, number)).find(({ personId }) => personId === id.toLowerCase());
  if (!own) throw new ServiceError('not found');
  return own;
}

async function connectionsOf(deps: Pick<Ports, 'db'>, number: string): Promise<MyConnection[]> {
  const people = await peopleOf(deps, number);
  return Promise.all(
    people.map(async ({ scope, personId, organiser, since, lastSeenAt }) => ({
      connection_id: personId,
      organiser,
      is_test: scope.partition === 'test',
      since: new Date(since).toISOString(),
      last_seen_at: new Date(lastSeenAt).toISOString(),
      connected: (await listPassesOf(deps.db, scope, personId)).some(
        (pass) => pass.status === 'approved' && pass.revokedAt === null,
      ),
    })),
  );
}
