/** Locking a pass, which consumes it (contract, confirmation rule 4), and unlocking it, in the console only. */
import { type Actor, keyActor } from '../../domain/operators/actor.ts';
import type { Confirmation } from '../../contract/v3.ts';
import type { Scope } from '../../domain/scope.ts';
import { appendAudit } from '../../store/operators/audit.ts';
import { unlockPass, unlockPassesOf } from '../../store/passes/changes.ts';
import { findConfirmedPass, lockPass, lockPassesOf, type Pass } from '../../store/passes/passes.ts';
import type { Database, SqlTx } from '../../store/sql/port.ts';
import { type ConfirmationDeps, passOfToken, toConfirmation } from './confirmations.ts';
import { Refusal } from '../../refusals/refusal.ts';
import { queueEvent } from '../webhooks/events.ts';
import type { KeepReply } from '../keys/idempotency.ts';
import type { Caller } from '../keys/keys.ts';

/** POST /v3/confirmations/{token}/lock. Repeating it changes nothing. */
export async function lockConfirmation(
  deps: Omit<ConfirmationDeps, 'db' | 'reads'> & { db: Database },
  caller: Caller,
  token: string,
  keep: KeepReply<Confirmation> | null = null,
): Promise<Confirmation> {
  const { scope } = caller;
  return deps.db.tx(async (tx) => {
    // Under the lock, because a reviewer may give the pass to another person meanwhile.
    const pass = await passOfToken({ ...deps, db: tx }, scope, token);
    await setLock(tx, scope, pass, { locked: true, actor: keyActor(caller.keyId), at: deps.clock.now() });
    const locked = await findConfirmedPass(tx, scope, pass.id);
    if (!locked) throw new Refusal('not_found');
    const reply = toConfirmation(scope, locked);
    await keep?.(tx, reply, pass.id);
    return reply;
  }, scope);
}

/**
 * Locks or unlocks all of the person's passes on the verification, not only this one. Returns how many changed;
 * records nothing if none did.
 */
export async function setLock(
  tx: SqlTx,
  scope: Scope,
  pass: Pick<Pass, 'id' | 'personId' | 'verificationId' | 'sessionId' | 'externalId'>,
  { locked, actor, at, reason }: { locked: boolean; actor: Actor; at: number; reason?: string },
): Promise<number> {
  const { id, personId, verificationId } = pass;
  const own = locked ? await lockPass(tx, scope, id, at) : await unlockPass(tx, scope, id);
  const of = personId === null ? null : { personId, verificationId };
  const others =
    of === null ? 0 : locked ? await lockPassesOf(tx, scope, of, at) : await unlockPassesOf(tx, scope, of);
  if (own + others === 0) return 0;
  await queueEvent(tx, scope, {
    type: locked ? 'pass.locked' : 'pass.unlocked',
    at,
    data: () => ({
      session_id: pass.sessionId,
      verification_id: verificationId,
      external_id: pass.externalId,
      passes: own + others,
    }),
  });
  await appendAudit(tx, {
    ...scope,
    at,
    actor,
    action: locked ? 'pass.lock' : 'pass.unlock',
    subject: id,
    details: { passes: own + others, ...(reason !== undefined && { reason }) },
  });
  return own + others;
}
