/** The kiosk PIN of staff: unlocks a kiosk, never signs in to the console. */
import { operatorActor } from '../../domain/operators/actor.ts';
import {
  type AttemptCount,
  countFailure,
  lockLeftMs,
  NO_FAILURES,
} from '../../domain/operators/attempt-limit.ts';
import { appendAudit } from '../../store/operators/audit.ts';
import { findOperatorsCompany } from '../../store/companies/companies.ts';
import { findOperator, listPinHolders, setPinFailures } from '../../store/operators/operators.ts';
import type { Role } from '../../contract/console/common.ts';
import type { SqlReader } from '../../store/sql/port.ts';
import type { Ports } from '../ports.ts';
import type { RefusalLog } from '../keys/refusals.ts';
import { ConsoleError } from '../errors.ts';
import { verifySecret } from './hashing.ts';
import { lockedOut, PIN } from './lock-out.ts';

/** Who can unlock a company's kiosks. */
export async function operatorsWithPin(
  db: SqlReader,
  companyId: string,
): Promise<{ operator_id: string; name: string }[]> {
  return (await listPinHolders(db, companyId)).map(({ id, name }) => ({ operator_id: id, name }));
}

/**
 * The owner of this PIN. An operator without one costs the same work and gets the same answer.
 * @param request what is being unlocked, for the audit log (`kiosk:<id>`), and its company
 * @throws ConsoleError `wrong_pin`, `locked_out`
 */
export async function checkQuickPin(
  { db, clock, refusals }: Pick<Ports, 'db' | 'clock'> & { refusals: RefusalLog },
  request: { operatorId: string; pin: string; place: string; companyId: string },
): Promise<{ id: string; name: string; role: Role }> {
  const { operatorId, pin, place, companyId } = request;
  const claimed = await db.tx(
    async (tx) => {
      const operator = await findOperator(tx, operatorId);
      const isTheirs = (await findOperatorsCompany(tx, operatorId, companyId)) !== undefined;
      if (!operator || operator.disabledAt !== null || !isTheirs) return { operator: undefined, leftMs: 0 };
      const count: AttemptCount = {
        failedAttempts: operator.pinFailedAttempts,
        lockRounds: operator.pinLockRounds,
        lockedUntil: operator.pinLockedUntil,
      };
      const leftMs = lockLeftMs(count, PIN, clock.now());
      if (leftMs === 0) await setPinFailures(tx, operatorId, countFailure(count, PIN, clock.now()));
      return { operator, leftMs };
    },
    { companyId: null, keys: [`pin/${operatorId}`] },
  );
  if (claimed.leftMs > 0) throw lockedOut(claimed.leftMs);
  const { operator } = claimed;
  if (!(await verifySecret(operator?.pinHash ?? null, pin)) || !operator) {
    refusals.note({
      action: 'operator.pin_failed',
      subject: operator?.id ?? 'unknown operator',
      source: place,
    });
    throw new ConsoleError('wrong_pin');
  }
  await db.tx(async (tx) => {
    await setPinFailures(tx, operatorId, NO_FAILURES);
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
