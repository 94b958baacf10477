/** `{base_url}/v/{verification_id}`: a verification's own link creates a session each time a person opens it. */
import type { Device, OpenResponse } from '../../contract/flow.ts';
import type { Partition, Scope } from '../../domain/scope.ts';
import { findSession, findSessionByFlowToken } from '../../store/runs/sessions.ts';
import { bindSession } from '../../store/runs/session-holders.ts';
import { findVerificationAnywhere, type Verification } from '../../store/companies/verifications.ts';
import { Refusal } from '../../refusals/refusal.ts';
import { newFlowToken, sha256 } from '../ports/ids.ts';
import { countSessionOf, lockOfSession, sessionsFrom } from '../rate-limits/sessions.ts';
import { insertBounded } from './sessions/unopened.ts';
import { newSession } from './sessions/sessions.ts';
import { EMPTY_REQUEST } from '../../domain/runs/session-request.ts';
import { snapshotOf, stateOf, type SnapshotDeps } from './sessions/session-view.ts';

/** A verification's own link creates test runs if its config says `is_test`. */
export const partitionOfLink = ({ config }: Pick<Verification, 'config'>): Partition =>
  config['is_test'] === true ? 'test' : 'live';

export type LinkOpening = {
  device: Device;
  flowToken: string | null;
  /** The caller's address, for the limit; null for a paired kiosk, which has none. */
  address: string | null;
};

/**
 * Creates a session for the link’s guest, or resumes this device’s open one. A verification whose config says
 * `is_test` runs in the test partition.
 * @throws Refusal `not_found`, `too_many_sessions`
 */
export async function openVerificationLink(
  deps: SnapshotDeps,
  verificationId: string,
  { device, flowToken, address }: LinkOpening,
): Promise<OpenResponse> {
  const { db, clock } = deps;
  const verification = await findVerificationAnywhere(db, verificationId.toLowerCase());
  if (!verification) throw new Refusal('not_found');
  if (flowToken !== null) {
    const own = await findSessionByFlowToken(db, sha256(flowToken), verification.id);
    const state = own && stateOf(own, clock.now());
    if (own && (state === 'open' || state === 'checking')) {
      return { flow_token: flowToken, snapshot: await snapshotOf(deps, own, { verification }) };
    }
  }
  const scope: Scope = {
    companyId: verification.companyId,
    partition: partitionOfLink(verification),
  };
  const now = clock.now();
  const session = newSession({
    scope,
    keyId: null,
    inviteId: null,
    verificationId: verification.id,
    request: EMPTY_REQUEST,
    now,
    isUnopened: address !== null,
  });
  const token = newFlowToken();
  const sessions = address === null ? null : await sessionsFrom(db, address);
  const opened = await db.tx(
    async (tx) => {
      if (sessions !== null) await countSessionOf(tx, sessions, now);
      await insertBounded(tx, session);
      await bindSession(tx, scope, session.id, {
        flowTokenHash: sha256(token),
        resumeKeyHash: null,
        device,
        at: now,
      });
      return findSession(tx, session.id);
    },
    lockOfSession(scope, sessions),
  );
  if (!opened) throw new Refusal('not_found');
  return { flow_token: token, snapshot: await snapshotOf(deps, opened, { verification }) };
}
