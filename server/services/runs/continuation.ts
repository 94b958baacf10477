/**
 * Moves a run to another browser of the same phone by a one-time link, for example out of an app without camera access
 * (decisions §6).
 */
import type { ContinuationOpenRequest, ContinuationResponse, OpenResponse } from '../../contract/flow.ts';
import {
  findContinuation,
  moveFlowToken,
  replaceContinuation,
  retakeContinuation,
  takeContinuation,
} from '../../store/runs/continuations.ts';
import { findSession, type Session } from '../../store/runs/sessions.ts';
import type { Ports } from '../ports/ports.ts';
import { Refusal } from '../../refusals/refusal.ts';
import { carryKey } from '../matching/sealed-faces.ts';
import { refuseEnded } from './flow.ts';
import { newLinkCode, newFlowToken, sha256 } from '../ports/ids.ts';
import { snapshotOf, type SnapshotDeps } from './sessions/session-view.ts';

/** Long enough to find the other browser and paste a link; the page renews it while it is shown. */
export const CONTINUATION_LIFETIME_MS = 10 * 60_000;

/**
 * A link that moves the run out of the browser that holds `flowToken`, which was authorised before. The code is in the
 * fragment, which neither servers nor link previews see.
 */
export async function offerContinuation(
  deps: Pick<Ports, 'db' | 'clock' | 'baseUrl'>,
  session: Session,
  flowToken: string,
): Promise<ContinuationResponse> {
  refuseEnded(deps, session);
  const code = carryKey(newLinkCode(), flowToken);
  const at = deps.clock.now();
  const expiresAt = at + CONTINUATION_LIFETIME_MS;
  await deps.db.tx(
    (tx) =>
      replaceContinuation(tx, {
        codeHash: sha256(code),
        sessionId: session.id,
        fromTokenHash: sha256(flowToken),
        at,
        expiresAt,
      }),
    session.scope,
  );
  return {
    url: `${deps.baseUrl()}/verification?vys=${session.id}#c=${code}`,
    expires_at: new Date(expiresAt).toISOString(),
  };
}

/**
 * The other browser's first call: the code works once. The browser that offered it loses the run.
 * @throws Refusal `not_found`, `continuation_used`, `continuation_expired`, and as `refuseEnded`
 */
export async function openContinuation(
  deps: SnapshotDeps,
  request: ContinuationOpenRequest,
): Promise<OpenResponse> {
  const session = await findSession(deps.db, request.session_id);
  const codeHash = sha256(request.code);
  const offer = session && (await findContinuation(deps.db, session.id, codeHash));
  if (!session || !offer) throw new Refusal('not_found');
  refuseEnded(deps, session);
  const at = deps.clock.now();
  const { takenAt, expiresAt } = offer;
  if (takenAt === null && at >= expiresAt) throw new Refusal('continuation_expired');
  const token = carryKey(newFlowToken(), request.code);
  const flowTokenHash = sha256(token);
  const resumeKeyHash = request.resume_key === undefined ? null : sha256(request.resume_key);
  const from = offer.toTokenHash ?? offer.fromTokenHash;
  await deps.db.tx(async (tx) => {
    const taken =
      takenAt === null
        ? await takeContinuation(tx, codeHash, { flowTokenHash, resumeKeyHash, at })
        : resumeKeyHash === null
          ? 0
          : await retakeContinuation(tx, codeHash, { flowTokenHash, resumeKeyHash, fromTokenHash: from });
    const move = { from, to: flowTokenHash, resumeKeyHash, device: request.device };
    const moved = taken === 0 ? 0 : await moveFlowToken(tx, session.scope, session.id, move);
    if (moved === 0) throw new Refusal('continuation_used');
  }, session.scope);
  return { flow_token: token, snapshot: await snapshotOf(deps, session) };
}
