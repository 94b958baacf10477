/** POST /v1/business_connect_user/get_status (contract, v1 rule 3; decisions §4.7). */
import { createHmac } from 'node:crypto';
import type { DataResult, GetStatusRequest, GetStatusResponse } from '../../contract/v1.ts';
import { type ConnectUser, findConnectUser } from '../../store/connections/connect-users.ts';
import { findPass } from '../../store/passes/passes.ts';
import type { Ports } from '../ports/ports.ts';
import type { Caller } from '../keys/keys.ts';
import { hasConnection } from '../connections/connections.ts';
import { Refusal } from '../../refusals/refusal.ts';
import type { Database } from '../../store/sql/port.ts';
import { loadSigningKeys } from '../../store/keys/signing-keys.ts';
import type { Clock } from '../ports/clock.ts';

type StatusDeps = Pick<Ports, 'db' | 'clock'>;

/** Risk of a pass without a measured score: the middle of the scale. */
const UNMEASURED_RISK = 50;

/**
 * Whether the person is connected, and if so one result for each requested type. Without a connection the list is
 * empty.
 * @throws Refusal `DOES_NOT_EXIST`
 */
export async function userStatus(
  deps: StatusDeps,
  { scope, lineageId }: Caller,
  { reference_user_id: referenceUserId }: GetStatusRequest,
): Promise<GetStatusResponse> {
  const user = await findConnectUser(deps.db, scope, lineageId, 'v1', referenceUserId);
  if (!user)
    throw new Refusal('DOES_NOT_EXIST', {
      message: 'No user is registered under this reference_user_id. Register the user first.',
    });
  return {
    status: 'success',
    has_connection: hasConnection(user),
    simple_data_request_response: hasConnection(user) ? await resultsOf(deps, user) : [],
  };
}

async function resultsOf(deps: StatusDeps, user: ConnectUser): Promise<DataResult[]> {
  const results: DataResult[] = [];
  for (const type of user.dataRequest) {
    switch (type) {
      case 'GET_HUMANNESS_SCORE_AND_UNIQUE_HUMAN_ID':
        results.push({ type, result: await humanness(deps, user) });
        break;
      case 'IS_PHONE_NUMBER_VERIFIED':
        results.push({ type, result: { is_phone_number_verified: true } });
    }
  }
  return results;
}

/** The pass states how risky the run was. This scale is inverted: higher is more human. */
async function humanness(
  deps: StatusDeps,
  { scope, personId, passId }: ConnectUser,
): Promise<{ humanness_score: number; unique_human_id: string }> {
  const pass = passId === null ? undefined : await findPass(deps.db, scope, passId);
  return {
    humanness_score: 100 - (pass?.score ?? UNMEASURED_RISK),
    unique_human_id: await uniqueHumanId(deps, scope.companyId, personId ?? ''),
  };
}

const PREFIX = 'uh_';

/**
 * A person's ID for one company: stable there, and not comparable between two companies, since each has a secret of
 * its own (decisions §4.7). 43 base64url characters after `uh_`.
 */
export async function uniqueHumanId(
  { db, clock }: { db: Database; clock: Clock },
  companyId: string,
  personId: string,
): Promise<string> {
  // Made when first needed; never rotated, or the IDs would change.
  const [{ secret }] = await loadSigningKeys(db, `unique-human-id:${companyId}`, clock.now(), { companyId });
  return PREFIX + createHmac('sha256', secret).update(personId).digest('base64url');
}
