/** The search index of people: any key of their metadata, and the words of their names. */
import { indexedEntries, nameWords, type SearchableMetadata } from '../../domain/people/search.ts';
import type { Scope } from '../../domain/scope.ts';
import type { SqlReader, SqlTx } from '../sql/port.ts';
import { AFTER_PREFIX, inScope, insertRow, ofScope, placesFor } from '../rows.ts';

/** Replaces a person's search entries, in the transaction that changes their metadata. */
export async function indexPerson(
  tx: SqlTx,
  scope: Scope,
  personId: string,
  metadata: SearchableMetadata,
): Promise<void> {
  for (const table of ['person_metadata', 'person_names']) {
    await tx.run(
      `DELETE FROM ${table} WHERE company_id = ? AND partition = ? AND person_id = ?`,
      ...ofScope(scope),
      personId,
    );
  }
  for (const [key, value] of indexedEntries(metadata)) {
    await insertRow(tx, 'person_metadata', { ...inScope(scope), key, value, person_id: personId });
  }
  for (const word of nameWords(metadata)) {
    await insertRow(tx, 'person_names', { ...inScope(scope), word, person_id: personId });
  }
}

/** How people are found by what the organiser sent about them. */
export type PersonSearch = {
  /** Folded words, each the beginning of one of the person's names. */
  words: readonly string[];
  /** Folded; any metadata value that begins so, under one of these keys. */
  value: string;
  keys: readonly string[];
};

/** A name that more people have finds the first of them. */
const MOST_PEOPLE = 1_000;

/** A query for the ids of the people found, to be used inside another. */
export function personSql(
  scope: Scope,
  { words, value, keys }: PersonSearch,
): { sql: string; bound: string[] } {
  const named = words.map(
    () =>
      'SELECT person_id FROM person_names WHERE company_id = ? AND partition = ? AND word >= ? AND word < ?',
  );
  const parts: string[] = [];
  const bound: string[] = [];
  if (named.length > 0) {
    parts.push(`SELECT person_id FROM (${named.join(' INTERSECT ')}) AS named`);
    bound.push(...words.flatMap((word) => [...ofScope(scope), word, word + AFTER_PREFIX]));
  }
  if (keys.length > 0) {
    parts.push(
      `SELECT person_id FROM person_metadata WHERE company_id = ? AND partition = ?
         AND key IN (${placesFor(keys)}) AND value >= ? AND value < ?`,
    );
    bound.push(...ofScope(scope), ...keys, value, value + AFTER_PREFIX);
  }
  const found = parts.length === 0 ? 'SELECT NULL AS person_id' : parts.join(' UNION ');
  return { sql: `SELECT person_id FROM (${found}) AS found LIMIT ${MOST_PEOPLE}`, bound };
}

/** Metadata keys of anyone in the scope, sorted; each takes one step in the index. */
export async function listMetadataKeys(db: SqlReader, scope: Scope, limit: number): Promise<string[]> {
  const rows = await db.all<{ key: string }>(
    `WITH RECURSIVE keys (key) AS (
       SELECT MIN(key) FROM person_metadata WHERE company_id = ? AND partition = ?
       UNION ALL
       SELECT (SELECT MIN(m.key) FROM person_metadata m
               WHERE m.company_id = ? AND m.partition = ? AND m.key > keys.key)
       FROM keys WHERE keys.key IS NOT NULL)
     SELECT key FROM keys WHERE key IS NOT NULL LIMIT ?`,
    ...ofScope(scope),
    ...ofScope(scope),
    limit,
  );
  return rows.map(({ key }) => key);
}
