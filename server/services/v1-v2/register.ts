/** POST /v1/business_connect_user/register (contract, v1 rules 1 and 2; decisions §4.7). */
import type { DataRequestType, RegisterRequest, RegisterResponse } from '../../contract/v1.ts';
import { findConnectUser, upsertConnectUser } from '../../store/connections/connect-users.ts';
import type { Ports } from '../ports/ports.ts';
import { newConnectUserId } from '../ports/ids.ts';
import { mintInviteIn } from '../runs/invites.ts';
import type { KeepReply } from '../keys/idempotency.ts';
import type { Caller } from '../keys/keys.ts';
import { hasConnection } from '../connections/connections.ts';
import { connectRunRequest, defaultVerification } from './run-request.ts';

/**
 * Registers a person and creates an invite. A person whom this key family has registered before keeps their ID, and
 * the requested results if none are given this time.
 * @throws Refusal `INVALID_REQUEST`
 */
export async function registerUser(
  { db, clock, baseUrl }: Pick<Ports, 'db' | 'clock' | 'baseUrl'>,
  caller: Caller,
  body: RegisterRequest,
  keep: KeepReply<RegisterResponse> | null = null,
): Promise<RegisterResponse> {
  const { scope, lineageId } = caller;
  const { reference_user_id: referenceUserId } = body;
  const request = connectRunRequest({
    externalId: referenceUserId,
    redirect: { field: 'redirect_url', url: body.redirect_url },
    pool: body.uniqueness_region_id,
  });
  const verification = await defaultVerification(db, scope.companyId);
  const now = clock.now();
  return db.tx(async (tx) => {
    const known = await findConnectUser(tx, scope, lineageId, 'v1', referenceUserId);
    const registered = await upsertConnectUser(tx, scope, {
      id: known?.id ?? newConnectUserId(),
      keyLineageId: lineageId,
      generation: 'v1',
      referenceUserId,
      dataRequest: body.data_request ? typesOf(body.data_request) : (known?.dataRequest ?? []),
      at: now,
    });
    const of = {
      verificationId: verification.id,
      request,
      generation: 'v1',
      connectUserId: registered.id,
    } as const;
    const { inviteId, code } = await mintInviteIn(tx, caller, of, now);
    const reply: RegisterResponse = {
      status: 'success',
      invite_url: `${baseUrl()}/invite/${code}`,
      user_id: registered.id,
      connection_verified: hasConnection(registered),
    };
    await keep?.(tx, reply, inviteId);
    return reply;
  }, scope);
}

/** Each type once, in the requested order. */
const typesOf = (requests: readonly { type: DataRequestType }[]): DataRequestType[] => [
  ...new Set(requests.map(({ type }) => type)),
];
