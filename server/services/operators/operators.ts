/** Creating and changing operators. The last admin who can sign in is never removed. */
import type { AuditAction } from '../../contract/console/audit.ts';
import { type Actor, operatorNameKey } from '../../domain/operators/actor.ts';
import type { Role } from '../../contract/console/common.ts';
import type { OperatorRecord, OperatorWithPassphrase } from '../../contract/console/operators.ts';
import { appendAudit } from '../../store/operators/audit.ts';
import { findCompany } from '../../store/companies/companies.ts';
import { countOpenSessions, endSessionsOf } from '../../store/operators/sessions.ts';
import {
  countAdmins,
  findOperator,
  findOperatorByNameKey,
  insertOperator,
  listCompanyIds,
  listOperators,
  type OperatorOrigin,
  setOperatorCompanies,
  setPassphraseHash,
  setPinHash,
  type StoredOperator,
  updateOperator,
} from '../../store/operators/operators.ts';
import { releaseLostCases } from '../../store/reviews/leases.ts';
import { isUniqueViolation, type SqlReader, type SqlTx } from '../../store/sql/port.ts';
import { findSecondFactor } from '../../store/operators/second-factors.ts';
import type { Ports } from '../ports/ports.ts';
import { newId } from '../ports/ids.ts';
import { readName, refuseLookAlike } from '../wire/names.ts';
import { refuseWeak } from './account.ts';
import { iso, isoOrNull } from '../wire/values.ts';
import { Refusal, notFound } from '../../refusals/refusal.ts';
import { mergeChange, versionOf } from '../wire/versions.ts';
import { generatePassphrase } from './passphrases.ts';
import { hashSecret } from './hashing.ts';
import { forgiveFailures, lockedUntilOf } from './lock-out.ts';
import { resetSecondFactor } from './second-factor.ts';
import { IDLE_TIMEOUT_MS } from './operator-session.ts';

type Deps = Pick<Ports, 'db' | 'clock' | 'randomInt'>;

export async function listOperatorRecords({
  db,
  clock,
}: Pick<Deps, 'db' | 'clock'>): Promise<OperatorRecord[]> {
  const now = clock.now();
  const open = await countOpenSessions(db, { now, idleSince: now - IDLE_TIMEOUT_MS });
  const operators = await listOperators(db);
  return Promise.all(operators.map((operator) => toRecord(db, operator, open.get(operator.id) ?? 0, now)));
}

async function toRecord(
  db: SqlReader,
  operator: StoredOperator,
  openSessions: number,
  now: number,
): Promise<OperatorRecord> {
  return {
    operator_id: operator.id,
    name: operator.name,
    role: operator.role,
    has_pin: operator.pinHash !== null,
    company_ids: operator.allCompanies ? null : await listCompanyIds(db, operator.id),
    has_second_factor: (await findSecondFactor(db, operator.id)) !== undefined,
    created_at: iso(operator.createdAt),
    last_signed_in_at: isoOrNull(operator.lastSignedInAt),
    disabled_at: isoOrNull(operator.disabledAt),
    locked_until: isoOrNull(await lockedUntilOf(db, operator.name, now)),
    open_sessions: openSessions,
    version: versionOf(await operatorFields(db, operator)),
  };
}

/** As on the wire: what a form can change. */
const operatorFields = async (db: SqlReader, { id, name, role, allCompanies }: StoredOperator) => ({
  name,
  role,
  company_ids: allCompanies ? null : await listCompanyIds(db, id),
});

async function recordOf({ db, clock }: Pick<Deps, 'db' | 'clock'>, id: string): Promise<OperatorRecord> {
  const record = (await listOperatorRecords({ db, clock })).find(({ operator_id }) => operator_id === id);
  if (!record) throw notFound();
  return record;
}

/**
 * Without a passphrase one is generated and returned only once.
 * @throws Refusal `weak_passphrase`, `name_taken`
 */
export async function createOperator(
  deps: Deps,
  request: {
    name: string;
    role: Role;
    passphrase?: string | undefined;
    /** Null or left out: all. */
    companyIds?: readonly string[] | null | undefined;
    origin: OperatorOrigin;
    actor: Actor;
  },
): Promise<OperatorWithPassphrase> {
  const { name, passphrase, made } = await prepare(deps, request.name, request.passphrase);
  const hash = await hashSecret(passphrase);
  const id = newId(deps.clock.now());
  await refuseTakenName(
    deps.db.tx((tx) =>
      addOperator(
        tx,
        {
          id,
          name,
          role: request.role,
          origin: request.origin,
          hash,
          companyIds: request.companyIds ?? null,
        },
        request.actor,
        deps.clock.now(),
      ),
    ),
  );
  return { operator: await recordOf(deps, id), passphrase: made };
}

/** The part of a transaction that creates an operator; a constraint refuses a taken name. */
export async function addOperator(
  tx: SqlTx,
  operator: {
    id: string;
    name: string;
    role: Role;
    origin: OperatorOrigin;
    hash: string;
    companyIds: readonly string[] | null;
  },
  actor: Actor,
  at: number,
): Promise<void> {
  await checkName(tx, operator.name, operator.id);
  await insertOperator(tx, {
    id: operator.id,
    name: operator.name,
    nameKey: operatorNameKey(operator.name),
    role: operator.role,
    origin: operator.origin,
    passphraseHash: operator.hash,
    passphraseChangedAt: at,
    createdAt: at,
  });
  const companyIds = await limitTo(tx, operator.id, operator.companyIds);
  await appendAudit(tx, {
    at,
    actor,
    action: 'operator.create',
    subject: operator.id,
    details: {
      name: operator.name,
      role: operator.role,
      ...(companyIds && { companies: companyIds }),
    },
  });
}

/**
 * The very same name is refused by its constraint.
 * @throws Refusal `name_unseen`, `name_looks_alike`
 */
async function checkName(tx: SqlTx, name: string, ownId: string): Promise<void> {
  readName(name);
  const key = operatorNameKey(name);
  const others = (await listOperators(tx)).filter(({ id, nameKey }) => id !== ownId && nameKey !== key);
  refuseLookAlike(
    name,
    others.map((other) => other.name),
  );
}

/**
 * Returns the companies in their stored order.
 * @throws Refusal `not_found`
 */
async function limitTo(
  tx: SqlTx,
  operatorId: string,
  companyIds: readonly string[] | null,
): Promise<string[] | null> {
  if (companyIds === null) {
    await setOperatorCompanies(tx, operatorId, null);
    return null;
  }
  const chosen = [...new Set(companyIds)].sort();
  for (const id of chosen) if (!(await findCompany(tx, id))) throw notFound();
  if (chosen.length === 0) throw notFound();
  await setOperatorCompanies(tx, operatorId, chosen);
  return chosen;
}

/** A normalised name and a sufficiently strong passphrase; `made` is set if it was generated. */
export async function prepare(
  { randomInt }: Pick<Deps, 'randomInt'>,
  givenName: string,
  given: string | undefined,
): Promise<{ name: string; passphrase: string; made: string | null }> {
  const name = givenName.trim().replace(/\s+/g, ' ');
  if (name === '') throw new Refusal('invalid_name');
  if (given !== undefined) {
    await refuseWeak(given, name);
    return { name, passphrase: given, made: null };
  }
  const made = generatePassphrase(randomInt);
  return { name, passphrase: made, made };
}

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
  deps: Deps,
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
      const wasAdmin = before.role === 'admin' && before.disabledAt === null && before.allCompanies;
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

/**
 * A new passphrase for someone who lost theirs. Removes their PIN, lock and sessions; their second factor stays.
 * @throws Refusal `not_found`, `weak_passphrase`
 */
export async function resetOperator(
  deps: Deps,
  id: string,
  request: { passphrase?: string | undefined; reason: string; actor: Actor },
): Promise<OperatorWithPassphrase> {
  const { db, clock } = deps;
  const found = await findOperator(db, id);
  if (!found) throw notFound();
  const { passphrase, made } = await prepare(deps, found.name, request.passphrase);
  const hash = await hashSecret(passphrase);
  await db.tx(async (tx) => {
    const now = clock.now();
    await setPassphraseHash(tx, id, hash, now);
    await setPinHash(tx, id, null);
    await forgiveFailures(tx, found.name);
    await endSessionsOf(tx, id, null, now, 'reset');
    await appendAudit(tx, {
      at: now,
      actor: request.actor,
      action: 'operator.reset',
      subject: id,
      details: { reason: request.reason },
    });
  });
  return { operator: await recordOf(deps, id), passphrase: made };
}

/**
 * Removes the second factor of someone who lost it: they sign in with only their passphrase and set up another.
 * @throws Refusal `not_found`
 */
export async function resetOperatorFactor(
  deps: Pick<Deps, 'db' | 'clock'>,
  id: string,
  request: { reason: string; actor: Actor },
): Promise<OperatorRecord> {
  await resetSecondFactor(deps, id, request);
  return recordOf(deps, id);
}

/** By ID or name, for the command line. */
export async function findOperatorId(db: SqlReader, idOrName: string): Promise<string | null> {
  const found =
    (await findOperator(db, idOrName)) ?? (await findOperatorByNameKey(db, operatorNameKey(idOrName)));
  return found?.id ?? null;
}

async function refuseTakenName<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!isUniqueViolation(error, 'operators_name_key_key')) throw error;
    throw new Refusal('name_taken');
  }
}
