/** Changing an operator. The last local admin who can sign in is never removed. */
import type { AuditAction } from '../../contract/console/audit.ts';
import type { Role } from '../../contract/console/common.ts';
import type { OperatorRecord } from '../../contract/console/operators.ts';
import { type Actor, operatorNameKey } from '../../domain/operators/actor.ts';
import { notFound, Refusal } from '../../refusals/refusal.ts';
import { appendAudit } from '../../store/operators/audit.ts';
import { listProvided } from '../../store/operators/identities.ts';
import {
  countAdmins,
  findOperator,
  listCompanyIds,
  type StoredOperator,
  updateOperator,
} from '../../store/operators/operators.ts';
import { endSessionsOf } from '../../store/operators/sessions.ts';
import { releaseLostCases } from '../../store/reviews/leases.ts';
import type { SqlTx } from '../../store/sql/port.ts';
import type { Ports } from '../ports/ports.ts';
import { mergeChange } from '../wire/versions.ts';
import { checkName, limitTo, refuseTakenName } from './operators.ts';
import { operatorFields, recordOf } from './records.ts';

type OperatorChange = {
  name?: string | undefined;
  role?: Role | undefined;
  disabled?: boolean | undefined;
  /** Null: all. */
  companyIds?: readonly string[] | null | undefined;
  /** With which the form was opened. */
  version?: string | undefined;
};

/**
 * Renames, changes the role or companies, disables or enables. Removed permissions apply from the next call on, and cases
 * that the operator can no longer review are free for others, also those with a decision that has not taken effect.
 * @throws Refusal `not_found`, `name_taken`, `last_admin`, `changed_meanwhile`
 */
export async function changeOperator(
  deps: Pick<Ports, 'db' | 'clock'>,
  id: string,
  { disabled, version, ...wanted }: OperatorChange,
  { reason, actor }: { reason: string; actor: Actor },
): Promise<OperatorRecord> {
  const { db, clock } = deps;
  await refuseTakenName(
    db.tx(async (tx) => {
      const now = clock.now();
      const before = await findOperator(tx, id);
      if (!before) throw notFound();
      const change = await mergedChange(tx, before, wanted, version);
      const name = change.name?.trim().replace(/\s+/g, ' ') ?? before.name;
      if (name !== before.name) await checkName(tx, name, id);
      const role = change.role ?? before.role;
      const disabledAt = disabledAfter(before.disabledAt, disabled, now);
      const staysUnlimited =
        change.companyIds === undefined ? before.allCompanies : change.companyIds === null;
      const wasAdmin =
        before.role === 'admin' &&
        before.disabledAt === null &&
        before.allCompanies &&
        !(await listProvided(tx)).has(id);
      const staysAdmin = role === 'admin' && disabledAt === null && staysUnlimited;
      if (wasAdmin && !staysAdmin && (await countAdmins(tx)) <= 1) {
        throw new Refusal('last_admin');
      }
      await updateOperator(tx, id, { name, nameKey: operatorNameKey(name), role, disabledAt });
      if (disabledAt !== null) await endSessionsOf(tx, id, null, now, 'disabled');
      if (change.companyIds !== undefined) {
        const from = before.allCompanies ? 'all' : await listCompanyIds(tx, id);
        const to = (await limitTo(tx, id, change.companyIds)) ?? 'all';
        if (JSON.stringify(from) !== JSON.stringify(to))
          await appendAudit(tx, {
            at: now,
            actor,
            action: 'operator.companies',
            subject: id,
            details: { from, to, reason },
          });
      }
      for (const { id: caseId, decision, ...scope } of await releaseLostCases(tx, id)) {
        const details = { decision, by: id, reason };
        await appendAudit(tx, {
          ...scope,
          at: now,
          actor,
          action: 'review.release',
          subject: caseId,
          details,
        });
      }
      for (const [action, details] of changesOf(before, { name, role, disabledAt })) {
        await appendAudit(tx, { at: now, actor, action, subject: id, details: { ...details, reason } });
      }
    }),
  );
  return recordOf(deps, id);
}

const CHANGES = {
  name: 'operator.rename',
  role: 'operator.role',
  company_ids: 'operator.companies',
} as const satisfies Record<string, AuditAction>;

async function mergedChange(
  tx: SqlTx,
  before: StoredOperator,
  { name, role, companyIds }: Omit<OperatorChange, 'version' | 'disabled'>,
  version: string | undefined,
): Promise<Omit<OperatorChange, 'version' | 'disabled'>> {
  const { company_ids: ids, ...merged } = await mergeChange(tx, {
    version,
    current: await operatorFields(tx, before),
    sent: { name, role, company_ids: companyIds === undefined ? undefined : (companyIds?.slice() ?? null) },
    log: { subject: before.id, actions: CHANGES },
  });
  return { ...merged, ...(ids !== undefined && { companyIds: ids }) };
}

function disabledAfter(before: number | null, disabled: boolean | undefined, now: number): number | null {
  if (disabled === undefined) return before;
  return disabled ? (before ?? now) : null;
}

function changesOf(
  before: StoredOperator,
  after: Pick<StoredOperator, 'name' | 'role' | 'disabledAt'>,
): [action: AuditAction, details: Record<string, unknown>][] {
  const changes: [AuditAction, Record<string, unknown>][] = [];
  if (before.name !== after.name) changes.push(['operator.rename', { from: before.name, to: after.name }]);
  if (before.role !== after.role) changes.push(['operator.role', { from: before.role, to: after.role }]);
  if (before.disabledAt === null && after.disabledAt !== null) changes.push(['operator.disable', {}]);
  if (before.disabledAt !== null && after.disabledAt === null) changes.push(['operator.enable', {}]);
  return changes;
}
