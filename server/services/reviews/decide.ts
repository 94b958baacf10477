/** A reviewer's actions: taking a case, releasing it, deciding, and undoing a decision within a minute. */
import { operatorActor } from '../../domain/operators/actor.ts';
import {
  LEASE_MS,
  type NextReview,
  type ReviewDecide,
  type ReviewDecided,
  type ReviewItem,
  type ReviewItems,
  type ReviewsDecide,
  type ReviewsUndo,
  showsFaces,
  UNDO_MS,
} from '../../contract/console/reviews.ts';
import { isDoubtful, MOST_OPINIONS, type Weight, weightOf } from '../../domain/reviews/opinions.ts';
import type { Scope } from '../../domain/scope.ts';
import { appendAudit } from '../../store/operators/audit.ts';
import type { SqlReader, SqlTx } from '../../store/sql/port.ts';
import {
  assignCase,
  decideLater,
  leaseCase,
  listReviewers,
  oldestFreeCase,
  releaseCase,
  undoDecision,
} from '../../store/reviews/leases.ts';
import { type Decision, findCase } from '../../store/reviews/cases.ts';
import { handOn, isOpenTo, listOpinions, takeBack } from '../../store/reviews/opinions.ts';
import { insertReviewNote } from '../../store/reviews/notes.ts';
import { findQueueRow, type QueueRow } from '../../store/reviews/queue.ts';
import { listSights } from '../../store/reviews/sights.ts';
import type { Ports } from '../ports/ports.ts';
import { readSecondOpinionBelow } from '../matching/second-opinion.ts';
import { newId } from '../ports/ids.ts';
import { Refusal, notFound } from '../../refusals/refusal.ts';
import { readReviewCase } from './case.ts';
import { toReviewItem, toSight } from './queue.ts';
import { settleCase } from './reviews.ts';

type Deps = Pick<Ports, 'db' | 'clock'>;
/** The case, and the operator. */
export type CaseCall = { scope: Scope; caseId: string; operatorId: string };
type Reviewer = Omit<CaseCall, 'caseId'>;

/**
 * Takes a case, or renews the operator's own lease. Only taking it is recorded in the audit log.
 * @throws Refusal `not_found`, `case_held`, `case_decided`, `opinion_given`
 */
export function claimReview({ db, clock }: Deps, call: CaseCall): Promise<ReviewItem> {
  return db.tx(async (tx) => {
    const at = clock.now();
    const before = await lease(tx, call, at);
    const wasMine = before.claimedBy === call.operatorId && (before.leaseUntil ?? 0) > at;
    if (!wasMine) await audit(tx, call, at, { action: 'review.claim' });
    return toReviewItem(await existing(tx, call), at);
  }, call.scope);
}

/** Returns the case as it was before. @throws Refusal `not_found`, `case_held`, `case_decided` */
async function lease(tx: SqlTx, call: CaseCall, at: number): Promise<QueueRow> {
  const before = await existing(tx, call);
  const { scope, caseId, operatorId } = call;
  if ((await leaseCase(tx, scope, caseId, { operatorId, at, leaseUntil: at + LEASE_MS })) === 0) {
    throw isForOthers(before, operatorId, at) ? new Refusal('opinion_given') : refusal(before, at);
  }
  return before;
}

/** Takes the oldest free case. */
export function claimNextReview({ db, clock }: Deps, reviewer: Reviewer): Promise<NextReview> {
  return db.tx(async (tx) => ({ case_id: await leaseOldest(tx, reviewer, clock.now()) }), reviewer.scope);
}

async function leaseOldest(tx: SqlTx, { scope, operatorId }: Reviewer, at: number): Promise<string | null> {
  const caseId = await oldestFreeCase(tx, scope, { operatorId, at });
  if (caseId === undefined) return null;
  // Taken between the two statements. Returns no next case, because an error would undo the decision, too.
  if ((await leaseCase(tx, scope, caseId, { operatorId, at, leaseUntil: at + LEASE_MS })) === 0) return null;
  await audit(tx, { scope, operatorId, caseId }, at, { action: 'review.claim' });
  return caseId;
}

/** Lets others have the case. A case that somebody else holds stays with them. */
export function releaseReview({ db, clock }: Deps, call: CaseCall): Promise<ReviewItem> {
  return db.tx(async (tx) => {
    const at = clock.now();
    await existing(tx, call);
    if ((await releaseCase(tx, call.scope, call.caseId, call.operatorId)) > 0) {
      await audit(tx, call, at, { action: 'review.release' });
    }
    return toReviewItem(await existing(tx, call), at);
  }, call.scope);
}

/**
 * Assigns a waiting case to a reviewer, who gets it first from `claimNextReview`, or to nobody (null). The operator's own lease ends
 * with it; a third reviewer who holds the case keeps it.
 * @throws Refusal `not_found`, `not_a_reviewer`, `case_decided`, `opinion_given`
 */
export function assignReview(
  { db, clock }: Deps,
  call: CaseCall,
  assignee: string | null,
): Promise<ReviewItem> {
  return db.tx(async (tx) => {
    const at = clock.now();
    const { scope, caseId } = call;
    const before = await existing(tx, call);
    const reviewers = await listReviewers(tx, scope.companyId);
    if (assignee !== null && !reviewers.some(({ operator_id }) => operator_id === assignee)) {
      throw new Refusal('not_a_reviewer');
    }
    if (before.decision !== null || before.pendingDecision !== null) throw new Refusal('case_decided');
    if (assignee !== null && !(await isOpenTo(tx, scope, caseId, assignee))) {
      throw new Refusal('opinion_given');
    }
    if ((await assignCase(tx, scope, caseId, assignee)) > 0) {
      // Handed over: the assignee can begin at once.
      if (assignee !== null && assignee !== call.operatorId)
        await releaseCase(tx, scope, caseId, call.operatorId);
      await audit(tx, call, at, { action: 'review.assign', details: { to: assignee ?? 'none' } });
    }
    return toReviewItem(await existing(tx, call), at);
  }, call.scope);
}

/**
 * Decides a case that the operator holds, and takes the next if requested. The decision takes effect in a minute
 * (`settleDueReviews`); until then nothing is settled, sent or signed. One that needs a second opinion frees the case for
 * another reviewer instead.
 * @throws Refusal `not_found`, `case_held`, `case_not_held`, `case_decided`, `no_second_reviewer`
 */
export async function decideReviewLater(
  deps: Deps,
  call: CaseCall,
  { take_next: takeNext = false, ...decision }: ReviewDecide,
): Promise<ReviewDecided> {
  const { scope } = call;
  const { nextId, decided } = await deps.db.tx(async (tx) => {
    const at = deps.clock.now();
    const decided = await decide(tx, call, decision, at);
    return { decided, nextId: takeNext ? await leaseOldest(tx, call, at) : null };
  }, scope);
  if (nextId === null) return { decided, next: null };
  // The decision is valid whatever happens to the next case: the page requests it and gets any error.
  const detail = await readReviewCase(deps, scope, nextId).catch(() => null);
  return { decided, next: { case_id: nextId, detail } };
}

/**
 * Decides several cases with the same findings, with one reason: free ones, or the operator's own. All or none.
 * @throws Refusal `not_found`, `cases_not_alike`, `cases_unseen`, `case_held`, `case_decided`
 */
export function decideReviewsTogether(
  { db, clock }: Deps,
  reviewer: Reviewer,
  { case_ids: caseIds, ...decision }: ReviewsDecide,
): Promise<ReviewItems> {
  return db.tx(async (tx) => {
    const at = clock.now();
    const calls = caseIds.map((caseId) => ({ ...reviewer, caseId }));
    const findings = new Set<string>();
    for (const call of calls) findings.add([...(await existing(tx, call)).reasons].sort().join());
    if (findings.size > 1) throw new Refusal('cases_not_alike');
    const sights = await listSights(tx, reviewer.scope, caseIds, at);
    if (caseIds.some((id) => !showsFaces(toSight(sights.get(id))))) throw new Refusal('cases_unseen');
    // Always in the same order, so that two reviewers with the same cases don't wait for each other.
    for (const call of calls.toSorted((a, b) => a.caseId.localeCompare(b.caseId))) await lease(tx, call, at);
    const items: ReviewItem[] = [];
    for (const call of calls) items.push(await decide(tx, call, decision, at));
    return { items };
  }, reviewer.scope);
}

async function decide(
  tx: SqlTx,
  call: CaseCall,
  {
    decision,
    reason,
    second_opinion: asks = false,
  }: Pick<ReviewDecide, 'decision' | 'reason' | 'second_opinion'>,
  at: number,
): Promise<ReviewItem> {
  const before = await existing(tx, call);
  const { scope, caseId, operatorId } = call;
  const by = { operatorId, decision, reason: reason.trim(), at, effectiveAt: at + UNDO_MS };
  const weight = await weigh(tx, call, { decision, asks, similarity: before.similarity });
  if (weight === 'hands_on') {
    if ((await handOn(tx, scope, caseId, by)) === 0) throw refusal(before, at);
    // Without the decision: the next reviewer reads the case's entries.
    await audit(tx, call, at, { action: 'review.opinion', details: { asked: asks } });
    return toReviewItem(await existing(tx, call), at);
  }
  if ((await decideLater(tx, scope, caseId, by)) === 0) throw refusal(before, at);
  await audit(tx, call, at, { action: 'review.choose', details: { decision, reason: by.reason } });
  return toReviewItem(await existing(tx, call), at);
}

/** @throws Refusal `no_second_reviewer` if one asks for a second opinion that nobody could give */
async function weigh(
  tx: SqlTx,
  { scope, caseId, operatorId }: CaseCall,
  { decision, asks, similarity }: { decision: Decision; asks: boolean; similarity: number | null },
): Promise<Weight> {
  // The operator's own is among them only if they are an admin who decides between two (`mayDecide`).
  const before = await listOpinions(tx, scope, caseId);
  const hasOther = (await listReviewers(tx, scope.companyId)).some(
    ({ operator_id: id }) => id !== operatorId,
  );
  if (asks && before.length === 0 && !hasOther) throw new Refusal('no_second_reviewer');
  const isBand = isDoubtful(similarity, await readSecondOpinionBelow(tx));
  // A reviewer who is alone decides alone: the guest would wait for nobody.
  const needsSecond = asks || (isBand && hasOther);
  return weightOf(decision, { before: before.map((opinion) => opinion.decision), needsSecond });
}

/**
 * Undoes the operator's own decision, or takes back their opinion while nobody else has the case, and gives it to them again.
 * @throws Refusal `not_found`, `undo_too_late`
 */
export function undoReview({ db, clock }: Deps, call: CaseCall): Promise<ReviewItem> {
  return db.tx((tx) => undo(tx, call, clock.now()), call.scope);
}

/** As `undoReview`, for several decisions: all or none. A single case stays with the operator, several are free. @throws Refusal `not_found`, `undo_too_late` */
export function undoReviewsTogether(
  { db, clock }: Deps,
  reviewer: Reviewer,
  { case_ids: caseIds }: ReviewsUndo,
): Promise<ReviewItems> {
  return db.tx(async (tx) => {
    const items: ReviewItem[] = [];
    for (const caseId of caseIds) {
      const call = { ...reviewer, caseId };
      const at = clock.now();
      const undone = await undo(tx, call, at);
      if (caseIds.length === 1) return { items: [undone] };
      // Nobody looks at several at once, so others can have them.
      await releaseCase(tx, call.scope, caseId, call.operatorId);
      items.push(toReviewItem(await existing(tx, call), at));
    }
    return { items };
  }, reviewer.scope);
}

async function undo(tx: SqlTx, call: CaseCall, at: number): Promise<ReviewItem> {
  const { scope, caseId, operatorId } = call;
  const before = await existing(tx, call);
  const isOpinion = before.opinionBy.includes(operatorId) && before.pendingDecision === null;
  if (isOpinion && (await takeBack(tx, scope, caseId, { operatorId, at })) > 0) {
    await lease(tx, call, at);
    await audit(tx, call, at, { action: 'review.undo' });
    return toReviewItem(await existing(tx, call), at);
  }
  if ((await undoDecision(tx, scope, caseId, { operatorId, at, leaseUntil: at + LEASE_MS })) === 0) {
    throw new Refusal('undo_too_late');
  }
  await audit(tx, call, at, { action: 'review.undo', details: { decision: before.pendingDecision } });
  return toReviewItem(await existing(tx, call), at);
}

/**
 * Settles the operator's own decisions now: a guest may wait at the door.
 * @throws Refusal `not_found`, `case_decided` if one has taken effect or is not theirs
 */
export function applyReviewsNow(
  { db, clock }: Deps,
  { scope, operatorId }: Reviewer,
  { case_ids: caseIds }: ReviewsUndo,
): Promise<ReviewItems> {
  return db.tx(async (tx) => {
    const at = clock.now();
    const items: ReviewItem[] = [];
    for (const caseId of caseIds) {
      const call = { scope, caseId, operatorId };
      const before = await existing(tx, call);
      const found = await findCase(tx, scope.companyId, caseId);
      if (found?.pending?.by !== operatorId || found.decision !== null) throw new Refusal('case_decided');
      const { decision, reason } = found.pending;
      const actor = operatorActor(operatorId);
      await settleCase(tx, found, { decision, reason, actor }, at);
      // A control case is over, and told as one when the page reads the results.
      const by = { decidedAt: at, decidedBy: actor, decidedByName: before.pendingByName };
      const decided = { ...before, decision, decisionReason: reason, ...by };
      items.push(toReviewItem((await findQueueRow(tx, scope, caseId)) ?? decided, at));
    }
    return { items };
  }, scope);
}

/** For the next reviewer of the case. The audit log records that a note exists, without its text. */
export async function addReviewNote({ db, clock }: Deps, call: CaseCall, text: string): Promise<void> {
  await db.tx(async (tx) => {
    const at = clock.now();
    await existing(tx, call);
    const { scope, caseId, operatorId } = call;
    const id = newId(at);
    await insertReviewNote(tx, scope, { id, caseId, operatorId, text: text.trim(), at });
    await audit(tx, call, at, { action: 'review.note', details: { note_id: id } });
  }, call.scope);
}

type AuditedChange = Pick<Parameters<typeof appendAudit>[1], 'action' | 'details'>;

function audit(tx: SqlTx, call: CaseCall, at: number, change: AuditedChange): Promise<unknown> {
  const { scope, caseId, operatorId } = call;
  return appendAudit(tx, { ...scope, at, actor: operatorActor(operatorId), subject: caseId, ...change });
}

async function existing(db: SqlReader, { scope, caseId }: CaseCall): Promise<QueueRow> {
  const row = await findQueueRow(db, scope, caseId);
  if (!row) throw notFound();
  return row;
}

/** Whether nothing but an opinion, their own or two others', keeps the operator from the case. */
const isForOthers = (before: QueueRow, operatorId: string, at: number): boolean =>
  before.decision === null &&
  before.pendingDecision === null &&
  (before.claimedBy === null || (before.leaseUntil ?? 0) <= at) &&
  (before.opinionBy.includes(operatorId) || before.opinionBy.length >= MOST_OPINIONS);

function refusal(before: QueueRow, at: number): Refusal {
  if (before.decision !== null || before.pendingDecision !== null) {
    return new Refusal('case_decided');
  }
  if (before.claimedBy !== null && (before.leaseUntil ?? 0) > at) {
    return new Refusal('case_held', { args: { name: before.claimedByName ?? before.claimedBy } });
  }
  return new Refusal('case_not_held');
}
