/**
 * Operators' sessions: created at sign-in, kept active by the operator's actions, ended when idle or after a shift.
 */
import { type Actor, operatorActor } from '../../domain/operators/actor.ts';
import { hash } from 'node:crypto';
import type { Me } from '../../contract/console/access.ts';
import type { AuditAction } from '../../contract/console/audit.ts';
import type { Role } from '../../contract/console/common.ts';
import {
  findSessionByToken,
  insertOperatorSession,
  type SessionWithOperator,
  touchOperatorSession,
} from '../../store/operators/sessions.ts';
import { appendAudit } from '../../store/operators/audit.ts';
import { touchSignedIn } from '../../store/operators/operators.ts';
import type { SqlTx } from '../../store/sql/port.ts';
import type { Ports } from '../ports/ports.ts';
import { isSameSecret, newId, randomBase62, sha256 } from '../ports/ids.ts';
import { iso } from '../wire/values.ts';
import { Refusal } from '../../refusals/refusal.ts';

/** An unattended console is signed out after this (product: "time out after 15 idle minutes"). */
export const IDLE_TIMEOUT_MS = 15 * 60_000;
/** A long shift. */
const SESSION_LIFE_MS = 12 * 3_600_000;
/** Minimum interval between updates of the activity. */
const TOUCH_EVERY_MS = 10_000;
/** 256 bits. */
const TOKEN_LENGTH = 43;

/**
 * When operators were last active, in epoch milliseconds by session, while the database refuses to store it. In this process
 * only, and for as long as a session may be idle.
 */
export type UnsavedActivity = Map<string, number>;

export type SessionOrigin = { address: string; device: string };

/** A signed-in operator: who they are, their session, and their name in the audit log. */
export type SignedIn = {
  operator: { id: string; name: string; role: Role };
  hasPin: boolean;
  hasSecondFactor: boolean;
  /** Limited to some companies; the whole installation is off limits to them. */
  isLimited: boolean;
  /** Null unless an identity provider opened the session: where it signs out, or an empty text. */
  provider: string | null;
  sessionId: string;
  actor: Actor;
  csrfToken: string;
  idleAt: number;
  endsAt: number;
};

/** Records what an operator did to their own access. */
export const auditOwnAct = (
  tx: SqlTx,
  { operator, actor }: Pick<SignedIn, 'operator' | 'actor'>,
  at: number,
  action: AuditAction,
  details: Record<string, unknown> = {},
): Promise<void> => appendAudit(tx, { at, actor, action, subject: operator.id, details });

export type SessionDeps = Pick<Ports, 'db' | 'clock'> & { unsavedActivity: UnsavedActivity };

/** The token is the cookie's value; only its hash is stored. */
export async function openSession(
  tx: SqlTx,
  operatorId: string,
  { address, device, provider = null }: SessionOrigin & { provider?: string | null },
  now: number,
): Promise<string> {
  const token = randomBase62(TOKEN_LENGTH);
  await insertOperatorSession(tx, {
    id: newId(now),
    tokenHash: sha256(token),
    operatorId,
    address,
    device,
    provider,
    createdAt: now,
    lastSeenAt: now,
    endsAt: now + SESSION_LIFE_MS,
  });
  await touchSignedIn(tx, operatorId, now);
  return token;
}

/** Derived, so that it needs no storage: nobody without the cookie can make it. */
const csrfTokenOf = (token: string): string => hash('sha256', `csrf:${token}`, 'base64url');

export function isCsrfToken(given: unknown, token: string): boolean {
  return typeof given === 'string' && isSameSecret(given, csrfTokenOf(token));
}

/**
 * The operator of the cookie.
 * @param isActivity false for calls that no person made; these do not keep the session active
 * @throws Refusal `sign_in_required`, `session_idle`, `session_over`, `session_ended`
 */
export async function resumeSession(
  { db, clock, unsavedActivity }: SessionDeps,
  token: string | null,
  { isActivity }: { isActivity: boolean },
): Promise<SignedIn> {
  const session = token === null ? undefined : await findSessionByToken(db, sha256(token));
  if (token === null || !session) throw new Refusal('sign_in_required');
  const now = clock.now();
  let lastSeenAt = Math.max(session.lastSeenAt, unsavedActivity.get(session.id) ?? 0);
  refuseDead({ ...session, lastSeenAt }, now);
  if (isActivity && now - lastSeenAt >= TOUCH_EVERY_MS) {
    lastSeenAt = now;
    await saveActivity({ db, unsavedActivity }, session.id, now);
  }
  return {
    operator: { id: session.operatorId, name: session.operatorName, role: session.operatorRole },
    hasPin: session.hasPin === 1,
    hasSecondFactor: session.hasSecondFactor === 1,
    isLimited: session.allCompanies !== 1,
    provider: session.provider,
    sessionId: session.id,
    actor: operatorActor(session.operatorId),
    csrfToken: csrfTokenOf(token),
    idleAt: lastSeenAt + IDLE_TIMEOUT_MS,
    endsAt: session.endsAt,
  };
}

/** The operator of a session that was opened just now, which has no activity to save. */
export const openedSession = ({ db, clock }: Pick<Ports, 'db' | 'clock'>, token: string): Promise<SignedIn> =>
  resumeSession({ db, clock, unsavedActivity: new Map() }, token, { isActivity: false });

/** A full disk must not sign staff out of the page that says what to do. */
async function saveActivity(
  { db, unsavedActivity }: Pick<SessionDeps, 'db' | 'unsavedActivity'>,
  sessionId: string,
  now: number,
): Promise<void> {
  try {
    if (!db.refusesWrites()) {
      await touchOperatorSession({ run: db.write }, sessionId, now);
      unsavedActivity.delete(sessionId);
      return;
    }
  } catch (error) {
    if (!db.refusesWrites()) throw error;
  }
  for (const [id, at] of unsavedActivity) if (now - at >= IDLE_TIMEOUT_MS) unsavedActivity.delete(id);
  unsavedActivity.set(sessionId, now);
}

function refuseDead(session: SessionWithOperator, now: number): void {
  if (session.endedAt !== null || session.operatorDisabledAt !== null) {
    throw new Refusal('session_ended');
  }
  if (now >= session.endsAt) {
    throw new Refusal('session_over');
  }
  // Setting the clock back must not extend a session.
  if (now - session.lastSeenAt >= IDLE_TIMEOUT_MS || session.lastSeenAt - now >= IDLE_TIMEOUT_MS) {
    throw new Refusal('session_idle');
  }
}

export function toMe(signedIn: SignedIn, needsSecondFactor: boolean): Me {
  const { operator } = signedIn;
  return {
    operator: { operator_id: operator.id, name: operator.name, role: operator.role },
    csrf_token: signedIn.csrfToken,
    has_pin: signedIn.hasPin,
    is_limited: signedIn.isLimited,
    second_factor: { is_on: signedIn.hasSecondFactor, is_required: needsSecondFactor },
    session_id: signedIn.sessionId,
    idle_timeout_s: IDLE_TIMEOUT_MS / 1_000,
    idle_at: iso(signedIn.idleAt),
    ends_at: iso(signedIn.endsAt),
  };
}
