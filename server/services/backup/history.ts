/** When the last good backup was made, and why none has been made since. */
import type { BackupErrorCode } from '../../contract/console/errors.ts';
import type { Database, SqlReader, SqlTx } from '../../store/sql/port.ts';
import { readSetting, writeSetting } from '../../store/settings.ts';
import { backupErrorOf } from '../../refusals/refusal.ts';

/** The last automatic one. */
export const LAST = 'backup.last';
const GOOD = 'backup.good';
const FAILURE = 'backup.failure';
const BY_HAND = 'backup.by_hand';
/** The latest; a venue that makes more of them keeps a list of its own. */
const MOST_BY_HAND = 200;

/** Backups made by hand, wherever they were written to: nobody else deletes them. */
export type ByHand = { file: string; madeAt: number };

export const backupsByHand = async (db: SqlReader): Promise<ByHand[]> =>
  (await readSetting<ByHand[]>(db, BY_HAND)) ?? [];

export async function recordByHand(tx: SqlTx, made: ByHand): Promise<void> {
  const others = (await backupsByHand(tx)).filter(({ file }) => file !== made.file);
  await writeSetting(tx, BY_HAND, [...others, made].slice(-MOST_BY_HAND));
}

/** Epoch milliseconds. */
export type BackupHistory = {
  lastGoodAt: number | null;
  /** Of the automatic backups since then; `since` is the first one. */
  failure: { why: BackupErrorCode; since: number } | null;
};

export async function backupHistory(db: SqlReader): Promise<BackupHistory> {
  const [good, last, failure] = await Promise.all([
    readSetting<{ at: number }>(db, GOOD),
    // Versions before this one recorded only automatic backups.
    readSetting<{ at: number }>(db, LAST),
    readSetting<NonNullable<BackupHistory['failure']>>(db, FAILURE),
  ]);
  const lastGoodAt = good && last ? Math.max(good.at, last.at) : (good ?? last)?.at;
  return { lastGoodAt: lastGoodAt ?? null, failure };
}

/** After any verified backup: automatic, from the console or from the command line. */
export async function recordGoodBackup(tx: SqlTx, at: number): Promise<void> {
  await writeSetting(tx, GOOD, { at });
  await writeSetting(tx, FAILURE, null);
  tx.afterCommit('health');
}

/** After an automatic backup that failed. */
export async function recordFailedBackup(db: Database, error: unknown, at: number): Promise<void> {
  await db.tx(async (tx) => {
    const earlier = await readSetting<{ since: number }>(tx, FAILURE);
    await writeSetting(tx, FAILURE, { why: backupErrorOf(error), since: earlier?.since ?? at });
    tx.afterCommit('health');
  });
}
