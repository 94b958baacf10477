/** Releases a stuck run from its device so that it can be opened again, or ends it. */
import { isSameScope, type Scope } from '../../domain/scope.ts';
import { appendAudit } from '../../store/operators/audit.ts';
import type { SqlTx } from '../../store/sql/port.ts';
import { cancelSession, findSession, type Session } from '../../store/runs/sessions.ts';
import { reopenSession } from '../../store/runs/reopen.ts';
import { isChecking } from '../../domain/runs/progress.ts';
import type { Act } from '../passes/actions.ts';
import { completeRun } from '../connections/connections.ts';
import type { Ports } from '../ports/ports.ts';
import { SESSION_ATTEMPTS } from './sessions/sessions.ts';
import { Refusal, notFound } from '../../refusals/refusal.ts';

type Deps = Pick<Ports, 'db' | 'clock'>;

/**
 * The next person to open the link starts over with all attempts. @throws Refusal `not_found`,
 * `session_not_open`, `capture_under_way`
 */
export function reopenStuckSession(deps: Deps, scope: Scope, id: string, act: Act): Promise<void> {
  return change(deps, scope, id, { ...act, action: 'session.reopen' }, async (tx) => {
    if ((await reopenSession(tx, scope, id, SESSION_ATTEMPTS)) === 0) throw over();
  });
}

/** Ends the run without a verdict. @throws Refusal `not_found`, `session_not_open`, `capture_under_way` */
export function cancelStuckSession(deps: Deps, scope: Scope, id: string, act: Act): Promise<void> {
  return change(deps, scope, id, { ...act, action: 'session.cancel' }, async (tx, session, at) => {
    if ((await cancelSession(tx, scope, id, at)) === 0) throw over();
    await completeRun(tx, session, { kind: 'unfulfillable' }, at);
  });
}

async function change(
  deps: Deps,
  scope: Scope,
  id: string,
  { actor, reason, action }: Act & { action: 'session.reopen' | 'session.cancel' },
  work: (tx: SqlTx, session: Session, at: number) => Promise<void>,
): Promise<void> {
  await deps.db.tx(async (tx) => {
    const session = await findSession(tx, id);
    if (!session || !isSameScope(session.scope, scope)) throw notFound();
    const at = deps.clock.now();
    if (session.state !== 'open' || at >= session.expiresAt) throw over();
    if (isChecking(session, at)) {
      throw new Refusal('capture_under_way');
    }
    await work(tx, session, at);
    await appendAudit(tx, { ...session.scope, at, actor, action, subject: session.id, details: { reason } });
  }, scope);
}

const over = (): Refusal => new Refusal('session_not_open');
