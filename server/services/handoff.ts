/** A desktop hands its run to a phone by QR code and match code (decisions §6). */
import type { HandoffOpenRequest, HandoffOpenResponse, HandoffResponse, Snapshot } from '../contract/flow.ts';
import {
  confirmHandoff,
  deleteHandoff,
  findHandoffByCode,
  findHandoffByToken,
  replaceHandoff,
  retakeHandoff,
  takeHandoff,
} from '../store/handoffs.ts';
import { findSession, recordDevice, type Session } from '../store/sessions.ts';
import type { ServiceDeps } from './deps.ts';
import { ServiceError } from './errors.ts';
import { changed, refuseEnded } from './flow.ts';
import { newFlowToken, newHandoffCode, sha256 } from './ids.ts';
import { snapshotOf } from './session-view.ts';

/** Long enough to fetch a phone from another room, short enough for a photo of the screen to be worthless. */
export const HANDOFF_LIFETIME_MS = 5 * 60_000;
/** Two digits, 10 to 99: enough to see that both screens are of one run. */
const MATCH_CODES = { first: 10, count: 90 } as const;

/** Offers the run to a phone. The code travels in the fragment, which no server log sees. */
export async function offerHandoff(deps: ServiceDeps, session: Session): Promise<HandoffResponse> {
  refuseEnded(deps, session);
  const code = newHandoffCode();
  const matchCode = String(MATCH_CODES.first + deps.randomInt(MATCH_CODES.count));
  const at = deps.clock.now();
  const expiresAt = at + HANDOFF_LIFETIME_MS;
  await deps.db.tx((tx) =>
    replaceHandoff(tx, { codeHash: sha256(code), sessionId: session.id, matchCode, at, expiresAt }),
  );
  deps.events.changed(session.id);
  return {
    url: `${deps.baseUrl()}/verification?vys=${session.id}#h=${code}`,
    match_code: matchCode,
    expires_at: new Date(expiresAt).toISOString(),
  };
}

/**
 * The phone's first call: the code is good once, for one device.
 * @throws ServiceError `not found`, `handoff_used`, `handoff_expired`
 */
export async function openHandoff(
  deps: ServiceDeps,
  request: HandoffOpenRequest,
): Promise<HandoffOpenResponse> {
  const session = await findSession(deps.db, request.session_id);
  const codeHash = sha256(request.code);
  const offer = session && (await findHandoffByCode(deps.db, session.id, codeHash));
  if (!session || !offer) throw new ServiceError('not found');
  refuseEnded(deps, session);
  const at = deps.clock.now();
  if (offer.openedAt === null && at >= offer.expiresAt) throw new ServiceError('handoff_expired');
  const token = newFlowToken();
  const flowTokenHash = sha256(token);
  const resumeKeyHash = request.resume_key === undefined ? null : sha256(request.resume_key);
  const taken = await deps.db.tx(async (tx) => {
    if (offer.openedAt === null) {
      return takeHandoff(tx, codeHash, { flowTokenHash, resumeKeyHash, device: request.device, at });
    }
    return resumeKeyHash === null ? 0 : retakeHandoff(tx, codeHash, { flowTokenHash, resumeKeyHash });
  });
  if (taken === 0) throw new ServiceError('handoff_used');
  deps.events.changed(session.id);
  return { flow_token: token, snapshot: await snapshotOf(deps, session), match_code: offer.matchCode };
}

/** The person says whether both screens show one number; only then may the phone go on. */
export async function answerHandoff(
  deps: ServiceDeps,
  sessionId: string,
  flowToken: string | null,
  accepted: boolean,
): Promise<Snapshot> {
  if (flowToken === null) throw new ServiceError('flow_token_required');
  const tokenHash = sha256(flowToken);
  const session = await findSession(deps.db, sessionId);
  const offer = session && (await findHandoffByToken(deps.db, sessionId, tokenHash));
  if (!session || !offer) throw new ServiceError('invalid_flow_token');
  refuseEnded(deps, session);
  await deps.db.tx(async (tx) => {
    if (!accepted) {
      await deleteHandoff(tx, tokenHash);
      return;
    }
    await confirmHandoff(tx, tokenHash, deps.clock.now());
    await recordDevice(tx, session.scope, session.id, offer.device ?? 'mobile');
  });
  return changed(deps, session.id);
}
