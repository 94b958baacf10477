/** POST /v3/initialize: the contract's rules 1 to 14, decisions §3.3 to §3.8. */
import { type InitializeRequest, type InitializeResponse, SECRET_ONLY_FIELDS } from '../../contract/v3.ts';
import { parseOrigin, parseReturnAddress } from '../../domain/address.ts';
import type { Scope } from '../../domain/scope.ts';
import { findExternalIdOwner, findIdentityOwner } from '../../store/people/people.ts';
import type { Database, SqlReader } from '../../store/sql/port.ts';
import { insertSession } from '../../store/runs/sessions.ts';
import type { SessionRequest } from '../../domain/runs/session-request.ts';
import type { Verification } from '../../store/companies/verifications.ts';
import type { Clock } from '../ports/clock.ts';
import { Refusal } from '../../refusals/refusal.ts';
import { mintInviteIn } from './invites.ts';
import type { Caller } from '../keys/keys.ts';
import { readIdentity } from '../wire/values.ts';
import type { KeepReply } from '../keys/idempotency.ts';
import { resolveVerification } from '../companies/resolve-verification.ts';
import { checkRunConfig } from '../companies/run-config.ts';
import type { Limited } from '../rate-limits/rate-limits.ts';
import { countSessionOf, lockOfSession } from '../rate-limits/sessions.ts';
import { insertBounded } from './sessions/unopened.ts';
import { newSession } from './sessions/sessions.ts';

type InitializeDeps = { db: Database; clock: Clock; baseUrl: () => string };

/**
 * Creates a session (or an invite) for a run and returns its hosted link.
 * @param sessions what the sessions of a live publishable key count against
 * @param keep keeps the reply, if the call may be repeated
 * @throws Refusal with the contract's codes
 */
export async function initialize(
  { db, clock, baseUrl }: InitializeDeps,
  caller: Caller,
  body: InitializeRequest,
  sessions: Limited | null = null,
  keep: KeepReply<InitializeResponse> | null = null,
): Promise<InitializeResponse> {
  checkPrivilege(caller, body);
  const request = readRequest(body);
  const verification = await resolveVerification(db, caller, body);
  await checkClaims(db, caller.scope, request, verification);
  if (body.expire_in_days !== undefined) {
    const of = { verificationId: verification.id, request, generation: 'v3', connectUserId: null } as const;
    return db.tx(async (tx) => {
      const { inviteId, code } = await mintInviteIn(tx, caller, of, clock.now());
      const reply = { url: `${baseUrl()}/invite/${code}`, session_id: null, invite_id: inviteId };
      await keep?.(tx, reply, inviteId);
      return reply;
    }, caller.scope);
  }
  const now = clock.now();
  const isCounted = isPublic(caller);
  const session = newSession({
    scope: caller.scope,
    keyId: caller.keyId,
    inviteId: null,
    verificationId: verification.id,
    request,
    now,
    isUnopened: isCounted,
  });
  const reply = {
    url: `${baseUrl()}/verification?vys=${session.id}`,
    session_id: session.id,
    invite_id: null,
  };
  // A secret key needs one statement, which is cheaper than a transaction.
  if (!isCounted && !keep)
    await insertSession({ run: db.write, secrets: db.secrets, afterCommit: db.announce }, session);
  else {
    await db.tx(
      async (tx) => {
        if (isCounted && sessions !== null) await countSessionOf(tx, sessions, now);
        if (isCounted) await insertBounded(tx, session);
        else await insertSession(tx, session);
        await keep?.(tx, reply, session.id);
      },
      isCounted ? lockOfSession(caller.scope, sessions) : caller.scope,
    );
  }
  return reply;
}

/** Whether anyone who reads a page's source can make live calls as this caller. */
export const isPublic = ({ kind, scope }: Caller): boolean => kind === 'pk' && scope.partition === 'live';

/** Decisions §3.3, then §3.7. */
function checkPrivilege(caller: Caller, body: InitializeRequest): void {
  if (caller.kind === 'pk' && SECRET_ONLY_FIELDS.some((field) => body[field] !== undefined)) {
    throw new Refusal('identifiers_require_secret_key');
  }
  if (body.config === undefined) return;
  if (caller.scope.partition === 'live') throw new Refusal('config_requires_test_key');
  checkRunConfig(body.config);
}

/** Decisions §3.4: combinations of fields. */
function readRequest(body: InitializeRequest): SessionRequest {
  const identity = readIdentity(body);
  if (body.start_path !== undefined && body.origin === undefined)
    throw new Refusal('start_path_requires_origin');
  if (body.return_path !== undefined && body.origin === undefined)
    throw new Refusal('return_path_requires_origin');
  if (body.origin !== undefined && parseOrigin(body.origin) === null)
    throw new Refusal('invalid_origin', { args: { origin: body.origin } });
  if (body.redirect_url !== undefined && !parseReturnAddress(body.redirect_url)) {
    throw new Refusal('invalid_redirect_url');
  }
  checkInvite(body);
  if (body.metadata !== undefined && identity === null && body.external_id === undefined) {
    throw new Refusal('metadata_requires_identifier');
  }
  return {
    origin: body.origin ?? null,
    returnPath: body.return_path ?? null,
    startPath: body.start_path ?? null,
    redirectUrl: body.redirect_url ?? null,
    passParams: body.pass_params ?? null,
    autoReturn: body.auto_return ?? null,
    config: body.config ?? null,
    externalId: body.external_id ?? null,
    group: body.group ?? null,
    includeGroups: body.include_groups ?? [],
    identity,
    metadata: body.metadata ?? null,
  };
}

/** Contract, initialize rules 4 and 5. */
function checkInvite(body: InitializeRequest): void {
  if (body.expire_in_days === undefined) return;
  if (body.redirect_url !== undefined) throw new Refusal('redirect_url_requires_session');
  if (body.group !== undefined || body.include_groups !== undefined)
    throw new Refusal('group_requires_session');
  if (body.email === undefined) throw new Refusal('expire_in_days_requires_email');
}

/** Decisions §3.6: existing owners of the credential and the external ID. */
async function checkClaims(
  db: SqlReader,
  scope: Scope,
  request: SessionRequest,
  verification: Verification,
): Promise<void> {
  const bound =
    request.externalId === null ? undefined : await findExternalIdOwner(db, scope, request.externalId);
  if (request.identity) {
    const owner = await findIdentityOwner(db, scope, request.identity);
    if (owner !== undefined && owner !== bound?.personId) throw new Refusal('identity_already_claimed');
  }
  if (bound && bound.verificationId !== verification.id) throw new Refusal('external_id_already_exists');
}
