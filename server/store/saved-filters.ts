import type { SqlReader, SqlTx } from './port.ts';

/** A page's query that an operator has given a name. */
export type StoredFilter = { id: string; page: string; name: string; query: string };

export function listSavedFilters(db: SqlReader, operatorId: string): Promise<StoredFilter[]> {
  return db.all<StoredFilter>(
    'SELECT id, page, name, query FROM saved_filters WHERE operator_id = ? ORDER BY page, name',
    operatorId,
  );
}

/** The same name on the same page is saved over. */
export async function saveFilter(
  tx: SqlTx,
  operatorId: string,
  filter: StoredFilter,
  at: number,
): Promise<string> {
  const row = await tx.one<{ id: string }>(
    `INSERT INTO saved_filters (id, operator_id, page, name, query, created_at) VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT (operator_id, page, name) DO UPDATE SET query = excluded.query RETURNING id`,
    filter.id,
    operatorId,
    filter.page,
    filter.name,
    filter.query,
    at,
  );
  return row?.id ?? filter.id;
}

export function deleteSavedFilter(tx: SqlTx, operatorId: string, id: string): Promise<number> {
  return tx.run('DELETE FROM saved_filters WHERE operator_id = ? AND id = ?', operatorId, id);
}

/** Removes everybody's filters that look for one of these credentials or ids, whatever their case. Returns how many. */
export async function forgetFiltersNaming(tx: SqlTx, sought: readonly string[]): Promise<number> {
  const named = new Set(sought.map((value) => value.toLowerCase()));
  let removed = 0;
  for (const { id, query } of await tx.all<StoredFilter>('SELECT id, query FROM saved_filters')) {
    const values = [...new URLSearchParams(query).values()].map((value) => value.trim().toLowerCase());
    if (values.some((value) => named.has(value))) {
      removed += await tx.run('DELETE FROM saved_filters WHERE id = ?', id);
    }
  }
  return removed;
}
