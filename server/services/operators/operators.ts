/** Creating operators, and new access for those who lost theirs. */
import { type Actor, operatorNameKey } from '../../domain/operators/actor.ts';
import type { Role } from '../../contract/console/common.ts';
import type { OperatorRecord, OperatorWithPassphrase } from '../../contract/console/operators.ts';
import { appendAudit } from '../../store/operators/audit.ts';
import { findCompany } from '../../store/companies/companies.ts';
import { deletePasskeysOf } from '../../store/operators/passkeys.ts';
import { endSessionsOf } from '../../store/operators/sessions.ts';
import {
  findOperator,
  insertOperator,
  listOperators,
  type OperatorOrigin,
  setOperatorCompanies,
  setPassphraseHash,
  setPinHash,
} from '../../store/operators/operators.ts';
import { isUniqueViolation, type SqlTx } from '../../store/sql/port.ts';
import type { Ports } from '../ports/ports.ts';
import { newId } from '../ports/ids.ts';
import { readName, refuseLookAlike } from '../wire/names.ts';
import { refuseWeak } from './account.ts';
import { Refusal, notFound } from '../../refusals/refusal.ts';
import { generatePassphrase } from './passphrases.ts';
import { recordOf } from './records.ts';
import { hashSecret } from './hashing.ts';
import { forgiveFailures } from './lock-out.ts';
import { resetSecondFactor } from './second-factor.ts';

type Deps = Pick<Ports, 'db' | 'clock' | 'randomInt'>;

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
export async function checkName(tx: SqlTx, name: string, ownId: string): Promise<void> {
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
export async function limitTo(
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

/**
 * A new passphrase for someone who lost theirs. Removes their PIN, passkeys, lock and sessions, which somebody else may have made;
 * their second factor stays.
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
    await deletePasskeysOf(tx, id);
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

export async function refuseTakenName<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!isUniqueViolation(error, 'operators_name_key_key')) throw error;
    throw new Refusal('name_taken');
  }
}
