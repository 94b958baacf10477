/** Replacing a verdict by hand: the pass, its account, and the webhooks to integrations. */
import { overridden } from '../../domain/passes/pass.ts';
import type { Actor } from '../../domain/operators/actor.ts';
import type { Scope } from '../../domain/scope.ts';
import { appendAudit } from '../../store/operators/audit.ts';
import { findConnectUserById } from '../../store/connections/connect-users.ts';
import { listUsersOfPass, overridePass } from '../../store/passes/changes.ts';
import type { Pass } from '../../store/passes/passes.ts';
import { findPerson } from '../../store/people/people.ts';
import type { SqlTx } from '../../store/sql/port.ts';
import { findSession } from '../../store/runs/sessions.ts';
import { completeRun } from '../connections/connections.ts';
import { bindAccount } from '../matching/enrolment.ts';
import { tellSettled } from '../webhooks/events.ts';
import { ownerFacts } from '../matching/owners.ts';

type Override = { decision: 'approve' | 'deny'; reason: string; actor: Actor; at: number };

/**
 * In one transaction with its audit entry and webhook calls. An approval binds the run's account to its person, if the
 * check found one; the face of a denied run was not stored.
 */
export async function overrideVerdict(tx: SqlTx, scope: Scope, pass: Pass, by: Override): Promise<void> {
  const after = overridden(pass, by.decision);
  await overridePass(tx, scope, pass.id, after);
  const session = pass.sessionId === null ? undefined : await findSession(tx, pass.sessionId);
  const isKnown = pass.personId !== null && (await findPerson(tx, scope, pass.personId)) !== undefined;
  if (after.status === 'approved' && session && isKnown && pass.personId !== null) {
    const owners = await ownerFacts(tx, session);
    await bindAccount(tx, session, { personId: pass.personId, owners, at: by.at });
  }
  await tellIntegrations(tx, scope, pass, by);
  await tellSettled(
    tx,
    scope,
    session ?? null,
    () => ({ ...pass, ...after, reasons: [...after.reasons] }),
    by.at,
  );
  await appendAudit(tx, {
    ...scope,
    at: by.at,
    actor: by.actor,
    action: 'pass.override',
    subject: pass.id,
    details: {
      decision: by.decision,
      reason: by.reason,
      before: { status: pass.status, reasons: pass.reasons },
      after: { status: after.status, reasons: after.reasons },
    },
  });
}

/**
 * Users of v1 and v2 whose runs led to this pass. A user who has been connected by another pass since stays connected.
 */
async function tellIntegrations(tx: SqlTx, scope: Scope, pass: Pass, by: Override): Promise<void> {
  for (const { connectUserId, sessionId } of await listUsersOfPass(tx, scope, pass.id)) {
    const user = await findConnectUserById(tx, scope, connectUserId);
    if (!user) continue;
    const standsElsewhere = user.connection === 'connected' && user.passId !== pass.id;
    if (standsElsewhere) continue;
    await completeRun(
      tx,
      { id: sessionId, scope, connectUserId },
      by.decision === 'approve'
        ? { kind: 'approved', personId: pass.personId, passId: pass.id }
        : { kind: 'denied' },
      by.at,
    );
  }
}
