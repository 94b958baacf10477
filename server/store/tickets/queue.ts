/** What sources still have to be told, and how it ended. A call being sent waits without a next attempt. */
import type { Scope } from '../../domain/scope.ts';
import { ofScope } from '../rows.ts';
import type { SqlReader, SqlTx } from '../sql/port.ts';
import type { DueDestination } from '../webhooks/outbox.ts';
import type { TicketCall } from './calls.ts';

export type CallStatus = 'waiting' | 'told' | 'conflict' | 'refused';

export type TicketClaim = TicketCall & {
  seq: number;
  /** `seq` as text: what an outbox names a call by. */
  transactionId: string;
  scope: Scope;
  attempts: number;
  /** Of the attempt before; null if there was none. */
  answer: string | null;
  owner: string;
};

const COLUMNS = `seq, CAST(seq AS TEXT) AS transactionId, company_id AS companyId, partition, event_id AS eventId,
  source_id AS sourceId, ticket_id AS ticketId, entry_seq AS entrySeq, kind, nonce, at, attempts, answer,
  lease_owner AS owner`;

type Row = Omit<TicketClaim, 'scope'> & Scope;
const claimOf = (db: SqlReader, { companyId, partition, ...call }: Row): TicketClaim => ({
  ...call,
  answer: openAnswer(db, call),
  scope: { companyId, partition },
});

/** The oldest call of a source: the others wait for it, because a source is told in order. */
const HEAD = `(SELECT MIN(o.seq) FROM ticket_calls o WHERE o.source_id = s.id AND o.status = 'waiting')`;

/** Sources whose oldest call is due, or falls due by `untilMs`. */
export async function listDueSources(
  db: SqlReader,
  { nowMs, untilMs }: { nowMs: number; untilMs: number },
): Promise<DueDestination[]> {
  const heads = await db.all<Scope & { origin: string; next: number }>(
    `SELECT c.company_id AS companyId, c.partition, c.source_id AS origin, c.next_attempt_at AS next
     FROM ticket_sources s JOIN ticket_calls c ON c.seq = ${HEAD}
     WHERE s.kind IN ('pretix', 'hi_events') AND c.next_attempt_at <= ?`,
    untilMs,
  );
  return heads.map(({ next, ...source }) => ({
    ...source,
    failingSince: null,
    due: next <= nowMs ? 1 : 0,
    nextAt: next <= nowMs ? null : next,
  }));
}

/** Claims the oldest call of a source, if it is due and nobody is sending it. */
export async function claimDueCall(
  tx: SqlTx,
  { origin }: { origin: string },
  claim: { owner: string; nowMs: number; leaseUntil: number },
): Promise<TicketClaim[]> {
  const rows = await tx.all<Row>(
    `UPDATE ticket_calls SET lease_owner = ?, lease_until = ?, next_attempt_at = NULL
     WHERE status = 'waiting' AND next_attempt_at <= ?
       AND seq = (SELECT MIN(o.seq) FROM ticket_calls o WHERE o.source_id = ? AND o.status = 'waiting')
     RETURNING ${COLUMNS}`,
    claim.owner,
    claim.leaseUntil,
    claim.nowMs,
    origin,
  );
  return rows.map((row) => claimOf(tx, row));
}

/** All claims, of any process. */
export async function listTicketClaims(db: SqlReader): Promise<TicketClaim[]> {
  const rows = await db.all<Row>(
    `SELECT ${COLUMNS} FROM ticket_calls WHERE status = 'waiting' AND next_attempt_at IS NULL`,
  );
  return rows.map((row) => claimOf(db, row));
}

/** Ends a claim, or has it tried again at `nextAttemptAt`. False if the caller no longer has it. */
export async function recordTold(
  tx: SqlTx,
  claim: TicketClaim,
  {
    status,
    answer,
    nextAttemptAt,
    at,
  }: { status: CallStatus; answer: string | null; nextAttemptAt: number | null; at: number },
): Promise<boolean> {
  const changed = await tx.run(
    `UPDATE ticket_calls SET status = ?, attempts = attempts + 1, next_attempt_at = ?, answer = ?, ended_at = ?,
       lease_owner = NULL, lease_until = NULL
     WHERE seq = ? AND status = 'waiting' AND lease_owner = ? AND attempts = ?`,
    status,
    nextAttemptAt,
    tx.secrets.seal('ticket_calls.answer', [claim.entrySeq, claim.kind], answer),
    status === 'waiting' ? null : at,
    claim.seq,
    claim.owner,
    claim.attempts,
  );
  tx.afterCommit('venue', claim.scope.companyId);
  return changed > 0;
}

/** After the clock was set back: what waits is tried now. */
export const pullTicketCallsForward = (tx: SqlTx, nowMs: number): Promise<number> =>
  tx.run(
    `UPDATE ticket_calls SET next_attempt_at = ? WHERE status = 'waiting' AND next_attempt_at > ?`,
    nowMs,
    nowMs,
  );

export type EarlierCall = {
  entrySeq: number;
  kind: TicketCall['kind'];
  nonce: string;
  at: number;
  status: CallStatus;
  answer: string | null;
};

/** The calls about a ticket before this one, oldest first. A ticket passes a gate a few times. */
export async function listEarlierCalls(
  db: SqlReader,
  { scope, ticketId, seq }: Pick<TicketClaim, 'scope' | 'ticketId' | 'seq'>,
): Promise<EarlierCall[]> {
  const rows = await db.all<EarlierCall>(
    `SELECT entry_seq AS entrySeq, kind, nonce, at, status, answer FROM ticket_calls
     WHERE company_id = ? AND partition = ? AND ticket_id = ? AND seq < ? ORDER BY seq LIMIT 1000`,
    ...ofScope(scope),
    ticketId,
    seq,
  );
  return rows.map((row) => ({ ...row, answer: openAnswer(db, row) }));
}

const openAnswer = (
  db: SqlReader,
  { entrySeq, kind, answer }: Pick<EarlierCall, 'entrySeq' | 'kind' | 'answer'>,
): string | null => db.secrets.open('ticket_calls.answer', [entrySeq, kind], answer);

/** Has the calls of a source that were refused told again. Returns their number. */
export function tellAgain(tx: SqlTx, scope: Scope, sourceId: string, at: number): Promise<number> {
  tx.afterCommit('tickets');
  return tx.run(
    `UPDATE ticket_calls SET status = 'waiting', attempts = 0, next_attempt_at = ?, answer = NULL, ended_at = NULL
     WHERE company_id = ? AND partition = ? AND source_id = ? AND status = 'refused'`,
    at,
    ...ofScope(scope),
    sourceId,
  );
}

export type CallCount = { sourceId: string; status: CallStatus; count: number };

/** Of an event, by source and status. */
export const countCalls = (db: SqlReader, scope: Scope, eventId: string): Promise<CallCount[]> =>
  db.all<CallCount>(
    `SELECT c.source_id AS sourceId, c.status, COUNT(*) AS count FROM ticket_sources s
       JOIN ticket_calls c ON c.source_id = s.id
     WHERE s.company_id = ? AND s.partition = ? AND s.event_id = ? GROUP BY c.source_id, c.status`,
    ...ofScope(scope),
    eventId,
  );

export type UntoldCall = EarlierCall & { /** Of the ticket; null if it has none. */ name: string | null };

const UNTOLD = `SELECT c.entry_seq AS entrySeq, c.kind, c.nonce, c.status, t.name, c.at, c.answer
  FROM ticket_calls c JOIN tickets t ON t.id = c.ticket_id WHERE c.company_id = ? AND c.partition = ?`;

/** Calls of a source that ended otherwise than told, newest first. */
export async function listUntold(
  db: SqlReader,
  scope: Scope,
  { sourceId, limit }: { sourceId: string; limit: number },
): Promise<UntoldCall[]> {
  const rows = await db.all<UntoldCall>(
    `${UNTOLD} AND c.source_id = ? AND c.status IN ('conflict', 'refused') ORDER BY c.seq DESC LIMIT ?`,
    ...ofScope(scope),
    sourceId,
    limit,
  );
  return rows.map((row) => ({ ...row, answer: openAnswer(db, row) }));
}

/** Entries of an event whose tickets were used elsewhere, too, newest first. */
export async function listConflicts(
  db: SqlReader,
  scope: Scope,
  { eventId, limit }: { eventId: string; limit: number },
): Promise<UntoldCall[]> {
  const rows = await db.all<UntoldCall>(
    `${UNTOLD} AND c.event_id = ? AND c.status = 'conflict' ORDER BY c.seq DESC LIMIT ?`,
    ...ofScope(scope),
    eventId,
    limit,
  );
  return rows.map((row) => ({ ...row, answer: openAnswer(db, row) }));
}
