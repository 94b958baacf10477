/** What tells whether the service is well, over all companies but the demo, whose data is made up. */
import type { SqlReader } from '../sql/port.ts';

/** Counting stops here. */
const MOST = 10_000;

/** Live calls from before a time that still wait for a receiver that is not paused. */
export async function webhooksWaiting(
  db: SqlReader,
  { before, except }: { before: number; except: string },
): Promise<{ count: number; oldestAt: number } | null> {
  const row = await db.one<{ count: number; oldestAt: number | null }>(
    `SELECT COUNT(*) AS count, MIN(at) AS "oldestAt" FROM (
       SELECT c.created_at AS at FROM webhook_destinations d JOIN webhook_calls c
         ON c.company_id = d.company_id AND c.partition = d.partition AND c.origin = d.origin
       WHERE d.paused_at IS NULL AND d.partition = 'live' AND d.company_id <> ? AND c.status = 'PENDING'
         AND c.created_at < ? LIMIT ${MOST}) AS waiting`,
    except,
    before,
  );
  return row && row.oldestAt !== null ? { count: row.count, oldestAt: row.oldestAt } : null;
}

/** Live receivers that are paused, and configurations whose receiver answered 410. */
export async function webhooksStopped(
  db: SqlReader,
  except: string,
): Promise<{ count: number; since: number } | null> {
  const row = await db.one<{ count: number; since: number | null }>(
    `SELECT COUNT(*) AS count, MIN(at) AS since FROM (
       SELECT paused_at AS at FROM webhook_destinations
         WHERE paused_at IS NOT NULL AND partition = 'live' AND company_id <> ?
       UNION ALL
       SELECT disabled_at AS at FROM webhook_configs
         WHERE disabled_at IS NOT NULL AND partition = 'live' AND company_id <> ?) AS stopped`,
    except,
    except,
  );
  return row && row.since !== null ? { count: row.count, since: row.since } : null;
}

/** Codes requested before a time that nobody has sent yet. */
export async function codesWaiting(
  db: SqlReader,
  before: number,
): Promise<{ count: number; since: number } | null> {
  const row = await db.one<{ count: number; since: number | null }>(
    `SELECT COUNT(*) AS count, MIN(sent_at) AS since FROM phone_codes WHERE delivery = 'pending' AND sent_at < ?`,
    before,
  );
  return row && row.since !== null ? { count: row.count, since: row.since } : null;
}

/** When the installation's first audit entry was written. */
export async function dataSince(db: SqlReader): Promise<number | null> {
  const row = await db.one<{ at: number }>('SELECT at FROM audit_entries ORDER BY seq LIMIT 1');
  return row?.at ?? null;
}

/** Kiosks of running live events that reported themselves since then, and how many of them had no picture. */
export async function kiosksNow(
  db: SqlReader,
  { nowMs, seenSince, except }: { nowMs: number; seenSince: number; except: string },
): Promise<{ connected: number; withoutPicture: number }> {
  const row = await db.one<{ connected: number; withoutPicture: number }>(
    `SELECT COUNT(*) AS connected,
       COUNT(CASE WHEN k.camera IS NOT NULL AND k.camera NOT IN ('ready', 'unknown') THEN 1 END) AS "withoutPicture"
     FROM kiosks k JOIN events e ON e.id = k.event_id AND e.company_id = k.company_id
     WHERE k.revoked_at IS NULL AND k.last_seen_at >= ? AND k.company_id <> ?
       AND e.partition = 'live' AND e.starts_at <= ? AND e.ends_at > ?`,
    seenSince,
    except,
    nowMs,
    nowMs,
  );
  return row ?? { connected: 0, withoutPicture: 0 };
}
