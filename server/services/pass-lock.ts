/** POST /v3/confirmations/{token}/lock: the pass is consumed (contract, confirmation rule 4). */
import type { Confirmation } from '../contract/v3.ts';
import { appendAudit } from '../store/audit.ts';
import { findConfirmedPass, lockPass, lockPassesOf } from '../store/passes.ts';
import type { Database } from '../store/port.ts';
import { type ConfirmationDeps, passOfToken, toConfirmation } from './confirmations.ts';
import { ServiceError } from './errors.ts';
import type { Caller } from './keys.ts';

/** Locks the person's passes on the verification, not only the one of the token. Repeating it changes nothing. */
export async function lockConfirmation(
  deps: Omit<ConfirmationDeps, 'db' | 'reads'> & { db: Database },
  caller: Caller,
  token: string,
): Promise<Confirmation> {
  const { scope } = caller;
  const pass = await passOfToken(deps, scope, token);
  const locked = await deps.db.tx(async (tx) => {
    const at = deps.clock.now();
    const { personId, verificationId } = pass;
    const own = await lockPass(tx, scope, pass.id, at);
    const others = personId === null ? 0 : await lockPassesOf(tx, scope, { personId, verificationId }, at);
    if (own + others > 0) {
      await appendAudit(tx, {
        at,
        actor: `key:${caller.keyId}`,
        action: 'pass.lock',
        companyId: scope.companyId,
        partition: scope.partition,
        subject: pass.id,
        details: { passes: own + others },
      });
    }
    return findConfirmedPass(tx, scope, pass.id);
  });
  if (!locked) throw new ServiceError('not found');
  return toConfirmation(scope, locked);
}
