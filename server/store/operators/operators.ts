import type { Role } from '../../contract/console/common.ts';
import { insertRow } from '../rows.ts';
import type { SqlReader, SqlTx } from '../sql/port.ts';

export type OperatorOrigin = 'setup' | 'console' | 'cli';

/** A person who signs in to the console. Never deleted, so that the audit log keeps its names. */
export type StoredOperator = {
  id: string;
  name: string;
  nameKey: string;
  role: Role;
  origin: OperatorOrigin;
  passphraseHash: string;
  passphraseChangedAt: number;
  pinHash: string | null;
  /** Otherwise only those of `listCompanyIds`. */
  allCompanies: boolean;
  createdAt: number;
  lastSignedInAt: number | null;
  disabledAt: number | null;
};

type NewOperator = Omit<StoredOperator, 'pinHash' | 'allCompanies' | 'lastSignedInAt' | 'disabledAt'>;

const COLUMNS = `id, name, name_key AS nameKey, role, origin, passphrase_hash AS passphraseHash,
  passphrase_changed_at AS passphraseChangedAt, pin_hash AS pinHash, all_companies AS allCompanies,
  created_at AS createdAt, last_signed_in_at AS lastSignedInAt,
  disabled_at AS disabledAt`;

/** Fails on a unique constraint if the name is taken, or the wizard has already created its admin. */
export async function insertOperator(tx: SqlTx, operator: NewOperator): Promise<void> {
  await insertRow(tx, 'operators', {
    id: operator.id,
    name: operator.name,
    name_key: operator.nameKey,
    role: operator.role,
    origin: operator.origin,
    passphrase_hash: tx.secrets.seal('operators.passphrase_hash', [operator.id], operator.passphraseHash),
    passphrase_changed_at: operator.passphraseChangedAt,
    created_at: operator.createdAt,
  });
}

type Row = Omit<StoredOperator, 'allCompanies'> & { allCompanies: number };
const toOperator = ({ secrets }: SqlReader, row: Row): StoredOperator => ({
  ...row,
  passphraseHash: secrets.open('operators.passphrase_hash', [row.id], row.passphraseHash),
  pinHash: secrets.open('operators.pin_hash', [row.id], row.pinHash),
  allCompanies: row.allCompanies === 1,
});

export async function findOperator(db: SqlReader, id: string): Promise<StoredOperator | undefined> {
  const row = await db.one<Row>(`SELECT ${COLUMNS} FROM operators WHERE id = ?`, id);
  return row && toOperator(db, row);
}

export async function findOperatorByNameKey(
  db: SqlReader,
  nameKey: string,
): Promise<StoredOperator | undefined> {
  const row = await db.one<Row>(`SELECT ${COLUMNS} FROM operators WHERE name_key = ?`, nameKey);
  return row && toOperator(db, row);
}

export async function listOperators(db: SqlReader): Promise<StoredOperator[]> {
  const rows = await db.all<Row>(`SELECT ${COLUMNS} FROM operators ORDER BY name_key`);
  return rows.map((row) => toOperator(db, row));
}

const MAY_UNLOCK = `pin_hash IS NOT NULL AND disabled_at IS NULL AND (all_companies = 1
  OR EXISTS (SELECT 1 FROM operator_companies oc WHERE oc.operator_id = operators.id AND oc.company_id = ?))`;

/** Operators with a PIN who may unlock a company's kiosks. */
export async function listPinHolders(db: SqlReader, companyId: string): Promise<StoredOperator[]> {
  const rows = await db.all<Row>(
    `SELECT ${COLUMNS} FROM operators WHERE ${MAY_UNLOCK} ORDER BY name_key`,
    companyId,
  );
  return rows.map((row) => toOperator(db, row));
}

export async function hasPinHolder(db: SqlReader, companyId: string): Promise<boolean> {
  return (
    (await db.one(`SELECT 1 AS found FROM operators WHERE ${MAY_UNLOCK} LIMIT 1`, companyId)) !== undefined
  );
}

/** The companies that an operator is limited to; ignored if `allCompanies` is set. */
export async function listCompanyIds(db: SqlReader, operatorId: string): Promise<string[]> {
  const rows = await db.all<{ companyId: string }>(
    'SELECT company_id AS companyId FROM operator_companies WHERE operator_id = ? ORDER BY company_id',
    operatorId,
  );
  return rows.map(({ companyId }) => companyId);
}

/** @param companyIds null for all companies, including future ones */
export async function setOperatorCompanies(
  tx: SqlTx,
  operatorId: string,
  companyIds: readonly string[] | null,
): Promise<void> {
  await tx.run(
    'UPDATE operators SET all_companies = ? WHERE id = ?',
    companyIds === null ? 1 : 0,
    operatorId,
  );
  await tx.run('DELETE FROM operator_companies WHERE operator_id = ?', operatorId);
  for (const companyId of companyIds ?? []) {
    await insertRow(tx, 'operator_companies', { operator_id: operatorId, company_id: companyId });
  }
}

/** Local admins who can sign in and are not limited to companies: those who can manage the installation, whatever a provider does. */
export async function countAdmins(db: SqlReader): Promise<number> {
  const row = await db.one<{ n: number }>(
    `SELECT COUNT(*) AS n FROM operators WHERE role = 'admin' AND disabled_at IS NULL AND all_companies = 1
       AND NOT EXISTS (SELECT 1 FROM operator_identities i WHERE i.operator_id = operators.id)`,
  );
  return row?.n ?? 0;
}

/** Whether there has ever been an admin. */
export async function adminExists(db: SqlReader): Promise<boolean> {
  return (await db.one(`SELECT 1 AS found FROM operators WHERE role = 'admin' LIMIT 1`)) !== undefined;
}

export function updateOperator(
  tx: SqlTx,
  id: string,
  change: Pick<StoredOperator, 'name' | 'nameKey' | 'role' | 'disabledAt'>,
): Promise<number> {
  return tx.run(
    'UPDATE operators SET name = ?, name_key = ?, role = ?, disabled_at = ? WHERE id = ?',
    change.name,
    change.nameKey,
    change.role,
    change.disabledAt,
    id,
  );
}

export function setPassphraseHash(tx: SqlTx, id: string, hash: string, at: number): Promise<number> {
  return tx.run(
    'UPDATE operators SET passphrase_hash = ?, passphrase_changed_at = ? WHERE id = ?',
    tx.secrets.seal('operators.passphrase_hash', [id], hash),
    at,
    id,
  );
}

/** Sets or removes the PIN. The columns of its failures are those of an older version, which may still run. */
export function setPinHash(tx: SqlTx, id: string, hash: string | null): Promise<number> {
  return tx.run(
    `UPDATE operators SET pin_hash = ?, pin_failed_attempts = 0, pin_lock_rounds = 0, pin_locked_until = NULL
     WHERE id = ?`,
    tx.secrets.seal('operators.pin_hash', [id], hash),
    id,
  );
}

export function touchSignedIn(tx: SqlTx, id: string, at: number): Promise<number> {
  return tx.run('UPDATE operators SET last_signed_in_at = ? WHERE id = ?', at, id);
}
