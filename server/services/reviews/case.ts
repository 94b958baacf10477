/** One case as a reviewer sees it: both sides with their pictures, their history and the notes. */
import { ATTACK_FINDINGS, type AttackFinding } from '../../contract/console/attack-findings.ts';
import type { PastRun, ReviewCaseDetail, ReviewSuspect } from '../../contract/console/reviews.ts';
import { MOST_OPINIONS } from '../../domain/reviews/opinions.ts';
import type { Scope } from '../../domain/scope.ts';
import { eventGroupOf } from '../../domain/venue/event.ts';
import { listCaseFrames, listPersonFrames, readCaseFrame } from '../../store/reviews/case-frames.ts';
import { findGuestPhoto } from '../../store/reviews/guest-photos.ts';
import { findPerson } from '../../store/people/people.ts';
import type { SqlReader } from '../../store/sql/port.ts';
import { findCase, type StoredCase } from '../../store/reviews/cases.ts';
import {
  countDistinctFrom,
  listPassesOfIdentity,
  listPassesOfPerson,
  type PastPass,
} from '../../store/reviews/history.ts';
import { listOpinions, type Opinion } from '../../store/reviews/opinions.ts';
import { listReviewNotes } from '../../store/reviews/notes.ts';
import { findQueueRow } from '../../store/reviews/queue.ts';
import { listRunEvents } from '../../store/runs/run-events.ts';
import { findSession, type Session } from '../../store/runs/sessions.ts';
import { findVerification } from '../../store/companies/verifications.ts';
import { readAuditLines } from '../passes/audit-lines.ts';
import type { Ports } from '../ports/ports.ts';
import { attemptFactsOf } from '../passes/detail.ts';
import { namesOfLookAlikes } from '../people/look-alikes.ts';
import { identitiesOf } from '../matching/owners.ts';
import { iso } from '../wire/values.ts';
import { notFound } from '../../refusals/refusal.ts';
import { findEventOfGroup } from '../../store/venue/events.ts';
import { toFrame, toFraming } from './frames.ts';
import { toReviewItem } from './queue.ts';
import { labelOf } from '../companies/verifications.ts';

/** Past runs on each side: as many as the page shows; the person's own page has them all. */
const PAST_RUNS = 12;
const NOTES = 50;
/** Many near matches mean a bad picture; the likeliest are enough to see that. */
const MOST_SUSPECTS = 5;

type Deps = Pick<Ports, 'db' | 'clock'>;

/** @throws Refusal `not_found` */
export async function readReviewCase(
  { db, clock }: Deps,
  scope: Scope,
  caseId: string,
): Promise<ReviewCaseDetail> {
  const now = clock.now();
  const row = await findQueueRow(db, scope, caseId);
  const found = row && (await findCase(db, scope.companyId, caseId));
  const session = found && (await findSession(db, found.sessionId));
  const verification = session && (await findVerification(db, scope.companyId, session.verificationId));
  if (!row || !found || !session || !verification) throw notFound();
  const suspects = found.suspectIds.slice(0, MOST_SUSPECTS);
  const opinions = await listOpinions(db, scope, caseId);
  const isOpen = row.decision === null && row.pendingDecision === null;
  return {
    item: toReviewItem(row, now),
    verification: labelOf(verification),
    event: row.group === null ? null : await eventOf(db, scope, row.group),
    test_face: found.enrolment?.kind === 'test_face' ? found.enrolment.name : null,
    device: session.device,
    capture_signed: (await attemptFactsOf(db, scope, session.id)).isSigned,
    started_at: iso(session.createdAt),
    score: found.score,
    signs: await signsOf(db, session),
    near_threshold: found.likeness?.near ?? null,
    same_threshold: found.likeness?.same ?? null,
    metadata: session.request.metadata ?? {},
    frames: (await listCaseFrames(db, scope, caseId, now)).map(toFrame),
    history: await ownHistory(db, session),
    suspects: await Promise.all(
      suspects.map((id, place) => suspectOf(db, found, { id, place, group: row.group, now })),
    ),
    opinions: isOpen && opinions.length < MOST_OPINIONS ? [] : opinions.map(toOpinion),
    notes: (await listReviewNotes(db, scope, caseId, NOTES)).map(({ id, operatorName, text, createdAt }) => ({
      note_id: id,
      by: operatorName,
      text,
      at: iso(createdAt),
    })),
    changes: await readAuditLines(db, scope, [caseId]),
  };
}

/**
 * While the case is open, or its retention lasts.
 * @throws Refusal `not_found`
 */
export async function readReviewFrame(
  { db, clock }: Deps,
  scope: Scope,
  { caseId, index }: { caseId: string; index: number },
): Promise<Uint8Array> {
  const jpeg = await readCaseFrame(db, scope, { caseId, index, now: clock.now() });
  if (!jpeg) throw notFound();
  return jpeg;
}

async function eventOf(db: SqlReader, scope: Scope, group: string): Promise<ReviewCaseDetail['event']> {
  const event = await findEventOfGroup(db, scope, eventGroupOf(group));
  return event ? { event_id: event.id, name: event.name } : null;
}

/** Of the run's last attempt. Test faces have no picture, hence no signs. */
async function signsOf(db: SqlReader, { scope, id }: Session): Promise<AttackFinding[] | null> {
  const events = await listRunEvents(db, scope, id);
  const attempt = events.findLast(({ kind, details }) => kind === 'attempt' && 'score_parts' in details);
  if (attempt?.kind !== 'attempt') return null;
  return ATTACK_FINDINGS.filter((finding) => attempt.details.findings.includes(finding));
}

async function ownHistory(db: SqlReader, session: Session): Promise<PastRun[]> {
  const [identity] = identitiesOf(session);
  return identity ? (await listPassesOfIdentity(db, session.scope, identity, PAST_RUNS)).map(toPastRun) : [];
}

async function suspectOf(
  db: SqlReader,
  { scope, likeness }: StoredCase,
  { id, place, group, now }: { id: string; place: number; group: string | null; now: number },
): Promise<ReviewSuspect> {
  const person = await findPerson(db, scope, id);
  const photo =
    person && group !== null ? await findGuestPhoto(db, scope, { personId: id, group, now }) : undefined;
  const similarity = likeness?.similarities[place] ?? null;
  return {
    person_id: id,
    erased: !person,
    similarity,
    external_ids: person?.externalIds ?? [],
    identifiers: person?.identities.map(({ identifier }) => identifier) ?? [],
    metadata: person?.metadata ?? {},
    known_since: person ? iso(person.createdAt) : null,
    last_seen_at: person ? iso(person.lastSeenAt) : null,
    told_apart_from: person ? await countDistinctFrom(db, scope, id) : 0,
    look_alikes: person ? await namesOfLookAlikes(db, scope, id) : [],
    frames: person ? (await listPersonFrames(db, scope, id, now)).map(toFrame) : [],
    photo: photo ? { taken_at: iso(photo.takenAt), framing: toFraming(photo.framing) } : null,
    history: person ? (await listPassesOfPerson(db, scope, id, PAST_RUNS)).map(toPastRun) : [],
  };
}

const toOpinion = ({
  operatorName,
  decision,
  reason,
  givenAt,
}: Opinion): ReviewCaseDetail['opinions'][number] => ({
  by: operatorName,
  decision,
  reason,
  at: iso(givenAt),
});

const toPastRun = (pass: PastPass): PastRun => ({
  pass_id: pass.id,
  status: pass.status,
  reasons: pass.reasons,
  group: pass.group,
  event_name: pass.eventName,
  external_id: pass.externalId,
  settled_at: iso(pass.settledAt),
  locked: pass.lockedAt !== null,
});
