/** The stored data about one person, for the console's profile and the export. Never a template itself. */
import type { Generation } from '../../contract/operations.ts';
import type { Identity } from '../../domain/identity.ts';
import { testFaceName } from '../../domain/matching/face-pool.ts';
import type { Reason } from '../../domain/settling/reasons.ts';
import type { Scope } from '../../domain/scope.ts';
import { modelOf } from '../matching/templates.ts';
import type { SqlReader } from '../sql/port.ts';
import { fromJson, ofScope, unindexed } from '../rows.ts';
import { openGiven } from './people.ts';
import { JOINED_VERIFICATION, type JoinedVerification } from '../companies/verifications.ts';

/** More than any person has, and few enough to read at once. */
const MOST = 200;

type PersonFacts = {
  identities: {
    provider: Identity['provider'];
    identifier: string;
    given: string | null;
    provenAt: number;
  }[];
  externalIds: { externalId: string; verificationId: string; boundAt: number }[];
  groups: { group: string | null; passes: number; approved: number }[];
  testFaces: string[];
  /** `event` keeps the face apart until `untilMs`; null for the organiser's. */
  templates: {
    model: string;
    quality: number;
    createdAt: number;
    event: string | null;
    untilMs: number | null;
  }[];
};

export async function readPersonFacts(db: SqlReader, scope: Scope, personId: string): Promise<PersonFacts> {
  const own = [...ofScope(scope), personId] as const;
  const where = 'company_id = ? AND partition = ? AND person_id = ?';
  const faces = await db.all<{ name: string }>(
    `SELECT name FROM test_faces WHERE ${where} ORDER BY name LIMIT ${MOST}`,
    ...own,
  );
  const identities = await db.all<PersonFacts['identities'][number]>(
    `SELECT provider, identifier, given, proven_at AS provenAt FROM person_identities WHERE ${where}
     ORDER BY proven_at, identifier LIMIT ${MOST}`,
    ...own,
  );
  const templates = await db.all<PersonFacts['templates'][number]>(
    // The + makes the planner use the person's own index, because the scope's has every face in it.
    `SELECT t.model, t.quality, t.created_at AS createdAt, e.name AS event,
       e.ends_at + e.faces_days * 86400000 AS "untilMs"
     FROM templates t LEFT JOIN events e ON e.id = t.event_id
     WHERE ${unindexed('t.company_id')} = ? AND ${unindexed('t.partition')} = ? AND t.person_id = ?
     UNION ALL SELECT c.model, c.quality, c.enrolled_at, e.name, e.ends_at + e.faces_days * 86400000
     FROM review_controls c LEFT JOIN sessions s ON s.id = c.past_session_id
     LEFT JOIN events e ON e.company_id = c.company_id AND e.partition = c.partition AND e.group_id = s.group_id
       AND e.faces <> 'organiser'
     WHERE c.company_id = ? AND c.partition = ? AND c.person_id = ?
     ORDER BY createdAt DESC LIMIT ${MOST}`,
    ...own,
    ...own,
  );
  return {
    identities: identities.map(({ provider, identifier, given, provenAt }) => ({
      provider,
      identifier,
      given: openGiven(db, scope, { provider, identifier }, given),
      provenAt,
    })),
    externalIds: await db.all(
      `SELECT external_id AS externalId, verification_id AS verificationId, bound_at AS boundAt
       FROM person_external_ids WHERE ${where} ORDER BY bound_at, external_id LIMIT ${MOST}`,
      ...own,
    ),
    groups: await db.all(
      `SELECT group_id AS "group", COUNT(*) AS passes, SUM(CASE WHEN status = 'approved' THEN 1 ELSE 0 END) AS approved
       FROM passes WHERE ${where} GROUP BY group_id ORDER BY group_id LIMIT ${MOST}`,
      ...own,
    ),
    testFaces: faces.map(({ name }) => testFaceName(name)),
    templates: templates.map((one) => ({ ...one, model: modelOf(one.model) })),
  };
}

export type HistoryRow = JoinedVerification & {
  id: string;
  sessionId: string | null;
  status: 'approved' | 'denied';
  reasons: Reason[];
  declined: boolean;
  group: string | null;
  externalId: string | null;
  generation: Generation;
  score: number | null;
  settledAt: number;
  lockedAt: number | null;
  revokedAt: number | null;
};

/** A person's passes, newest first, after `after`. */
export async function listHistory(
  db: SqlReader,
  scope: Scope,
  personId: string,
  after: { settledAt: number; id: string } | null,
  limit: number,
): Promise<HistoryRow[]> {
  const rows = await db.all<Omit<HistoryRow, 'reasons' | 'declined'> & { reasons: string; declined: number }>(
    `SELECT p.id, p.session_id AS sessionId, p.status, p.reasons, p.declined, p.group_id AS "group",
       p.external_id AS externalId, p.generation, ${JOINED_VERIFICATION}, p.score, p.settled_at AS settledAt, p.locked_at AS lockedAt,
       p.revoked_at AS revokedAt
     FROM passes p LEFT JOIN verifications v ON v.id = p.verification_id
     WHERE p.company_id = ? AND p.partition = ? AND p.person_id = ?${after === null ? '' : ' AND (p.settled_at, p.id) < (?, ?)'}
     ORDER BY p.settled_at DESC, p.id DESC LIMIT ?`,
    ...ofScope(scope),
    personId,
    ...(after === null ? [] : [after.settledAt, after.id]),
    limit,
  );
  return rows.map((row) => ({
    ...row,
    reasons: fromJson<Reason[]>(row.reasons),
    declined: row.declined === 1,
  }));
}
