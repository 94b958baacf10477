import type { Generation } from '../domain/generation.ts';
import type { Scope } from '../domain/scope.ts';
import type { Session, SessionRequest } from '../store/sessions.ts';
import { newSessionId } from './ids.ts';

/** Decisions §3.8: a session lives a day and is used once. */
export const SESSION_LIFETIME_MS = 24 * 3_600_000;
/** Decisions §5, rule 4. */
export const SESSION_ATTEMPTS = 3;

/** A session that nobody has opened yet. */
export function newSession(of: {
  scope: Scope;
  keyId: string | null;
  inviteId: string | null;
  verificationId: string;
  request: SessionRequest;
  now: number;
  /** v1 and v2 say whom the run is of, v2 what its direct link is locked to. */
  generation?: Generation;
  connectUserId?: string | null;
  lockedPhone?: string | null;
}): Session {
  return {
    id: newSessionId(of.now),
    scope: of.scope,
    verificationId: of.verificationId,
    keyId: of.keyId,
    inviteId: of.inviteId,
    state: 'open',
    request: of.request,
    attemptsLeft: SESSION_ATTEMPTS,
    findings: [],
    flowTokenHash: null,
    resumeKeyHash: null,
    provenPhone: null,
    device: null,
    consentAt: null,
    passId: null,
    settledAt: null,
    createdAt: of.now,
    expiresAt: of.now + SESSION_LIFETIME_MS,
    generation: of.generation ?? 'v3',
    connectUserId: of.connectUserId ?? null,
    lockedPhone: of.lockedPhone ?? null,
    directTokenHash: null,
    directTokenUsedAt: null,
    statusTokenHash: null,
    statusTokenAt: null,
  };
}

/** What a run asks for when no backend asked for it: a verification's own link. */
export const EMPTY_REQUEST: SessionRequest = {
  origin: null,
  returnPath: null,
  startPath: null,
  redirectUrl: null,
  passParams: null,
  autoReturn: null,
  config: null,
  externalId: null,
  group: null,
  includeGroups: [],
  identity: null,
  metadata: null,
};
