/** POST /v2/verification/status (contract, v2 rule 5; decisions §4.3). */
import type { StatusRequest, StatusResponse } from '../../contract/v2.ts';
import { hasEnded } from '../../domain/clock.ts';
import { isVerified } from '../../domain/passes/pass.ts';
import { countRunsOfReference, findSessionByStatusToken } from '../../store/connections/connect-sessions.ts';
import { findConnectUserById } from '../../store/connections/connect-users.ts';
import { findPass } from '../../store/passes/passes.ts';
import type { Ports } from '../ports/ports.ts';
import { sha256 } from '../ports/ids.ts';
import type { Caller } from '../keys/keys.ts';
import { Refusal } from '../../refusals/refusal.ts';
import { STATUS_TOKEN_LIFETIME_MS } from '../connections/status-token.ts';

type StatusDeps = Pick<Ports, 'db' | 'clock'>;

/**
 * Whether the person may be admitted. A token decides for its own run; an ID for any of its runs.
 * @throws Refusal `INVALID_API_ACCESS`, `DOES_NOT_EXIST`, `EXPIRED`
 */
export async function verificationStatus(
  deps: StatusDeps,
  caller: Caller,
  { token, external_id: externalId }: StatusRequest,
): Promise<StatusResponse> {
  if (token !== undefined) return statusByToken(deps, caller, token, externalId);
  if (externalId !== undefined) return statusByExternalId(deps, caller, externalId);
  throw new Refusal('INVALID_API_ACCESS', { message: 'Send token or external_id: one of them is required.' });
}

const unknown = (): Refusal =>
  new Refusal('DOES_NOT_EXIST', {
    message:
      'No verification matches the token or external_id. Check both, and use a key of the same company and partition.',
  });

async function statusByToken(
  { db, clock }: StatusDeps,
  { scope }: Caller,
  token: string,
  externalId: string | undefined,
): Promise<StatusResponse> {
  const session = await findSessionByStatusToken(db, scope, sha256(token));
  const user = session?.connectUserId
    ? await findConnectUserById(db, scope, session.connectUserId)
    : undefined;
  if (!session || !user || session.statusTokenAt === null) throw unknown();
  if (externalId !== undefined && externalId !== user.referenceUserId) throw unknown();
  if (hasEnded(session.statusTokenAt, STATUS_TOKEN_LIFETIME_MS, clock.now())) {
    throw new Refusal('EXPIRED', {
      message: 'The token is older than 15 minutes. Send the external_id instead.',
    });
  }
  const pass = session.passId === null ? undefined : await findPass(db, scope, session.passId);
  return {
    verification_complete: pass !== undefined && isVerified(pass),
    external_id: user.referenceUserId,
  };
}

async function statusByExternalId(
  { db }: StatusDeps,
  { scope }: Caller,
  externalId: string,
): Promise<StatusResponse> {
  const { runs, approved } = await countRunsOfReference(db, scope, externalId);
  if (runs === 0) throw unknown();
  return { verification_complete: approved > 0, external_id: externalId };
}
