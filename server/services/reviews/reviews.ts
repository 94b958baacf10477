/**
 * Deciding a run in review (decisions §5, rule 8). The command line and a test run's own page decide at once; the
 * console's decisions wait for a minute (`decide.ts`) and are then settled the same way (`due.ts`).
 */
import type { Actor } from '../../domain/operators/actor.ts';
import { isNewPerson, type Verdict, verdictOf } from '../../domain/reviews/decide.ts';
import type { Reason } from '../../domain/settling/reasons.ts';
import type { Scope } from '../../domain/scope.ts';
import { appendAudit } from '../../store/operators/audit.ts';
import { limitCaseFrames } from '../../store/reviews/case-frames.ts';
import { detachPass } from '../../store/passes/changes.ts';
import { findPass, insertPass, type Pass } from '../../store/passes/passes.ts';
import { findControlAnswer } from '../../store/reviews/controls.ts';
import { listOpinions } from '../../store/reviews/opinions.ts';
import type { Database, SqlReader, SqlTx } from '../../store/sql/port.ts';
import {
  decideCase,
  type Decision,
  findCase,
  findOpenCaseOf,
  insertDistinctPair,
  listOpenCases,
  stillThere,
  type StoredCase,
} from '../../store/reviews/cases.ts';
import { announceSession } from '../../store/runs/session-rows.ts';
import { endReview, findSession, type Session } from '../../store/runs/sessions.ts';
import type { Clock } from '../ports/clock.ts';
import { completeRun, type RunEnd } from '../connections/connections.ts';
import { identitiesOf, ownerFacts } from '../matching/owners.ts';
import { enrol } from '../matching/enrolment.ts';
import { overrideVerdict } from '../passes/override.ts';
import { configOf } from '../companies/run-config.ts';
import { findVerification } from '../../store/companies/verifications.ts';
import { Refusal } from '../../refusals/refusal.ts';
import { bindTicketOfRun } from '../settling/bind-ticket.ts';
import { queueEvent, tellSettled } from '../webhooks/events.ts';
import { runOf } from '../settling/settlement.ts';
import { settleControl } from './controls/results.ts';
import { reopenForLateMatches } from './late-matches.ts';
import { readRetention } from '../people/retention-settings.ts';

const DAY_MS = 86_400_000;

type ReviewDecision = { decision: Decision; reason: string; actor: Actor };

/**
 * Settles the case's run as decided, in one transaction.
 * @returns false if the case is back in the queue instead, because of someone who was enrolled while it waited
 * @throws Refusal `not_found`, `case_decided`
 */
export async function decideReview(
  db: Database,
  clock: Clock,
  where: { companyId: string; caseId: string },
  decision: ReviewDecision,
): Promise<boolean> {
  return db.tx(
    async (tx) => {
      const found = await findCase(tx, where.companyId, where.caseId);
      if (!found) throw new Refusal('not_found');
      // A reviewer was first; they may still undo it.
      if (found.pending) throw new Refusal('case_decided');
      return settleCase(tx, found, decision, clock.now());
    },
    { companyId: where.companyId },
  );
}

/**
 * The same for the session of a test run, which decides its own case.
 * @throws Refusal `wrong_step`
 */
export async function decideOwnReview(
  db: Database,
  clock: Clock,
  session: Session,
  decision: ReviewDecision,
): Promise<void> {
  await db.tx(async (tx) => {
    const found = await findOpenCaseOf(tx, session.scope, session.id);
    // A case about a run that has ended is for a reviewer, not for the guest's own page.
    if (!found || session.state !== 'in_review') throw new Refusal('wrong_step');
    if (found.pending) throw new Refusal('case_decided');
    await settleCase(tx, found, decision, clock.now());
  }, session.scope);
}

/**
 * Settles a case inside a transaction: the verdict, the enrolment, the webhooks, the audit entry.
 * @returns false if the case is back in the queue instead, because of someone who was enrolled while it waited
 * @throws Refusal `case_decided`
 */
export async function settleCase(
  tx: SqlTx,
  opened: StoredCase,
  decision: ReviewDecision,
  at: number,
): Promise<boolean> {
  const { scope, id } = opened;
  const answer = await findControlAnswer(tx, id);
  if (answer !== undefined) {
    await settleControl(tx, opened, answer, { ...decision, at });
    return true;
  }
  const found = { ...opened, suspectIds: await stillThere(tx, scope, opened.suspectIds) };
  const session = await findSession(tx, found.sessionId);
  if (session && (await isNewToReviewer(tx, session, found, decision, at))) return false;
  const decided = await decideCase(tx, scope, id, { ...decision, by: decision.actor, at });
  if (decided === 0 || !session) throw new Refusal('case_decided');
  const denied = await findPass(tx, scope, found.passId);
  const verdict = verdictOf(decision.decision, found);
  if (denied) await reviseDenial(tx, scope, denied, { ...decision, verdict, at });
  else await settleRun(tx, session, found, verdict, at);
  const opinions = (await listOpinions(tx, scope, id)).map((opinion) => ({
    by: opinion.operatorId,
    decision: opinion.decision,
  }));
  await queueEvent(tx, scope, {
    type: 'review.decided',
    at,
    data: () => ({
      session_id: session.id,
      case_id: id,
      verification_id: session.verificationId,
      external_id: session.request.externalId,
      decision: decision.decision,
    }),
  });
  const { caseFramesDays } = await readRetention(tx);
  await limitCaseFrames(tx, scope, id, at + caseFramesDays * DAY_MS);
  await appendAudit(tx, {
    ...scope,
    at,
    actor: decision.actor,
    action: 'review.decide',
    subject: id,
    details: {
      decision: decision.decision,
      reason: decision.reason,
      pass_id: found.passId,
      ...(opinions.length > 0 && { opinions }),
    },
  });
  return true;
}

/** Whether an approval as somebody new would pass over a person whom the reviewer could not see. The case is then reopened. */
async function isNewToReviewer(
  tx: SqlTx,
  session: Session,
  found: StoredCase,
  { decision }: ReviewDecision,
  at: number,
): Promise<boolean> {
  const isNew = isNewPerson(verdictOf(decision, found));
  if (!isNew || session.state !== 'in_review' || found.decision !== null) return false;
  const { scope, id } = found;
  const verification = await findVerification(tx, scope.companyId, session.verificationId);
  const run = runOf(session, configOf(session, verification), at);
  if (!(await reopenForLateMatches(tx, found, run))) return false;
  await appendAudit(tx, {
    ...scope,
    at,
    actor: 'system',
    action: 'review.open',
    subject: session.verificationId,
    details: { case_id: id, reasons: (await findCase(tx, scope.companyId, id))?.reasons ?? [] },
  });
  announceSession(tx, session.id, scope.companyId);
  return true;
}

/** Staff asked about a run that had ended denied: it stays denied, or is approved by hand. */
async function reviseDenial(
  tx: SqlTx,
  scope: Scope,
  pass: Pass,
  { decision, reason, actor, verdict, at }: ReviewDecision & { verdict: Verdict; at: number },
): Promise<void> {
  if (verdict.status === 'denied' || pass.status === 'approved' || pass.revokedAt !== null) return;
  // The check took the guest for another person, so none of their data may be bound to that person.
  const isSomebodyElse = decision === 'different_people' && pass.personId !== null;
  if (isSomebodyElse) await detachPass(tx, scope, pass.id);
  const personId = isSomebodyElse ? null : pass.personId;
  await overrideVerdict(tx, scope, { ...pass, personId }, { decision: 'approve', reason, actor, at });
  if (pass.sessionId !== null) announceSession(tx, pass.sessionId, scope.companyId);
}

/**
 * Ends the run that was waiting for the decision.
 * @throws Refusal `case_decided`
 */
async function settleRun(
  tx: SqlTx,
  session: Session,
  found: StoredCase,
  verdict: Verdict,
  at: number,
): Promise<void> {
  const { scope } = found;
  if ((await endReview(tx, scope, session.id)) === 0) throw new Refusal('case_decided');
  const personId = await personOf(tx, session, found, verdict, at);
  const pass: Pass = {
    id: found.passId,
    sessionId: session.id,
    verificationId: session.verificationId,
    personId,
    status: verdict.status,
    reasons: verdict.reasons,
    groups: verdict.groups,
    group: session.request.group,
    declined: false,
    externalId: session.request.externalId,
    identity: identitiesOf(session)[0] ?? null,
    score: found.score,
    settledAt: at,
    lockedAt: null,
    revokedAt: null,
    generation: session.generation,
  };
  await insertPass(tx, scope, pass);
  if (verdict.status === 'approved' && personId !== null)
    await bindTicketOfRun(tx, session, { personId, sealedWith: null, at });
  await tellSettled(tx, scope, session, () => pass, at);
  const end: RunEnd =
    verdict.status === 'approved' ? { kind: 'approved', personId, passId: found.passId } : { kind: 'denied' };
  await completeRun(tx, session, end, at);
}

/** The person of the run after the decision; an approved one is enrolled. */
async function personOf(
  tx: SqlTx,
  session: Session,
  { enrolment, passId, scope }: StoredCase,
  verdict: Verdict,
  at: number,
): Promise<string | null> {
  if (!verdict.isEnrolled) return verdict.personId;
  const owners = await ownerFacts(tx, session);
  const personId = await enrol(tx, session, { personId: verdict.personId, owners, enrolment, passId, at });
  for (const other of verdict.distinctFrom) await insertDistinctPair(tx, scope, [personId, other], at);
  return personId;
}

type CaseListItem = {
  case_id: string;
  company_id: string;
  is_test: boolean;
  reasons: Reason[];
  groups: string[];
  opened_at: string;
};

/** Open cases of one company, or of all, oldest first. */
export async function listReviews(db: SqlReader, companyIds: readonly string[]): Promise<CaseListItem[]> {
  const lists = await Promise.all(companyIds.map((companyId) => listOpenCases(db, companyId)));
  return lists
    .flat()
    .sort((a, b) => a.openedAt - b.openedAt)
    .map((open) => ({
      case_id: open.id,
      company_id: open.scope.companyId,
      is_test: open.scope.partition === 'test',
      reasons: open.reasons,
      groups: open.groups,
      opened_at: new Date(open.openedAt).toISOString(),
    }));
}
