/** A reviewer at work: taking a case, releasing it, deciding, and undoing a decision within a minute. */
import { operatorActor } from '../../domain/operators/actor.ts';
import {
  LEASE_MS,
  type NextReview,
  type ReviewDecide,
  type ReviewDecided,
  type ReviewItem,
  UNDO_MS,
} from '../../contract/console/reviews.ts';
import type { Scope } from '../../domain/scope.ts';
import { appendAudit } from '../../store/operators/audit.ts';
import type { SqlReader, SqlTx } from '../../store/sql/port.ts';
import {
  leaseCase,
  decideLater,
  oldestFreeCase,
  releaseCase,
  undoDecision,
} from '../../store/reviews/leases.ts';
import { insertReviewNote } from '../../store/reviews/notes.ts';
import { findQueueRow, type QueueRow } from '../../store/reviews/queue.ts';
import { readCaseMarker } from '../../store/venue/live-markers.ts';
import type { ServiceDeps } from '../deps.ts';
import { newId } from '../ids.ts';
import { ConsoleError, notFound } from '../errors.ts';
import { readReviewCase } from './case.ts';
import { toReviewItem } from './queue.ts';

type Deps = Pick<ServiceDeps, 'db' | 'clock'>;
/** Which case, and who acts. */
export type CaseCall = { scope: Scope; caseId: string; operatorId: string };

/**
 * Takes a case, or renews the lease on one's own. Only the taking is worth a line in the audit log.
 * @throws ConsoleError `not_found`, `case_held`, `case_decided`
 */
export function claimReview({ db, clock }: Deps, call: CaseCall): Promise<ReviewItem> {
  return db.tx(async (tx) => {
    const at = clock.now();
    const before = await existing(tx, call);
    const { scope, caseId, operatorId } = call;
    if ((await leaseCase(tx, scope, caseId, { operatorId, at, leaseUntil: at + LEASE_MS })) === 0) {
      throw refusal(before, at);
    }
    const wasMine = before.claimedBy === operatorId && (before.leaseUntil ?? 0) > at;
    if (!wasMine)
      await appendAudit(tx, {
        ...call.scope,
        at,
        actor: operatorActor(call.operatorId),
        action: 'review.claim',
        subject: call.caseId,
      });
    return toReviewItem(await existing(tx, call), at);
  }, call.scope);
}

/** Takes the oldest case that is free. */
export function claimNextReview(
  { db, clock }: Deps,
  reviewer: Omit<CaseCall, 'caseId'>,
): Promise<NextReview> {
  return db.tx(async (tx) => ({ case_id: await leaseOldest(tx, reviewer, clock.now()) }), reviewer.scope);
}

async function leaseOldest(
  tx: SqlTx,
  { scope, operatorId }: Omit<CaseCall, 'caseId'>,
  at: number,
): Promise<string | null> {
  const caseId = await oldestFreeCase(tx, scope, { operatorId, at });
  if (caseId === undefined) return null;
  // Taken between the two statements: no next case, rather than a decision that is undone with it.
  if ((await leaseCase(tx, scope, caseId, { operatorId, at, leaseUntil: at + LEASE_MS })) === 0) return null;
  await appendAudit(tx, {
    ...scope,
    at,
    actor: operatorActor(operatorId),
    action: 'review.claim',
    subject: caseId,
  });
  return caseId;
}

/** Lets others have the case. What is not one's own is left as it is. */
export function releaseReview({ db, clock }: Deps, call: CaseCall): Promise<ReviewItem> {
  return db.tx(async (tx) => {
    const at = clock.now();
    await existing(tx, call);
    if ((await releaseCase(tx, call.scope, call.caseId, call.operatorId)) > 0) {
      await appendAudit(tx, {
        ...call.scope,
        at,
        actor: operatorActor(call.operatorId),
        action: 'review.release',
        subject: call.caseId,
      });
    }
    return toReviewItem(await existing(tx, call), at);
  }, call.scope);
}

/**
 * Decides a case that the operator holds, and takes the next where that is asked for. The decision takes effect in a
 * minute (`reviews/due.ts`); until then nothing is settled, sent or signed.
 * @throws ConsoleError `not_found`, `case_held`, `case_not_held`, `case_decided`
 */
export async function decideReviewLater(
  deps: Deps,
  call: CaseCall,
  { decision, reason, take_next: takeNext = false }: ReviewDecide,
): Promise<ReviewDecided> {
  const { scope, caseId, operatorId } = call;
  const { nextId, ...done } = await deps.db.tx(async (tx) => {
    const at = deps.clock.now();
    const before = await existing(tx, call);
    const by = { operatorId, decision, reason: reason.trim(), at, effectiveAt: at + UNDO_MS };
    if ((await decideLater(tx, scope, caseId, by)) === 0) throw refusal(before, at);
    await appendAudit(tx, {
      ...call.scope,
      at,
      actor: operatorActor(call.operatorId),
      action: 'review.choose',
      subject: call.caseId,
      details: { decision, reason: by.reason },
    });
    const decided = toReviewItem(await existing(tx, call), at);
    const nextId = takeNext ? await leaseOldest(tx, call, at) : null;
    return { decided, nextId, version: await readCaseMarker(tx, scope) };
  }, scope);
  if (nextId === null) return { ...done, next: null };
  // The decision stands whatever becomes of the next case: the page asks for it and learns what is wrong with it.
  const detail = await readReviewCase(deps, scope, nextId).catch(() => null);
  return { ...done, next: { case_id: nextId, detail } };
}

/**
 * Takes one's own decision back; the case is held by the operator again.
 * @throws ConsoleError `not_found`, `undo_too_late`
 */
export function undoReview({ db, clock }: Deps, call: CaseCall): Promise<ReviewItem> {
  return db.tx(async (tx) => {
    const at = clock.now();
    const { scope, caseId, operatorId } = call;
    const before = await existing(tx, call);
    if ((await undoDecision(tx, scope, caseId, { operatorId, at, leaseUntil: at + LEASE_MS })) === 0) {
      throw new ConsoleError('undo_too_late');
    }
    await appendAudit(tx, {
      ...call.scope,
      at,
      actor: operatorActor(call.operatorId),
      action: 'review.undo',
      subject: call.caseId,
      details: { decision: before.pendingDecision },
    });
    return toReviewItem(await existing(tx, call), at);
  }, call.scope);
}

/** For the next reviewer of the case. The audit log records that a note exists, without its text. */
export async function addReviewNote({ db, clock }: Deps, call: CaseCall, text: string): Promise<void> {
  await db.tx(async (tx) => {
    const at = clock.now();
    await existing(tx, call);
    const { scope, caseId, operatorId } = call;
    const id = newId(at);
    await insertReviewNote(tx, scope, { id, caseId, operatorId, text: text.trim(), at });
    await appendAudit(tx, {
      ...call.scope,
      at,
      actor: operatorActor(call.operatorId),
      action: 'review.note',
      subject: call.caseId,
      details: { note_id: id },
    });
  }, call.scope);
}

async function existing(db: SqlReader, { scope, caseId }: CaseCall): Promise<QueueRow> {
  const row = await findQueueRow(db, scope, caseId);
  if (!row) throw notFound();
  return row;
}

function refusal(before: QueueRow, at: number): ConsoleError {
  if (before.decision !== null || before.pendingDecision !== null) {
    return new ConsoleError('case_decided');
  }
  if (before.claimedBy !== null && (before.leaseUntil ?? 0) > at) {
    return new ConsoleError('case_held', { name: before.claimedByName ?? before.claimedBy });
  }
  return new ConsoleError('case_not_held');
}
