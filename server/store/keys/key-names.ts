/** What a key family is for, in its owner's words. */
import { insertRow } from '../rows.ts';
import type { SqlReader, SqlTx } from '../sql/port.ts';

export async function findKeyName(
  db: SqlReader,
  companyId: string,
  lineageId: string,
): Promise<string | null> {
  const row = await db.one<{ name: string }>(
    'SELECT name FROM key_names WHERE company_id = ? AND lineage_id = ?',
    companyId,
    lineageId,
  );
  return row?.name ?? null;
}

/** @param name null removes it */
export async function saveKeyName(
  tx: SqlTx,
  companyId: string,
  lineageId: string,
  name: string | null,
): Promise<void> {
  await tx.run('DELETE FROM key_names WHERE company_id = ? AND lineage_id = ?', companyId, lineageId);
  if (name === null) return;
  await insertRow(tx, 'key_names', { lineage_id: lineageId, company_id: companyId, name });
}
