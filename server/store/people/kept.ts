/** What is kept about one person now, and until when: for the person's own page. */
import type { Scope } from '../../domain/scope.ts';
import { ofScope, unindexed } from '../rows.ts';
import type { SqlReader } from '../sql/port.ts';

/** More events than a person comes to while something of them is kept. */
const MOST_EVENTS = 50;

/** Test faces of an event end with its ID, on a line of its own. */
const NOT_OF_EVENT = `AND name NOT LIKE '%\n%'`;

export type KeptCounts = {
  /** Those that the organiser keeps, not those of an event. */
  faces: number;
  /** The days without a visit that the person agreed to; null if their consent named none. */
  agreedDays: number | null;
  numbers: number;
  checks: number;
};

export async function countKept(db: SqlReader, scope: Scope, personId: string): Promise<KeptCounts> {
  const of = [...ofScope(scope), personId] as const;
  const own = (table: string, which = '') =>
    `(SELECT COUNT(*) FROM ${table} WHERE company_id = ? AND partition = ? AND person_id = ? ${which})`;
  const row = await db.one<KeptCounts>(
    `SELECT ${own('templates', `AND ${unindexed('event_id')} = ''`)} + ${own('test_faces', NOT_OF_EVENT)} AS faces, ${own('person_identities')} AS numbers,
       ${own('passes')} AS checks,
       (SELECT retention_days FROM people WHERE company_id = ? AND partition = ? AND id = ?) AS "agreedDays"`,
    ...[...of, ...of, ...of, ...of, ...of],
  );
  return row ?? { faces: 0, agreedDays: null, numbers: 0, checks: 0 };
}

export type KeptOfEvent = { what: 'face' | 'photo' | 'ticket'; event: string; until: number };

/** Faces that an event keeps apart, photos and tickets by event, those that end last first. @param keepDays of an event that says nothing of its tickets */
export async function listKeptOfEvents(
  db: SqlReader,
  scope: Scope,
  { personId, now, keepDays }: { personId: string; now: number; keepDays: number },
): Promise<KeptOfEvent[]> {
  const of = [...ofScope(scope), personId] as const;
  return db.all<KeptOfEvent>(
    `SELECT 'photo' AS what, e.name AS event, p.delete_after AS until FROM guest_photos p JOIN events e ON e.id = p.event_id
     WHERE p.company_id = ? AND p.partition = ? AND p.person_id = ? AND p.delete_after > ?
     UNION ALL
     SELECT 'face', e.name, e.ends_at + e.faces_days * 86400000 FROM events e
     WHERE e.company_id = ? AND e.partition = ? AND (
       EXISTS (SELECT 1 FROM templates f WHERE f.person_id = ? AND f.company_id = e.company_id AND f.partition = e.partition
         AND ${unindexed('f.event_id')} = e.id)
       OR EXISTS (SELECT 1 FROM test_faces f WHERE f.person_id = ? AND f.name LIKE '%' || ? || e.id))
     UNION ALL
     SELECT 'ticket', e.name, e.ends_at + COALESCE(r.keep_days, ?) * 86400000
     FROM tickets t JOIN events e ON e.id = t.event_id LEFT JOIN ticket_rules r ON r.event_id = t.event_id
     WHERE t.company_id = ? AND t.partition = ? AND t.person_id = ?
     ORDER BY 3 DESC, 2, 1 LIMIT ?`,
    ...of,
    now,
    ...of,
    personId,
    '\n',
    keepDays,
    ...of,
    MOST_EVENTS,
  );
}

/** Of checks that a reviewer looked at: null without any; `until` is null while one waits for its decision. */
export async function findKeptPictures(
  db: SqlReader,
  scope: Scope,
  personId: string,
  now: number,
): Promise<{ until: number | null } | null> {
  const row = await db.one<{ pictures: number; undecided: number; until: number | null }>(
    `SELECT COUNT(*) AS pictures, SUM(CASE WHEN f.delete_after IS NULL THEN 1 ELSE 0 END) AS undecided,
       MAX(f.delete_after) AS until
     FROM passes p JOIN review_cases c ON c.pass_id = p.id JOIN case_frames f ON f.case_id = c.id
     WHERE p.person_id = ? AND p.company_id = ? AND p.partition = ? AND f.company_id = ? AND f.partition = ?
       AND (f.delete_after IS NULL OR f.delete_after > ?)`,
    personId,
    ...ofScope(scope),
    ...ofScope(scope),
    now,
  );
  if (row === undefined || row.pictures === 0) return null;
  return { until: row.undecided > 0 ? null : row.until };
}
