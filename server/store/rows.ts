/** Conversions between the store's columns and the service's values, and deletions in parts. */
import type { Scope } from '../domain/scope.ts';
import type { SqlTx, SqlValue } from './sql/port.ts';

/** What `company_id = ? AND partition = ?` binds, and an insert into these two columns. */
export const ofScope = ({ companyId, partition }: Scope): [string, string] => [companyId, partition];

/** The same two columns of `insertRow`. */
export const inScope = ({ companyId, partition }: Scope) => ({ company_id: companyId, partition });

/** Values by the names of their columns. */
type Columns = Readonly<Record<string, SqlValue>>;

/** Inserts one row. Returns 1. @throws UniqueViolation */
export const insertRow = (tx: Pick<SqlTx, 'run'>, table: string, row: Columns): Promise<number> =>
  insertRows(tx, table, [row]);

/** 0 if a unique constraint already has it. */
export const insertUnlessThere = (tx: SqlTx, table: string, row: Columns): Promise<number> =>
  insertRows(tx, table, [row], 'ON CONFLICT DO NOTHING');

/**
 * Inserts rows with the same columns in the same order, one at least. Returns how many were inserted or changed.
 * @param onConflict what follows the values
 */
export function insertRows(
  tx: Pick<SqlTx, 'run'>,
  table: string,
  rows: readonly Columns[],
  onConflict = '',
): Promise<number> {
  return tx.run(
    insertText(table, Object.keys(rows[0] ?? {}), rows.length, onConflict),
    ...rows.flatMap((row) => Object.values(row)),
  );
}

type KeptText = { columns: readonly string[]; onConflict: string; sql: string };
const keptTexts = new Map<string, KeptText[]>();

/** The text for one row is kept, because putting it together takes longer than the rest of a small insert. */
function insertText(table: string, columns: readonly string[], rows: number, onConflict: string): string {
  const texts = keptTexts.get(table) ?? [];
  const isSame = (kept: KeptText) =>
    kept.onConflict === onConflict &&
    kept.columns.length === columns.length &&
    kept.columns.every((column, index) => column === columns[index]);
  const kept = rows === 1 ? texts.find(isSame) : undefined;
  if (kept !== undefined) return kept.sql;
  const places = Array(rows)
    .fill(`(${placesFor(columns)})`)
    .join(', ');
  const sql = `INSERT INTO ${table} (${columns.join(', ')}) VALUES ${places}${onConflict && ` ${onConflict}`}`;
  if (rows === 1) keptTexts.set(table, [...texts, { columns, onConflict, sql }]);
  return sql;
}

/** A question mark for each. */
export const placesFor = (values: readonly unknown[]): string => values.map(() => '?').join(', ');

/** Changes the rows with this key. Returns how many there are. */
export function updateRow(
  tx: Pick<SqlTx, 'run'>,
  table: string,
  key: Columns,
  changes: Columns,
): Promise<number> {
  const equal = (columns: Columns) => Object.keys(columns).map((column) => `${column} = ?`);
  return tx.run(
    `UPDATE ${table} SET ${equal(changes).join(', ')} WHERE ${equal(key).join(' AND ')}`,
    ...Object.values(changes),
    ...Object.values(key),
  );
}

export const flag = (value: boolean): number => (value ? 1 : 0);
export const optionalFlag = (value: boolean | null): number | null => (value === null ? null : flag(value));
export const fromOptionalFlag = (value: number | null): boolean | null =>
  value === null ? null : value === 1;

export const toJson = (value: unknown): string => JSON.stringify(value);
export const optionalJson = (value: unknown): string | null =>
  value === null || value === undefined ? null : JSON.stringify(value);

/** Sorts after every text that begins like the one before it. */
export const AFTER_PREFIX = '\u{10ffff}';

/** JSON that this store wrote itself; the writer guarantees its shape. */
export function fromJson<T>(text: string): T {
  return JSON.parse(text) as T;
}
export function fromOptionalJson<T>(text: string | null): T | null {
  return text === null ? null : (JSON.parse(text) as T);
}

/**
 * Deletes at most `limit` of the rows that `where` finds, so that its transaction stays short. Returns their number.
 * @param key columns of the primary key
 */
export const deleteSome = (
  run: SqlTx['run'],
  { table, key, where }: { table: string; key: string; where: string },
  params: readonly SqlValue[],
  limit: number,
): Promise<number> =>
  run(
    `DELETE FROM ${table} WHERE (${key}) IN (SELECT ${key} FROM ${table} WHERE ${where} LIMIT ?)`,
    ...params,
    limit,
  );

/** For what makes room for itself: a call that adds one row removes up to this many that are over. */
export const OVER_AT_ONCE = 100;

/** A text column as an expression, so that the planner uses another index. Both engines accept it. */
export const unindexed = (column: string): string => `${column} || ''`;

/** A view instead of a copy, if the bytes happen to be aligned. */
export function toFloat32(bytes: Uint8Array): Float32Array {
  if (bytes.byteOffset % 4 === 0)
    return new Float32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 4);
  return new Float32Array(bytes.slice().buffer);
}
export const fromFloat32 = (vector: Float32Array): Uint8Array =>
  new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength);
