/** Operators as the console and the command line show them. */
import type { OperatorRecord } from '../../contract/console/operators.ts';
import { operatorNameKey } from '../../domain/operators/actor.ts';
import { notFound } from '../../refusals/refusal.ts';
import {
  findOperator,
  findOperatorByNameKey,
  listCompanyIds,
  listOperators,
  type StoredOperator,
} from '../../store/operators/operators.ts';
import { listProvided } from '../../store/operators/identities.ts';
import { countPasskeys } from '../../store/operators/passkeys.ts';
import { findSecondFactor } from '../../store/operators/second-factors.ts';
import { countOpenSessions } from '../../store/operators/sessions.ts';
import type { SqlReader } from '../../store/sql/port.ts';
import type { Ports } from '../ports/ports.ts';
import { iso, isoOrNull } from '../wire/values.ts';
import { versionOf } from '../wire/versions.ts';
import { lockedUntilOf } from './lock-out.ts';
import { IDLE_TIMEOUT_MS } from './operator-session.ts';

export async function listOperatorRecords({
  db,
  clock,
}: Pick<Ports, 'db' | 'clock'>): Promise<OperatorRecord[]> {
  const now = clock.now();
  const open = await countOpenSessions(db, { now, idleSince: now - IDLE_TIMEOUT_MS });
  const passkeys = await countPasskeys(db);
  const provided = await listProvided(db);
  const operators = await listOperators(db);
  return Promise.all(
    operators.map((operator) =>
      toRecord(
        db,
        operator,
        {
          openSessions: open.get(operator.id) ?? 0,
          passkeys: passkeys.get(operator.id) ?? 0,
          isProvided: provided.has(operator.id),
        },
        now,
      ),
    ),
  );
}

async function toRecord(
  db: SqlReader,
  operator: StoredOperator,
  { openSessions, passkeys, isProvided }: { openSessions: number; passkeys: number; isProvided: boolean },
  now: number,
): Promise<OperatorRecord> {
  return {
    operator_id: operator.id,
    name: operator.name,
    role: operator.role,
    has_pin: operator.pinHash !== null,
    company_ids: operator.allCompanies ? null : await listCompanyIds(db, operator.id),
    has_second_factor: (await findSecondFactor(db, operator.id)) !== undefined,
    single_sign_on: isProvided,
    passkeys,
    created_at: iso(operator.createdAt),
    last_signed_in_at: isoOrNull(operator.lastSignedInAt),
    disabled_at: isoOrNull(operator.disabledAt),
    locked_until: isoOrNull(await lockedUntilOf(db, operator.name, now)),
    open_sessions: openSessions,
    version: versionOf(await operatorFields(db, operator)),
  };
}

/** As on the wire: what a form can change. */
export const operatorFields = async (db: SqlReader, { id, name, role, allCompanies }: StoredOperator) => ({
  name,
  role,
  company_ids: allCompanies ? null : await listCompanyIds(db, id),
});

export async function recordOf(
  { db, clock }: Pick<Ports, 'db' | 'clock'>,
  id: string,
): Promise<OperatorRecord> {
  const record = (await listOperatorRecords({ db, clock })).find(({ operator_id }) => operator_id === id);
  if (!record) throw notFound();
  return record;
}

/** By ID or name, for the command line. */
export async function findOperatorId(db: SqlReader, idOrName: string): Promise<string | null> {
  const found =
    (await findOperator(db, idOrName)) ?? (await findOperatorByNameKey(db, operatorNameKey(idOrName)));
  return found?.id ?? null;
}
