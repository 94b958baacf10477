/** The database's query plan for each statement, recorded as it runs. */
import type { SqlReader, SqlTx, SqlValue } from '../../server/store/sql/port.ts';

/** A step of a plan that reads every row of a table, or of a company. */
const READS_ALL = /^SCAN (?!CONSTANT)|\(company_id=\? AND partition=\?\)$|\(company_id=\?\)$/;

async function stepsOf(db: SqlReader, sql: string, values: readonly SqlValue[]): Promise<string[]> {
  const rows = await db.all<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`, ...values);
  return rows.map(({ detail }) => detail);
}

/** A reader that records the steps of each plan in `steps`. */
export function explainedReader(db: SqlReader, steps: string[]): SqlReader {
  return {
    secrets: db.secrets,
    one: async (sql, ...values) => {
      steps.push(...(await stepsOf(db, sql, values)));
      return db.one(sql, ...values);
    },
    all: async (sql, ...values) => {
      steps.push(...(await stepsOf(db, sql, values)));
      return db.all(sql, ...values);
    },
  };
}

export function explainedTx(tx: SqlTx, steps: string[]): SqlTx {
  return {
    ...explainedReader(tx, steps),
    run: async (sql, ...values) => {
      steps.push(...(await stepsOf(tx, sql, values)));
      return tx.run(sql, ...values);
    },
    afterCommit: (topic, subject) => tx.afterCommit(topic, subject),
    covers: (companyId) => tx.covers(companyId),
  };
}

export const readingAll = (steps: readonly string[]): string[] =>
  steps.filter((step) => READS_ALL.test(step));
