/** The faces of events: whose they are, how they are deleted, and the certificates of it. */
import type { Faces } from '../../contract/console/events.ts';
import type { Partition, Scope } from '../../domain/scope.ts';
import { homeGroupOf } from '../../domain/venue/event.ts';
import { fromJson, inScope, insertRow, ofScope, toJson } from '../rows.ts';
import { needLock, type SqlReader, type SqlTx } from '../sql/port.ts';
import { GROUPS_OF_EVENT } from './event-name.ts';

/** An event as far as its faces are concerned. */
export type FacesOfEvent = {
  eventId: string;
  faces: Faces;
  startsAt: number;
  endsAt: number;
  facesDays: number;
};

/** Of the event that checks its guests in this group. */
export function findFacesOfGroup(
  db: SqlReader,
  scope: Scope,
  group: string,
): Promise<FacesOfEvent | undefined> {
  return db.one<FacesOfEvent>(
    `SELECT id AS eventId, faces, starts_at AS startsAt, ends_at AS endsAt, faces_days AS facesDays FROM events
     WHERE company_id = ? AND partition = ? AND group_id = ?`,
    ...ofScope(scope),
    group,
  );
}

/** Whether a check has begun in one of the groups. */
export async function hasRuns(
  db: SqlReader,
  scope: Scope,
  [group, other]: readonly [string, string],
): Promise<boolean> {
  const row = await db.one(
    'SELECT 1 AS found FROM sessions WHERE company_id = ? AND partition = ? AND group_id IN (?, ?) LIMIT 1',
    ...ofScope(scope),
    group,
    other,
  );
  return row !== undefined;
}

/** When the faces of an event are due, as a part of a statement about `events e`. */
const DUE_AT = '(e.ends_at + e.faces_days * 86400000)';
const FACES_LEFT = `EXISTS (SELECT 1 FROM templates t WHERE t.company_id = e.company_id AND t.partition = e.partition
  AND t.event_id = e.id)`;
/** Not yet certified, begun and interrupted, or with faces although they were. */
const UNFINISHED = `(NOT EXISTS (SELECT 1 FROM event_face_ends d WHERE d.event_id = e.id AND d.ended_at IS NOT NULL
  AND d.ended_at >= ${DUE_AT}) OR ${FACES_LEFT}
  OR EXISTS (SELECT 1 FROM event_face_ends d WHERE d.event_id = e.id AND d.ended_at IS NULL))`;

export type DueEvent = { id: string; scope: Scope; group: string; isForeseen: boolean; faces: number };

/** Events whose faces are due at `atMs`, with the number of templates; at most `limit`, the earliest first. */
export async function listDueFaces(db: SqlReader, atMs: number, limit: number): Promise<DueEvent[]> {
  const rows = await db.all<Omit<DueEvent, 'scope' | 'isForeseen'> & Scope & { isForeseen: number }>(
    `SELECT e.id, e.company_id AS companyId, e.partition, e.group_id AS "group",
       CASE WHEN e.faces_due_seen = ${DUE_AT} THEN 1 ELSE 0 END AS isForeseen,
       (SELECT COUNT(*) FROM templates t WHERE t.company_id = e.company_id AND t.partition = e.partition
         AND t.event_id = e.id) AS faces
     FROM events e WHERE e.faces <> 'organiser' AND ${DUE_AT} <= ? AND ${UNFINISHED}
     ORDER BY ${DUE_AT}, e.id LIMIT ?`,
    atMs,
    limit,
  );
  return rows.map(({ companyId, partition, isForeseen, ...row }) => ({
    ...row,
    scope: { companyId, partition },
    isForeseen: isForeseen === 1,
  }));
}

/** Binds the time from which on the end is no longer near. */
const NOT_NEAR = 'faces_due_seen IS NOT NULL AND faces_due_seen > ?';
/** Binds now and that time. */
const NEWLY_NEAR = `faces <> 'organiser' AND ends_at + faces_days * 86400000 > ? AND ends_at + faces_days * 86400000 <= ?
  AND (faces_due_seen IS NULL OR faces_due_seen <> ends_at + faces_days * 86400000)`;

/**
 * Notes for which events the clock is near the end of their faces, and forgets it for those whose end it is no longer near.
 * @returns events noted
 */
export async function foresee(tx: SqlTx, atMs: number, withinMs: number): Promise<number> {
  await tx.run(`UPDATE events SET faces_due_seen = NULL WHERE ${NOT_NEAR}`, atMs + withinMs);
  return tx.run(
    `UPDATE events SET faces_due_seen = ends_at + faces_days * 86400000 WHERE ${NEWLY_NEAR}`,
    atMs,
    atMs + withinMs,
  );
}

/** Whether `foresee` has something to note. */
export async function hasToForesee(db: SqlReader, atMs: number, withinMs: number): Promise<boolean> {
  const row = await db.one(
    `SELECT 1 AS found FROM events WHERE (${NOT_NEAR}) OR (${NEWLY_NEAR}) LIMIT 1`,
    atMs + withinMs,
    atMs,
    atMs + withinMs,
  );
  return row !== undefined;
}

/** Rows deleted, by kind. */
export type RemovedFaces = { people: number; faces: number; case_faces: number; case_pictures: number };

type FacesEndRow = { id: string; removed: RemovedFaces };

/** The certificate that is being made, or a new one. */
export async function beginFacesEnd(
  tx: SqlTx,
  { id: eventId, scope }: Pick<DueEvent, 'id' | 'scope'>,
  { id, at }: { id: string; at: number },
): Promise<FacesEndRow> {
  needLock(tx, scope.companyId);
  const open = await tx.one<{ id: string; removed: string }>(
    `SELECT id, removed FROM event_face_ends
     WHERE company_id = ? AND partition = ? AND event_id = ? AND ended_at IS NULL`,
    ...ofScope(scope),
    eventId,
  );
  if (open) return { id: open.id, removed: fromJson<RemovedFaces>(open.removed) };
  const counted = await tx.one<{ people: number }>(
    `SELECT COUNT(DISTINCT person_id) AS people FROM templates
     WHERE company_id = ? AND partition = ? AND event_id = ?`,
    ...ofScope(scope),
    eventId,
  );
  const removed = { people: counted?.people ?? 0, faces: 0, case_faces: 0, case_pictures: 0 };
  await insertRow(tx, 'event_face_ends', {
    id,
    ...inScope(scope),
    event_id: eventId,
    begun_at: at,
    removed: toJson(removed),
  });
  return { id, removed };
}

/** @param endedAt null while more is left */
export async function updateFacesEnd(
  tx: SqlTx,
  scope: Scope,
  { id, removed }: FacesEndRow,
  endedAt: number | null,
): Promise<void> {
  await tx.run(
    'UPDATE event_face_ends SET removed = ?, ended_at = ? WHERE company_id = ? AND partition = ? AND id = ?',
    toJson(removed),
    endedAt,
    ...ofScope(scope),
    id,
  );
  if (endedAt !== null) tx.afterCommit('venue', scope.companyId);
}

const CASES_OF_EVENT = `SELECT c.id FROM review_cases c JOIN sessions s ON s.id = c.session_id
  WHERE s.company_id = ? AND s.partition = ? AND s.group_id IN (?, ?)`;

/** Deletes some of an event's faces, in the pool and in its reviews. Everything is gone once all counts are below `limit`. */
export async function deleteSomeFaces(
  tx: SqlTx,
  { id, scope, group }: Pick<DueEvent, 'id' | 'scope' | 'group'>,
  limit: number,
): Promise<Omit<RemovedFaces, 'people'>> {
  needLock(tx, scope.companyId);
  const ofEvent = [...ofScope(scope), group, homeGroupOf(group)] as const;
  const faces = await tx.run(
    `DELETE FROM templates WHERE seq IN (
       SELECT seq FROM templates WHERE company_id = ? AND partition = ? AND event_id = ? LIMIT ?)`,
    ...ofScope(scope),
    id,
    limit,
  );
  const caseFaces = await tx.run(
    `UPDATE review_cases SET vector = NULL WHERE id IN (${CASES_OF_EVENT} AND c.vector IS NOT NULL LIMIT ?)`,
    ...ofEvent,
    limit,
  );
  const casePictures = await tx.run(
    `DELETE FROM case_frames WHERE (case_id, idx) IN (
       SELECT f.case_id, f.idx FROM case_frames f WHERE f.case_id IN (${CASES_OF_EVENT}) LIMIT ?)`,
    ...ofEvent,
    limit,
  );
  if (scope.partition === 'test')
    await tx.run(
      `DELETE FROM test_faces WHERE company_id = ? AND partition = ? AND name LIKE ?`,
      ...ofScope(scope),
      `%\n${id}`,
    );
  if (casePictures > 0) tx.afterCommit('case', scope.companyId);
  return { faces, case_faces: caseFaces, case_pictures: casePictures };
}

/** What became of the backups that may contain an event's faces. */
export type BackupsOfFaces = {
  /** Names of automatic backups that were deleted. */
  replaced: string[];
  /** Backups made by hand, which only people delete, with their place. */
  byHand: { file: string; madeAt: number }[];
};

/** Ends of which no backup was replaced yet, with the time of the event's first check; null if there was none. */
export function listEndsBeforeBackups(
  db: SqlReader,
  limit: number,
): Promise<{ id: string; companyId: string; sinceMs: number | null }[]> {
  return db.all(
    `SELECT d.id, d.company_id AS companyId, (SELECT MIN(s.created_at) FROM sessions s WHERE s.company_id = e.company_id
       AND s.partition = e.partition AND s.group_id IN ${GROUPS_OF_EVENT}) AS sinceMs
     FROM event_face_ends d JOIN events e ON e.id = d.event_id
     WHERE d.ended_at IS NOT NULL AND d.backups IS NULL ORDER BY d.ended_at, d.id LIMIT ?`,
    limit,
  );
}

export async function certifyBackups(
  tx: SqlTx,
  { id, companyId }: { id: string; companyId: string },
  backups: BackupsOfFaces | 'postgres',
): Promise<void> {
  await tx.run(
    'UPDATE event_face_ends SET backups = ? WHERE company_id = ? AND id = ?',
    toJson(backups),
    companyId,
    id,
  );
  tx.afterCommit('venue', companyId);
}

/** Every end that was certified, in all companies, for a restore. */
export function listAllFacesEnds(
  db: SqlReader,
): Promise<{ companyId: string; partition: Partition; eventId: string }[]> {
  return db.all(
    `SELECT DISTINCT company_id AS companyId, partition, event_id AS eventId FROM event_face_ends
     WHERE ended_at IS NOT NULL`,
  );
}

/** The event, with whatever faces are in it; undefined if there is no such event. */
export async function findFacesLeft(
  db: SqlReader,
  scope: Scope,
  eventId: string,
): Promise<DueEvent | undefined> {
  const row = await db.one<{ group: string; faces: number }>(
    `SELECT e.group_id AS "group", (SELECT COUNT(*) FROM templates t WHERE t.company_id = e.company_id
       AND t.partition = e.partition AND t.event_id = e.id) AS faces
     FROM events e WHERE e.company_id = ? AND e.partition = ? AND e.id = ?`,
    ...ofScope(scope),
    eventId,
  );
  return row && { id: eventId, scope, isForeseen: true, ...row };
}

export type FacesEndRecord = {
  id: string;
  endedAt: number;
  removed: RemovedFaces;
  /** Null until they are replaced. */
  backups: BackupsOfFaces | 'postgres' | null;
  auditSeq: number | null;
  auditHash: Uint8Array | null;
};

/** Certificates of an event, the latest first, with the entry of the audit log that was written with each. */
export async function listFacesEnds(
  db: SqlReader,
  scope: Scope,
  eventId: string,
  limit: number,
): Promise<FacesEndRecord[]> {
  const rows = await db.all<
    Omit<FacesEndRecord, 'removed' | 'backups'> & { removed: string; backups: string | null }
  >(
    `SELECT d.id, d.ended_at AS endedAt, d.removed, d.backups, a.seq AS auditSeq, a.hash AS auditHash FROM event_face_ends d
     LEFT JOIN audit_entries a ON a.subject = d.event_id AND a.action = 'event.faces_ended' AND a.at = d.ended_at
     WHERE d.company_id = ? AND d.partition = ? AND d.event_id = ? AND d.ended_at IS NOT NULL
     ORDER BY d.begun_at DESC, d.id DESC LIMIT ?`,
    ...ofScope(scope),
    eventId,
    limit,
  );
  return rows.map((row) => ({
    ...row,
    removed: fromJson<RemovedFaces>(row.removed),
    backups: row.backups === null ? null : fromJson<BackupsOfFaces | 'postgres'>(row.backups),
  }));
}
