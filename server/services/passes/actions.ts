/** Actions of reviewers and admins on the pass of a session. */
import type { Actor } from '../../domain/operators/actor.ts';
import type { Scope } from '../../domain/scope.ts';
import { findPass, type Pass } from '../../store/passes/passes.ts';
import type { SqlTx } from '../../store/sql/port.ts';
import { announceSession } from '../../store/runs/session-rows.ts';
import { findSessionRecord } from '../../store/runs/session-timeline.ts';
import type { Ports } from '../ports/ports.ts';
import { setLock } from './lock.ts';
import { overrideVerdict } from './override.ts';
import { Refusal, notFound } from '../../refusals/refusal.ts';

/** Who changes a run or its pass, and why. */
export type Act = { reason: string; actor: Actor };
type Deps = Pick<Ports, 'db' | 'clock'>;

/** @throws Refusal `not_found`, `session_without_pass`, `session_in_review`, `pass_already_locked`, `pass_not_locked` */
export function setSessionLock(
  deps: Deps,
  scope: Scope,
  sessionId: string,
  { locked, reason, actor }: Act & { locked: boolean },
): Promise<void> {
  return withPass(deps, scope, sessionId, async (tx, pass, at) => {
    const changed = await setLock(tx, scope, pass, { locked, reason, actor, at });
    if (changed === 0) {
      throw new Refusal(locked ? 'pass_already_locked' : 'pass_not_locked');
    }
  });
}

/** @throws Refusal `not_found`, `session_without_pass`, `session_in_review`, `pass_disconnected`, `pass_unchanged` */
export async function overrideSession(
  deps: Deps,
  scope: Scope,
  sessionId: string,
  { decision, reason, actor }: Act & { decision: 'approve' | 'deny' },
): Promise<void> {
  await withPass(deps, scope, sessionId, async (tx, pass, at) => {
    refuseUnchanged(pass, decision);
    await overrideVerdict(tx, scope, pass, { decision, reason, actor, at });
  });
}

/** @throws Refusal `pass_disconnected`, `pass_unchanged` if an override would change nothing */
export function refuseUnchanged(pass: Pass, decision: 'approve' | 'deny'): void {
  if (pass.revokedAt !== null) throw new Refusal('pass_disconnected');
  if ((pass.status === 'approved') === (decision === 'approve')) throw new Refusal('pass_unchanged');
}

/** Changes the pass of a session in one transaction and announces the session. @throws Refusal `not_found`, `session_without_pass`, `session_in_review` */
export async function withPass(
  { db, clock }: Deps,
  scope: Scope,
  sessionId: string,
  work: (tx: SqlTx, pass: Pass, at: number) => Promise<void>,
): Promise<void> {
  await db.tx((tx) => onPass(tx, scope, sessionId, (pass) => work(tx, pass, clock.now())), scope);
}

/** The same, as a part of a transaction. */
export async function onPass(
  tx: SqlTx,
  scope: Scope,
  sessionId: string,
  work: (pass: Pass) => Promise<void>,
): Promise<void> {
  const session = await findSessionRecord(tx, scope, sessionId);
  if (!session) throw notFound();
  const pass = session.passId === null ? undefined : await findPass(tx, scope, session.passId);
  if (!pass) {
    throw new Refusal(session.state === 'in_review' ? 'session_in_review' : 'session_without_pass');
  }
  await work(pass);
  announceSession(tx, sessionId, scope.companyId);
}
