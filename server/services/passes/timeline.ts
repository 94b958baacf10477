/** A session's timeline, collected from the records of each part of the service. */
import { isAtLeast, type Role } from '../../contract/console/common.ts';
import type { TimelineItem, TimelineKind } from '../../contract/console/sessions.ts';
import type { Scope } from '../../domain/scope.ts';
import type { Pass } from '../../store/passes/passes.ts';
import type { SqlReader } from '../../store/sql/port.ts';
import { fromJson } from '../../store/rows.ts';
import { listRunEvents, type RunEvent } from '../../store/runs/run-events.ts';
import {
  listTimelineAudit,
  type PassReads,
  readTimelineParts,
  type SessionRecord,
  type TimelineAudit,
  type TimelineCall,
} from '../../store/runs/session-timeline.ts';
import { iso } from '../wire/values.ts';

type Moment = Omit<TimelineItem, 'at'> & { at: number };

const moment = (
  at: number,
  kind: TimelineKind,
  { details = {}, by = null, reason = null }: Partial<Pick<Moment, 'details' | 'by' | 'reason'>> = {},
): Moment => ({ at, kind, by, reason, details });

/**
 * @param nowMs time at which an overdue open session counts as expired
 * @param role below an admin, who alone sees webhooks, it contains that a result was sent, but not where to
 */
export async function timelineOf(
  db: SqlReader,
  scope: Scope,
  {
    session,
    pass,
    reads,
    nowMs,
    role,
  }: { session: SessionRecord; pass: Pass | null; reads: PassReads; nowMs: number; role: Role },
): Promise<TimelineItem[]> {
  const events = await listRunEvents(db, scope, session.id);
  const transactionIds = events.flatMap((event) =>
    event.kind === 'webhook' ? [event.details.transaction_id] : [],
  );
  const caseId = session.caseId;
  const parts = await readTimelineParts(db, scope, { sessionId: session.id, caseId, transactionIds });
  const audit = await listTimelineAudit(db, scope, [
    session.id,
    pass?.id ?? session.id,
    caseId ?? session.id,
  ]);
  const callOf = new Map(parts.calls.map((call) => [call.transactionId, call]));
  const moments: Moment[] = [
    moment(session.createdAt, 'created'),
    ...(session.openedAt === null
      ? []
      : [moment(session.openedAt, 'opened', { details: { device: session.device } })]),
    ...parts.handoffs.flatMap(({ offeredAt, confirmedAt, device }) => [
      moment(offeredAt, 'handoff_offered'),
      ...(confirmedAt === null ? [] : [moment(confirmedAt, 'handoff_confirmed', { details: { device } })]),
    ]),
    ...parts.codes.map(({ sentAt }) => moment(sentAt, 'code_sent')),
    ...events.filter(({ kind }) => kind !== 'webhook').map((event) => eventMoment(event, callOf, role)),
    ...(parts.opened === null
      ? []
      : [
          moment(parts.opened.openedAt, 'review_opened', {
            details: { reasons: fromJson<string[]>(parts.opened.reasons) },
          }),
        ]),
    ...endOf(session, pass, audit, nowMs),
    // A webhook is stored in the same moment as the result that it reports.
    ...events.filter(({ kind }) => kind === 'webhook').map((event) => eventMoment(event, callOf, role)),
    ...audit.flatMap(auditMoment),
    ...afterwards(pass, audit, reads),
  ];
  return moments
    .map((item, order) => ({ item, order }))
    .sort((a, b) => a.item.at - b.item.at || a.order - b.order)
    .map(({ item }) => ({ ...item, at: iso(item.at) }));
}

function eventMoment(event: RunEvent, callOf: ReadonlyMap<string, TimelineCall>, role: Role): Moment {
  switch (event.kind) {
    case 'consent':
      return moment(event.at, 'consent', { details: event.details });
    case 'phone_proven':
      return moment(event.at, 'phone_proven');
    case 'attempt': {
      const { passed, findings } = event.details;
      return moment(event.at, passed ? 'attempt_passed' : 'attempt_failed', { details: { findings } });
    }
    case 'webhook': {
      const { transaction_id, type } = event.details;
      const call = callOf.get(transaction_id);
      return moment(event.at, 'webhook', {
        details: {
          type,
          status: call?.status ?? null,
          attempts: call?.attempts ?? 0,
          ...(isAtLeast(role, 'admin') && {
            transaction_id,
            lineage_id: call?.lineageId ?? null,
            destination: call?.origin ?? null,
          }),
          next_attempt_at: call?.nextAttemptAt ? iso(call.nextAttemptAt) : null,
          http_status: call?.httpStatus ?? null,
        },
      });
    }
  }
}

type Override = { before?: { status: string; reasons: string[] } };

/** How the run ended. A verdict that was overridden later is shown as it was. */
function endOf(
  session: SessionRecord,
  pass: Pass | null,
  audit: readonly TimelineAudit[],
  nowMs: number,
): Moment[] {
  const { state, settledAt } = session;
  if (state === 'open') return nowMs >= session.expiresAt ? [moment(session.expiresAt, 'expired')] : [];
  if (settledAt === null) return [];
  if (state === 'expired') return [moment(settledAt, 'expired')];
  if (state === 'cancelled') {
    const isTold = audit.some(({ action }) => action === 'session.cancel');
    return isTold ? [] : [moment(settledAt, 'cancelled')];
  }
  if (pass === null) return [];
  if (pass.sessionId !== session.id) return [moment(settledAt, 'skipped', { details: { pass_id: pass.id } })];
  const first = audit.find(({ action }) => action === 'pass.override');
  const before = first && fromJson<Override>(first.details).before;
  const { status, reasons } = before ?? pass;
  if (reasons.length === 1 && reasons[0] === 'declined') return [moment(pass.settledAt, 'declined')];
  return [moment(pass.settledAt, 'settled', { details: { status, reasons } })];
}

const AUDITED: Readonly<Record<string, TimelineKind>> = {
  'session.cancel': 'cancelled',
  'session.reopen': 'reopened',
  'review.decide': 'review_decided',
  'pass.lock': 'locked',
  'pass.unlock': 'unlocked',
  'pass.override': 'overridden',
};

function auditMoment({ at, actor, actorName, action, details }: TimelineAudit): Moment[] {
  const kind = AUDITED[action];
  if (kind === undefined) return [];
  const { decision, reason } = fromJson<{ decision?: string; reason?: string }>(details);
  return [
    moment(at, kind, {
      // The page calls every key “your system”.
      by: actor.startsWith('key:') ? actor : (actorName ?? (actor === 'system' ? null : actor)),
      reason: reason ?? null,
      details: decision === undefined ? {} : { decision },
    }),
  ];
}

/** Changes to the pass by anyone except operators. */
function afterwards(pass: Pass | null, audit: readonly TimelineAudit[], reads: PassReads): Moment[] {
  if (pass === null) return [];
  // Another pass of the person was locked, and this one with it: the log names that one.
  const isLockTold = audit.some(({ action, at }) => action === 'pass.lock' && at === pass.lockedAt);
  return [
    ...(pass.lockedAt === null || isLockTold ? [] : [moment(pass.lockedAt, 'locked')]),
    ...(pass.revokedAt === null ? [] : [moment(pass.revokedAt, 'disconnected')]),
    ...(reads.lastReadAt === null
      ? []
      : [moment(reads.lastReadAt, 'read', { details: { count: reads.readCount } })]),
  ];
}
