/** The reviewers' queue: its pages, its figures, and the reviewer's own decisions that can still be undone. */
import type { Role } from '../../contract/console/common.ts';
import {
  AGREEMENT_DAYS,
  GUEST_WAITS_MS,
  MOST_TOGETHER,
  type ReviewAgreement,
  type ReviewerList,
  type ReviewFigures,
  type ReviewItem,
  type ReviewPage,
  type ReviewRow,
  type ReviewQuery,
  type ReviewState,
  type ReviewItems,
} from '../../contract/console/reviews.ts';
import { pageLimit, toPage } from '../../domain/cursor.ts';
import type { Scope } from '../../domain/scope.ts';
import { listAgreement } from '../../store/reviews/opinions.ts';
import { listReviewers } from '../../store/reviews/leases.ts';
import {
  listOwnPending,
  listQueue,
  queuePlace,
  type QueueRow,
  readQueueFigures,
} from '../../store/reviews/queue.ts';
import { listSights, type Sight } from '../../store/reviews/sights.ts';
import type { Ports } from '../ports/ports.ts';
import { iso, placeOf } from '../wire/values.ts';
import { readControlRates } from './controls/results.ts';
import { toFrame } from './frames.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** At least two sets of cases that were decided together. */
const MOST_UNDOABLE = 2 * MOST_TOGETHER;

type Deps = Pick<Ports, 'db' | 'clock'>;

/** @throws Refusal `invalid_cursor` */
export async function readReviewPage(
  { db, clock }: Deps,
  scope: Scope,
  operatorId: string,
  query: ReviewQuery,
): Promise<ReviewPage> {
  const { state = 'waiting', reason, group } = query;
  const now = clock.now();
  const limit = pageLimit(query);
  const filter = {
    state,
    operatorId,
    now,
    ...(reason !== undefined && { reason }),
    ...(group !== undefined && { group }),
  };
  const rows = await listQueue(db, scope, filter, placeOf(query.cursor, ['number', 'string']), limit + 1);
  const sights = await listSights(
    db,
    scope,
    rows.map(({ id }) => id),
    now,
  );
  return toPage(
    rows,
    limit,
    (row) => queuePlace(row, state satisfies ReviewState),
    (row) => ({ ...toReviewItem(row, now), ...toSight(sights.get(row.id)) }),
  );
}

export async function readReviewFigures({ db, clock }: Deps, scope: Scope): Promise<ReviewFigures> {
  const now = clock.now();
  const day = await readQueueFigures(db, scope, { now, since: now - DAY_MS });
  const hour = await readQueueFigures(db, scope, { now, since: now - HOUR_MS });
  return {
    waiting: day.waiting,
    held: day.held,
    oldest_ms: day.oldestOpenedAt === null ? null : Math.max(0, now - day.oldestOpenedAt),
    decided_hour: hour.decided,
    decided_day: day.decided,
    mean_wait_ms: day.meanWaitMs,
  };
}

export async function readUndoable(
  { db, clock }: Deps,
  scope: Scope,
  operatorId: string,
): Promise<ReviewItems> {
  const now = clock.now();
  const rows = await listOwnPending(db, scope, { operatorId, now, limit: MOST_UNDOABLE });
  return { items: rows.map((row) => toReviewItem(row, now)) };
}

/** Only reviewers themselves and admins may know how often others decided differently, and how often they erred. */
export async function readAgreement(
  { db, clock }: Deps,
  scope: Scope,
  reader: { id: string; role: Role },
): Promise<ReviewAgreement> {
  const now = clock.now();
  const isAdmin = reader.role === 'admin';
  const rows = await listAgreement(db, scope, now - AGREEMENT_DAYS * DAY_MS);
  return {
    ...(await readControlRates(db, scope, { id: reader.id, isAdmin, now })),
    items: rows
      .filter(({ operatorId }) => isAdmin || operatorId === reader.id)
      .map(({ operatorId, ...row }) => ({ operator_id: operatorId, ...row })),
  };
}

/** Whom a case of the scope can be assigned to, by name. */
export async function readReviewers({ db }: Pick<Deps, 'db'>, scope: Scope): Promise<ReviewerList> {
  return { items: await listReviewers(db, scope.companyId) };
}

export const toSight = ({ testFace = null, frame = null, match = null }: Partial<Sight> = {}): Pick<
  ReviewRow,
  'test_face' | 'frame' | 'match'
> => ({
  test_face: testFace,
  frame: frame && toFrame(frame),
  match: match && {
    person_id: match.personId,
    name: match.name,
    frame: match.frame && toFrame(match.frame),
  },
});

export function toReviewItem(row: QueueRow, now: number): ReviewItem {
  return {
    case_id: row.id,
    session_id: row.sessionId,
    opened_at: iso(row.openedAt),
    waited_ms: Math.max(0, (row.decidedAt ?? now) - row.openedAt),
    reasons: row.reasons,
    similarity: row.similarity,
    external_id: row.externalId,
    identifier: row.identifier,
    group: row.group,
    event_name: row.eventName,
    guest_waiting:
      row.isAtDoor === 1 && now - row.openedAt < GUEST_WAITS_MS ? { kiosk_name: row.kioskName } : null,
    opinion_by: row.opinionBy,
    held_by: holderOf(row, now),
    assigned_to:
      row.assignedTo === null
        ? null
        : { operator_id: row.assignedTo, name: row.assignedToName ?? row.assignedTo },
    pending: pendingOf(row, now),
    decided: decidedOf(row),
  };
}

/** An expired lease, or one on a decided case, does not hold it. */
function holderOf(row: QueueRow, now: number): ReviewItem['held_by'] {
  const { claimedBy, claimedByName, leaseUntil, decision, pendingDecision } = row;
  const isOpen = decision === null && pendingDecision === null;
  if (!isOpen || claimedBy === null || leaseUntil === null || leaseUntil <= now) return null;
  return { operator_id: claimedBy, name: claimedByName ?? claimedBy, until: iso(leaseUntil) };
}

function pendingOf(row: QueueRow, now: number): ReviewItem['pending'] {
  const { decision, pendingDecision, pendingBy, pendingByName, effectiveAt } = row;
  if (decision !== null || pendingDecision === null || pendingBy === null || effectiveAt === null)
    return null;
  return {
    decision: pendingDecision,
    by: pendingBy,
    by_name: pendingByName ?? pendingBy,
    effective_at: iso(effectiveAt),
    remaining_ms: Math.max(0, effectiveAt - now),
  };
}

function decidedOf(row: QueueRow): ReviewItem['decided'] {
  const { decision, decisionReason, decidedAt, decidedBy, decidedByName } = row;
  if (decision === null || decidedAt === null) return null;
  return {
    decision,
    reason: decisionReason ?? '',
    by: decidedByName ?? decidedBy ?? '',
    at: iso(decidedAt),
  };
}
