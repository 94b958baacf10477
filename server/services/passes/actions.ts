/** What reviewers and admins do to the pass that a session came to. */
import type { Actor } from '../../domain/operators/actor.ts';
import type { Scope } from '../../domain/scope.ts';
import { findPass, type Pass } from '../../store/passes/passes.ts';
import type { SqlTx } from '../../store/sql/port.ts';
import { findSessionRecord } from '../../store/runs/session-timeline.ts';
import type { ServiceDeps } from '../deps.ts';
import { setLock } from './lock.ts';
import { overrideVerdict } from './override.ts';
import { ConsoleError, notFound } from '../console-errors.ts';

/** Who changes a run or its pass, and why. */
export type Act = { reason: string; actor: Actor };
type Deps = Pick<ServiceDeps, 'db' | 'clock'>;

/** @throws ConsoleError `not_found`, `wrong_state` */
export function setSessionLock(
  deps: Deps,
  scope: Scope,
  sessionId: string,
  { locked, reason, actor }: Act & { locked: boolean },
): Promise<void> {
  return withPass(deps, scope, sessionId, async (tx, pass, at) => {
    const changed = await setLock(tx, scope, pass, { locked, reason, actor, at });
    if (changed === 0) {
      throw new ConsoleError(
        'wrong_state',
        locked ? 'The pass is locked already.' : 'The pass is not locked.',
      );
    }
  });
}

/** @throws ConsoleError `not_found`, `wrong_state` */
export async function overrideSession(
  deps: Deps,
  scope: Scope,
  sessionId: string,
  { decision, reason, actor }: Act & { decision: 'approve' | 'deny' },
): Promise<void> {
  await withPass(deps, scope, sessionId, async (tx, pass, at) => {
    if (pass.revokedAt !== null) {
      throw new ConsoleError('wrong_state', 'The person has disconnected: this pass is theirs to renew.');
    }
    if ((pass.status === 'approved') === (decision === 'approve')) {
      throw new ConsoleError('wrong_state', 'The pass reads so already.');
    }
    await overrideVerdict(tx, scope, pass, { decision, reason, actor, at });
  });
}

async function withPass(
  { db, clock }: Deps,
  scope: Scope,
  sessionId: string,
  work: (tx: SqlTx, pass: Pass, at: number) => Promise<void>,
): Promise<void> {
  await db.tx(async (tx) => {
    const session = await findSessionRecord(tx, scope, sessionId);
    if (!session) throw notFound('session');
    const pass = session.passId === null ? undefined : await findPass(tx, scope, session.passId);
    if (!pass) {
      throw new ConsoleError(
        'wrong_state',
        session.state === 'in_review'
          ? 'A reviewer has this run. Decide it under Reviews.'
          : 'This session has come to no pass.',
      );
    }
    await work(tx, pass, clock.now());
    tx.afterCommit('session', sessionId);
  });
}
