/** Single statements of a group. SQLite undoes one that fails, so they need no savepoint. */
import type Sqlite from 'better-sqlite3';
import type { SqlValue } from '../port.ts';

export type SingleStatement = {
  sql: string;
  params: readonly SqlValue[];
  /** Number of rows changed, once it has run. */
  result?: number;
};
/** Of a group: such a statement, or something else. */
type Job = { sql?: string; params?: readonly SqlValue[] };

/** A statement opens every index of its table first, which takes nearly a quarter of the time of inserting one row. */
const ROWS_TOGETHER = 8;
/** Without conflicts to settle and expressions: it inserts one row or fails. */
const PLAIN_INSERT = /^(INSERT INTO \w+ \([\w\s,]+\)\s+VALUES )(\((?:\?, )*\?\))$/;

/**
 * Runs the single statement at this place of a group, and the next seven with it if all eight insert a row alike.
 * @returns for each that ran, its failure or undefined
 * @throws the failure if it ended the whole transaction
 */
export function singleStatements(
  connection: Sqlite.Database,
  prepare: (sql: string) => Sqlite.Statement,
): (first: SingleStatement, group: readonly Job[], place: number) => unknown[] {
  /** By the text for one row; undefined for anything else than a plain insert. */
  const textsForRows = new Map<string, string | undefined>();
  const textForRows = (sql: string): string | undefined => {
    if (!textsForRows.has(sql)) {
      const [, head, row] = PLAIN_INSERT.exec(sql) ?? [];
      textsForRows.set(sql, row && `${head}${Array.from({ length: ROWS_TOGETHER }, () => row).join(', ')}`);
    }
    return textsForRows.get(sql);
  };
  /** The failure; SQLite has undone the statement. */
  const failureOf = (run: () => void): unknown => {
    try {
      run();
      return undefined;
    } catch (error) {
      // Some disk failures end the whole transaction, and with it every job of the group.
      if (!connection.inTransaction) throw error;
      return error;
    }
  };
  return (first, group, place) => {
    const { sql, params } = first;
    // Values that are missing in one row must not be taken from another.
    const isAlike = (job: Job): job is SingleStatement =>
      job.sql === sql && job.params?.length === params.length;
    const alike = group.slice(place, place + ROWS_TOGETHER).filter(isAlike);
    const text = alike.length === ROWS_TOGETHER ? textForRows(sql) : undefined;
    const runTogether = (together: string) => prepare(together).run(...alike.flatMap((job) => job.params));
    if (text !== undefined && failureOf(() => runTogether(text)) === undefined) {
      for (const row of alike) row.result = 1;
      return alike.map(() => undefined);
    }
    // Alone, so that only the row at fault fails.
    return [
      failureOf(() => {
        first.result = prepare(sql).run(...params).changes;
      }),
    ];
  };
}
