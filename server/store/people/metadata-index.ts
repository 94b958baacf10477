/** Where people are found: by any key of their metadata, and by the words of their names. */
import { indexedEntries, nameWords, type SearchableMetadata } from '../../domain/people/search.ts';
import type { Scope } from '../../domain/scope.ts';
import type { SqlReader, SqlTx } from '../sql/port.ts';

/** Replaces what a person is found by. In the transaction that changes their metadata. */
export async function indexPerson(
  tx: SqlTx,
  scope: Scope,
  personId: string,
  metadata: SearchableMetadata,
): Promise<void> {
  const { companyId, partition } = scope;
  for (const table of ['person_metadata', 'person_names']) {
    await tx.run(
      `DELETE FROM ${table} WHERE company_id = ? AND partition = ? AND person_id = ?`,
      companyId,
      partition,
      personId,
    );
  }
  for (const [key, value] of indexedEntries(metadata)) {
    await tx.run(
      'INSERT INTO person_metadata (company_id, partition, key, value, person_id) VALUES (?, ?, ?, ?, ?)',
      companyId,
      partition,
      key,
      value,
      personId,
    );
  }
  for (const word of nameWords(metadata)) {
    await tx.run(
      'INSERT INTO person_names (company_id, partition, word, person_id) VALUES (?, ?, ?, ?)',
      companyId,
      partition,
      word,
      personId,
    );
  }
}

/** Keys that anyone's metadata of the scope has, in order; one step into the index for each. */
export async function listMetadataKeys(db: SqlReader, scope: Scope, limit: number): Promise<string[]> {
  const { companyId, partition } = scope;
  const rows = await db.all<{ key: string }>(
    `WITH RECURSIVE keys (key) AS (
       SELECT MIN(key) FROM person_metadata WHERE company_id = ? AND partition = ?
       UNION ALL
       SELECT (SELECT MIN(m.key) FROM person_metadata m
               WHERE m.company_id = ? AND m.partition = ? AND m.key > keys.key)
       FROM keys WHERE keys.key IS NOT NULL)
     SELECT key FROM keys WHERE key IS NOT NULL LIMIT ?`,
    companyId,
    partition,
    companyId,
    partition,
    limit,
  );
  return rows.map(({ key }) => key);
}
