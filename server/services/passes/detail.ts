/** One session with its pass, its timeline, and the operator's possible actions. */
import { consentMessages } from '../../../locales/node.ts';
import { consentDigest, includesPhoto, isOfOneEvent } from '../../contract/consent-texts.ts';
import { isAtLeast, type Role } from '../../contract/console/common.ts';
import type {
  PassDetail,
  ScoreParts,
  SessionAction,
  SessionDetail,
} from '../../contract/console/sessions.ts';
import type { Scope } from '../../domain/scope.ts';
import { findPass, type Pass } from '../../store/passes/passes.ts';
import type { SqlReader } from '../../store/sql/port.ts';
import { fromOptionalJson } from '../../store/rows.ts';
import { listRunEvents } from '../../store/runs/run-events.ts';
import {
  findSessionRecord,
  type PassReads,
  readsOf,
  type SessionRecord,
} from '../../store/runs/session-timeline.ts';
import { isChecking } from '../../domain/runs/progress.ts';
import type { Ports } from '../ports/ports.ts';
import { iso, isoOrNull } from '../wire/values.ts';
import { notFound } from '../../refusals/refusal.ts';
import { timelineOf } from './timeline.ts';
import { readLetIn } from './let-in.ts';
import { toSessionItem } from './list.ts';

type Deps = Pick<Ports, 'db' | 'clock'>;

/** @throws Refusal `not_found` */
export async function readSessionDetail(
  { db, clock }: Deps,
  scope: Scope,
  id: string,
  role: Role,
): Promise<SessionDetail> {
  const session = await findSessionRecord(db, scope, id);
  if (!session) throw notFound();
  const nowMs = clock.now();
  const pass = session.passId === null ? null : ((await findPass(db, scope, session.passId)) ?? null);
  const letIn = await readLetIn(db, scope, session.outcome === 'flagged' ? [session.passId] : []);
  const reads = pass ? await readsOf(db, scope, pass.id) : { readCount: 0, lastReadAt: null };
  return {
    ...toSessionItem(session, { role, nowMs, letIn }),
    include_groups: fromOptionalJson<string[]>(session.includeGroups) ?? [],
    metadata: isAtLeast(role, 'reviewer') ? fromOptionalJson(session.metadata) : null,
    device: session.device,
    capture_signed: (await attemptFactsOf(db, scope, session.id)).isSigned,
    attempts_left: session.attemptsLeft,
    expires_at: iso(session.expiresAt),
    consent:
      session.consentAt === null
        ? null
        : {
            at: iso(session.consentAt),
            version: session.consentVersion,
            language: session.consentLanguage,
            ...agreedDays(session),
            photo_until: includesPhoto(session.consentVersion ?? '') ? isoOrNull(session.photoUntil) : null,
            text: consentTextOf(session),
          },
    pass:
      pass &&
      toPassDetail(pass, reads, session, (await attemptFactsOf(db, scope, pass.sessionId)).scoreParts),
    case_id: session.caseId,
    actions: actionsFor(session, pass, { role, nowMs, isChecking: isChecking(session, nowMs) }),
    timeline: await timelineOf(db, scope, { session, pass, reads, nowMs, role }),
  };
}

/** The days that the text named: without a visit, or after the event. */
function agreedDays({ consentVersion, retentionDays: days }: SessionRecord) {
  return isOfOneEvent(consentVersion ?? '')
    ? { retention_days: null, faces_days: days }
    : { retention_days: days, faces_days: null };
}

/** The messages of the text that the guest read; null if the server doesn't know its version or language. */
function consentTextOf({ consentVersion, consentLanguage, retentionDays }: SessionRecord): string[] | null {
  const [version, language] = [consentVersion ?? '', consentLanguage ?? ''];
  return consentDigest(version, language) === null ? null : consentMessages(version, language, retentionDays);
}

function toPassDetail(
  pass: Pass,
  { readCount, lastReadAt }: PassReads,
  session: SessionRecord,
  scoreParts: ScoreParts | null,
): PassDetail {
  return {
    pass_id: pass.id,
    status: pass.status,
    reasons: pass.reasons,
    groups: pass.groups,
    score: pass.score,
    score_parts: scoreParts,
    settled_at: iso(pass.settledAt),
    locked_at: isoOrNull(pass.lockedAt),
    revoked_at: isoOrNull(pass.revokedAt),
    read_count: readCount,
    last_read_at: isoOrNull(lastReadAt),
    person_id: pass.personId,
    is_own: pass.sessionId === session.id,
  };
}

/** How a run's face was captured and judged, for the console. */
type AttemptFacts = {
  /** Null if nothing was measured, as with test faces. */
  scoreParts: ScoreParts | null;
  /** Whether a paired kiosk signed the pictures; null if no attempt recorded it. */
  isSigned: boolean | null;
};

/** Of the run's last attempts that recorded each value. */
export async function attemptFactsOf(
  db: SqlReader,
  scope: Scope,
  sessionId: string | null,
): Promise<AttemptFacts> {
  const events = sessionId === null ? [] : await listRunEvents(db, scope, sessionId);
  const attempts = events.flatMap((event) => (event.kind === 'attempt' ? event.details : []));
  const parts = attempts.findLast((attempt) => attempt.score_parts)?.score_parts;
  const capture = attempts.findLast((attempt) => attempt.capture)?.capture;
  return { scoreParts: parts ? completeParts(parts) : null, isSigned: capture?.trusted ?? null };
}

/** Attempts of earlier versions lack the later signals. */
const completeParts = ({
  spoof = 0,
  quality = 0,
  nearness = 0,
  desktop = 0,
  unsigned = 0,
  camera = 0,
}: Partial<ScoreParts>): ScoreParts => ({ spoof, quality, nearness, desktop, unsigned, camera });

/** Staff may force close, reviewers may lock, admins may override. */
function actionsFor(
  session: SessionRecord,
  pass: Pass | null,
  { role, nowMs, isChecking }: { role: Role; nowMs: number; isChecking: boolean },
): SessionAction[] {
  const actions: SessionAction[] = [];
  if (session.state === 'open' && nowMs < session.expiresAt && !isChecking) {
    if (session.openedAt !== null) actions.push('reopen');
    actions.push('cancel');
  }
  if (pass === null || pass.revokedAt !== null) return actions;
  if (isAtLeast(role, 'reviewer')) {
    if (pass.lockedAt !== null) actions.push('unlock');
    else if (pass.status === 'approved') actions.push('lock');
  }
  if (isAtLeast(role, 'admin')) actions.push(pass.status === 'approved' ? 'deny' : 'approve');
  return actions;
}
