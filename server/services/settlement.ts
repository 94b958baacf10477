/**
 * Settling a run: facts are gathered and the outcome is written in one transaction with its usage count and its audit
 * entry (decisions §5). The rules themselves are in `domain/settle.ts`.
 */
import type { PersonFinding } from '../contract/flow.ts';
import {
  type Facts,
  type LivenessOutcome,
  type Outcome,
  passToSkipTo,
  type Run,
  settle,
} from '../domain/settle.ts';
import type { ResolvedConfig } from '../domain/verification-config.ts';
import { appendAudit } from '../store/audit.ts';
import { findCompany } from '../store/companies.ts';
import { touchPerson } from '../store/people.ts';
import { insertPass } from '../store/passes.ts';
import type { SqlTx } from '../store/port.ts';
import { insertCase } from '../store/review-cases.ts';
import { endSession, findSession, recordFailedAttempt, type Session } from '../store/sessions.ts';
import { claimSettlement, countOutcome, countSettledOn, latestMeteredDay } from '../store/usage.ts';
import { findVerification } from '../store/verifications.ts';
import { meteringDay } from '../domain/days.ts';
import type { ServiceDeps } from './deps.ts';
import type { Enrolment } from '../domain/enrolment.ts';
import { enrol } from './enrolment.ts';
import { ServiceError } from './errors.ts';
import { newId } from './ids.ts';
import { identitiesOf, ownerFacts, personFact } from './settlement-facts.ts';
import { configOf, dueStep } from './session-view.ts';

/** What a check brought: who the face is, and what to keep if it is approved. */
export type CheckedFace = {
  personId: string | null;
  nearIds: string[];
  /** Null where no face could be measured; such a run never passes. */
  enrolment: Enrolment | null;
  score: number | null;
};

export type CheckResult = {
  liveness: LivenessOutcome;
  /** For the person, when the attempt did not pass. */
  findings: PersonFinding[];
  /** False when, inside the transaction, the frames turn out to have been used by another upload. */
  guard: (tx: SqlTx) => Promise<boolean>;
  /** Looked up inside the transaction, so that no one enrolled meanwhile is missed. */
  identify: (tx: SqlTx) => Promise<CheckedFace>;
};

/** Settles a run whose frames (or test face) were judged. */
export async function settleChecked(deps: ServiceDeps, session: Session, check: CheckResult): Promise<void> {
  await deps.db.tx(async (tx) => {
    const current = await stillOpen(tx, session);
    const config = await currentConfig(tx, current);
    const isFresh = await check.guard(tx);
    const liveness = isFresh ? check.liveness : REPLAYED;
    const run = { ...runOf(deps, current, config), liveness: livenessAfter(liveness, current) };
    const face = await check.identify(tx);
    const day = meteringDay(run.nowMs, await latestMeteredDay(tx, current.scope));
    const cap = await dailyLimit(tx, current);
    const facts: Facts = {
      person: face.personId === null ? null : ((await personFact(tx, current.scope, face.personId)) ?? null),
      near: await Promise.all(face.nearIds.map((id) => personFact(tx, current.scope, id))).then(present),
      ...(await ownerFacts(tx, current)),
      capReached: (await countSettledOn(tx, current.scope, day)) >= cap,
    };
    const outcome = settle(run, facts);
    // A run that goes to a reviewer has landed now, whatever is decided later.
    const metered = outcome.kind === 'review' || (outcome.kind === 'settle' && outcome.metered);
    if (metered && !(await claimSettlement(tx, current.scope, day, cap))) {
      throw new Error('The daily counter disagrees with its own reading.');
    }
    await apply(tx, {
      session: current,
      run,
      outcome,
      face,
      findings: isFresh ? check.findings : ['try_again'],
      day,
    });
  });
}

/** Rule 1: no check was made, nothing is metered. */
export async function settleDeclined(deps: ServiceDeps, session: Session): Promise<void> {
  await deps.db.tx(async (tx) => {
    const current = await stillOpen(tx, session);
    const run = { ...runOf(deps, current, await currentConfig(tx, current)), declined: true };
    const outcome = settle(run, {
      person: null,
      near: [],
      identityOwnerId: null,
      externalIdOwnerId: null,
      capReached: false,
    });
    const day = meteringDay(run.nowMs, await latestMeteredDay(tx, current.scope));
    await apply(tx, { session: current, run, outcome, face: null, findings: [], day });
  });
}

/** Rule 2 before the capture: a credential whose owner's last pass still stands ends the run with that pass. */
export async function settleKnownPerson(deps: ServiceDeps, sessionId: string): Promise<void> {
  await deps.db.tx(async (tx) => {
    const current = await findSession(tx, sessionId);
    if (current?.state !== 'open') return;
    const config = await currentConfig(tx, current);
    if (dueStep(current, config) !== 'capture') return;
    const { identityOwnerId, externalIdOwnerId } = await ownerFacts(tx, current);
    if (identityOwnerId === null || (externalIdOwnerId !== null && externalIdOwnerId !== identityOwnerId))
      return;
    const run = runOf(deps, current, config);
    const known = passToSkipTo(run, (await personFact(tx, current.scope, identityOwnerId)) ?? null);
    if (known) await applySkip(tx, current, known.id, identityOwnerId, run.nowMs);
  });
}

function runOf({ clock }: ServiceDeps, session: Session, config: ResolvedConfig): Run {
  const { verificationId, request } = session;
  return {
    nowMs: clock.now(),
    verificationId,
    group: request.group,
    includeGroups: request.includeGroups,
    externalId: request.externalId,
    identity: identitiesOf(session)[0] ?? null,
    declined: false,
    liveness: null,
    config,
  };
}

/** The same frames uploaded twice at once: the transaction that comes second finds them there. */
const REPLAYED: LivenessOutcome = {
  passed: false,
  selfMismatch: false,
  spoofSuspected: true,
  attemptsLeftAfter: 0,
};

function livenessAfter(liveness: LivenessOutcome, session: Session): LivenessOutcome {
  return liveness.passed ? liveness : { ...liveness, attemptsLeftAfter: session.attemptsLeft - 1 };
}

type Applied = {
  session: Session;
  run: Run;
  outcome: Outcome;
  face: CheckedFace | null;
  findings: PersonFinding[];
  day: string;
};

async function apply(tx: SqlTx, { session, run, outcome, face, findings, day }: Applied): Promise<void> {
  switch (outcome.kind) {
    case 'retry':
      await recordFailedAttempt(tx, session.scope, session.id, findings);
      return;
    case 'skip':
      await applySkip(tx, session, outcome.passId, face?.personId ?? null, run.nowMs);
      return;
    case 'review':
      await applyReview(tx, { session, run, outcome, face, findings, day });
      return;
    case 'settle':
      await applyVerdict(tx, { session, run, outcome, face, findings, day });
  }
}

/** The earlier pass stands for this run too; nothing new is settled and nothing metered. */
async function applySkip(
  tx: SqlTx,
  session: Session,
  passId: string,
  personId: string | null,
  at: number,
): Promise<void> {
  await end(tx, session, { state: 'settled', passId, at });
  if (personId !== null) await touchPerson(tx, session.scope, personId, session.request.metadata, at);
  await audit(tx, session, at, 'run.skip', { pass_id: passId });
}

async function applyVerdict(
  tx: SqlTx,
  { session, run, outcome, face, day }: Applied & { outcome: Extract<Outcome, { kind: 'settle' }> },
): Promise<void> {
  const passId = newId(run.nowMs);
  const personId =
    outcome.status === 'approved' && face?.enrolment
      ? await enrol(tx, session, {
          personId: face.personId,
          enrolment: face.enrolment,
          passId,
          at: run.nowMs,
        })
      : (face?.personId ?? null);
  await end(tx, session, { state: 'settled', passId, at: run.nowMs });
  await insertPass(tx, session.scope, {
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
  });
  const outcomeName = outcome.reasons[0] ?? 'approved';
  await countOutcome(tx, session.scope, {
    day,
    verificationId: session.verificationId,
    group: run.group,
    outcome:
      outcome.status === 'approved' ? (outcome.reasons.length > 0 ? 'flagged' : 'approved') : outcomeName,
  });
  await audit(tx, session, run.nowMs, 'run.settle', {
    pass_id: passId,
    status: outcome.status,
    reasons: outcome.reasons,
  });
}

/** Rule 8: the run waits on the session for a decision; the pass is born with it, under the id that the token names. */
async function applyReview(
  tx: SqlTx,
  { session, run, outcome, face, day }: Applied & { outcome: Extract<Outcome, { kind: 'review' }> },
): Promise<void> {
  if (!face?.enrolment) throw new Error('A run without a face cannot come to a review.');
  const passId = newId(run.nowMs);
  const caseId = newId(run.nowMs);
  await end(tx, session, { state: 'in_review', passId, at: run.nowMs });
  await insertCase(tx, session.scope, {
    id: caseId,
    sessionId: session.id,
    passId,
    reasons: outcome.reasons,
    groups: outcome.groups,
    suspectIds: outcome.suspectIds,
    enrolment: face.enrolment,
    score: face.score,
    openedAt: run.nowMs,
  });
  await countOutcome(tx, session.scope, {
    day,
    verificationId: session.verificationId,
    group: run.group,
    outcome: 'review',
  });
  await audit(tx, session, run.nowMs, 'review.open', { case_id: caseId, reasons: outcome.reasons });
}

/** Of two that try to end one session, the second finds it ended: one settlement a session. */
async function end(tx: SqlTx, session: Session, as: Parameters<typeof endSession>[3]): Promise<void> {
  if ((await endSession(tx, session.scope, session.id, as)) === 0) throw new ServiceError('session_settled');
}

async function stillOpen(tx: SqlTx, session: Session): Promise<Session> {
  const current = await findSession(tx, session.id);
  if (current?.state !== 'open') throw new ServiceError('session_settled');
  return current;
}

async function currentConfig(tx: SqlTx, session: Session): Promise<ResolvedConfig> {
  return configOf(session, await findVerification(tx, session.scope.companyId, session.verificationId));
}

async function dailyLimit(tx: SqlTx, session: Session): Promise<number> {
  return (await findCompany(tx, session.scope.companyId))?.dailyLimit ?? 0;
}

async function audit(
  tx: SqlTx,
  session: Session,
  at: number,
  action: string,
  details: Record<string, unknown>,
): Promise<void> {
  await appendAudit(tx, {
    at,
    actor: 'system',
    action,
    companyId: session.scope.companyId,
    partition: session.scope.partition,
    subject: session.verificationId,
    details,
  });
}

const present = <T>(values: (T | undefined)[]): T[] => values.filter((value) => value !== undefined);
