/** The store's real driver, recording every statement. */
import type { Database, Lock, SqlReader, SqlTx } from '../../server/store/sql/port.ts';

type Counted = {
  db: Database;
  reads: string[];
  writes: string[];
  transactions: number;
  locks: (Lock | undefined)[];
};

/** `locks` are those of the transactions; `reads` are statements outside a transaction, `writes` are all those inside one, including reads. */
export function countedDb(inner: Database): Counted {
  const counted: Counted = { db: inner, reads: [], writes: [], transactions: 0, locks: [] };
  const { reads, writes } = counted;
  counted.db = {
    ...inner,
    ...noting(inner, reads),
    tx(work, ...how) {
      counted.transactions += 1;
      counted.locks.push(how[0]);
      return inner.tx((tx) => work({ ...notingTx(tx, writes) }), ...how);
    },
    write(sql, ...values) {
      counted.transactions += 1;
      writes.push(sql);
      return inner.write(sql, ...values);
    },
  };
  return counted;
}

const noting = (db: SqlReader, into: string[]): SqlReader => ({
  secrets: db.secrets,
  one: (sql, ...values) => {
    into.push(sql);
    return db.one(sql, ...values);
  },
  all: (sql, ...values) => {
    into.push(sql);
    return db.all(sql, ...values);
  },
});

const notingTx = (tx: SqlTx, into: string[]): SqlTx => ({
  ...tx,
  ...noting(tx, into),
  run: (sql, ...values) => {
    into.push(sql);
    return tx.run(sql, ...values);
  },
});
