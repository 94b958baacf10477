/** The keys of the sealed columns: which ones the database uses, and moving it to the current one. */
import { type Database, type SqlTx, type SqlValue, StoreError } from './port.ts';
import { type RowName, SEALED, type SealedColumn } from './sealed-columns.ts';
import { createSecrets, keyIdOf, type KeyRing } from './secrets.ts';

/** Rows of a transaction, which holds up all others meanwhile. */
const BATCH = 200;

/**
 * Checks at the start that every key in use is there, and notes the one that seals from now on. A database from before
 * its columns were sealed is sealed first.
 * @throws StoreError `database_key_missing`
 */
export async function registerKeys(db: Database, ring: KeyRing): Promise<void> {
  const known = await keysInUse(db);
  const missing = known.filter((id) => !ring.keys.has(id));
  if (missing.length > 0) {
    throw new StoreError(
      'database_key_missing',
      `The database is encrypted with the key ${missing.join(' and ')}, but GATEHOUSE_DATABASE_KEY_FILE contains ` +
        `${[...ring.keys.keys()].join(', ')}. Put the missing key back into the file.`,
    );
  }
  if (known.includes(ring.current)) return;
  if (known.length === 0) await reseal(db, ring);
  await db.write('INSERT INTO secret_keys (id) VALUES (?) ON CONFLICT DO NOTHING', ring.current);
}

export const keysInUse = async (db: Pick<Database, 'all'>): Promise<string[]> =>
  (await db.all<{ id: string }>('SELECT id FROM secret_keys ORDER BY id')).map(({ id }) => id);

/** Marks every other key as unused, so that the key file may drop it. In the transaction that says so. */
export const retireOtherKeys = (tx: SqlTx, ring: KeyRing): Promise<number> =>
  tx.run('DELETE FROM secret_keys WHERE id <> ?', ring.current);

/**
 * Seals with the current key what other keys have sealed, or none. It can be interrupted at any time and begins again
 * where values are left. @returns the number of values
 */
export async function reseal(
  db: Database,
  ring: KeyRing,
  onProgress: (column: SealedColumn, resealed: number) => void = () => undefined,
): Promise<number> {
  let resealed = 0;
  for (const column of Object.keys(SEALED) as SealedColumn[]) {
    let after: RowName | null = null;
    do {
      const batch = await db.tx((tx) => resealBatch(tx, ring, column, after));
      after = batch.last;
      resealed += batch.resealed;
      if (batch.resealed > 0) onProgress(column, resealed);
    } while (after !== null);
  }
  return resealed;
}

type Stored = Record<string, SqlValue> & { value: string | Uint8Array };

async function resealBatch(
  tx: SqlTx,
  ring: KeyRing,
  column: SealedColumn,
  after: RowName | null,
): Promise<{ last: RowName | null; resealed: number }> {
  const { seal, open } = createSecrets(ring);
  const [table = '', name = ''] = column.split('.');
  const row = SEALED[column];
  const isRow = row.map((each) => `${each} = ?`).join(' AND ');
  const page = after === null ? '' : `AND (${row.join(', ')}) > (${row.map(() => '?').join(', ')})`;
  const stored = await tx.all<Stored>(
    `SELECT ${row.join(', ')}, ${name} AS value FROM ${table} WHERE ${name} IS NOT NULL ${page}
     ORDER BY ${row.join(', ')} LIMIT ?`,
    ...(after ?? []),
    BATCH,
  );
  let resealed = 0;
  let last: RowName | null = null;
  for (const entry of stored) {
    last = row.map((each) => entry[each] as string | number);
    const keyId = keyIdOf(column, entry.value);
    if (keyId === ring.current) continue;
    const plain = keyId === null ? entry.value : open(column, last, entry.value);
    const sealed = seal(column, last, plain);
    if (sealed === entry.value) continue;
    resealed += await tx.run(
      `UPDATE ${table} SET ${name} = ? WHERE ${isRow} AND ${name} = ?`,
      sealed,
      ...last,
      entry.value,
    );
  }
  return { last: stored.length < BATCH ? null : last, resealed };
}
