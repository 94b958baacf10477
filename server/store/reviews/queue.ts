/** The reviewers' lists: waiting and decided cases, and how fast they are decided. */
import type { Reason } from '../../domain/settling/reasons.ts';
import type { Scope } from '../../domain/scope.ts';
import type { SqlReader, SqlValue } from '../sql/port.ts';
import type { Decision } from './cases.ts';
import { eventNameOf } from '../venue/event-name.ts';
import { fromJson, ofScope } from '../rows.ts';

/** `waiting` includes cases that someone holds; `deciding` are decisions that can still be undone. */
type QueueState = 'waiting' | 'free' | 'mine' | 'deciding' | 'decided';

type QueueFilter = {
  state: QueueState;
  operatorId: string;
  reason?: Reason;
  group?: string;
  now: number;
};

export type QueueRow = {
  id: string;
  sessionId: string;
  openedAt: number;
  reasons: Reason[];
  similarity: number | null;
  /** Of the run: the customer's name for this person. */
  externalId: string | null;
  identifier: string | null;
  group: string | null;
  eventName: string | null;
  /** Whether the guest of the undecided case came to the door: see `AT_THE_DOOR`. */
  isAtDoor: 0 | 1;
  kioskName: string | null;
  /** Operators who have given an opinion, while others decide. */
  opinionBy: string[];
  claimedBy: string | null;
  claimedByName: string | null;
  leaseUntil: number | null;
  assignedTo: string | null;
  assignedToName: string | null;
  pendingDecision: Decision | null;
  pendingBy: string | null;
  pendingByName: string | null;
  effectiveAt: number | null;
  decision: Decision | null;
  decisionReason: string | null;
  decidedAt: number | null;
  /** `operator:<id>`, `cli`, `system`. */
  decidedBy: string | null;
  decidedByName: string | null;
};

type Row = Omit<QueueRow, 'reasons' | 'similarity' | 'opinionBy'> & {
  reasons: string;
  similarities: string | null;
  oneOpinionBy: string | null;
  otherOpinionBy: string | null;
  given: string | null;
};

/**
 * The guest checked at a kiosk or by phone at an event that was running, or staff asked about them. A link from an email may
 * be opened at home, so without such an event nobody is taken to be waiting.
 */
const AT_THE_DOOR = `CASE WHEN c.decision IS NULL AND (s.device = 'kiosk' OR k.session_id IS NOT NULL OR s.state <> 'in_review'
    OR EXISTS (SELECT 1 FROM events e WHERE e.company_id = s.company_id AND e.partition = s.partition
      AND e.group_id = s.group_id AND e.starts_at <= c.opened_at AND e.ends_at > c.opened_at)) THEN 1 ELSE 0 END`;

/** There are two at most. */
const opinionBy = (pick: 'MIN' | 'MAX'): string =>
  `(SELECT ${pick}(v.operator_id) FROM review_opinions v WHERE v.case_id = c.id)`;

const SELECT = `SELECT c.id, c.session_id AS sessionId, c.opened_at AS openedAt, c.reasons, c.similarities,
    s.external_id AS externalId, COALESCE(s.identity_identifier, s.proven_phone) AS identifier, s.identity_given AS given, s.group_id AS "group", ${eventNameOf('s')} AS "eventName",
    ${AT_THE_DOOR} AS isAtDoor, q.name AS kioskName,
    ${opinionBy('MIN')} AS oneOpinionBy, ${opinionBy('MAX')} AS otherOpinionBy, c.claimed_by AS claimedBy, h.name AS claimedByName, c.lease_until AS leaseUntil,
    c.assigned_to AS assignedTo, a.name AS assignedToName,
    c.pending_decision AS pendingDecision, c.pending_by AS pendingBy, w.name AS pendingByName,
    c.decision_effective_at AS effectiveAt, c.decision, c.decision_reason AS decisionReason, c.decided_at AS decidedAt,
    c.decided_by AS decidedBy, d.name AS decidedByName
  FROM review_cases c
  JOIN sessions s ON s.id = c.session_id
  LEFT JOIN kiosk_runs k ON k.session_id = s.id
  LEFT JOIN kiosks q ON q.id = k.kiosk_id
  LEFT JOIN operators h ON h.id = c.claimed_by
  LEFT JOIN operators a ON a.id = c.assigned_to
  LEFT JOIN operators w ON w.id = c.pending_by
  LEFT JOIN operators d ON c.decided_by = 'operator:' || d.id`;

function fromRow(
  { secrets }: SqlReader,
  { similarities, oneOpinionBy, otherOpinionBy, given, ...row }: Row,
): QueueRow {
  const measured = similarities === null ? [] : fromJson<(number | null)[]>(similarities);
  return {
    ...row,
    identifier: secrets.open('sessions.identity_given', [row.sessionId], given) ?? row.identifier,
    reasons: fromJson<Reason[]>(row.reasons),
    opinionBy: [...new Set([oneOpinionBy, otherOpinionBy])].filter((id) => id !== null),
    similarity: measured[0] ?? null,
  };
}

/**
 * Waiting cases oldest first, decided cases newest first; `after` is the `queuePlace` of the previous page's last row.
 */
export async function listQueue(
  db: SqlReader,
  scope: Scope,
  filter: QueueFilter,
  after: readonly [number, string] | null,
  limit: number,
): Promise<QueueRow[]> {
  const conditions: string[] = ['c.company_id = ?', 'c.partition = ?'];
  const values: SqlValue[] = ofScope(scope);
  const need = (condition: string, ...bound: SqlValue[]) => {
    conditions.push(condition);
    values.push(...bound);
  };
  const isDecided = filter.state === 'decided';
  needState(filter, need);
  if (filter.reason !== undefined) need('instr(c.reasons, ?) > 0', JSON.stringify(filter.reason));
  if (filter.group !== undefined) need('s.group_id = ?', filter.group);
  const at = isDecided ? 'c.decided_at' : 'c.opened_at';
  const [past, way] = isDecided ? ['<', 'DESC'] : ['>', ''];
  if (after) need(`(${at}, c.id) ${past} (?, ?)`, ...after);
  const rows = await db.all<Row>(
    `${SELECT} WHERE ${conditions.join(' AND ')} ORDER BY ${at} ${way}, c.id ${way} LIMIT ?`,
    ...values,
    limit,
  );
  return rows.map((row) => fromRow(db, row));
}

/** Sort keys of a row in its list. */
export const queuePlace = (row: QueueRow, state: QueueState): readonly [number, string] => [
  state === 'decided' ? (row.decidedAt ?? 0) : row.openedAt,
  row.id,
];

function needState(
  { state, operatorId, now }: QueueFilter,
  need: (condition: string, ...bound: SqlValue[]) => void,
): void {
  need(state === 'decided' ? 'c.decision IS NOT NULL' : 'c.decision IS NULL');
  switch (state) {
    case 'decided':
      return;
    case 'deciding':
      need('c.pending_decision IS NOT NULL');
      return;
    case 'waiting':
      need('c.pending_decision IS NULL');
      return;
    case 'free':
      need('c.pending_decision IS NULL AND (c.claimed_by IS NULL OR c.lease_until <= ?)', now);
      return;
    case 'mine':
      need(
        'c.pending_decision IS NULL AND (c.assigned_to = ? OR (c.claimed_by = ? AND c.lease_until > ?))',
        operatorId,
        operatorId,
        now,
      );
  }
}

export async function findQueueRow(db: SqlReader, scope: Scope, id: string): Promise<QueueRow | undefined> {
  const row = await db.one<Row>(
    `${SELECT} WHERE c.company_id = ? AND c.partition = ? AND c.id = ?`,
    ...ofScope(scope),
    id,
  );
  return row && fromRow(db, row);
}

/** The operator's own decisions that can still be undone, the latest first. */
export async function listOwnPending(
  db: SqlReader,
  scope: Scope,
  { operatorId, now, limit }: { operatorId: string; now: number; limit: number },
): Promise<QueueRow[]> {
  const rows = await db.all<Row>(
    `${SELECT} WHERE c.pending_by = ? AND c.decision IS NULL AND c.company_id = ? AND c.partition = ?
       AND c.decision_effective_at > ?
     ORDER BY c.pending_at DESC, c.id DESC LIMIT ?`,
    operatorId,
    ...ofScope(scope),
    now,
    limit,
  );
  return rows.map((row) => fromRow(db, row));
}

type QueueFigures = {
  waiting: number;
  held: number;
  oldestOpenedAt: number | null;
  decided: number;
  /** Mean time from opening to decision, in milliseconds; null if nothing was decided. */
  meanWaitMs: number | null;
};

/** @param since time from which decisions count */
export async function readQueueFigures(
  db: SqlReader,
  scope: Scope,
  { now, since }: { now: number; since: number },
): Promise<QueueFigures> {
  const own = ofScope(scope);
  const open = await db.one<Pick<QueueFigures, 'waiting' | 'held' | 'oldestOpenedAt'>>(
    `SELECT COUNT(*) AS waiting, COUNT(CASE WHEN claimed_by IS NOT NULL AND lease_until > ? THEN 1 END) AS held,
       MIN(opened_at) AS oldestOpenedAt
     FROM review_cases
     WHERE company_id = ? AND partition = ? AND decision IS NULL AND pending_decision IS NULL`,
    now,
    ...own,
  );
  const done = await db.one<Pick<QueueFigures, 'decided' | 'meanWaitMs'>>(
    `SELECT COUNT(*) AS decided, AVG(decided_at - opened_at) AS meanWaitMs FROM review_cases
     WHERE company_id = ? AND partition = ? AND decision IS NOT NULL AND decided_at >= ?`,
    ...own,
    since,
  );
  return {
    waiting: open?.waiting ?? 0,
    held: open?.held ?? 0,
    oldestOpenedAt: open?.oldestOpenedAt ?? null,
    decided: done?.decided ?? 0,
    meanWaitMs: done?.meanWaitMs ?? null,
  };
}
