/** Writes a control case: two runs, a person and the case, each like those of guests. */
import type { ControlPair } from '../../../domain/reviews/controls.ts';
import type { Reason } from '../../../domain/settling/reasons.ts';
import type { Scope } from '../../../domain/scope.ts';
import { appendAudit } from '../../../store/operators/audit.ts';
import { insertPass } from '../../../store/passes/passes.ts';
import {
  bindExternalId,
  findExternalIdOwner,
  insertPerson,
  touchPerson,
} from '../../../store/people/people.ts';
import { type CaseFrame, insertCaseFrames } from '../../../store/reviews/case-frames.ts';
import { insertCase, type StoredCase } from '../../../store/reviews/cases.ts';
import {
  type ControlModel,
  findConsentOf,
  findKioskRun,
  leaveOutOfFigures,
} from '../../../store/reviews/control-models.ts';
import { insertControl } from '../../../store/reviews/controls.ts';
import { saveGuestPhoto } from '../../../store/reviews/guest-photos.ts';
import { insertRunEvent, listRunEvents } from '../../../store/runs/run-events.ts';
import { bindSession, recordConsent } from '../../../store/runs/session-holders.ts';
import { endSession, insertSession, type Session } from '../../../store/runs/sessions.ts';
import type { SqlTx } from '../../../store/sql/port.ts';
import { saveKioskRun } from '../../../store/venue/kiosk-runs.ts';
import { newFlowToken, newId, newSessionId, sha256 } from '../../ports/ids.ts';

/** All that a control case is made of. */
export type MadeUpCase = {
  pair: ControlPair;
  /** The real case whose form it has. */
  model: { case: StoredCase; session: Session; event: ControlModel };
  reasons: Reason[];
  similarity: number;
  frames: Omit<CaseFrame, 'takenAt'>[];
  photo: Omit<CaseFrame, 'takenAt'>;
  run: MadeUpPerson;
  match: MadeUpPerson;
  embeddingModel: string;
  /** When the case opens, and when the matched person seems to have passed. */
  at: number;
  passedAt: number;
};
export type MadeUpPerson = { externalId: string | null; metadata: Session['request']['metadata'] };

export async function writeControl(tx: SqlTx, scope: Scope, made: MadeUpCase): Promise<void> {
  const { at, passedAt, model, match, run, similarity } = made;
  const { near, same } = model.case.likeness ?? { near: 0, same: 0 };
  const [personId, caseId] = [newId(passedAt), newId(at)];
  const past = await writeRun(tx, made, { state: 'settled', at: passedAt, ...match });
  await insertPerson(tx, scope, personId, passedAt);
  await touchPerson(tx, scope, personId, {
    metadata: match.metadata,
    retentionDays: past.retentionDays,
    agreedAt: passedAt,
    at: passedAt,
  });
  const { verificationId, generation, request } = model.session;
  const { externalId } = match;
  // One that was made up may be somebody's already.
  if (externalId !== null && !(await findExternalIdOwner(tx, scope, externalId)))
    await bindExternalId(tx, scope, { personId, externalId, verificationId, at: passedAt });
  await insertPass(tx, scope, {
    id: past.passId,
    sessionId: past.id,
    verificationId,
    personId,
    status: 'approved',
    reasons: [],
    groups: [],
    group: request.group,
    declined: false,
    externalId: match.externalId,
    identity: null,
    score: model.case.score,
    settledAt: passedAt,
    lockedAt: null,
    revokedAt: null,
    generation,
  });
  await leaveOutOfFigures(tx, past.id);
  const { eventId, photoUntil } = model.event;
  const deleteAfter = photoUntil;
  await saveGuestPhoto(tx, scope, { ...made.photo, eventId, personId, takenAt: passedAt, deleteAfter });
  const session = await writeRun(tx, made, { state: 'in_review', at, ...run });
  await insertCase(tx, scope, {
    id: caseId,
    sessionId: session.id,
    passId: session.passId,
    reasons: made.reasons,
    groups: request.group === null ? [] : [request.group],
    suspectIds: [personId],
    enrolment: null,
    score: model.case.score,
    likeness: { similarities: [similarity], near, same },
    openedAt: at,
  });
  const frames = made.frames.map((frame, place) => ({ ...frame, takenAt: at - (place + 1) * 900 }));
  await insertCaseFrames(tx, scope, caseId, frames);
  await insertControl(tx, {
    caseId,
    scope,
    answer: made.pair.answer,
    names: made.pair.names,
    sessionId: session.id,
    pastSessionId: past.id,
    personId,
    model: made.embeddingModel,
    quality: 0.9,
    enrolledAt: passedAt,
    openedAt: at,
  });
  // As for any other case: the entry about its end says what it was.
  await appendAudit(tx, {
    ...scope,
    at,
    actor: 'system',
    action: 'review.open',
    subject: verificationId,
    details: { case_id: caseId, reasons: made.reasons },
  });
}

type RunOf = { state: 'settled' | 'in_review'; at: number } & MadeUpCase['run'];

/** A run that took as long, on the same kind of device, as the one whose form it has. */
async function writeRun(
  tx: SqlTx,
  { model: { session: model } }: MadeUpCase,
  { state, at, externalId, metadata }: RunOf,
): Promise<Pick<Session, 'id' | 'retentionDays'> & { passId: string }> {
  const { scope } = model;
  const consent = await findConsentOf(tx, model.id);
  if (!consent) throw new Error('A run in review has a consent.');
  const later = at - (model.settledAt ?? at);
  const createdAt = model.createdAt + later;
  const id = newSessionId(createdAt);
  const passId = newId(at);
  await insertSession(tx, {
    ...model,
    id,
    state: 'open',
    inviteId: null,
    request: { ...model.request, externalId, metadata },
    createdAt,
    expiresAt: model.expiresAt + later,
    unopenedSince: null,
    directTokenHash: null,
  });
  const claim = {
    flowTokenHash: sha256(newFlowToken()),
    resumeKeyHash: null,
    device: model.device ?? 'mobile',
  };
  await bindSession(tx, scope, id, { ...claim, at: consent.openedAt + later });
  await recordConsent(tx, scope, id, { ...consent, at: consent.consentAt + later });
  for (const event of await listRunEvents(tx, scope, model.id)) {
    if (event.kind !== 'consent' && event.kind !== 'attempt') continue;
    await insertRunEvent(tx, scope, id, { ...event, at: event.at + later });
  }
  const kiosk = await findKioskRun(tx, model.id);
  if (kiosk) await saveKioskRun(tx, { ...kiosk, sessionId: id, startedAt: createdAt });
  await endSession(tx, scope, id, { state, passId, at });
  return { id, passId, retentionDays: consent.retentionDays };
}
