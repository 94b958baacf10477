import { indexedEntries } from '../../domain/people/search.ts';
import { looksFor, soughtBy } from '../../domain/people/saved-filter.ts';
import type { Scope } from '../../domain/scope.ts';
import type { Person } from '../people/people.ts';
import { ofScope } from '../rows.ts';
import type { SqlReader, SqlTx } from '../sql/port.ts';

/** A page's query that an operator has saved under a name. */
type StoredFilter = { id: string; page: string; name: string; query: string };

export function listSavedFilters(db: SqlReader, operatorId: string): Promise<StoredFilter[]> {
  return db.all<StoredFilter>(
    'SELECT id, page, name, query FROM saved_filters WHERE operator_id = ? ORDER BY page, name',
    operatorId,
  );
}

/** Replaces one with the same name on the same page. */
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

/**
 * Removes all operators' filters that search for the person; call while the person still exists. Returns how many.
 * Checks all filters, because a filter belongs to an operator and works in every company; there are only as many as
 * staff have saved.
 */
export async function forgetFiltersFor(tx: SqlTx, scope: Scope, person: Person): Promise<number> {
  const shared = new Set<string>();
  for (const [key, value] of indexedEntries(person.metadata)) {
    const other = await tx.one(
      `SELECT 1 FROM person_metadata WHERE company_id = ? AND partition = ? AND key = ? AND value = ?
         AND person_id <> ? LIMIT 1`,
      ...ofScope(scope),
      key,
      value,
      person.id,
    );
    if (other !== undefined) shared.add(key);
  }
  const credentials = person.identities.map(({ identifier }) => identifier);
  const sought = soughtBy(person, [person.id, ...credentials, ...person.externalIds], (key) =>
    shared.has(key),
  );
  let removed = 0;
  for (const filter of await tx.all<StoredFilter>('SELECT id, page, name, query FROM saved_filters')) {
    if (looksFor(filter, sought))
      removed += await tx.run('DELETE FROM saved_filters WHERE id = ?', filter.id);
  }
  return removed;
}
