import { insertRow } from '../rows.ts';
import type { SqlReader, SqlTx } from '../sql/port.ts';

export type Company = { id: string; name: string; dailyLimit: number; createdAt: number };

const COLUMNS = 'id, name, daily_limit AS dailyLimit, created_at AS createdAt';

export async function insertCompany(tx: SqlTx, company: Company): Promise<void> {
  await insertRow(tx, 'companies', {
    id: company.id,
    name: company.name,
    daily_limit: company.dailyLimit,
    created_at: company.createdAt,
  });
}

export function findCompany(db: SqlReader, id: string): Promise<Company | undefined> {
  return db.one<Company>(`SELECT ${COLUMNS} FROM companies WHERE id = ?`, id);
}

export function listCompanies(db: SqlReader): Promise<Company[]> {
  return db.all<Company>(`SELECT ${COLUMNS} FROM companies ORDER BY created_at, id`);
}

/** Whether a company `c` is visible to an operator: all are, unless the operator is limited to some. */
const IS_OPERATORS = `(
  EXISTS (SELECT 1 FROM operators o WHERE o.id = ? AND o.all_companies = 1)
  OR EXISTS (SELECT 1 FROM operator_companies oc WHERE oc.operator_id = ? AND oc.company_id = c.id)
)`;

/** A company that the operator may see; any other is as unknown as one that does not exist. */
export function findOperatorsCompany(
  db: SqlReader,
  operatorId: string,
  companyId: string,
): Promise<Company | undefined> {
  return db.one<Company>(
    `SELECT ${COLUMNS} FROM companies c WHERE c.id = ? AND ${IS_OPERATORS}`,
    companyId,
    operatorId,
    operatorId,
  );
}

/** The companies that the operator may see, oldest first. */
export function listOperatorsCompanies(db: SqlReader, operatorId: string): Promise<Company[]> {
  return db.all<Company>(
    `SELECT ${COLUMNS} FROM companies c WHERE ${IS_OPERATORS} ORDER BY created_at, id`,
    operatorId,
    operatorId,
  );
}

export function setDailyLimit(tx: SqlTx, companyId: string, dailyLimit: number): Promise<number> {
  tx.afterCommit('usage', companyId);
  return tx.run('UPDATE companies SET daily_limit = ? WHERE id = ?', dailyLimit, companyId);
}

export function renameCompany(tx: SqlTx, companyId: string, name: string): Promise<number> {
  return tx.run('UPDATE companies SET name = ? WHERE id = ?', name, companyId);
}
