/** The stored data about one session, for its page in the console. */
import { ACTOR_NAME, actorJoins } from '../operators/actor-names.ts';
import type { Device } from '../../contract/flow.ts';
import { ofScope, placesFor, unindexed } from '../rows.ts';
import type { Scope } from '../../domain/scope.ts';
import type { SqlReader } from '../sql/port.ts';
import { SESSION_COLUMNS, type SessionRow } from './session-list.ts';

export type SessionRecord = SessionRow & {
  includeGroups: string | null;
  metadata: string | null;
  device: Device | null;
  attemptsLeft: number;
  openedAt: number | null;
  consentAt: number | null;
  consentVersion: string | null;
  consentLanguage: string | null;
  photoUntil: number | null;
  retentionDays: number | null;
  caseId: string | null;
  checkingUntil: number | null;
};

export async function findSessionRecord(
  db: SqlReader,
  scope: Scope,
  id: string,
): Promise<SessionRecord | undefined> {
  const row = await db.one<SessionRecord>(
    `SELECT ${SESSION_COLUMNS}, s.include_groups AS includeGroups, s.metadata, s.device, s.attempts_left AS attemptsLeft,
       s.opened_at AS openedAt, s.consent_at AS consentAt, s.consent_version AS consentVersion,
       s.consent_language AS consentLanguage, s.photo_until AS photoUntil, s.retention_days AS retentionDays,
       s.checking_until AS checkingUntil,
       (SELECT c.id FROM review_cases c WHERE c.pass_id = s.pass_id) AS caseId
     FROM sessions s JOIN verifications v ON v.id = s.verification_id
     WHERE s.company_id = ? AND s.partition = ? AND s.id = ?`,
    ...ofScope(scope),
    id,
  );
  if (!row) return undefined;
  return {
    ...row,
    identityGiven: db.secrets.open('sessions.identity_given', [id], row.identityGiven),
    metadata: db.secrets.open('sessions.metadata', [id], row.metadata),
  };
}

export type PassReads = { readCount: number; lastReadAt: number | null };

export async function readsOf(db: SqlReader, scope: Scope, passId: string): Promise<PassReads> {
  const row = await db.one<PassReads>(
    `SELECT read_count AS readCount, last_read_at AS lastReadAt FROM passes
     WHERE company_id = ? AND partition = ? AND id = ?`,
    ...ofScope(scope),
    passId,
  );
  return row ?? { readCount: 0, lastReadAt: null };
}

/** Operators' actions: from the audit log, whose subject is the session, its pass or its case. */
export type TimelineAudit = {
  at: number;
  actor: string;
  actorName: string | null;
  action: string;
  details: string;
};

export function listTimelineAudit(
  db: SqlReader,
  scope: Scope,
  subjects: readonly [string, string, string],
): Promise<TimelineAudit[]> {
  // The + makes the planner use the index of subjects, because a company's own has all of its entries.
  return db.all<TimelineAudit>(
    `SELECT a.at, a.actor, ${ACTOR_NAME} AS actorName, a.action, a.details
     FROM audit_entries a ${actorJoins('a.actor')}
     WHERE a.subject IN (?, ?, ?) AND ${unindexed('a.company_id')} = ? AND ${unindexed('a.partition')} = ?
     ORDER BY a.seq LIMIT 200`,
    ...subjects,
    ...ofScope(scope),
  );
}

/** The last approval or denial by hand of each of these passes. */
export async function listOverrides(
  db: SqlReader,
  scope: Scope,
  passIds: readonly string[],
): Promise<(Pick<TimelineAudit, 'actorName' | 'details'> & { passId: string })[]> {
  if (passIds.length === 0) return [];
  return db.all(
    `SELECT a.subject AS "passId", o.name AS "actorName", a.details
     FROM audit_entries a LEFT JOIN operators o ON a.actor = 'operator:' || o.id
     WHERE a.seq IN (
       SELECT MAX(seq) FROM audit_entries
       WHERE subject IN (${placesFor(passIds)}) AND action = 'pass.override'
         AND ${unindexed('company_id')} = ? AND ${unindexed('partition')} = ?
       GROUP BY subject
     )`,
    ...passIds,
    ...ofScope(scope),
  );
}

type TimelineHandoff = { offeredAt: number; confirmedAt: number | null; device: Device | null };
type TimelineCase = { openedAt: number; reasons: string };
/** `httpStatus` is the response to the last attempt; null if there was none. */
export type TimelineCall = {
  transactionId: string;
  lineageId: string;
  origin: string;
  status: string;
  attempts: number;
  nextAttemptAt: number | null;
  httpStatus: number | null;
};

/** Offers to a phone, codes sent, the case, and webhook calls. */
export async function readTimelineParts(
  db: SqlReader,
  scope: Scope,
  {
    sessionId,
    caseId,
    transactionIds,
  }: { sessionId: string; caseId: string | null; transactionIds: string[] },
): Promise<{
  handoffs: TimelineHandoff[];
  codes: { sentAt: number }[];
  opened: TimelineCase | null;
  calls: TimelineCall[];
}> {
  const own = ofScope(scope);
  const handoffs = await db.all<TimelineHandoff>(
    `SELECT h.offered_at AS offeredAt, h.confirmed_at AS confirmedAt, h.device FROM handoffs h
     JOIN sessions s ON s.id = h.session_id
     WHERE s.company_id = ? AND s.partition = ? AND h.session_id = ? ORDER BY h.offered_at`,
    ...own,
    sessionId,
  );
  const codes = await db.all<{ sentAt: number }>(
    `SELECT sent_at AS sentAt FROM phone_codes
     WHERE company_id = ? AND partition = ? AND session_id = ? ORDER BY sent_at`,
    ...own,
    sessionId,
  );
  const opened =
    caseId === null
      ? undefined
      : await db.one<TimelineCase>(
          `SELECT opened_at AS openedAt, reasons FROM review_cases WHERE company_id = ? AND partition = ? AND id = ?`,
          ...own,
          caseId,
        );
  const calls: TimelineCall[] = [];
  for (const transactionId of transactionIds) {
    const call = await db.one<TimelineCall>(
      `SELECT c.transaction_id AS transactionId, c.key_lineage_id AS lineageId, c.origin, c.status, c.attempts,
         c.next_attempt_at AS nextAttemptAt, e.http_status AS httpStatus
       FROM webhook_calls c
       LEFT JOIN webhook_events e ON e.transaction_id = c.transaction_id AND e.attempt = c.attempts
       WHERE c.company_id = ? AND c.partition = ? AND c.transaction_id = ?`,
      ...own,
      transactionId,
    );
    if (call) calls.push(call);
  }
  return { handoffs, codes, opened: opened ?? null, calls };
}
