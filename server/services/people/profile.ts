/** One person: all that is known, except the face itself. */
import type { HistoryItem, HistoryPage, PersonProfile } from '../../contract/console/people.ts';
import { pageLimit, toPage } from '../../domain/cursor.ts';
import { displayName } from '../../domain/people/search.ts';
import type { Identity } from '../../domain/identity.ts';
import type { Scope } from '../../domain/scope.ts';
import { shortId } from './people.ts';
import { type ConnectUser, listConnectUsersOfPerson } from '../../store/connections/connect-users.ts';
import { findPerson } from '../../store/people/people.ts';
import { type HistoryRow, listHistory, readPersonFacts } from '../../store/people/profile.ts';
import type { SqlReader } from '../../store/sql/port.ts';
import { readAuditLines } from '../passes/audit-lines.ts';
import type { Ports } from '../ports/ports.ts';
import { iso, placeOf } from '../wire/values.ts';
import { notFound } from '../../refusals/refusal.ts';
import { attemptFactsOf } from '../passes/detail.ts';
import { readLetIn } from '../passes/let-in.ts';
import { statusOfPass } from '../passes/status.ts';
import { joinedLabel } from '../companies/verifications.ts';

/** Number of latest passes searched for one with a score. */
const RECENT = 20;

/** @throws Refusal `not_found` */
export async function readPersonProfile(
  { db, faces }: Pick<Ports, 'db' | 'faces'>,
  scope: Scope,
  id: string,
): Promise<PersonProfile> {
  const person = await findPerson(db, scope, id);
  if (!person) throw notFound();
  const facts = await readPersonFacts(db, scope, id);
  const recent = await listHistory(db, scope, id, null, RECENT);
  const scored = recent.find(({ score }) => score !== null);
  const attempt = await attemptFactsOf(db, scope, scored?.sessionId ?? null);
  const users = await listConnectUsersOfPerson(db, scope, id);
  return {
    person_id: id,
    short_id: shortId(id),
    name: displayName(person.metadata),
    identity: shownOf(person.identities[0]),
    external_id: person.externalIds[0] ?? null,
    passes: facts.groups.reduce((sum, { passes }) => sum + passes, 0),
    created_at: iso(person.createdAt),
    last_seen_at: iso(person.lastSeenAt),
    metadata: person.metadata,
    identities: facts.identities.map(({ provider, identifier, given, provenAt }) => ({
      provider,
      identifier: given ?? identifier,
      proven_at: iso(provenAt),
    })),
    external_ids: facts.externalIds.map(({ externalId, verificationId, boundAt }) => ({
      external_id: externalId,
      verification_id: verificationId,
      bound_at: iso(boundAt),
    })),
    groups: facts.groups,
    test_faces: facts.testFaces,
    templates: facts.templates.map(({ model, quality, createdAt, event, untilMs }) => ({
      model,
      is_current: model === faces.embeddingModel,
      quality,
      created_at: iso(createdAt),
      ...(event !== null && untilMs !== null && { event, kept_until: iso(untilMs) }),
    })),
    connections: users.map(toConnection),
    score: scored?.score ?? null,
    score_parts: attempt.scoreParts,
    capture_signed: attempt.isSigned,
    changes: await readAuditLines(db, scope, [id, ...recent.map(({ id: passId }) => passId)]),
  };
}

const shownOf = (identity: Identity | undefined): PersonProfile['identity'] =>
  identity === undefined
    ? null
    : { provider: identity.provider, identifier: identity.given ?? identity.identifier };

const toConnection = (user: ConnectUser): PersonProfile['connections'][number] => ({
  generation: user.generation,
  reference_user_id: user.referenceUserId,
  connection: user.connection,
  changed_at: iso(user.changedAt),
});

/** Newest first. @throws Refusal `invalid_cursor` */
export async function readPersonHistory(
  db: SqlReader,
  scope: Scope,
  id: string,
  query: { cursor?: string; limit?: number },
): Promise<HistoryPage> {
  const limit = pageLimit(query);
  const place = placeOf(query.cursor, ['number', 'string']);
  const after = place && { settledAt: place[0], id: place[1] };
  const rows = await listHistory(db, scope, id, after, limit + 1);
  const noted = rows.filter((row) => statusOfPass(row) === 'flagged');
  const letIn = await readLetIn(
    db,
    scope,
    noted.map(({ id: passId }) => passId),
  );
  return toPage(
    rows,
    limit,
    ({ settledAt, id: passId }) => [settledAt, passId],
    (row) => ({ ...toHistoryFacts(row), let_in: letIn.get(row.id) ?? null }),
  );
}

/** Without who decided: that is not the person's data. */
export function toHistoryFacts(row: HistoryRow): Omit<HistoryItem, 'let_in'> {
  return {
    pass_id: row.id,
    session_id: row.sessionId,
    status: statusOfPass(row),
    reasons: row.reasons,
    group: row.group,
    external_id: row.externalId,
    generation: row.generation,
    verification: joinedLabel(row),
    score: row.score,
    settled_at: iso(row.settledAt),
  };
}
