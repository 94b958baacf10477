/** The keys of the sealed columns: which ones the database uses, and re-encryption with the current one. */
import { type Database, type SqlReader, type SqlTx, type SqlValue, StoreError } from './port.ts';
import {
  PRIMARY_KEYS,
  SEALED,
  SEALED_IN_JSON,
  SEALED_LATER,
  type SealedColumn,
  SEALING,
  type Sealing,
} from './sealed-columns.ts';
import { keyIdsOf, prefixOf } from './secrets.ts';

/** A node that has not reported for this long counts as gone. It reports many times within it. */
export const NODE_SILENT_MS = 60_000;

/** Rows per transaction, which blocks all others. */
const BATCH = 200;

/**
 * Checks at start-up that every key in use is available, and records the one that seals from now on. First seals the
 * values of a database that was never sealed.
 * @throws StoreError `database_key_missing`
 */
export async function registerKeys(db: Database): Promise<void> {
  const known = await keysInUse(db);
  refuseMissing(known, db);
  if (known.length === 0) await reseal(db);
  if (!known.includes(currentKey(db))) await confirmKey(db);
  await sealPlainSettings(db);
}

/** A migration writes its settings as plain text, because it has no key. */
async function sealPlainSettings(db: Database): Promise<void> {
  const plain = await db.all<{ name: string; value: string }>(
    `SELECT name, value FROM settings WHERE value NOT LIKE 'gh1.%'`,
  );
  for (const { name, value } of plain) {
    const sealed = db.secrets.seal('settings.value', [name], value);
    await db.write('UPDATE settings SET value = ? WHERE name = ? AND value = ?', sealed, name, value);
  }
}

/**
 * Records the key of this process, in a transaction that excludes the one that retires keys. A node saves its row before
 * it confirms its key, so of two that start together, one finds the other.
 * @throws StoreError `database_key_missing`
 */
export const confirmKey = (db: Database): Promise<void> =>
  db.tx(async (tx) => {
    const known = await keysInUse(tx);
    refuseMissing(known, tx);
    if (known.includes(currentKey(tx))) return;
    await refuseUnknownToNodes(tx);
    await tx.run('INSERT INTO secret_keys (id) VALUES (?) ON CONFLICT DO NOTHING', currentKey(tx));
  });

function refuseMissing(known: readonly string[], { secrets }: Pick<SqlReader, 'secrets'>): void {
  const missing = known.filter((id) => !secrets.keyIds.includes(id));
  if (missing.length === 0) return;
  throw new StoreError(
    'database_key_missing',
    `The database is encrypted with the key ${missing.join(' and ')}, but the keys of this process are ` +
      `${secrets.keyIds.join(', ')}. Add the missing key to GATEHOUSE_DATABASE_KEY_FILE, or to the output of ` +
      'GATEHOUSE_DATABASE_KEY_COMMAND.',
  );
}

/** A node without the key could not read what this process writes: its guests would get errors. */
async function refuseUnknownToNodes(tx: SqlTx): Promise<void> {
  const nodes = await tx.all<{ name: string; keyIds: string }>(
    `SELECT name, key_ids AS keyIds FROM nodes
     WHERE seen_at >= EXTRACT(EPOCH FROM clock_timestamp()) * 1000 - ? ORDER BY name`,
    NODE_SILENT_MS,
  );
  const without = nodes.filter(({ keyIds }) => !(JSON.parse(keyIds) as string[]).includes(currentKey(tx)));
  if (without.length === 0) return;
  throw new StoreError(
    'database_key_missing',
    `The first key of this process (${currentKey(tx)}) is new, and these running nodes cannot decrypt with it: ` +
      `${without.map(({ name }) => name).join(', ')}. First add it as the last line of every node's key file and restart ` +
      'each node. A node that was killed counts as running for a minute.',
  );
}

/** ID of the key that this process seals with. */
export const currentKey = ({ secrets }: Pick<SqlReader, 'secrets'>): string => secrets.keyIds[0] ?? '';

export const keysInUse = async (db: Pick<SqlReader, 'all'>): Promise<string[]> =>
  (await db.all<{ id: string }>('SELECT id FROM secret_keys ORDER BY id')).map(({ id }) => id);

/**
 * Marks every other key as unused, so that it can be removed from the key file. Needs the lock of the installation, so
 * that nobody writes a value meanwhile.
 * @throws StoreError `database_busy` while a value needs another key
 */
export async function retireOtherKeys(tx: SqlTx): Promise<number> {
  for (const column of COLUMNS) {
    if (!(await needsOtherKey(tx, column))) continue;
    throw new StoreError(
      'database_busy',
      `${column} still contains values that are not encrypted with the new key. Run the command again.`,
    );
  }
  return tx.run('DELETE FROM secret_keys WHERE id <> ?', currentKey(tx));
}

async function needsOtherKey(tx: SqlTx, column: SealedColumn): Promise<boolean> {
  const { table, name } = partsOf(column);
  const exists = (where: string, ...values: SqlValue[]) =>
    tx.one<{ value: SqlValue }>(`SELECT ${name} AS value FROM ${table} WHERE ${where} LIMIT 1`, ...values);
  const any = await exists(`${name} IS NOT NULL`);
  if (any === undefined) return false;
  const prefix = prefixOf(currentKey(tx));
  if (typeof any.value !== 'string')
    return (await exists(`substr(${name}, 1, ${prefix.bytes.length}) <> ?`, prefix.bytes)) !== undefined;
  const isJson = column === 'invites.request';
  for (const part of isJson ? SEALED_IN_JSON.map((field) => `json_extract(${name}, '$.${field}')`) : [name]) {
    const mayBePlain = SEALED_LATER.has(column) && tx.secrets.sealing.stage !== 'complete';
    const sealed = mayBePlain ? `${part} LIKE 'gh1.%' AND ` : '';
    if ((await exists(`${sealed}${part} NOT LIKE ?`, `${prefix.text}%`)) !== undefined) return true;
  }
  return false;
}

/**
 * Seals with the current key what other keys have sealed, or none. Can be interrupted at any time and then continues.
 * @returns the number of values
 */
export async function reseal(
  db: Database,
  onProgress: (column: SealedColumn, resealed: number) => void = () => undefined,
  columns: readonly SealedColumn[] = COLUMNS,
): Promise<number> {
  let resealed = 0;
  for (const column of columns) {
    let after: PrimaryKey | null = null;
    do {
      const batch = await db.tx((tx) => resealBatch(tx, column, after));
      after = batch.last;
      resealed += batch.resealed;
      if (batch.resealed > 0) onProgress(column, resealed);
    } while (after !== null);
  }
  return resealed;
}

const COLUMNS = Object.keys(SEALED) as SealedColumn[];
const partsOf = (column: SealedColumn) => {
  const [table = '', name = ''] = column.split('.');
  return { table, name };
};

type PrimaryKey = readonly SqlValue[];
type Stored = Record<string, SqlValue> & { value: string | Uint8Array };

/** Rows are paged by the primary key; otherwise a page that ended between rows of one name would skip some. */
async function resealBatch(
  tx: SqlTx,
  column: SealedColumn,
  after: PrimaryKey | null,
): Promise<{ last: PrimaryKey | null; resealed: number }> {
  const { seal, open } = tx.secrets;
  const current = currentKey(tx);
  const staysPlain = SEALED_LATER.has(column) && tx.secrets.sealing.stage === 'plain';
  const { table, name } = partsOf(column);
  const key = PRIMARY_KEYS[table] ?? SEALED[column];
  const page = after === null ? '' : `AND (${key.join(', ')}) > (${key.map(() => '?').join(', ')})`;
  const stored = await tx.all<Stored>(
    `SELECT ${[...new Set([...key, ...SEALED[column]])].join(', ')}, ${name} AS value FROM ${table}
     WHERE ${name} IS NOT NULL ${page} ORDER BY ${key.join(', ')} LIMIT ?`,
    ...(after ?? []),
    BATCH,
  );
  let resealed = 0;
  let last: PrimaryKey | null = null;
  for (const entry of stored) {
    last = key.map((each) => entry[each] ?? null);
    const keyIds = keyIdsOf(column, entry.value);
    if (keyIds.every((id) => id === current || (staysPlain && id === null))) continue;
    const row = SEALED[column].map((each) => entry[each] as string | number);
    const plain = keyIds.every((id) => id === null) ? entry.value : open(column, row, entry.value);
    const sealed = seal(column, row, plain);
    if (sealed === entry.value) continue;
    resealed += await tx.run(
      `UPDATE ${table} SET ${name} = ? WHERE ${key.map((each) => `${each} = ?`).join(' AND ')} AND ${name} = ?`,
      sealed,
      ...last,
      entry.value,
    );
  }
  return { last: stored.length < BATCH ? null : last, resealed };
}

const NOW = 'CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000 AS BIGINT)';

/** Reads how far the columns in `SEALED_LATER` are. PostgreSQL only. */
export async function readSealing(db: Pick<SqlReader, 'one' | 'secrets'>): Promise<Sealing> {
  const row = await db.one<{ sealing: number }>('SELECT sealing FROM schema_version');
  return (db.secrets.sealing.stage = SEALING[row?.sealing ?? 0] ?? 'plain');
}

/**
 * One step towards sealed columns in `SEALED_LATER`; repeated until it returns true. Begins once no older node serves,
 * and seals the rows from before once every process seals new ones. Can be interrupted at any time.
 */
export async function continueSealing(
  db: Database,
  olderNodeServes: () => Promise<boolean>,
): Promise<boolean> {
  if (db.engine === 'sqlite') return true;
  const stage = await readSealing(db);
  if (stage === 'complete') return true;
  if (stage === 'plain') {
    if (await olderNodeServes()) return false;
    await db.write(`UPDATE schema_version SET sealing = 1, sealing_since = ${NOW} WHERE sealing = 0`);
    await readSealing(db);
    return false;
  }
  const spread = `sealing_since < ${NOW} - ${NODE_SILENT_MS}`;
  if ((await db.one(`SELECT 1 AS found FROM schema_version WHERE ${spread}`)) === undefined) return false;
  await reseal(db, undefined, [...SEALED_LATER]);
  await db.write('UPDATE schema_version SET sealing = 2');
  await readSealing(db);
  return true;
}
