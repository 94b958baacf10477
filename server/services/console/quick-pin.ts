/** The quick PIN of staff: unlocks a kiosk, never signs in to the console. */
import { appendAudit } from '../../store/audit.ts';
import { findOperator, listOperators, setPinFailures } from '../../store/operators.ts';
import type { Role } from '../../contract/console/common.ts';
import type { SqlReader } from '../../store/port.ts';
import type { ServiceDeps } from '../deps.ts';
import { operatorActor } from './deps.ts';
import { ConsoleError } from './errors.ts';
import { verifySecret } from './hashing.ts';
import { countFailure, lockedOut, lockLeftMs } from './lock-out.ts';

/** Who can unlock a kiosk. */
export async function operatorsWithPin(db: SqlReader): Promise<{ operator_id: string; name: string }[]> {
  return (await listOperators(db))
    .filter(({ pinHash, disabledAt }) => pinHash !== null && disabledAt === null)
    .map(({ id, name }) => ({ operator_id: id, name }));
}

/**
 * Whose PIN this is. An operator without one costs the same work and gets the same answer.
 * @param place what is being unlocked, for the audit log (`kiosk:<id>`)
 * @throws ConsoleError `wrong_pin`, `locked_out`
 */
export async function checkQuickPin(
  { db, clock }: Pick<ServiceDeps, 'db' | 'clock'>,
  { operatorId, pin, place }: { operatorId: string; pin: string; place: string },
): Promise<{ id: string; name: string; role: Role }> {
  const claimed = await db.tx(async (tx) => {
    const operator = await findOperator(tx, operatorId);
    if (!operator || operator.disabledAt !== null) return { operator: undefined, leftMs: 0 };
    const leftMs = lockLeftMs(operator.pinLockedUntil, clock.now());
    if (leftMs === 0) {
      const { failedAttempts, lockedUntil } = countFailure(operator.pinFailedAttempts, clock.now());
      await setPinFailures(tx, operatorId, failedAttempts, lockedUntil);
    }
    return { operator, leftMs };
  });
  if (claimed.leftMs > 0) throw lockedOut(claimed.leftMs);
  const { operator } = claimed;
  if (!(await verifySecret(operator?.pinHash ?? null, pin)) || !operator) {
    throw new ConsoleError('wrong_pin', 'That PIN is not right.');
  }
  await db.tx(async (tx) => {
    await setPinFailures(tx, operatorId, 0, null);
    await appendAudit(tx, {
      at: clock.now(),
      actor: operatorActor(operatorId),
      action: 'operator.pin_used',
      companyId: null,
      partition: null,
      subject: place,
      details: {},
    });
  });
  return { id: operator.id, name: operator.name, role: operator.role };
}
