/** The keys of the sealed columns: which ones the database uses, and moving it to the current one. */
import { type Database, type SqlReader, type SqlTx, type SqlValue, StoreError } from './port.ts';
import { type RowName, SEALED, type SealedColumn } from './sealed-columns.ts';
import { keyIdOf } from './secrets.ts';

/** Rows of a transaction, which holds up all others meanwhile. */
const BATCH = 200;

/**
 * Checks at the start that every key in use is at hand, and notes the one that seals from now on. The values of a
 * database that was never sealed are sealed first.
 * @throws StoreError `database_key_missing`
 */
export async function registerKeys(db: Database): Promise<void> {
  const known = await keysInUse(db);
  refuseMissing(known, db);
  if (known.length === 0) await reseal(db);
  if (!known.includes(currentKey(db))) await confirmKey(db);
}

/**
 * Notes the key that this process seals with, in a transaction that excludes the one that retires keys.
 * @throws StoreError `database_key_missing`
 */
export const confirmKey = (db: Database): Promise<void> =>
  db.tx(async (tx) => {
    refuseMissing(await keysInUse(tx), tx);
    await tx.run('INSERT INTO secret_keys (id) VALUES (?) ON CONFLICT DO NOTHING', currentKey(tx));
  });

function refuseMissing(known: readonly string[], { secrets }: Pick<SqlReader, 'secrets'>): void {
  const missing = known.filter((id) => !secrets.keyIds.includes(id));
  if (missing.length === 0) return;
  throw new StoreError(
    'database_key_missing',
    `The database is encrypted with the key ${missing.join(' and ')}, but GATEHOUSE_DATABASE_KEY_FILE contains ` +
      `${secrets.keyIds.join(', ')}. Put the missing key back into the file.`,
  );
}

/** Id of the key that this process seals with. */
export const currentKey = ({ secrets }: Pick<SqlReader, 'secrets'>): string => secrets.keyIds[0] ?? '';

export const keysInUse = async (db: Pick<SqlReader, 'all'>): Promise<string[]> =>
  (await db.all<{ id: string }>('SELECT id FROM secret_keys ORDER BY id')).map(({ id }) => id);

/** Marks every other key as unused, so that the key file may drop it. In the transaction that says so. */
export const retireOtherKeys = (tx: SqlTx): Promise<number> =>
  tx.run('DELETE FROM secret_keys WHERE id <> ?', currentKey(tx));

/**
 * Seals with the current key what other keys have sealed, or none. It can be interrupted at any time and begins again
 * where values are left. @returns the number of values
 */
export async function reseal(
  db: Database,
  onProgress: (column: SealedColumn, resealed: number) => void = () => undefined,
): Promise<number> {
  let resealed = 0;
  for (const column of Object.keys(SEALED) as SealedColumn[]) {
    let after: RowName | null = null;
    do {
      const batch = await db.tx((tx) => resealBatch(tx, column, after));
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
  column: SealedColumn,
  after: RowName | null,
): Promise<{ last: RowName | null; resealed: number }> {
  const { seal, open } = tx.secrets;
  const current = currentKey(tx);
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
    if (keyId === current) continue;
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
