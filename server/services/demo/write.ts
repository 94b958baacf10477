/** Writes a visit of the demo as the services would have: the verdict, the enrolment, the case and the counts are theirs. */
import { keyActor } from '../../domain/operators/actor.ts';
import { utcDay } from '../../domain/days.ts';
import { EMPTY_REQUEST } from '../../domain/runs/session-request.ts';
import { upsertConnectUser } from '../../store/connections/connect-users.ts';
import { recordReads, revokePassesOf } from '../../store/passes/passes.ts';
import { bindIdentity } from '../../store/people/people.ts';
import { findOpenCaseOf, type StoredCase } from '../../store/reviews/cases.ts';
import { insertReviewNote } from '../../store/reviews/notes.ts';
import { insertRunEvent } from '../../store/runs/run-events.ts';
import { bindSession, recordConsent } from '../../store/runs/session-holders.ts';
import { endSession, insertSession, type Session } from '../../store/runs/sessions.ts';
import type { SqlTx } from '../../store/sql/port.ts';
import { claimSettlement } from '../../store/usage/usage.ts';
import { configOf } from '../companies/run-config.ts';
import { NO_OWNERS } from '../matching/owners.ts';
import { setLock } from '../passes/lock.ts';
import { DEFAULT_RETENTION, faceDaysIn } from '../people/retention-settings.ts';
import { newConnectUserId, newFlowToken, newId, sha256 } from '../ports/ids.ts';
import { settleCase } from '../reviews/reviews.ts';
import { newSession, SESSION_ATTEMPTS } from '../runs/sessions/sessions.ts';
import { apply, type CheckedFace } from '../settling/effects.ts';
import { runOf } from '../settling/settlement.ts';
import { demoFace, type DrawnFrame, likeFace } from './faces.ts';
import { LEAST_COSINE, type PlannedCase, type PlannedPerson, type Visit } from './plan.ts';
import type { Dice } from './random.ts';
import type { DemoEvent, DemoTenant } from './tenant.ts';
import { type DemoVenue, noteKioskRun } from './venue.ts';

const MINUTE_MS = 60_000;
const CONSENT_AFTER_MS = 3_000;
/** Of the consent text that was shown. */
const CONSENT_VERSION = '1';
const V1_REQUEST = ['GET_HUMANNESS_SCORE_AND_UNIQUE_HUMAN_ID', 'IS_PHONE_NUMBER_VERIFIED'];

/** v1 and v2 runs that ended, for their webhooks. */
export type ConnectEnd = { at: number; userId: string; referenceUserId: string; isApproved: boolean };

/** What visits need from each other. */
export type Written = {
  personIds: Map<PlannedPerson, string>;
  userIds: Map<PlannedPerson, string>;
  connectEnds: ConnectEnd[];
  venue: DemoVenue;
  pictures: readonly DrawnFrame[][];
  dailyLimit: number;
};

/** What happens when: one event for each visit, and one for a reviewer's decision. */
export function demoEventsOf(
  tenant: DemoTenant,
  visits: readonly Visit[],
  written: Written,
  dice: Dice,
): DemoEvent[] {
  return visits.flatMap((visit) => {
    const luck = { reads: 1 + dice.below(3), isLocked: dice.chance(0.012), isRevoked: dice.chance(0.003) };
    let sessionId = '';
    const event = {
      at: visit.at,
      async write(tx: SqlTx) {
        sessionId = await writeVisit(tx, tenant, { visit, luck, dice }, written);
      },
    };
    const decided = visit.review?.decided;
    if (!decided) return [event];
    const decide = async (tx: SqlTx) => {
      const { at, decision, reason } = decided;
      const opened = await openCase(tx, tenant, sessionId);
      await settleCase(tx, opened, { decision, reason, actor: tenant.reviewer.actor }, at);
    };
    return [event, { at: decided.at, write: decide }];
  });
}

type Luck = { reads: number; isLocked: boolean; isRevoked: boolean };
type Made = { visit: Visit; luck: Luck; dice: Dice };

/** Returns the ID of its session. */
async function writeVisit(
  tx: SqlTx,
  tenant: DemoTenant,
  { visit, luck, dice }: Made,
  written: Written,
): Promise<string> {
  const { at, end, person } = visit;
  const scope = tenant[visit.partition];
  const session = await writeSession(tx, tenant, visit, written);
  await noteKioskRun(tx, written.venue, visit, session.id);
  if (typeof end === 'string') {
    await endSession(tx, scope, session.id, { state: end, passId: null, at });
    return session.id;
  }
  await writeRunEvents(tx, session, visit);
  const face = faceOf(tenant, visit, written, dice);
  const suspectIds = idsOf(visit.review?.suspects ?? [], written);
  const outcome = end.kind === 'review' ? { ...end, suspectIds } : end;
  const day = utcDay(at);
  if (end.kind === 'review' || end.metered) await claimSettlement(tx, scope, day, written.dailyLimit);
  const run = { ...runOf(session, configOf(session), at), liveness: { passed: true } as const };
  const owners =
    face.personId === null ? NO_OWNERS : { identityOwnerId: face.personId, externalIdOwnerId: face.personId };
  const { pass } = await apply(tx, { session, run, outcome, face, owners, findings: [], day });
  if (visit.review) await noteCase(tx, tenant, session.id, visit.review);
  if (person && session.connectUserId !== null) {
    const isApproved = pass?.status === 'approved';
    const { externalId: referenceUserId } = person;
    written.connectEnds.push({ at, userId: session.connectUserId, referenceUserId, isApproved });
  }
  if (!pass || pass.status === 'denied' || pass.personId === null || !person) return session.id;
  written.personIds.set(person, pass.personId);
  if (visit.isFirst && person.contact !== null) {
    const email = { provider: 'email', identifier: person.contact.email } as const;
    await bindIdentity(tx, scope, pass.personId, email, at);
  }
  if (visit.partition === 'test') return session.id;
  await recordReads(tx, scope, pass.id, luck.reads, at);
  if (luck.isLocked)
    await setLock(tx, scope, pass, { locked: true, actor: keyActor(tenant.keys.secretKeyId), at });
  if (luck.isRevoked) await revokePassesOf(tx, scope, pass.personId, at);
  return session.id;
}

/** The session as it was just before its end. */
async function writeSession(tx: SqlTx, tenant: DemoTenant, visit: Visit, written: Written): Promise<Session> {
  const { person, generation, device, startedAt } = visit;
  const scope = tenant[visit.partition];
  const { apiKeyId, secretKeyId, testKeyId } = tenant.keys;
  const contact = visit.isFirst ? person?.contact : null;
  const blank = newSession({
    scope,
    keyId: visit.partition === 'test' ? testKeyId : generation === 'v3' ? secretKeyId : apiKeyId,
    inviteId: null,
    verificationId: tenant.verificationIds[visit.verificationIndex] ?? '',
    request: {
      ...EMPTY_REQUEST,
      group: visit.group,
      externalId: person?.externalId ?? null,
      metadata: person?.metadata ?? null,
      identity: contact ? { provider: 'phone', identifier: contact.phone } : null,
    },
    now: startedAt,
    generation,
    connectUserId: person && (await connectUserOf(tx, tenant, visit, person, written)),
  });
  const consentAt = startedAt + CONSENT_AFTER_MS;
  const retentionDays = faceDaysIn(DEFAULT_RETENTION, visit.partition);
  // The attempt that ends a run is not deducted.
  const attemptsLeft = SESSION_ATTEMPTS - Math.min(visit.attemptsUsed, SESSION_ATTEMPTS - 1);
  await insertSession(tx, { ...blank, attemptsLeft });
  const opened = { flowTokenHash: sha256(newFlowToken()), resumeKeyHash: null, device };
  await bindSession(tx, scope, blank.id, { ...opened, at: startedAt });
  const consent = { at: consentAt, version: CONSENT_VERSION, language: visit.language, retentionDays };
  if (visit.end !== 'expired') await recordConsent(tx, scope, blank.id, consent);
  return { ...blank, attemptsLeft, device, consentAt, retentionDays };
}

/** The v1 or v2 user; null for a person of v3. */
async function connectUserOf(
  tx: SqlTx,
  tenant: DemoTenant,
  { startedAt }: Visit,
  person: PlannedPerson,
  { userIds }: Written,
): Promise<string | null> {
  const { generation, externalId } = person;
  if (generation === 'v3') return null;
  const known = userIds.get(person);
  if (known !== undefined) return known;
  const { id } = await upsertConnectUser(tx, tenant.live, {
    id: newConnectUserId(),
    keyLineageId: tenant.keys.apiLineageId,
    generation,
    referenceUserId: externalId,
    dataRequest: generation === 'v1' ? V1_REQUEST : [],
    at: startedAt,
  });
  userIds.set(person, id);
  return id;
}

/** Consent and attempts, which the console shows as the session's timeline. */
async function writeRunEvents(
  tx: SqlTx,
  { scope, id, retentionDays }: Session,
  { at, startedAt, device, language, attemptsUsed, score, partition }: Visit,
): Promise<void> {
  const consent = { version: CONSENT_VERSION, language, device, retention_days: retentionDays ?? 0 };
  await insertRunEvent(tx, scope, id, {
    at: startedAt + CONSENT_AFTER_MS,
    kind: 'consent',
    details: consent,
  });
  if (score === null) return;
  const capture = { device, trusted: device === 'kiosk' };
  const failed = { passed: false, findings: ['too_dark', 'step_missed'], capture };
  for (let n = attemptsUsed; n > 0; n--) {
    await insertRunEvent(tx, scope, id, { at: at - n * 1_500, kind: 'attempt', details: failed });
  }
  if (attemptsUsed === SESSION_ATTEMPTS) return;
  // Nothing is measured of a test face.
  const parts = partition === 'live' && { score_parts: partsOf(score) };
  const passed = { passed: true, findings: [], capture, ...parts };
  await insertRunEvent(tx, scope, id, { at, kind: 'attempt', details: passed });
}

/** Points per signal that add up to a score. */
function partsOf(score: number): Record<string, number> {
  const [spoof, quality] = [Math.round(score * 0.4), Math.round(score * 0.3)];
  return { spoof, quality, nearness: score - spoof - quality, desktop: 0 };
}

function faceOf(
  tenant: DemoTenant,
  { person, isFirst, at, score, review, end }: Visit,
  { personIds, pictures }: Written,
  dice: Dice,
): CheckedFace {
  const { id: model, embeddingLength: length, thresholds } = tenant.model;
  const known = (person && personIds.get(person)) ?? null;
  if (review) {
    const [suspect] = review.suspects;
    const like = demoFace(Number(suspect?.face ?? 0), length);
    const ids = idsOf(review.suspects, { personIds });
    const frames = pictures[review.looksLike] ?? [];
    return {
      personId: null,
      nearIds: [],
      enrolment: { kind: 'template', model, vector: likeFace(like, review.cosine, dice), quality: 0.85 },
      score,
      likeness: {
        byPerson: new Map(ids.map((id, n) => [id, n === 0 ? review.cosine : LEAST_COSINE])),
        thresholds: { near: thresholds.near, same: thresholds.samePerson },
      },
      pictures: frames.map((drawn, n) => ({ ...drawn, takenAt: at - (10 - n) * 1_000 })),
    };
  }
  const isApproved = typeof end === 'object' && end.kind === 'settle' && end.status === 'approved';
  if (typeof person?.face === 'string') {
    const enrolment = { kind: 'test_face', name: person.face } as const;
    return {
      personId: isApproved ? known : null,
      nearIds: [],
      enrolment: isApproved ? enrolment : null,
      score,
    };
  }
  const vector = isFirst && person ? demoFace(person.face, length) : null;
  const enrolment = vector && ({ kind: 'template', model, vector, quality: 0.9 } as const);
  return { personId: known, nearIds: [], enrolment, score };
}

const idsOf = (people: readonly PlannedPerson[], { personIds }: Pick<Written, 'personIds'>): string[] =>
  people.flatMap((person) => personIds.get(person) ?? []);

async function noteCase(
  tx: SqlTx,
  tenant: DemoTenant,
  sessionId: string,
  { note }: PlannedCase,
): Promise<void> {
  if (note === null) return;
  const { id: caseId, openedAt } = await openCase(tx, tenant, sessionId);
  const at = openedAt + 2 * MINUTE_MS;
  await insertReviewNote(tx, tenant.live, {
    id: newId(at),
    caseId,
    operatorId: tenant.reviewer.id,
    text: note,
    at,
  });
}

async function openCase(tx: SqlTx, { live }: DemoTenant, sessionId: string): Promise<StoredCase> {
  const found = await findOpenCaseOf(tx, live, sessionId);
  if (!found) throw new Error('A case is decided after it was opened.');
  return found;
}
