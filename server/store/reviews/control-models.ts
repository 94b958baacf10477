/** Real cases that a control case is made to look like, and the metadata of recent runs. */
import type { Metadata } from '../../domain/runs/session-request.ts';
import type { Scope } from '../../domain/scope.ts';
import { fromOptionalJson, ofScope } from '../rows.ts';
import type { SqlReader, SqlTx } from '../sql/port.ts';

export type ControlModel = { caseId: string; eventId: string; photoUntil: number; startsAt: number };

/**
 * The latest cases of a matched face at events that keep photos, because only there both faces are seen, and of runs with no email
 * or phone, which could be somebody's. No control case is among them.
 */
export function listControlModels(
  db: SqlReader,
  scope: Scope,
  { now, openedSince, limit }: { now: number; openedSince: number; limit: number },
): Promise<ControlModel[]> {
  return db.all<ControlModel>(
    `SELECT c.id AS caseId, e.id AS eventId, e.starts_at AS startsAt,
       e.ends_at + e.guest_photo_days * 86400000 AS photoUntil
     FROM review_cases c JOIN sessions s ON s.id = c.session_id
     JOIN events e ON e.company_id = s.company_id AND e.partition = s.partition AND e.group_id = s.group_id
     WHERE c.company_id = ? AND c.partition = ? AND c.opened_at >= ? AND c.similarities IS NOT NULL
       AND c.suspect_ids <> '[]' AND s.generation = 'v3' AND s.identity_identifier IS NULL AND s.proven_phone IS NULL
       AND s.state IN ('in_review', 'settled') AND s.opened_at IS NOT NULL AND s.consent_at IS NOT NULL
       AND e.guest_photo_days IS NOT NULL AND e.starts_at <= ? AND e.ends_at > ?
       AND NOT EXISTS (SELECT 1 FROM review_controls r WHERE r.case_id = c.id)
     ORDER BY c.opened_at DESC, c.id LIMIT ?`,
    ...ofScope(scope),
    openedSince,
    now,
    now,
    limit,
  );
}

/** Real cases opened after a time, and cases that wait. */
export async function countCasesSince(
  db: SqlReader,
  scope: Scope,
  since: number,
): Promise<{ opened: number; waiting: number }> {
  const row = await db.one<{ opened: number; waiting: number }>(
    `SELECT COALESCE(SUM(CASE WHEN opened_at > ? AND NOT EXISTS
         (SELECT 1 FROM review_controls r WHERE r.case_id = review_cases.id) THEN 1 ELSE 0 END), 0) AS opened,
       COALESCE(SUM(CASE WHEN decision IS NULL AND pending_decision IS NULL THEN 1 ELSE 0 END), 0) AS waiting
     FROM review_cases WHERE company_id = ? AND partition = ? AND (opened_at > ? OR decision IS NULL)`,
    since,
    ...ofScope(scope),
    since,
  );
  return row ?? { opened: 0, waiting: 0 };
}

/** Metadata of the latest runs. */
export async function listMetadata(db: SqlReader, scope: Scope, limit: number): Promise<Metadata[]> {
  const rows = await db.all<{ id: string; metadata: string }>(
    `SELECT id, metadata FROM sessions WHERE company_id = ? AND partition = ? AND metadata IS NOT NULL
     ORDER BY created_at DESC, id DESC LIMIT ?`,
    ...ofScope(scope),
    limit,
  );
  return rows.map(
    ({ id, metadata }) =>
      fromOptionalJson<Metadata>(db.secrets.open('sessions.metadata', [id], metadata)) ?? {},
  );
}

/** As the run of the case was opened, and agreed to. */
export function findConsentOf(
  db: SqlReader,
  sessionId: string,
): Promise<
  | {
      openedAt: number;
      consentAt: number;
      version: string;
      language: string;
      retentionDays: number | null;
      photoUntil: number | null;
    }
  | undefined
> {
  return db.one(
    `SELECT opened_at AS openedAt, consent_at AS consentAt, consent_version AS version, consent_language AS language,
       retention_days AS retentionDays, photo_until AS photoUntil FROM sessions WHERE id = ?`,
    sessionId,
  );
}

/** Where a run was at a kiosk. */
export function findKioskRun(
  db: SqlReader,
  sessionId: string,
): Promise<{ kioskId: string; eventId: string | null; origin: 'walk_up' | 'scan' } | undefined> {
  return db.one(
    'SELECT kiosk_id AS kioskId, event_id AS eventId, origin FROM kiosk_runs WHERE session_id = ?',
    sessionId,
  );
}

/** The event's figures count no entry that nobody made. */
export function leaveOutOfFigures(tx: SqlTx, sessionId: string): Promise<number> {
  return tx.run("UPDATE sessions SET counts_as = 'unfinished' WHERE id = ?", sessionId);
}
