import type { Generation } from '../../../contract/operations.ts';
import type { Scope } from '../../../domain/scope.ts';
import type { Session } from '../../../store/runs/sessions.ts';
import type { SessionRequest } from '../../../domain/runs/session-request.ts';
import { newSessionId } from '../../ports/ids.ts';

/** Decisions §3.8: a session lives a day and is used once. */
export const SESSION_LIFETIME_MS = 24 * 3_600_000;
/** Decisions §5, rule 4. */
export const SESSION_ATTEMPTS = 3;

/** Decisions §6: how long a session created without a secret key can stay unopened. */
export const UNOPENED_LIFETIME_MS = 3_600_000;

/** A session that nobody has opened yet. */
export function newSession(of: {
  scope: Scope;
  keyId: string | null;
  inviteId: string | null;
  verificationId: string;
  request: SessionRequest;
  now: number;
  /** Created without a secret key: it ends sooner, and may be removed, until it is opened. */
  isUnopened?: boolean;
  /** v1 and v2 name the person of the run, v2 also the number that its direct link is locked to. */
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
    photoUntil: null,
    retentionDays: null,
    passId: null,
    settledAt: null,
    createdAt: of.now,
    expiresAt: of.now + (of.isUnopened === true ? UNOPENED_LIFETIME_MS : SESSION_LIFETIME_MS),
    unopenedSince: of.isUnopened === true ? of.now : null,
    generation: of.generation ?? 'v3',
    connectUserId: of.connectUserId ?? null,
    lockedPhone: of.lockedPhone ?? null,
    directTokenHash: null,
    directTokenUsedAt: null,
    statusTokenHash: null,
    statusTokenAt: null,
    checkingNonce: null,
    checkingUntil: null,
  };
}
