/** Expired runs of v1 and v2, whose integrations have to be notified (decisions §4.10). */
import { isChecking } from '../../domain/runs/progress.ts';
import { appendAudit } from '../../store/operators/audit.ts';
import { endSession, type Session } from '../../store/runs/sessions.ts';
import { listOverdueRuns } from '../../store/runs/unopened-sessions.ts';
import { completeRun } from '../connections/connections.ts';
import type { Ports } from '../ports/ports.ts';

/** Maximum per poll. After a long time off, the rest follows with the next polls. */
const EXPIRED_AT_ONCE = 200;

/**
 * Ends overdue runs. Each is ended and announced in one transaction, so that it is announced exactly once, whenever
 * the process ends. Returns how many there were.
 */
export async function expireOverdueRuns(deps: Pick<Ports, 'db' | 'clock' | 'deletions'>): Promise<number> {
  const time = deps.deletions.deletionTime();
  // Ending a run cannot be undone. Until the time is certain, an expired run is only refused.
  if (time === null) return 0;
  const at = deps.clock.now();
  const overdue = await listOverdueRuns(deps.db, time, EXPIRED_AT_ONCE);
  let expired = 0;
  for (const session of overdue) {
    // Frames that arrived in time are being judged: their verdict decides.
    if (!isChecking(session, at) && (await expire(deps, session, at))) expired += 1;
  }
  return expired;
}

function expire({ db }: Pick<Ports, 'db'>, session: Session, at: number): Promise<boolean> {
  const { scope, id, verificationId } = session;
  return db.tx(async (tx) => {
    if ((await endSession(tx, scope, id, { state: 'expired', passId: null, at })) === 0) return false;
    await completeRun(tx, session, { kind: 'unfulfillable' }, at);
    await appendAudit(tx, {
      ...scope,
      at,
      actor: 'system',
      action: 'run.expire',
      subject: verificationId,
    });
    return true;
  }, scope);
}
