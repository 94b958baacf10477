/** Durable links (contract, initialize rule 5): they resume where the person stopped and are redeemed once. */
import type { Actor } from '../../domain/operators/actor.ts';
import type { Device, OpenResponse } from '../../contract/flow.ts';
import { appendAudit } from '../../store/operators/audit.ts';
import {
  findInviteByCode,
  insertInvite,
  type Invite,
  listInvites,
  revokeInvite,
  setInviteSession,
} from '../../store/runs/invites.ts';
import type { Database, SqlReader, SqlTx } from '../../store/sql/port.ts';
import { cancelSession, findSession, type Session } from '../../store/runs/sessions.ts';
import { bindSession, rebindSession } from '../../store/runs/session-holders.ts';
import { deleteHandoffsOf } from '../../store/runs/handoffs.ts';
import type { SessionRequest } from '../../domain/runs/session-request.ts';
import type { Clock } from '../ports/clock.ts';
import { completeRun } from '../connections/connections.ts';
import type { Ports } from '../ports/ports.ts';
import { Refusal, ValidationError } from '../../refusals/refusal.ts';
import { isHashOf, newFlowToken, newId, newLinkCode, sha256 } from '../ports/ids.ts';
import type { Caller } from '../keys/keys.ts';
import type { Limited } from '../rate-limits/rate-limits.ts';
import { countSessionOf, lockOfSession, sessionsFrom } from '../rate-limits/sessions.ts';
import { insertBounded } from './sessions/unopened.ts';
import { newSession } from './sessions/sessions.ts';
import { snapshotOf, stateOf, type SnapshotDeps } from './sessions/session-view.ts';
import type { LinkOpening } from './verification-link.ts';

/** Creates an invite; the code in its link is stored only as a hash. A v1 invite belongs to a user and creates v1 runs. */
export async function mintInviteIn(
  tx: SqlTx,
  caller: Caller,
  of: Pick<Invite, 'verificationId' | 'request' | 'generation' | 'connectUserId'>,
  now: number,
): Promise<{ inviteId: string; code: string }> {
  const code = newLinkCode();
  const invite: Invite = {
    id: newId(now),
    scope: caller.scope,
    keyId: caller.keyId,
    ...of,
    // Invite links never auto-return.
    request: { ...of.request, autoReturn: false },
    sessionId: null,
    createdAt: now,
    revokedAt: null,
  };
  refuseNul(invite.request);
  await insertInvite(tx, invite, sha256(code));
  return { inviteId: invite.id, code };
}

/**
 * PostgreSQL searches an invite's request as JSON, in which it has no NUL.
 * @throws ValidationError
 */
function refuseNul({ externalId, group, returnPath, startPath, includeGroups }: SessionRequest): void {
  const texts = [externalId, group, returnPath, startPath, ...includeGroups];
  if (!texts.some((text) => text?.includes('\0'))) return;
  const msg = 'Value error, an invite cannot hold the character U+0000';
  throw new ValidationError([{ type: 'value_error', loc: ['body'], msg, input: null }]);
}

/**
 * Opens an invite’s link: creates a session, or resumes the open one. The code identifies the person, so a new device
 * takes over the session.
 * @throws Refusal `not_found`, `invite_revoked`, `invite_redeemed`, `too_many_sessions`; `session_expired` in v1
 */
export async function openInvite(
  deps: SnapshotDeps,
  code: string,
  { device, flowToken, address }: LinkOpening,
): Promise<OpenResponse> {
  // Read first for the company whose lock the transaction takes, and again under that lock.
  const known = await findInviteByCode(deps.db, sha256(code));
  if (!known) throw new Refusal('not_found');
  const sessions = address === null ? null : await sessionsFrom(deps.db, address);
  const opened = await deps.db.tx(
    async (tx) => {
      const invite = await findInviteByCode(tx, sha256(code));
      if (!invite) throw new Refusal('not_found');
      if (invite.revokedAt !== null) throw new Refusal('invite_revoked');
      const current = invite.sessionId === null ? undefined : await findSession(tx, invite.sessionId);
      const session =
        current && resumable(deps, current) ? current : await mintSession(tx, deps, invite, sessions);
      const held = flowToken !== null && isHashOf(session.flowTokenHash, flowToken);
      return { sessionId: session.id, token: held ? flowToken : await bind(tx, deps, session, device) };
    },
    lockOfSession(known.scope, sessions),
  );
  const session = await findSession(deps.db, opened.sessionId);
  if (!session) throw new Refusal('not_found');
  return { flow_token: opened.token, snapshot: await snapshotOf(deps, session) };
}

function resumable({ clock }: Pick<Ports, 'clock'>, session: Session): boolean {
  const state = stateOf(session, clock.now());
  if (state === 'settled' || state === 'in_review') throw new Refusal('invite_redeemed');
  // A v1 run's integration has been or will be told that the run is unfulfillable, so its link must not fulfil it
  // later.
  if (state === 'expired' && session.generation !== 'v3') throw new Refusal('session_expired');
  return state === 'open' || state === 'checking';
}

async function mintSession(
  tx: SqlTx,
  { clock }: Pick<Ports, 'clock'>,
  invite: Invite,
  sessions: Limited | null,
): Promise<Session> {
  const now = clock.now();
  const session = newSession({
    scope: invite.scope,
    keyId: invite.keyId,
    inviteId: invite.id,
    verificationId: invite.verificationId,
    request: invite.request,
    generation: invite.generation,
    connectUserId: invite.connectUserId,
    now,
    // The end of a v1 run is announced to its integration, so it keeps its full day.
    isUnopened: sessions !== null && invite.generation === 'v3',
  });
  if (sessions !== null) await countSessionOf(tx, sessions, now);
  await insertBounded(tx, session);
  await setInviteSession(tx, invite.scope, invite.id, session.id);
  return session;
}

async function bind(
  tx: SqlTx,
  { clock }: Pick<Ports, 'clock'>,
  session: Session,
  device: Device,
): Promise<string> {
  const token = newFlowToken();
  const claim = { flowTokenHash: sha256(token), resumeKeyHash: null, device, at: clock.now() };
  if (session.flowTokenHash === null) await bindSession(tx, session.scope, session.id, claim);
  else {
    await rebindSession(tx, session.scope, session.id, claim);
    // The previous device's phone loses the run, too: it could be somewhere else than a kiosk that scanned the link.
    await deleteHandoffsOf(tx, session.id);
  }
  return token;
}

type InviteListItem = {
  invite_id: string;
  verification_id: string;
  is_test: boolean;
  created_at: string;
  revoked_at: string | null;
};

export async function listCompanyInvites(db: SqlReader, companyId: string): Promise<InviteListItem[]> {
  return (await listInvites(db, companyId)).map((invite) => ({
    invite_id: invite.id,
    verification_id: invite.verificationId,
    is_test: invite.scope.partition === 'test',
    created_at: new Date(invite.createdAt).toISOString(),
    revoked_at: invite.revokedAt === null ? null : new Date(invite.revokedAt).toISOString(),
  }));
}

/** Ends an invite and its current run. False if there was none to revoke. */
export async function revokeCompanyInvite(
  db: Database,
  clock: Clock,
  request: { companyId: string; inviteId: string; reason: string; actor: Actor },
): Promise<boolean> {
  return db.tx(
    async (tx) => {
      const at = clock.now();
      const invite = (await listInvites(tx, request.companyId)).find(({ id }) => id === request.inviteId);
      if (!invite || (await revokeInvite(tx, request.companyId, invite.id, at)) === 0) return false;
      const endsRun =
        invite.sessionId === null || (await cancelSession(tx, invite.scope, invite.sessionId, at)) === 1;
      if (endsRun) {
        await completeRun(tx, { ...invite, id: invite.sessionId }, { kind: 'unfulfillable' }, at);
      }
      await appendAudit(tx, {
        at,
        actor: request.actor,
        action: 'invite.revoke',
        companyId: request.companyId,
        partition: invite.scope.partition,
        subject: invite.id,
        details: { reason: request.reason },
      });
      return true;
    },
    { companyId: request.companyId },
  );
}
