/** Copies an installation between the engines: every row of every table, in one transaction of the target. */
import { createHash } from 'node:crypto';
import { readSetting, writeSetting } from '../settings.ts';
import { insertRow, placesFor } from '../rows.ts';
import type { Database, Engine, SqlReader, SqlTx, SqlValue } from '../sql/port.ts';
import { SEALED, type SealedColumn } from '../sql/sealed-columns.ts';

type CopiedTable = { table: string; rows: number; hash: string };
type CopyProgress = (table: string, rows: number) => void;

/**
 * Data of the engine and the running nodes, which is not part of the installation, rows computed from templates, and faces
 * that are kept for a day, with their keys.
 */
const NOT_COPIED = [
  'nodes',
  'secret_keys',
  'schema_version',
  'face_rows',
  'seen_faces',
  'seen_face_parts',
  'seen_face_keys',
];
const PAGE_ROWS = 500;
/** Below the limits of both engines. */
const MAX_PARAMETERS = 15_000;
const HASH_MODULUS = 2n ** 256n;

type Table = { name: string; columns: string[]; key: string[]; isNumbered: boolean; needs: string[] };
type Row = Record<string, SqlValue>;

/** A copy that was refused or undone, in words for the operator. */
export class CopyError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'CopyError';
  }
}

/** Stored in the source of a copy, so that guests are never admitted on both sides. */
type CopiedTo = { engine: Engine; at: number };
const COPIED_TO = 'data.copied_to';

/** Where the data was copied to; null for an installation that can be used. */
export const copiedTo = (db: SqlReader): Promise<CopiedTo | null> => readSetting<CopiedTo>(db, COPIED_TO);

/** Makes the source of a copy usable again. */
export async function forgetCopy(tx: SqlTx): Promise<void> {
  await tx.run('DELETE FROM settings WHERE name = ?', COPIED_TO);
}

/** The transaction on one database waits for statements on the other. Nothing else uses either. */
const ALONE = [undefined, 'may-wait'] as const;

/** Thrown to undo a dry run. */
class Rehearsed extends Error {}

/**
 * Copies all rows from one engine to the other and compares the count and the hash of each table. The target must be
 * empty, and stays so unless everything was copied and is equal. The source is marked just before the target is
 * committed: whenever the process ends, at most one of them can be used without a decision.
 * @throws CopyError in words for the operator
 */
export async function copyData(
  source: Database,
  target: Database,
  { isRehearsal, onProgress, nowMs }: { isRehearsal: boolean; onProgress: CopyProgress; nowMs: number },
): Promise<CopiedTable[]> {
  if ((await copiedTo(source)) !== null)
    throw new CopyError(
      'This data was copied before. Run "gatehouse data reopen" if it is the current data.',
    );
  const tables = inOrder(await describeTables(source.engine === 'sqlite' ? source : target));
  await refuseUnlessEmpty(target, tables);
  const before = await newestChange(source);
  let copied: CopiedTable[] = [];
  let marked: CopiedTo | null = null as CopiedTo | null;
  try {
    await target.tx(
      async (tx) => {
        copied = [];
        const enableTriggers = await disableTriggers(tx, target.engine, tables);
        for (const table of tables) {
          const read = await copyTable(source, tx, table, onProgress);
          const written = await hashTable(tx, table);
          if (read.rows !== written.rows || read.hash !== written.hash)
            throw new CopyError(`The copy of ${table.name} differs from its source. Nothing was copied.`);
          if (table.isNumbered) await copySequence(source, tx, target.engine, table);
          copied.push(read);
        }
        await enableTriggers();
        if ((await newestChange(source)) !== before)
          throw new CopyError(
            'The data changed during the copy. Stop everything that uses it and try again.',
          );
        if (isRehearsal) throw new Rehearsed();
        const mark: CopiedTo = { engine: target.engine, at: nowMs };
        await source.tx((own) => writeSetting(own, COPIED_TO, mark));
        marked = mark;
      },
      ...ALONE,
    );
  } catch (error) {
    if (error instanceof Rehearsed) return copied;
    if (marked === null) throw error;
    // The commit may still succeed, even if the target looks empty now: only a person can decide.
    throw new CopyError(
      'The end of the copy was not confirmed. If the target stays empty, run "gatehouse data reopen" and copy again.',
      { cause: error },
    );
  }
  return copied;
}

/**
 * Without statistics, PostgreSQL reads whole tables until it has collected some.
 * @returns false if that failed, which does not undo the copy
 */
export async function collectStatistics(target: Database): Promise<boolean> {
  try {
    await target.tx(async (tx) => {
      const tables = await tx.all<{ name: string }>(
        `SELECT quote_ident(tablename) AS name FROM pg_tables WHERE schemaname = current_schema()`,
      );
      for (const { name } of tables) await tx.run(`ANALYZE ${name}`);
    });
    return true;
  } catch {
    return false;
  }
}

/** As SQLite describes them; both engines have the same tables. */
async function describeTables(db: SqlReader): Promise<Table[]> {
  const tables = await db.all<{ name: string; sql: string }>(
    `SELECT name, sql FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%' ORDER BY name`,
  );
  const described: Table[] = [];
  for (const { name, sql } of tables) {
    if (NOT_COPIED.includes(name)) continue;
    const columns = await db.all<{ name: string; pk: number }>(
      'SELECT name, pk FROM pragma_table_info(?)',
      name,
    );
    const needs = await db.all<{ parent: string }>(
      'SELECT DISTINCT "table" AS parent FROM pragma_foreign_key_list(?)',
      name,
    );
    described.push({
      name,
      columns: columns.map((column) => column.name),
      key: columns
        .filter(({ pk }) => pk > 0)
        .sort((a, b) => a.pk - b.pk)
        .map((column) => column.name),
      isNumbered: sql.includes('AUTOINCREMENT'),
      needs: needs.map(({ parent }) => parent).filter((parent) => parent !== name),
    });
  }
  return described;
}

/** Each table after those that its foreign keys refer to. */
function inOrder(tables: readonly Table[]): Table[] {
  const ordered = new Map<string, Table>();
  while (ordered.size < tables.length) {
    const ready = tables.filter(
      ({ name, needs }) => !ordered.has(name) && needs.every((parent) => ordered.has(parent)),
    );
    if (ready.length === 0) throw new Error('Foreign keys form a circle.');
    for (const table of ready) ordered.set(table.name, table);
  }
  return [...ordered.values()];
}

async function refuseUnlessEmpty(target: Database, tables: readonly Table[]): Promise<void> {
  for (const { name } of tables) {
    if ((await target.one(`SELECT 1 AS found FROM ${name} LIMIT 1`)) === undefined) continue;
    throw new CopyError(`The target already contains data (${name}). Copy into an empty database.`);
  }
}

/** Every change by a person or a service leaves an audit entry or a session. */
async function newestChange(db: SqlReader): Promise<string> {
  const row = await db.one<{ entry: number | null; sessions: number }>(
    'SELECT (SELECT MAX(seq) FROM audit_entries) AS entry, (SELECT COUNT(*) FROM sessions) AS sessions',
  );
  return `${row?.entry ?? 0} ${row?.sessions ?? 0}`;
}

async function copyTable(
  source: SqlReader,
  tx: SqlTx,
  table: Table,
  onProgress: CopyProgress,
): Promise<CopiedTable> {
  const hash = createTableHash(table);
  const size = Math.min(PAGE_ROWS, Math.floor(MAX_PARAMETERS / table.columns.length));
  for await (const page of pagesOf(source, table, size)) {
    const values = page.flatMap((row) => {
      hash.add(row);
      return table.columns.map((column) => sealed(tx, 'seal', table, row, column));
    });
    const places = `(${placesFor(table.columns)})`;
    await tx.run(
      `INSERT INTO ${table.name} (${table.columns.join(', ')}) VALUES ${page.map(() => places).join(', ')}`,
      ...values,
    );
    onProgress(table.name, hash.rows());
  }
  return hash.result();
}

async function hashTable(db: SqlReader, table: Table): Promise<CopiedTable> {
  const hash = createTableHash(table);
  for await (const page of pagesOf(db, table, PAGE_ROWS)) page.forEach((row) => hash.add(row));
  return hash.result();
}

/** The mark belongs only to the source, even if the target's transaction runs a second time. */
const copiedRowsOf = ({ name }: Table): string => (name === 'settings' ? `name <> '${COPIED_TO}'` : '1 = 1');

/** Rows with their secrets decrypted, by primary key. */
async function* pagesOf(db: SqlReader, table: Table, size: number): AsyncGenerator<Row[]> {
  const key = table.key.join(', ');
  let after: SqlValue[] = [];
  for (;;) {
    const page = after.length === 0 ? '' : `AND (${key}) > (${placesFor(after)})`;
    const rows = await db.all<Row>(
      `SELECT ${table.columns.join(', ')} FROM ${table.name} WHERE ${copiedRowsOf(table)} ${page} ORDER BY ${key} LIMIT ?`,
      ...after,
      size,
    );
    const last = rows.at(-1);
    if (last === undefined) return;
    after = table.key.map((column) => last[column] ?? null);
    yield rows.map((row) =>
      Object.fromEntries(table.columns.map((column) => [column, sealed(db, 'open', table, row, column)])),
    );
    if (rows.length < size) return;
  }
}

/** The value of a column in the target's form; unchanged if the column is not sealed. */
function sealed(db: SqlReader, how: 'seal' | 'open', table: Table, row: Row, column: string): SqlValue {
  const value = row[column] ?? null;
  const name = `${table.name}.${column}`;
  if (!(name in SEALED) || typeof value === 'number' || typeof value === 'bigint') return value;
  const place = name as SealedColumn;
  const rowName = SEALED[place].map((each) => row[each] as string | number);
  return db.secrets[how](place, rowName, value);
}

/** A sum of the rows' hashes, so that the order in which an engine returns them does not matter. */
function createTableHash({ name, columns }: Table) {
  let rows = 0;
  let sum = 0n;
  return {
    add(row: Row): void {
      const values = columns.map((column) => {
        const value = row[column] ?? null;
        return value instanceof Uint8Array ? { hex: Buffer.from(value).toString('hex') } : value;
      });
      const digest = createHash('sha256').update(JSON.stringify(values)).digest('hex');
      sum = (sum + BigInt(`0x${digest}`)) % HASH_MODULUS;
      rows += 1;
    },
    rows: () => rows,
    result: (): CopiedTable => ({ table: name, rows, hash: sum.toString(16).padStart(64, '0') }),
  };
}

/**
 * Triggers would duplicate the copied data.
 * @returns a function that enables them
 */
async function disableTriggers(
  tx: SqlTx,
  engine: Database['engine'],
  tables: readonly Table[],
): Promise<() => Promise<void>> {
  if (engine === 'postgres') {
    const alter = async (what: 'DISABLE' | 'ENABLE') => {
      for (const { name } of tables) await tx.run(`ALTER TABLE ${name} ${what} TRIGGER USER`);
    };
    await alter('DISABLE');
    return () => alter('ENABLE');
  }
  const triggers = await tx.all<{ name: string; sql: string }>(
    `SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'`,
  );
  for (const { name } of triggers) await tx.run(`DROP TRIGGER ${name}`);
  return async () => {
    for (const { sql } of triggers) await tx.run(sql);
  };
}

/** The next number, so that the number of a deleted row is not used again. */
async function copySequence(
  source: Database,
  tx: SqlTx,
  engine: Database['engine'],
  { name, key }: Table,
): Promise<void> {
  const [column = ''] = key;
  const found = await source.one<{ last: number | null }>(
    source.engine === 'sqlite'
      ? 'SELECT seq AS last FROM sqlite_sequence WHERE name = ?'
      : 'SELECT last_value AS last FROM pg_sequences WHERE schemaname = current_schema() AND sequencename = ?',
    source.engine === 'sqlite' ? name : `${name}_${column}_seq`,
  );
  const last = found?.last ?? 0;
  if (last === 0) return;
  if (engine === 'postgres') {
    await tx.one('SELECT setval(pg_get_serial_sequence(?, ?), ?)', name, column, last);
    return;
  }
  await tx.run('DELETE FROM sqlite_sequence WHERE name = ?', name);
  await insertRow(tx, 'sqlite_sequence', { name, seq: last });
}
