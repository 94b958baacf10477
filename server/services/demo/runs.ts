/** The demo’s runs: their sessions, people, passes and usage. */
import { keyActor } from '../../domain/operators/actor.ts';
import type { Identity } from '../../domain/identity.ts';
import { appendAudit } from '../../store/operators/audit.ts';
import { setConnection, upsertConnectUser } from '../../store/connections/connect-users.ts';
import { insertPass, lockPass, recordReads, revokePassesOf } from '../../store/passes/passes.ts';
import { bindExternalId, bindIdentity, insertPerson, touchPerson } from '../../store/people/people.ts';
import type { Scope } from '../../domain/scope.ts';
import type { SqlTx } from '../../store/sql/port.ts';
import { endSession, insertSession, type Session } from '../../store/runs/sessions.ts';
import { bindSession, recordConsent } from '../../store/runs/session-holders.ts';
import { EMPTY_REQUEST, type StoredSessionState } from '../../domain/runs/session-request.ts';
import { insertRunEvent } from '../../store/runs/run-events.ts';
import { insertTemplate } from '../../store/matching/templates.ts';
import { newConnectUserId, newFlowToken, newId, sha256 } from '../ports/ids.ts';
import { DEFAULT_RETENTION, faceDaysIn } from '../people/retention-settings.ts';
import { newSession, SESSION_ATTEMPTS } from '../runs/sessions/sessions.ts';
import type { DemoEvent, DemoTenant } from './tenant.ts';
import { demoFace } from './faces.ts';
import type { PlannedPerson, PlannedRun } from './plan.ts';
import type { Dice } from './random.ts';
import { type DemoVenue, noteKioskRun } from './venue.ts';

const CONSENT_AFTER_MS = 3_000;
/** Of the consent text that was shown. */
const CONSENT_VERSION = '1';

const V1_REQUEST = ['GET_HUMANNESS_SCORE_AND_UNIQUE_HUMAN_ID', 'IS_PHONE_NUMBER_VERIFIED'];

/** The IDs of the timeline's people; filled while the runs are written. */
type Known = { personId: string; connectUserId: string | null };
export type KnownPeople = Map<number, Known>;

/** v1 and v2 runs that ended, for their webhooks. */
export type ConnectEnd = { at: number; userId: string; referenceUserId: string; isApproved: boolean };

/** Data that a writer passes to later ones. */
export type RunsWritten = { known: KnownPeople; connectEnds: ConnectEnd[]; venue: DemoVenue };

const phoneOf = (person: PlannedPerson): Identity => ({
  provider: 'phone',
  identifier: person.phone,
});

export function blankSession(
  tenant: DemoTenant,
  run: Pick<PlannedRun, 'startedAt' | 'generation' | 'group' | 'verificationIndex'>,
): Session {
  const isConnect = run.generation !== 'v3';
  return newSession({
    scope: tenant.live,
    keyId: isConnect ? tenant.keys.apiKeyId : tenant.keys.secretKeyId,
    inviteId: null,
    verificationId: tenant.verificationIds[run.verificationIndex] ?? '',
    request: { ...EMPTY_REQUEST, group: run.group },
    now: run.startedAt,
    generation: run.generation,
  });
}

/** For how many days guests of the demo agreed that their face is kept. */
export const agreedDays = ({ partition }: Scope): number => faceDaysIn(DEFAULT_RETENTION, partition);

/** Writes a session as of the end of its run or, with a null state, still open. */
export async function writeSession(
  tx: SqlTx,
  session: Session,
  run: Pick<PlannedRun, 'at' | 'device' | 'language' | 'attemptsUsed'>,
  end: { state: Exclude<StoredSessionState, 'open'>; passId: string | null } | null,
): Promise<void> {
  const { scope, id, createdAt } = session;
  // The attempt that ends a run is not deducted.
  await insertSession(tx, {
    ...session,
    attemptsLeft: SESSION_ATTEMPTS - Math.min(run.attemptsUsed, SESSION_ATTEMPTS - 1),
  });
  const opened = { flowTokenHash: sha256(newFlowToken()), resumeKeyHash: null, device: run.device };
  await bindSession(tx, scope, id, { ...opened, at: createdAt });
  const consent = {
    at: createdAt + CONSENT_AFTER_MS,
    version: CONSENT_VERSION,
    language: run.language,
    retentionDays: agreedDays(scope),
  };
  if (end?.state !== 'expired') await recordConsent(tx, scope, id, consent);
  if (end) await endSession(tx, scope, id, { ...end, at: run.at });
}

/** One event per run of the timeline; `written` is filled while they are written. */
export function runEvents(
  tenant: DemoTenant,
  runs: readonly PlannedRun[],
  written: RunsWritten,
  dice: Dice,
): DemoEvent[] {
  return runs.map((run) => {
    const luck = { reads: 1 + dice.below(3), isLocked: dice.chance(0.012), isRevoked: dice.chance(0.003) };
    return { at: run.at, write: (tx) => writeRun(tx, tenant, run, luck, written) };
  });
}

/**
 * Consent and attempts, as run events, which the console shows as the session's timeline.
 * @param check null if the person declined; `score` is null if nothing was measured
 */
export async function writeRunEvents(
  tx: SqlTx,
  { scope, id, createdAt }: Session,
  { at, device, language, attemptsUsed }: Pick<PlannedRun, 'at' | 'device' | 'language' | 'attemptsUsed'>,
  check: { score: number | null } | null,
): Promise<void> {
  const details = { version: CONSENT_VERSION, language, device, retention_days: agreedDays(scope) };
  await insertRunEvent(tx, scope, id, { at: createdAt + CONSENT_AFTER_MS, kind: 'consent', details });
  if (!check) return;
  const capture = { device, trusted: device === 'kiosk' };
  const failed = { passed: false, findings: ['too_dark', 'step_missed'], capture };
  for (let n = attemptsUsed; n > 0; n--) {
    await insertRunEvent(tx, scope, id, { at: at - n * 1_500, kind: 'attempt', details: failed });
  }
  if (attemptsUsed < SESSION_ATTEMPTS) {
    const parts = check.score === null ? {} : { score_parts: partsOf(check.score) };
    const passed = { passed: true, findings: [], capture, ...parts };
    await insertRunEvent(tx, scope, id, { at, kind: 'attempt', details: passed });
  }
}

/** Points per signal that add up to a score. */
function partsOf(score: number): Record<string, number> {
  const [spoof, quality] = [Math.round(score * 0.4), Math.round(score * 0.3)];
  return { spoof, quality, nearness: score - spoof - quality, desktop: 0 };
}

type Luck = { reads: number; isLocked: boolean; isRevoked: boolean };

async function writeRun(
  tx: SqlTx,
  tenant: DemoTenant,
  run: PlannedRun,
  luck: Luck,
  written: RunsWritten,
): Promise<void> {
  const { person, end, at } = run;
  const blank = blankSession(tenant, run);
  const user = person && (await knownUser(tx, tenant, run, person, written.known));
  const externalId = person?.externalId ?? null;
  const identity = person && run.isFirst ? phoneOf(person) : null;
  const request = { ...blank.request, externalId, identity, metadata: person?.metadata ?? null };
  const session = { ...blank, request, connectUserId: user?.connectUserId ?? null };
  if (end.state !== 'settled') {
    await writeSession(tx, session, run, { state: end.state, passId: null });
    await noteKioskRun(tx, written.venue, run, session.id);
    return;
  }
  const passId = newId(at);
  await writeSession(tx, session, run, { state: 'settled', passId });
  await noteKioskRun(tx, written.venue, run, session.id);
  const isDeclined = end.reasons.includes('declined');
  await writeRunEvents(tx, session, run, isDeclined ? null : { score: end.score ?? 0 });
  if (person && user && run.isFirst) await enrolGuest(tx, tenant, { person, user, run, passId });
  await insertPass(tx, tenant.live, {
    id: passId,
    sessionId: session.id,
    verificationId: session.verificationId,
    personId: user?.personId ?? null,
    status: end.status,
    reasons: end.reasons,
    groups: end.reasons.includes('collision') ? [run.group] : [],
    group: run.group,
    declined: isDeclined,
    externalId,
    identity,
    score: end.score,
    settledAt: at,
    lockedAt: null,
    revokedAt: null,
    generation: run.generation,
  });
  const isApproved = end.status === 'approved';
  if (isApproved) await recordReads(tx, tenant.live, passId, luck.reads, at);
  await appendAudit(tx, {
    ...tenant.live,
    at,
    actor: 'system',
    action: 'run.settle',
    subject: session.verificationId,
    details: {
      pass_id: passId,
      status: end.status,
      reasons: end.reasons,
    },
  });
  if (person && user?.connectUserId) {
    await setConnection(tx, tenant.live, user.connectUserId, {
      connection: isApproved ? 'connected' : 'none',
      personId: user.personId,
      passId: isApproved ? passId : null,
      at,
    });
    written.connectEnds.push({
      at,
      userId: user.connectUserId,
      referenceUserId: person.externalId,
      isApproved,
    });
  }
  if (isApproved && luck.isLocked) {
    await lockPass(tx, tenant.live, passId, at);
    await appendAudit(tx, {
      ...tenant.live,
      at,
      actor: keyActor(tenant.keys.secretKeyId),
      action: 'pass.lock',
      subject: passId,
    });
  }
  if (isApproved && luck.isRevoked && user) await revokePassesOf(tx, tenant.live, user.personId, at);
}

/** The IDs of a person; created with their first run. */
async function knownUser(
  tx: SqlTx,
  tenant: DemoTenant,
  run: PlannedRun,
  person: PlannedPerson,
  known: KnownPeople,
): Promise<Known> {
  const found = known.get(person.n);
  if (found) return found;
  const made: Known = { personId: newId(run.at), connectUserId: null };
  if (person.generation !== 'v3') {
    const user = await upsertConnectUser(tx, tenant.live, {
      id: newConnectUserId(),
      keyLineageId: tenant.keys.apiLineageId,
      generation: person.generation,
      referenceUserId: person.externalId,
      dataRequest: person.generation === 'v1' ? V1_REQUEST : [],
      at: run.startedAt,
    });
    made.connectUserId = user.id;
  }
  known.set(person.n, made);
  return made;
}

async function enrolGuest(
  tx: SqlTx,
  tenant: DemoTenant,
  { person, user, run, passId }: { person: PlannedPerson; user: Known; run: PlannedRun; passId: string },
): Promise<void> {
  const { live, model } = tenant;
  const { personId } = user;
  const { at } = run;
  await insertPerson(tx, live, personId, at);
  await touchPerson(tx, live, personId, {
    metadata: person.metadata,
    retentionDays: agreedDays(live),
    agreedAt: person.lastSeenAt,
    at: person.lastSeenAt,
  });
  if (user.connectUserId === null) {
    const verificationId = tenant.verificationIds[run.verificationIndex] ?? '';
    await bindExternalId(tx, live, { personId, externalId: person.externalId, verificationId, at });
  }
  await bindIdentity(tx, live, personId, phoneOf(person), at);
  await bindIdentity(tx, live, personId, { provider: 'email', identifier: person.email }, at);
  const vector = demoFace(person.n, model.embeddingLength);
  await insertTemplate(tx, live, { personId, passId, model: model.id, vector, quality: 0.9, at });
}
