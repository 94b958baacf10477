/** Actions of staff on a guest whose run has ended. The run's own result is either replaced by hand or kept. */
import type { DoorAgain } from '../../contract/console/door.ts';
import { type Actor, operatorActor } from '../../domain/operators/actor.ts';
import { hasPassedBefore, isFinalDenial } from '../../domain/passes/pass.ts';
import { isSameScope, type Scope } from '../../domain/scope.ts';
import { appendAudit } from '../../store/operators/audit.ts';
import { findPass, type Pass } from '../../store/passes/passes.ts';
import { decideCase, findCaseOfPass, insertCase } from '../../store/reviews/cases.ts';
import { insertCaseFrames } from '../../store/reviews/case-frames.ts';
import { insertReviewNote } from '../../store/reviews/notes.ts';
import { findVerification } from '../../store/companies/verifications.ts';
import { findSession, insertSession, type Session } from '../../store/runs/sessions.ts';
import { isChecking } from '../../domain/runs/progress.ts';
import type { ConnectSigner } from '../connections/signer.ts';
import type { Ports } from '../ports/ports.ts';
import type { DeniedPictures } from '../capture/denied-pictures.ts';
import { Refusal, notFound } from '../../refusals/refusal.ts';
import { newId } from '../ports/ids.ts';
import { type Act, onPass, refuseUnchanged, withPass } from '../passes/actions.ts';
import { overrideVerdict } from '../passes/override.ts';
import { newSession } from '../runs/sessions/sessions.ts';
import { settleDeclinedIn } from '../settling/settlement.ts';
import { iso } from '../wire/values.ts';

type Deps = Pick<Ports, 'db' | 'clock'>;

/**
 * Approves a denied run. The pass then reads approved with `manual_override` (decisions §3.11), integrations are told
 * as of any override, nothing is metered, and an open case about it is closed. A guest at a kiosk who does not use the
 * camera needs no denial first: their run ends declined, and is approved, at once.
 * @throws Refusal `not_found`, `session_without_pass`, `session_in_review`, `pass_disconnected`,
 * `pass_unchanged`, `decided_by_person`, `capture_under_way`
 */
export async function letIn(
  deps: Deps & { connect: ConnectSigner; deniedPictures: DeniedPictures },
  scope: Scope,
  sessionId: string,
  { reason, actor }: Act,
): Promise<void> {
  const { db, clock } = deps;
  // Photos are deleted once a guest passes.
  deps.deniedPictures.take(sessionId);
  await db.tx(async (tx) => {
    const at = clock.now();
    const session = await findSession(tx, sessionId);
    if (session && isWaitingAtKiosk(session, scope, at)) {
      if (isChecking(session, at)) throw new Refusal('capture_under_way');
      const verification = await findVerification(tx, scope.companyId, session.verificationId);
      await settleDeclinedIn(deps, tx, session, verification);
    }
    await onPass(tx, scope, sessionId, async (pass) => {
      refuseUnlessDenied(pass, sessionId);
      await overrideVerdict(tx, scope, pass, { decision: 'approve', reason, actor, at });
      const asked = await findCaseOfPass(tx, scope, pass.id);
      if (asked && asked.decision === null) {
        await decideCase(tx, scope, asked.id, { decision: 'same_person_allow', reason, by: actor, at });
      }
    });
  }, scope);
}

const isWaitingAtKiosk = (session: Session, scope: Scope, at: number): boolean =>
  isSameScope(session.scope, scope) &&
  session.state === 'open' &&
  session.device === 'kiosk' &&
  at < session.expiresAt;

/**
 * Opens a case about a denied run, with its pictures while they are held. The result stays until a reviewer replaces it.
 * @throws Refusal as `letIn`, and `session_in_review` or `case_decided` if there is or was a case
 */
export function askReviewer(
  deps: Deps & { deniedPictures: DeniedPictures },
  scope: Scope,
  sessionId: string,
  { reason, operatorId }: { reason: string; operatorId: string },
): Promise<void> {
  const pictures = deps.deniedPictures.take(sessionId);
  return withPass(deps, scope, sessionId, async (tx, pass, at) => {
    refuseUnlessDenied(pass, sessionId);
    const before = await findCaseOfPass(tx, scope, pass.id);
    if (before) throw new Refusal(before.decision === null ? 'session_in_review' : 'case_decided');
    const caseId = newId(at);
    await insertCase(tx, scope, {
      id: caseId,
      sessionId,
      passId: pass.id,
      reasons: [...pass.reasons],
      groups: [...pass.groups],
      suspectIds: pass.personId === null ? [] : [pass.personId],
      enrolment: null,
      score: pass.score,
      openedAt: at,
    });
    await insertCaseFrames(tx, scope, caseId, pictures);
    await insertReviewNote(tx, scope, { id: newId(at), caseId, operatorId, text: reason, at });
    await appendAudit(tx, {
      ...scope,
      at,
      actor: operatorActor(operatorId),
      action: 'review.request',
      subject: caseId,
      details: { session_id: sessionId, pass_id: pass.id, reason },
    });
  });
}

/**
 * A pass that counts for several runs was not denied in this one, and only an admin may change a person's decision.
 */
function refuseUnlessDenied(pass: Pass, sessionId: string): void {
  refuseUnchanged(pass, 'approve');
  if (pass.sessionId !== sessionId) throw new Refusal('pass_unchanged');
  if (isFinalDenial(pass.reasons)) throw new Refusal('decided_by_person');
}

/**
 * A new session with the full request of the ended one. The old result stays unchanged.
 * @throws Refusal `not_found`, also for a run of v1 or v2, whose integrator creates the next one;
 * `session_not_over` while the run is open or in review; `guest_passed` if another check could not change the result
 */
export function checkAgain(
  { db, clock, baseUrl }: Pick<Ports, 'db' | 'clock' | 'baseUrl'>,
  scope: Scope,
  sessionId: string,
  { reason, actor }: { reason: string; actor: Actor },
): Promise<DoorAgain> {
  return db.tx(async (tx) => {
    const ended = await findSession(tx, sessionId);
    if (!ended || !isSameScope(ended.scope, scope) || ended.generation !== 'v3') throw notFound();
    const at = clock.now();
    const isOpen = ended.state === 'open' && at < ended.expiresAt;
    if (isOpen || ended.state === 'in_review') throw new Refusal('session_not_over');
    const pass = ended.passId === null ? undefined : await findPass(tx, scope, ended.passId);
    if (pass && (pass.status === 'approved' || hasPassedBefore(pass.reasons))) {
      throw new Refusal('guest_passed');
    }
    const { verificationId, keyId, request } = ended;
    const session = newSession({ scope, keyId, inviteId: null, verificationId, request, now: at });
    await insertSession(tx, session);
    await appendAudit(tx, {
      ...scope,
      at,
      actor,
      action: 'session.again',
      subject: session.id,
      details: { session_id: sessionId, reason },
    });
    return {
      session_id: session.id,
      url: `${baseUrl()}/verification?vys=${session.id}`,
      expires_at: iso(session.expiresAt),
    };
  }, scope);
}
