/** Keeps that the database's log was damaged at a start, for the health and the audit log. */
import { appendAudit } from '../../store/operators/audit.ts';
import type { Database, SqlReader } from '../../store/sql/port.ts';
import type { DamagedLog } from '../../store/sql/sqlite/durable-mark.ts';
import { readSetting, writeSetting } from '../../store/settings.ts';
import { iso } from '../wire/values.ts';

const SETTING = 'database.log_damaged';
/** Long enough for everyone who has to know. */
const STANDS_MS = 14 * 86_400_000;

/** When the log was found damaged, epoch milliseconds; null if it was not, or long ago. */
export async function logDamagedAt(db: SqlReader, nowMs: number): Promise<number | null> {
  const found = await readSetting<{ at: number }>(db, SETTING);
  return found && nowMs - found.at < STANDS_MS ? found.at : null;
}

export async function recordDamagedLog(
  db: Database,
  { durableAt, frames, found }: DamagedLog,
  nowMs: number,
): Promise<void> {
  await db.tx(async (tx) => {
    await writeSetting(tx, SETTING, { at: nowMs, durableAt });
    await appendAudit(tx, {
      at: nowMs,
      actor: 'system',
      action: 'database_log.damaged',
      subject: 'installation',
      details: { durable_at: iso(durableAt), durable_pages: frames, found_pages: found },
    });
    tx.afterCommit('health');
  });
}
