/** One session with its pass, its timeline, and what the operator may do to it. */
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
import { listRunEvents } from '../../store/connections/run-events.ts';
import {
  findSessionRecord,
  type PassReads,
  readsOf,
  type SessionRecord,
} from '../../store/runs/session-timeline.ts';
import { isChecking } from '../../domain/runs/checking.ts';
import type { ServiceDeps } from '../deps.ts';
import { iso, isoOrNull } from '../times.ts';
import { notFound } from '../errors.ts';
import { timelineOf } from './timeline.ts';
import { toSessionItem } from './list.ts';

type Deps = Pick<ServiceDeps, 'db' | 'clock'>;

/** @throws ConsoleError `not_found` */
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
  const reads = pass ? await readsOf(db, scope, pass.id) : { readCount: 0, lastReadAt: null };
  return {
    ...toSessionItem(session, role, nowMs),
    include_groups: fromOptionalJson<string[]>(session.includeGroups) ?? [],
    metadata: isAtLeast(role, 'reviewer') ? fromOptionalJson(session.metadata) : null,
    device: session.device,
    attempts_left: session.attemptsLeft,
    expires_at: iso(session.expiresAt),
    consent:
      session.consentAt === null
        ? null
        : {
            at: iso(session.consentAt),
            version: session.consentVersion,
            language: session.consentLanguage,
          },
    pass: pass && toPassDetail(pass, reads, session, await scorePartsOf(db, scope, pass.sessionId)),
    case_id: session.caseId,
    actions: actionsFor(session, pass, { role, nowMs, isChecking: isChecking(session, nowMs) }),
    timeline: await timelineOf(db, scope, { session, pass, reads, nowMs }),
  };
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

/** Of the run's last attempt that was measured; null where none was, as with test faces. */
export async function scorePartsOf(
  db: SqlReader,
  scope: Scope,
  sessionId: string | null,
): Promise<ScoreParts | null> {
  if (sessionId === null) return null;
  const events = await listRunEvents(db, scope, sessionId);
  const parts = events.findLast(({ kind, details }) => kind === 'attempt' && 'score_parts' in details);
  if (parts?.kind !== 'attempt' || !parts.details.score_parts) return null;
  // Attempts of earlier versions lack the later signals.
  const { spoof = 0, quality = 0, nearness = 0, desktop = 0, camera = 0 } = parts.details.score_parts;
  return { spoof, quality, nearness, desktop, camera };
}

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
