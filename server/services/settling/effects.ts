/** The effects of an outcome, in the transaction that decided it (decisions §5, rules 2 to 9). */
import type { PersonFinding } from '../../contract/flow.ts';
import type { Enrolment } from '../../domain/matching/template-set.ts';
import type { Outcome, Run } from '../../domain/settling/settle.ts';
import { appendAudit } from '../../store/operators/audit.ts';
import { findPass, insertPass, type Pass } from '../../store/passes/passes.ts';
import { type CaseFrame, insertCaseFrames } from '../../store/reviews/case-frames.ts';
import type { SqlTx } from '../../store/sql/port.ts';
import { type CaseLikeness, insertCase } from '../../store/reviews/cases.ts';
import { endSession, type Session } from '../../store/runs/sessions.ts';
import { recordFailedAttempt } from '../../store/runs/session-checks.ts';
import { countOutcome } from '../../store/usage/usage.ts';
import { completeRun } from '../connections/connections.ts';
import { bindAccount, enrol, recordVisit } from '../matching/enrolment.ts';
import type { TicketSeal } from '../matching/sealed-faces.ts';
import type { Owners } from '../matching/owners.ts';
import { Refusal } from '../../refusals/refusal.ts';
import type { Likeness } from '../matching/identification.ts';
import { newId } from '../ports/ids.ts';
import { bindTicketOfRun } from './bind-ticket.ts';
import { queueEvent, tellSettled } from '../webhooks/events.ts';
import { keepGuestPhoto } from './guest-photo.ts';

/** The result of a check: who the face is, and what to store if it is approved. */
export type CheckedFace = {
  personId: string | null;
  nearIds: string[];
  alsoSameIds?: string[];
  /** By the shorter check of the fast lane, which adds no view of the face. */
  isFastLane?: boolean;
  /** Null if no face could be measured; such a run never passes. */
  enrolment: Enrolment | null;
  /** At an event that seals faces: what this one is sealed with; null if it is not kept. Left out elsewhere. */
  seal?: TicketSeal | null;
  score: number | null;
  /** The points that make up the score, if something was measured. */
  scoreParts?: Record<string, number>;
  /** For a reviewer, if a search was made. */
  likeness?: Likeness | null;
  /** Kept only if the run goes to a reviewer. */
  pictures?: readonly CaseFrame[];
  /** Kept only if the run is approved, the guest agreed to it, and the event keeps photos. */
  photo?: CaseFrame | null;
};

/** A run with its outcome, and its basis. */
export type Applied = {
  session: Session;
  run: Run;
  outcome: Outcome;
  face: CheckedFace | null;
  owners: Owners;
  findings: readonly PersonFinding[];
  day: string;
};

/** What is stored now: the session, and the pass that was made. An earlier pass that applies is not read. */
export type Concluded = { session: Session; pass?: Pass | null };

/** Writes an outcome with all its effects. */
export async function apply(tx: SqlTx, applied: Applied): Promise<Concluded> {
  const { session, outcome, findings } = applied;
  switch (outcome.kind) {
    case 'retry':
      return { session: await failAttempt(tx, session, findings), pass: null };
    case 'skip':
      return applySkip(tx, { ...applied, outcome });
    case 'review':
      return applyReview(tx, { ...applied, outcome });
    case 'settle':
      return applyVerdict(tx, { ...applied, outcome });
  }
}

/** The earlier pass applies to this run, too; nothing new is settled or metered. */
async function applySkip(
  tx: SqlTx,
  {
    session,
    run,
    outcome: { passId },
    face,
    owners,
  }: Applied & { outcome: Extract<Outcome, { kind: 'skip' }> },
): Promise<Concluded> {
  const at = run.nowMs;
  const personId = face?.personId ?? null;
  const ended = await end(tx, session, { state: 'settled', passId, at });
  // Before a capture, one credential has named the person, and nothing shows that another one is theirs.
  if (personId !== null && run.liveness !== null) {
    await bindAccount(tx, session, { personId, owners, at });
    await bindTicketOfRun(tx, session, { personId, sealedWith: null, at });
  } else if (personId !== null) await recordVisit(tx, session, personId, at);
  await completeRun(tx, session, { kind: 'approved', personId, passId }, at);
  await tellSettled(tx, session.scope, session, () => heldPass(tx, session, passId), at);
  await appendAudit(tx, {
    ...session.scope,
    at,
    actor: 'system',
    action: 'run.skip',
    subject: session.verificationId,
    details: { pass_id: passId, ...fastLaneOf(face) },
  });
  return { session: ended };
}

/** The pass of an earlier run. */
async function heldPass(tx: SqlTx, { scope }: Session, passId: string): Promise<Pass> {
  const pass = await findPass(tx, scope, passId);
  if (!pass) throw new Error('A run ended with a pass that does not exist.');
  return pass;
}

async function applyVerdict(
  tx: SqlTx,
  { session, run, outcome, face, owners, day }: Applied & { outcome: Extract<Outcome, { kind: 'settle' }> },
): Promise<Concluded> {
  const passId = newId(run.nowMs);
  const joins = outcome.status === 'approved' && run.liveness === null;
  const personId =
    outcome.status === 'approved' && face
      ? await bindApproved(tx, session, { face, owners, passId, at: run.nowMs })
      : (face?.personId ?? null);
  const ended = await end(tx, session, { state: 'settled', passId, at: run.nowMs });
  const pass: Pass = {
    id: passId,
    sessionId: session.id,
    verificationId: session.verificationId,
    personId,
    status: outcome.status,
    reasons: outcome.reasons,
    groups: outcome.groups,
    group: run.group,
    declined: outcome.declined,
    externalId: run.externalId,
    identity: run.identity,
    score: face?.score ?? null,
    settledAt: run.nowMs,
    lockedAt: null,
    revokedAt: null,
    generation: session.generation,
  };
  await insertPass(tx, session.scope, pass);
  await tellSettled(tx, session.scope, session, () => pass, run.nowMs);
  if (outcome.status === 'approved' && personId !== null && face?.photo) {
    await keepGuestPhoto(tx, session, { personId, photo: face.photo, nowMs: run.nowMs });
  }
  const sealedWith = face?.seal?.ticketId ?? null;
  if (outcome.status === 'approved' && personId !== null && run.liveness !== null)
    await bindTicketOfRun(tx, session, { personId, sealedWith, at: run.nowMs });
  await countOutcome(tx, session.scope, {
    day,
    verificationId: session.verificationId,
    group: run.group,
    outcome: joins ? 'joined' : outcomeName(outcome),
  });
  await completeRun(
    tx,
    session,
    outcome.status === 'approved' ? { kind: 'approved', personId, passId } : { kind: 'unfulfillable' },
    run.nowMs,
  );
  await appendAudit(tx, {
    ...session.scope,
    at: run.nowMs,
    actor: 'system',
    action: joins ? 'run.join' : 'run.settle',
    subject: session.verificationId,
    details: {
      pass_id: passId,
      status: outcome.status,
      reasons: outcome.reasons,
      ...fastLaneOf(face),
    },
  });
  return { session: ended, pass };
}

const fastLaneOf = (face: CheckedFace | null) => (face?.isFastLane === true ? { fast_lane: true } : {});

/** Rule 9. A person who joins another region was enrolled in the region of the check. */
async function bindApproved(
  tx: SqlTx,
  session: Session,
  { face, owners, passId, at }: { face: CheckedFace; owners: Owners; passId: string; at: number },
): Promise<string | null> {
  const { personId, enrolment, seal } = face;
  if (personId !== null && face.isFastLane === true) {
    await bindAccount(tx, session, { personId, owners, at });
    return personId;
  }
  if (enrolment) return enrol(tx, session, { personId, owners, enrolment, seal, passId, at });
  if (personId !== null) await recordVisit(tx, session, personId, at);
  return personId;
}

/** As the usage page counts it: an approval, one with findings, or the first reason of a denial. */
function outcomeName({ status, reasons }: Extract<Outcome, { kind: 'settle' }>): string {
  if (status === 'approved') return reasons.length > 0 ? 'flagged' : 'approved';
  return reasons[0] ?? 'denied';
}

/**
 * Rule 8: the run waits on the session for a decision. Its pass is created with the decision, under the ID in the
 * token.
 */
async function applyReview(
  tx: SqlTx,
  { session, run, outcome, face, day }: Applied & { outcome: Extract<Outcome, { kind: 'review' }> },
): Promise<Concluded> {
  if (!face?.enrolment) throw new Error('A run without a face cannot come to a review.');
  const passId = newId(run.nowMs);
  const caseId = newId(run.nowMs);
  const ended = await end(tx, session, { state: 'in_review', passId, at: run.nowMs });
  await insertCase(tx, session.scope, {
    id: caseId,
    sessionId: session.id,
    passId,
    reasons: outcome.reasons,
    groups: outcome.groups,
    suspectIds: outcome.suspectIds,
    // The code of a ticket is not there when a reviewer decides, so such a face could not be sealed then.
    enrolment: face.seal === undefined ? face.enrolment : null,
    score: face.score,
    likeness: likenessOf(face, outcome.suspectIds),
    openedAt: run.nowMs,
  });
  await insertCaseFrames(tx, session.scope, caseId, face.pictures ?? []);
  await queueEvent(tx, session.scope, {
    type: 'run.review_opened',
    at: run.nowMs,
    data: () => ({
      session_id: session.id,
      case_id: caseId,
      verification_id: session.verificationId,
      external_id: run.externalId,
      reasons: [...outcome.reasons],
      group: run.group,
    }),
  });
  await countOutcome(tx, session.scope, {
    day,
    verificationId: session.verificationId,
    group: run.group,
    outcome: 'review',
  });
  await appendAudit(tx, {
    ...session.scope,
    at: run.nowMs,
    actor: 'system',
    action: 'review.open',
    subject: session.verificationId,
    details: { case_id: caseId, reasons: outcome.reasons, ...fastLaneOf(face) },
  });
  return { session: ended, pass: null };
}

function likenessOf({ likeness }: CheckedFace, suspectIds: readonly string[]): CaseLikeness | null {
  if (!likeness) return null;
  const { byPerson, thresholds } = likeness;
  return { similarities: suspectIds.map((id) => byPerson.get(id) ?? null), ...thresholds };
}

const UNCHECKED = { checkingNonce: null, checkingUntil: null };

/** If two try to end one session, the second finds it ended: one settlement per session. */
async function end(tx: SqlTx, session: Session, as: Parameters<typeof endSession>[3]): Promise<Session> {
  if ((await endSession(tx, session.scope, session.id, as)) === 0) throw new Refusal('session_settled');
  const { state, passId, at: settledAt } = as;
  return { ...session, ...UNCHECKED, state, passId, settledAt, findings: [] };
}

async function failAttempt(
  tx: SqlTx,
  session: Session,
  findings: readonly PersonFinding[],
): Promise<Session> {
  const isCounted = (await recordFailedAttempt(tx, session.scope, session.id, findings)) > 0;
  if (!isCounted) return session;
  return { ...session, ...UNCHECKED, attemptsLeft: session.attemptsLeft - 1, findings: [...findings] };
}
