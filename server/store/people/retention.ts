import { type DeletionTime, olderThan } from '../../domain/clock.ts';
import { deleteOldFaces } from '../matching/seen-faces.ts';
import { deleteOldFrames, deleteOldSignatures } from '../matching/seen-frames.ts';
import { deleteSome } from '../rows.ts';
import type { SqlReader, SqlTx } from '../sql/port.ts';

/** Deletes expired pictures of cases. Returns rows removed, at most `limit`. */
export function deleteDueCaseFrames(tx: SqlTx, time: DeletionTime, limit: number): Promise<number> {
  const where = 'delete_after IS NOT NULL AND delete_after <= ?';
  return deleteSome(tx.run, { table: 'case_frames', key: 'case_id, idx', where }, [time], limit);
}

/**
 * People whose face has expired: they have not come since the first time, by the setting, or for longer than they agreed
 * to, counted back from the second.
 */
const UNSEEN = '(last_seen_at < ? OR last_seen_at < ? - retention_days * 86400000)';

/** Deletes expired photos of guests, and those whose faces are deleted as well. Returns rows removed, at most `limit`. */
export function deleteDueGuestPhotos(
  tx: SqlTx,
  { time, seenBefore }: { time: DeletionTime; seenBefore: DeletionTime },
  limit: number,
): Promise<number> {
  const due = { table: 'guest_photos', key: 'event_id, person_id', where: DUE_PHOTOS };
  return deleteSome(tx.run, due, [time, seenBefore, time], limit);
}

const DUE_PHOTOS = `(delete_after <= ? OR person_id IN (SELECT id FROM people WHERE ${UNSEEN}))`;

/**
 * Deletes faces of people who were last seen before `seenBefore`, or for whom the period has ended that they agreed to; the
 * people stay, without a face. Returns rows removed, at most `limit`.
 */
export function deleteInactiveTemplates(
  tx: SqlTx,
  { time, seenBefore }: { time: DeletionTime; seenBefore: DeletionTime },
  limit: number,
): Promise<number> {
  // CROSS JOIN makes SQLite read the index of people first, instead of looking up the person of every face.
  return tx.run(
    `DELETE FROM templates WHERE seq IN (
       SELECT t.seq FROM people p CROSS JOIN templates t WHERE t.person_id = p.id AND ${UNSEEN} LIMIT ?)`,
    seenBefore,
    time,
    limit,
  );
}

/** Began earlier, expired earlier, and still has data about a person. */
const ABANDONED = `created_at < ? AND expires_at < ? AND state IN ('open', 'expired', 'cancelled')
  AND coalesce(external_id, identity_identifier, metadata, proven_phone, pass_params, locked_phone, redirect_url, origin,
    return_path, start_path) IS NOT NULL`;

/**
 * Removes data about a person from runs that nobody finished. The run itself stays for the statistics, with its group.
 * Returns rows changed, at most `limit`.
 */
export function stripAbandonedRuns(
  tx: SqlTx,
  { createdBefore, time }: { createdBefore: DeletionTime; time: DeletionTime },
  limit: number,
): Promise<number> {
  return tx.run(
    `UPDATE sessions SET origin = NULL, return_path = NULL, start_path = NULL, redirect_url = NULL, external_id = NULL,
       identity_provider = NULL, identity_identifier = NULL, metadata = NULL,
       proven_phone = NULL, pass_params = NULL, locked_phone = NULL
     WHERE id IN (
       SELECT id FROM sessions WHERE ${ABANDONED}
       LIMIT ?)`,
    createdBefore,
    time,
    limit,
  );
}

/** What a clean-up would remove, by kind. */
export type Due = {
  faces: number;
  /** In all companies and partitions. */
  facesTotal: number;
  caseFrames: number;
  guestPhotos: number;
  abandonedRuns: number;
  testRuns: number;
  webhookCalls: number;
};

/** Epoch milliseconds: anything older than each is due. */
export type DueBefore = { nowMs: number; seen: number; begun: number; test: number; called: number };

/** How many of all faces a clean-up would remove. */
export async function countDueFaces(
  db: SqlReader,
  { nowMs, seen, test }: Pick<DueBefore, 'nowMs' | 'seen' | 'test'>,
): Promise<{ due: number; total: number }> {
  // Reads both tables through a covering index, because faces themselves are large.
  const row = await db.one<{ due: number; total: number }>(
    `SELECT COUNT(*) AS total, COUNT(CASE WHEN (partition = 'test' AND created_at < ?)
       OR person_id IN (SELECT id FROM people WHERE ${UNSEEN}) THEN 1 END) AS due
     FROM templates`,
    test,
    seen,
    nowMs,
  );
  return row ?? { due: 0, total: 0 };
}

export async function countDue(db: SqlReader, before: DueBefore): Promise<Due> {
  const count = async (sql: string, ...params: number[]) =>
    (await db.one<{ n: number }>(`SELECT COUNT(*) AS n FROM ${sql}`, ...params))?.n ?? 0;
  const faces = await countDueFaces(db, before);
  return {
    faces: faces.due,
    facesTotal: faces.total,
    caseFrames: await count('case_frames WHERE delete_after IS NOT NULL AND delete_after <= ?', before.nowMs),
    guestPhotos: await count(`guest_photos WHERE ${DUE_PHOTOS}`, before.nowMs, before.seen, before.nowMs),
    abandonedRuns: await count(`sessions WHERE ${ABANDONED}`, before.begun, before.nowMs),
    testRuns: await count(`sessions WHERE partition = 'test' AND created_at < ?`, before.test),
    webhookCalls: await count(`webhook_calls WHERE status <> 'PENDING' AND created_at < ?`, before.called),
  };
}

const DAY_MS = 86_400_000;

/** Rows that outlive their run, and for how many days. */
const ORPHANS: readonly { table: string; key: string; age: string; days: number }[] = [
  { table: 'challenges', key: 'nonce_hash', age: 'expires_at', days: 1 },
  { table: 'handoffs', key: 'code_hash', age: 'expires_at', days: 1 },
  { table: 'continuations', key: 'code_hash', age: 'expires_at', days: 1 },
  // The limit of codes per day covers one day.
  { table: 'phone_codes', key: 'id', age: 'sent_at', days: 2 },
  { table: 'my_sessions', key: 'token_hash', age: 'expires_at', days: 0 },
  // The longest window of a rate limit is a day.
  { table: 'rate_hits', key: 'subject, at', age: 'at', days: 1 },
];

/** Removes what is no longer needed, in all scopes. Returns rows removed by table, of each at most `limit`. */
export async function deleteOrphans(
  tx: SqlTx,
  time: DeletionTime,
  limit: number,
): Promise<Record<string, number>> {
  const removed: Record<string, number> = {
    seen_frames: await deleteOldFrames(tx, time, limit),
    seen_signatures: await deleteOldSignatures(tx, time, limit),
    seen_faces: await deleteOldFaces(tx, time, limit),
  };
  for (const { table, key, age, days } of ORPHANS) {
    const before = olderThan(time, days * DAY_MS);
    removed[table] = await deleteSome(tx.run, { table, key, where: `${age} < ?` }, [before], limit);
  }
  return removed;
}
