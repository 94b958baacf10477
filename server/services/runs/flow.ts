/** The steps of a run before its frames are judged: open, consent, decline (decisions §6). */
import type { ConsentRequest, OpenRequest, OpenResponse, Snapshot } from '../../contract/flow.ts';
import { readTime } from '../../contract/times.ts';
import {
  consentDigest,
  includesPhoto,
  isOfOneEvent,
  isReplacedConsent,
  RECORDING_CONSENT_VERSION,
  saysOtherwise,
} from '../../contract/consent-texts.ts';
import { hasContinued } from '../../store/runs/continuations.ts';
import { findHandoffByToken } from '../../store/runs/handoffs.ts';
import type { SqlReader, SqlTx } from '../../store/sql/port.ts';
import { insertRunEvent } from '../../store/runs/run-events.ts';
import { findSession, type Session } from '../../store/runs/sessions.ts';
import {
  bindSession,
  rebindSession,
  recordConsent,
  recordProvenPhone,
  unbindSession,
} from '../../store/runs/session-holders.ts';
import { findVerification, type Verification } from '../../store/companies/verifications.ts';
import type { Ports } from '../ports/ports.ts';
import { Refusal } from '../../refusals/refusal.ts';
import { isHashOf, isSameHash, newFlowToken, sha256 } from '../ports/ids.ts';
import type { SessionEvents } from './sessions/session-events.ts';
import { keepOpened } from './sessions/unopened.ts';
import { isKioskMissing, type SnapshotDeps, snapshotOf, stateOf } from './sessions/session-view.ts';
import { configOf } from '../companies/run-config.ts';
import { dueStep, isChecking } from '../../domain/runs/progress.ts';
import { photoOfferedUntil } from '../settling/guest-photo.ts';
import { tokenWithKey } from '../matching/sealed-faces.ts';
import { facePeriodOf } from '../people/retention-settings.ts';
import { settleDeclined, settleKnownPerson } from '../settling/settlement.ts';
import { isTestNumber } from '../../domain/identity.ts';
import { checkDirectToken } from '../connections/signer.ts';

/** How soon the end of a check in another process is noticed. */
const LEASE_POLL_MS = 1_000;

/** A consent without a text version was given to the current one, in the product's first language. */
const DEFAULT_CONSENT = { version: '1', language: 'en' } as const;

/**
 * Gives the session to the page that opens it, or resumes on the device that holds its token. The person's first act (consent,
 * decline, the number of a hand-off) binds it; until then every page that opens the link takes it from the one before.
 * @param ticketKey that a new token carries; null for none
 * @throws Refusal `not_found`, `session_claimed`, `session_expired`, `session_settled`, `session_cancelled`,
 *   `link_used`, `handoff_unconfirmed`, `session_continued`
 */
export async function openSession(
  deps: SnapshotDeps,
  sessionId: string,
  { device, resume_key: resumeKey, t: linkToken }: OpenRequest,
  flowToken: string | null,
  ticketKey: Uint8Array | null = null,
): Promise<OpenResponse> {
  const session = await requireSession(deps, sessionId);
  if (flowToken !== null) {
    const holder = await holderOf(deps.db, session, flowToken);
    if (holder === 'unconfirmed') throw new Refusal('handoff_unconfirmed');
    if (holder !== null) return { flow_token: flowToken, snapshot: await snapshotOf(deps, session) };
  }
  refuseEnded(deps, session);
  const isSameDevice = resumeKey !== undefined && isHashOf(session.resumeKeyHash, resumeKey);
  const token = tokenWithKey(newFlowToken(), ticketKey);
  const claim = { flowTokenHash: sha256(token), device, at: deps.clock.now() };
  const resumeKeyHash = resumeKey === undefined ? null : sha256(resumeKey);
  await deps.db.tx(async (tx) => {
    const proof = linkToken === undefined ? null : checkDirectToken(deps, session, linkToken);
    if (proof === 'invalid') throw new Refusal('not_found');
    if (proof === 'used' && !isSameDevice) throw new Refusal('link_used');
    const left = flowToken !== null && (await hasContinued(tx, sessionId, sha256(flowToken)));
    if (left) throw new Refusal('session_continued');
    const claimed = isSameDevice
      ? await rebindSession(tx, session.scope, sessionId, claim)
      : await bindSession(tx, session.scope, sessionId, { ...claim, resumeKeyHash });
    if (claimed === 0) throw new Refusal('session_claimed');
    if (proof === 'accepted') await proveNumber(tx, session);
    await keepOpened(tx, session);
  }, session.scope);
  return { flow_token: token, snapshot: await snapshotOf(deps, await requireSession(deps, sessionId)) };
}

/**
 * The session with this ID and its device's token.
 * @throws Refusal `not_found`, `flow_token_required`, `invalid_flow_token`, `handoff_unconfirmed`,
 * `session_continued`
 */
export async function authoriseFlow(
  deps: Pick<Ports, 'db'>,
  sessionId: string,
  flowToken: string | null,
): Promise<Session> {
  const session = await requireSession(deps, sessionId);
  if (flowToken === null) throw new Refusal('flow_token_required');
  const holder = await holderOf(deps.db, session, flowToken);
  if (holder === null) {
    const left = await hasContinued(deps.db, sessionId, sha256(flowToken));
    throw new Refusal(left ? 'session_continued' : 'invalid_flow_token');
  }
  if (holder === 'unconfirmed') throw new Refusal('handoff_unconfirmed');
  return session;
}

/** @param verification the session's, if the caller has already read it */
export async function readSnapshot(
  deps: SnapshotDeps,
  sessionId: string,
  verification?: Verification,
): Promise<Snapshot> {
  return snapshotOf(deps, await requireSession(deps, sessionId), { verification });
}

/**
 * Records that the guest agreed to the text that the page showed.
 * @throws Refusal `wrong_step`; `consent_replaced` if the page shows an earlier text or period, and has to be loaded again
 */
export async function giveConsent(
  deps: SnapshotDeps,
  session: Session,
  consent: ConsentRequest,
): Promise<Snapshot> {
  const verification = await authoriseStep(deps, session, 'consent');
  const at = deps.clock.now();
  const version = consent.text_version ?? DEFAULT_CONSENT.version;
  const language = consent.language ?? DEFAULT_CONSENT.language;
  if (isReplacedConsent(version)) throw new Refusal('consent_replaced');
  if ((version === RECORDING_CONSENT_VERSION) !== (deps.recording !== undefined)) {
    throw new Refusal('wrong_step');
  }
  const digest = consentDigest(version, language);
  await deps.db.tx(async (tx) => {
    await requireNewestPage(tx, session);
    const photoUntil = await agreedPhotoUntil(tx, session, { version, until: consent.photo_until, at });
    const days = await agreedDays(deps, tx, session, { version, shown: consent, at });
    // Nothing was recorded if the session has just ended or moved.
    const agreed = { at, version, language, photoUntil, retentionDays: days };
    if ((await recordConsent(tx, session.scope, session.id, agreed)) === 0) {
      throw new Refusal('wrong_step');
    }
    await keepOpened(tx, session);
    const details = {
      version,
      language,
      device: session.device,
      ...(digest !== null && { digest }),
      ...(photoUntil !== null && { photo_until: new Date(photoUntil).toISOString() }),
      ...(days !== null && { [isOfOneEvent(version) ? 'faces_days' : 'retention_days']: days }),
    };
    await insertRunEvent(tx, session.scope, session.id, { at, kind: 'consent', details });
  }, session.scope);
  deps.recording?.agree({ version, language, digest, at: new Date(at).toISOString() });
  // A seeded identity may already identify the person: then no capture is needed (decisions §5, rule 2).
  await settleKnownPerson(deps, session, verification);
  return readSnapshot(deps, session.id, verification);
}

/**
 * The days that the text named: after the event, or without a visit. Null for the recorder's, which has a period of its own.
 * @throws Refusal `consent_replaced` if they have changed, or if the text says something else of what the face is for
 */
async function agreedDays(
  { recording }: Pick<Ports, 'recording'>,
  tx: SqlReader,
  session: Session,
  { version, shown, at }: { version: string; shown: ConsentRequest; at: number },
): Promise<number | null> {
  if (recording) return null;
  const { retentionDays, facesDays, isSealed } = await facePeriodOf(tx, session, at);
  const isOther =
    saysOtherwise(version, facesDays === null ? 'organiser' : isSealed ? 'ticket' : 'event') ||
    (shown.retention_days ?? retentionDays) !== retentionDays ||
    (shown.faces_days ?? facesDays) !== facesDays;
  if (isOther) throw new Refusal('consent_replaced');
  return isOfOneEvent(version) ? facesDays : retentionDays;
}

/** The earlier of the time that the page showed and the event's; null unless the text that was shown includes the photo. */
async function agreedPhotoUntil(
  tx: SqlReader,
  session: Session,
  { version, until, at }: { version: string; until: string | undefined; at: number },
): Promise<number | null> {
  const shown = readTime(until ?? '', 'UTC');
  if (!includesPhoto(version) || shown === null) return null;
  const offered = await photoOfferedUntil(tx, session, at);
  return offered === null ? null : Math.min(shown, offered);
}

/**
 * Releases an unfinished run, so that the next device to open its link gets it: the frame is being removed and cannot
 * remember the run. Consent and a verified phone belong to the person who gave them, and are requested again. A run
 * that a phone has taken over, or whose direct link is used up, stays unchanged.
 * @param flowToken the binding one; a phone's is not sufficient
 */
export async function releaseSession(
  deps: Pick<Ports, 'db' | 'clock'> & { events: SessionEvents },
  session: Session,
  flowToken: string,
): Promise<void> {
  await whenJudged(deps, session.id);
  await deps.db.tx((tx) => unbindSession(tx, session.scope, session.id, sha256(flowToken)), session.scope);
}

/** Resolves when no capture of the session is being judged, or when the server shuts down. */
async function whenJudged(
  { db, clock, events }: Pick<Ports, 'db' | 'clock'> & { events: SessionEvents },
  sessionId: string,
): Promise<void> {
  for (;;) {
    const session = await findSession(db, sessionId);
    if (!session || !isChecking(session, clock.now())) return;
    if ((await nextEvent(events, sessionId)) === 'drained') return;
  }
}

/** `elapsed` after a second: another process may have judged the capture, or have died with it. */
function nextEvent(events: SessionEvents, sessionId: string): Promise<'changed' | 'drained' | 'elapsed'> {
  return new Promise((resolve) => {
    const end = (event: 'changed' | 'drained' | 'elapsed') => {
      clearTimeout(timer);
      stop();
      resolve(event);
    };
    const timer = setTimeout(() => end('elapsed'), LEASE_POLL_MS);
    const stop = events.follow(sessionId, { changed: () => end('changed'), drained: () => end('drained') });
  });
}

/**
 * For a transaction in which the person acts: since its page was authorised, another may have opened the run.
 * @throws Refusal `invalid_flow_token`
 */
export async function requireNewestPage(tx: SqlReader, { id, flowTokenHash }: Session): Promise<void> {
  const held = (await findSession(tx, id))?.flowTokenHash ?? null;
  if (!isSameHash(held, flowTokenHash)) throw new Refusal('invalid_flow_token');
}

/** The person declined the scan; possible at any step before the verdict. */
export async function decline(deps: SnapshotDeps, session: Session): Promise<Snapshot> {
  refuseEnded(deps, session);
  const verification = await findVerification(deps.db, session.scope.companyId, session.verificationId);
  await settleDeclined(deps, session, verification, (tx) => requireNewestPage(tx, session));
  return readSnapshot(deps, session.id, verification);
}

/**
 * Refuses a step out of order, and any step of an ended session.
 * @returns what the step is judged by
 */
export async function authoriseStep(
  deps: Pick<Ports, 'db' | 'clock'>,
  session: Session,
  step: 'consent' | 'phone' | 'capture',
): Promise<Verification | undefined> {
  refuseEnded(deps, session);
  const verification = await findVerification(deps.db, session.scope.companyId, session.verificationId);
  const config = configOf(session, verification);
  const isDue = dueStep(session, config) === step;
  if (!isDue || isChecking(session, deps.clock.now())) {
    throw new Refusal('wrong_step');
  }
  if (step === 'capture' && (await isKioskMissing(deps.db, session, config))) {
    throw new Refusal('kiosk_required');
  }
  return verification;
}

/** @throws Refusal `session_settled`, `session_expired`, `session_cancelled` */
export function refuseEnded({ clock }: Pick<Ports, 'clock'>, session: Session): void {
  switch (stateOf(session, clock.now())) {
    case 'settled':
    case 'in_review':
      throw new Refusal('session_settled');
    case 'expired':
      throw new Refusal('session_expired');
    case 'cancelled':
      throw new Refusal('session_cancelled');
    case 'open':
    case 'checking':
  }
}

async function requireSession({ db }: Pick<Ports, 'db'>, sessionId: string): Promise<Session> {
  const session = await findSession(db, sessionId);
  if (!session) throw new Refusal('not_found');
  return session;
}

/**
 * The holder of the token: the device that opened the session, the phone it was handed to, or a phone that is not
 * confirmed yet and may read nothing. Null for any other token.
 */
async function holderOf(
  db: SqlReader,
  session: Session,
  flowToken: string,
): Promise<'device' | 'phone' | 'unconfirmed' | null> {
  if (isHashOf(session.flowTokenHash, flowToken)) return 'device';
  const handoff = await findHandoffByToken(db, session.id, sha256(flowToken));
  if (!handoff) return null;
  return handoff.confirmedAt === null ? 'unconfirmed' : 'phone';
}

// The `t` of a v2 direct link (decisions §4.4 and §4.5).

/**
 * A valid `t` verifies a test number in the test partition; a real number stays locked and is verified by code ("skipping
 * for real numbers is not available").
 */
async function proveNumber(tx: SqlTx, { scope, id, lockedPhone }: Session): Promise<void> {
  const isProof = lockedPhone !== null && scope.partition === 'test' && isTestNumber(lockedPhone);
  if (isProof) await recordProvenPhone(tx, scope, id, lockedPhone);
}
