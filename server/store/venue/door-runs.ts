/** The door's feed: ended runs, newest first, and those in progress. */
import type { Device } from '../../contract/flow.ts';
import type { Generation } from '../../contract/operations.ts';
import type { Scope } from '../../domain/scope.ts';
import { ofScope } from '../rows.ts';
import type { SqlReader, SqlValue } from '../sql/port.ts';
import type { CountedOutcome } from './run-counts.ts';

/** The guest's data from the organiser. */
export type RunGuest = { metadata: string | null; externalId: string | null };

export type EndedRun = {
  sessionId: string;
  settledAt: number;
  outcome: CountedOutcome;
  reasons: string | null;
  device: Device | null;
  kioskName: string | null;
  passId: string | null;
  personId: string | null;
  /** The earlier pass that this run uses, if any. */
  earlierPassId: string | null;
  verificationId: string;
  group: string | null;
  generation: Generation;
  /** The run is or was in review. */
  caseId: string | null;
  isCaseOpen: number;
} & RunGuest;

export type Chosen = { scope: Scope; event: { id: string; group: string } | null };

const COLUMNS = `r.id AS sessionId, r.settled_at AS settledAt, r.counts_as AS outcome, p.reasons, r.device,
  q.name AS kioskName, p.id AS passId, p.person_id AS personId, CASE WHEN p.session_id IS DISTINCT FROM r.id THEN p.id END AS earlierPassId,
  r.verification_id AS verificationId, r.group_id AS "group", r.metadata, r.external_id AS externalId,
  r.generation, c.id AS caseId, CASE WHEN c.id IS NOT NULL AND c.decision IS NULL THEN 1 ELSE 0 END AS isCaseOpen`;
const BY_SESSION = `SELECT ${COLUMNS} FROM sessions r LEFT JOIN passes p ON p.id = r.pass_id
  LEFT JOIN review_cases c ON c.pass_id = r.pass_id LEFT JOIN kiosk_runs k ON k.session_id = r.id LEFT JOIN kiosks q ON q.id = k.kiosk_id`;
/** In this join order, because an event's scanned runs are few and the scope's runs many. */
const BY_KIOSK = `SELECT ${COLUMNS} FROM kiosk_runs k CROSS JOIN sessions r
  LEFT JOIN passes p ON p.id = r.pass_id LEFT JOIN review_cases c ON c.pass_id = r.pass_id
  LEFT JOIN kiosks q ON q.id = k.kiosk_id`;
const ENDED = 'r.company_id = ? AND r.partition = ? AND r.settled_at IS NOT NULL';

const withMetadata = <T extends RunGuest & { sessionId: string }>({ secrets }: SqlReader, run: T): T => ({
  ...run,
  metadata: secrets.open('sessions.metadata', [run.sessionId], run.metadata),
});

/** Each part reads its newest by its own index; the result is the newest of both. */
export async function listEndedRuns(
  db: SqlReader,
  { scope, event }: Chosen,
  limit: number,
): Promise<EndedRun[]> {
  const own: SqlValue[] = ofScope(scope);
  const newest = 'ORDER BY r.settled_at DESC LIMIT ?';
  const opened = (rows: EndedRun[]) => rows.map((run) => withMetadata(db, run));
  if (event === null)
    return opened(await db.all<EndedRun>(`${BY_SESSION} WHERE ${ENDED} ${newest}`, ...own, limit));
  const [ofGroup, scanned] = await Promise.all([
    db.all<EndedRun>(`${BY_SESSION} WHERE ${ENDED} AND r.group_id = ? ${newest}`, ...own, event.group, limit),
    db.all<EndedRun>(
      `${BY_KIOSK} WHERE r.id = k.session_id AND k.event_id = ? AND k.origin = 'scan' AND ${ENDED}
         AND (r.group_id IS NULL OR r.group_id <> ?) ORDER BY k.started_at DESC LIMIT ?`,
      event.id,
      ...own,
      event.group,
      limit,
    ),
  ]);
  return opened([...ofGroup, ...scanned].sort((a, b) => b.settledAt - a.settledAt).slice(0, limit));
}

type EarlierPass = { settledAt: number; kioskName: string | null };

const EARLIER = `SELECT p.settled_at AS settledAt, q.name AS kioskName FROM passes p
  LEFT JOIN kiosk_runs k ON k.session_id = p.session_id LEFT JOIN kiosks q ON q.id = k.kiosk_id`;

export function findPassPlace(db: SqlReader, scope: Scope, passId: string): Promise<EarlierPass | undefined> {
  return db.one<EarlierPass>(
    `${EARLIER} WHERE p.company_id = ? AND p.partition = ? AND p.id = ?`,
    ...ofScope(scope),
    passId,
  );
}

/** The person's last approved pass before `beforeMs`, in the same verification and group. */
export function findEarlierPass(
  db: SqlReader,
  scope: Scope,
  of: { personId: string; verificationId: string; group: string | null; beforeMs: number },
): Promise<EarlierPass | undefined> {
  return db.one<EarlierPass>(
    `${EARLIER} WHERE p.person_id = ? AND p.settled_at < ? AND p.company_id = ? AND p.partition = ?
       AND p.status = 'approved' AND p.verification_id = ? AND p.group_id IS NOT DISTINCT FROM ?
     ORDER BY p.settled_at DESC LIMIT 1`,
    of.personId,
    of.beforeMs,
    ...ofScope(scope),
    of.verificationId,
    of.group,
  );
}

export type OpenRun = {
  sessionId: string;
  openedAt: number;
  consentAt: number | null;
  attemptsLeft: number;
  device: Device | null;
  kioskName: string | null;
  /** Whether a phone code is waiting. */
  waitsForCode: number;
  checkingUntil: number | null;
} & RunGuest;

/** Opened within their lifetime and not ended, newest first. */
export async function listOpenRuns(
  db: SqlReader,
  { scope, event }: Chosen,
  { sinceMs, nowMs, limit }: { sinceMs: number; nowMs: number; limit: number },
): Promise<OpenRun[]> {
  const ofEvent = event === null ? '' : 'AND (s.group_id = ? OR k.event_id = ?)';
  const rows = await db.all<OpenRun>(
    `SELECT s.id AS sessionId, s.opened_at AS openedAt, s.consent_at AS consentAt, s.attempts_left AS attemptsLeft,
       s.device, q.name AS kioskName, s.checking_until AS checkingUntil, s.metadata, s.external_id AS externalId,
       EXISTS (SELECT 1 FROM phone_codes c WHERE c.session_id = s.id AND c.code IS NOT NULL AND c.expires_at > ?)
         AS waitsForCode
     FROM sessions s LEFT JOIN kiosk_runs k ON k.session_id = s.id LEFT JOIN kiosks q ON q.id = k.kiosk_id
     WHERE s.company_id = ? AND s.partition = ? AND s.state = 'open' AND s.opened_at IS NOT NULL
       AND s.opened_at >= ? AND s.expires_at > ? ${ofEvent}
     ORDER BY s.opened_at DESC LIMIT ?`,
    nowMs,
    ...ofScope(scope),
    sinceMs,
    nowMs,
    ...(event === null ? [] : [event.group, event.id]),
    limit,
  );
  return rows.map((run) => withMetadata(db, run));
}
