/** What both drivers enforce around the work of a transaction. */
import type { SqlTx, SqlValue } from './port.ts';

/**
 * Runs the work, which awaits nothing except its own statements: it holds locks meanwhile, and on SQLite everybody
 * waits. Whatever else it awaits ends it. A statement after its end would run inside somebody else's transaction, so it
 * is refused.
 * @param how `mayWait`: for a copy between two databases that nothing else uses. `answersAtOnce`: statements are answered
 *   within the turn, as on SQLite, so one look at its end is enough
 */
export async function runAttended<T>(
  tx: SqlTx,
  work: (tx: SqlTx) => Promise<T>,
  { mayWait, answersAtOnce }: { mayWait: boolean; answersAtOnce: boolean },
): Promise<T> {
  let running = 0;
  let isOver = false;
  let isLooking = false;
  const strayed = Promise.withResolvers<never>();

  /** The work continues in the same turn in which its statement was answered, unless it waits for something else. */
  function look(): void {
    if (isLooking || mayWait) return;
    isLooking = true;
    setImmediate(() => {
      isLooking = false;
      if (running === 0 && !isOver)
        strayed.reject(new Error('A transaction awaited something other than its statements.'));
    });
  }

  function attend<R>(statement: () => Promise<R>): Promise<R> {
    if (isOver) return Promise.reject(new Error('A statement came after the end of its transaction.'));
    const answer = statement();
    if (answersAtOnce) return answer;
    running += 1;
    answer.then(answered, answered);
    return answer;
  }

  function answered(): void {
    running -= 1;
    look();
  }

  look();
  try {
    const done = work({
      ...tx,
      all: <R>(sql: string, ...params: SqlValue[]) => attend(() => tx.all<R>(sql, ...params)),
      one: <R>(sql: string, ...params: SqlValue[]) => attend(() => tx.one<R>(sql, ...params)),
      run: (sql, ...params) => attend(() => tx.run(sql, ...params)),
    });
    return await Promise.race([done, strayed.promise]);
  } finally {
    isOver = true;
  }
}
