/** The steps of a run before its frames are judged: open, consent, challenge, decline (decisions §6). */
import { timingSafeEqual } from 'node:crypto';
import type { ChallengeResponse, ConsentRequest, Device, OpenResponse, Snapshot } from '../contract/flow.ts';
import { chooseSteps } from '../domain/challenge.ts';
import { replaceChallenge } from '../store/challenges.ts';
import { claimSession, findSession, recordConsent, type Session } from '../store/sessions.ts';
import { findVerification } from '../store/verifications.ts';
import type { ServiceDeps } from './deps.ts';
import { ServiceError } from './errors.ts';
import { newFlowToken, newNonce, sha256 } from './ids.ts';
import { configOf, snapshotOf, stateOf } from './session-view.ts';
import { settleDeclined, settleKnownPerson } from './settlement.ts';

/** Long enough for a slow phone to load its models and for three calm steps. */
export const CHALLENGE_LIFETIME_MS = 120_000;

/** A consent that names no text was given to the current one, in the product's first language. */
const DEFAULT_CONSENT = { version: '1', language: 'en' } as const;

/**
 * Binds the session to the first device that opens it, or resumes on the device that holds its token.
 * @throws ServiceError `not found`, `session_claimed`, `session_expired`, `session_settled`, `session_cancelled`
 */
export async function openSession(
  deps: ServiceDeps,
  sessionId: string,
  device: Device,
  flowToken: string | null,
): Promise<OpenResponse> {
  const session = await requireSession(deps, sessionId);
  if (session.flowTokenHash) {
    if (flowToken === null || !holdsToken(session, flowToken)) {
      refuseEnded(deps, session);
      throw new ServiceError('session_claimed');
    }
    return { flow_token: flowToken, snapshot: await snapshotOf(deps, session) };
  }
  refuseEnded(deps, session);
  const token = newFlowToken();
  const claimed = await deps.db.tx((tx) =>
    claimSession(tx, session.scope, sessionId, {
      flowTokenHash: sha256(token),
      device,
      at: deps.clock.now(),
    }),
  );
  if (claimed === 0) throw new ServiceError('session_claimed');
  return { flow_token: token, snapshot: await snapshotOf(deps, await requireSession(deps, sessionId)) };
}

/** The session behind an id and its device's token. @throws ServiceError `not found`, `flow_token_required`, `invalid_flow_token` */
export async function authoriseFlow(
  deps: ServiceDeps,
  sessionId: string,
  flowToken: string | null,
): Promise<Session> {
  const session = await requireSession(deps, sessionId);
  if (flowToken === null) throw new ServiceError('flow_token_required');
  if (!holdsToken(session, flowToken)) throw new ServiceError('invalid_flow_token');
  return session;
}

export async function readSnapshot(deps: ServiceDeps, sessionId: string): Promise<Snapshot> {
  return snapshotOf(deps, await requireSession(deps, sessionId));
}

export async function giveConsent(
  deps: ServiceDeps,
  session: Session,
  consent: ConsentRequest,
): Promise<Snapshot> {
  requireStep(deps, session, 'consent');
  await deps.db.tx((tx) =>
    recordConsent(tx, session.scope, session.id, {
      at: deps.clock.now(),
      version: consent.text_version ?? DEFAULT_CONSENT.version,
      language: consent.language ?? DEFAULT_CONSENT.language,
    }),
  );
  // A seeded identity may already tell who comes: then there is nothing to capture (decisions §5, rule 2).
  await settleKnownPerson(deps, session);
  return changed(deps, session.id);
}

export async function createChallenge(deps: ServiceDeps, session: Session): Promise<ChallengeResponse> {
  requireStep(deps, session, 'capture');
  const verification = await findVerification(deps.db, session.scope.companyId, session.verificationId);
  const mode = configOf(session, verification).challenge;
  const steps = chooseSteps(deps.randomInt, mode);
  const nonce = newNonce();
  const issuedAt = deps.clock.now();
  const expiresAt = issuedAt + CHALLENGE_LIFETIME_MS;
  await deps.db.tx((tx) =>
    replaceChallenge(tx, {
      nonceHash: sha256(nonce),
      sessionId: session.id,
      mode,
      steps,
      issuedAt,
      expiresAt,
      usedAt: null,
    }),
  );
  return { nonce, steps, expires_at: new Date(expiresAt).toISOString() };
}

/** The person chose not to scan; possible at any step before the verdict. */
export async function decline(deps: ServiceDeps, session: Session): Promise<Snapshot> {
  refuseEnded(deps, session);
  if (deps.checking.has(session.id)) throw new ServiceError('wrong_step');
  await settleDeclined(deps, session);
  return changed(deps, session.id);
}

/** Refuses a step out of order, and anything on a session that has ended. */
export function requireStep(deps: ServiceDeps, session: Session, step: 'consent' | 'capture'): void {
  refuseEnded(deps, session);
  const due = session.consentAt === null ? 'consent' : 'capture';
  if (due !== step || deps.checking.has(session.id)) throw new ServiceError('wrong_step');
}

/** Announces a change and answers with what the session has become. */
export async function changed(deps: ServiceDeps, sessionId: string): Promise<Snapshot> {
  deps.events.changed(sessionId);
  return readSnapshot(deps, sessionId);
}

function refuseEnded({ checking, clock }: ServiceDeps, session: Session): void {
  switch (stateOf(session, checking, clock.now())) {
    case 'settled':
    case 'in_review':
      throw new ServiceError('session_settled');
    case 'expired':
      throw new ServiceError('session_expired');
    case 'cancelled':
      throw new ServiceError('session_cancelled');
    case 'open':
    case 'checking':
  }
}

async function requireSession({ db }: ServiceDeps, sessionId: string): Promise<Session> {
  const session = await findSession(db, sessionId);
  if (!session) throw new ServiceError('not found');
  return session;
}

function holdsToken(session: Session, flowToken: string): boolean {
  return session.flowTokenHash !== null && timingSafeEqual(session.flowTokenHash, sha256(flowToken));
}
