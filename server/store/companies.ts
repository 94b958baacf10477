import type { SqlReader, SqlTx } from './port.ts';

export type Company = { id: string; name: string; dailyLimit: number; createdAt: number };

const COLUMNS = 'id, name, daily_limit AS dailyLimit, created_at AS createdAt';

export async function insertCompany(tx: SqlTx, company: Company): Promise<void> {
  await tx.run(
    'INSERT INTO companies (id, name, daily_limit, created_at) VALUES (?, ?, ?, ?)',
    company.id,
    company.name,
    company.dailyLimit,
    company.createdAt,
  );
}

export function findCompany(db: SqlReader, id: string): Promise<Company | undefined> {
  return db.one<Company>(`SELECT ${COLUMNS} FROM companies WHERE id = ?`, id);
}

export function listCompanies(db: SqlReader): Promise<Company[]> {
  return db.all<Company>(`SELECT ${COLUMNS} FROM companies ORDER BY created_at, id`);
}

export function setDailyLimit(tx: SqlTx, companyId: string, dailyLimit: number): Promise<number> {
  return tx.run('UPDATE companies SET daily_limit = ? WHERE id = ?', dailyLimit, companyId);
}

export function renameCompany(tx: SqlTx, companyId: string, name: string): Promise<number> {
  return tx.run('UPDATE companies SET name = ? WHERE id = ?', name, companyId);
}
