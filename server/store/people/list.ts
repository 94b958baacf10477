/** People as the console searches them. */
import type { Identity } from '../../domain/identity.ts';
import type { Scope } from '../../domain/scope.ts';
import type { SqlReader, SqlValue } from '../sql/port.ts';
import { AFTER_PREFIX, ofScope } from '../rows.ts';
import { openGiven } from './people.ts';

export type PersonRow = {
  id: string;
  metadata: string;
  identityProvider: Identity['provider'] | null;
  identityIdentifier: string | null;
  /** The address as it was sent; null if it is the same. */
  identityGiven: string | null;
  externalId: string | null;
  passes: number;
  createdAt: number;
  lastSeenAt: number;
};

export type PeopleFilter = {
  /** Matches any of these. */
  search?: {
    personId?: string;
    /** Complete, in the compared form. */
    identifiers: readonly string[];
    /** Folded; a name must contain all of them as prefixes of its words. */
    words: readonly string[];
    /** Complete or a prefix; also a test face's name. */
    externalId: string;
  };
  /** Of the metadata; the value as indexed, or its prefix. */
  metadata?: { key: string; value?: string; isPrefix: boolean };
};

/** Most recently seen first, after `after`. */
export async function listPeople(
  db: SqlReader,
  scope: Scope,
  filter: PeopleFilter,
  after: { lastSeenAt: number; id: string } | null,
  limit: number,
): Promise<PersonRow[]> {
  const conditions = ['p.company_id = ?', 'p.partition = ?'];
  const values: SqlValue[] = ofScope(scope);
  const needOneOf = ({ sql, bound }: Sql) => {
    conditions.push(`p.id IN (${sql})`);
    values.push(...bound);
  };
  if (filter.search) needOneOf(searchSql(scope, filter.search));
  if (filter.metadata) needOneOf(metadataSql(scope, filter.metadata));
  if (after !== null) {
    conditions.push('(p.last_seen_at, p.id) < (?, ?)');
    values.push(after.lastSeenAt, after.id);
  }
  const rows = await db.all<PersonRow>(
    `SELECT p.id, p.metadata, i.provider AS identityProvider, i.identifier AS identityIdentifier, i.given AS identityGiven,
       (SELECT e.external_id FROM person_external_ids e WHERE e.person_id = p.id
        ORDER BY e.bound_at, e.external_id LIMIT 1) AS externalId,
       (SELECT COUNT(*) FROM passes r WHERE r.person_id = p.id) AS passes,
       p.created_at AS createdAt, p.last_seen_at AS lastSeenAt
     FROM people p LEFT JOIN person_identities i ON i.person_id = p.id AND i.identifier =
       (SELECT f.identifier FROM person_identities f WHERE f.person_id = p.id
        ORDER BY f.proven_at, f.identifier LIMIT 1)
     WHERE ${conditions.join(' AND ')} ORDER BY p.last_seen_at DESC, p.id DESC LIMIT ?`,
    ...values,
    limit,
  );
  return rows.map((row) => ({
    ...row,
    ...(row.identityProvider !== null &&
      row.identityIdentifier !== null && {
        identityGiven: openGiven(
          db,
          scope,
          { provider: row.identityProvider, identifier: row.identityIdentifier },
          row.identityGiven,
        ),
      }),
    metadata: db.secrets.open('people.metadata', [row.id], row.metadata),
  }));
}

type Sql = { sql: string; bound: SqlValue[] };

function searchSql(scope: Scope, search: NonNullable<PeopleFilter['search']>): Sql {
  const own = ofScope(scope);
  const parts: string[] = [];
  const bound: SqlValue[] = [];
  const find = (table: string, condition: string, ...sought: SqlValue[]) => {
    parts.push(`SELECT person_id FROM ${table} WHERE company_id = ? AND partition = ? AND ${condition}`);
    bound.push(...own, ...sought);
  };
  const beginning = [search.externalId, search.externalId + AFTER_PREFIX] as const;
  find('person_external_ids', 'external_id >= ? AND external_id < ?', ...beginning);
  find('test_faces', 'name >= ? AND name < ?', ...beginning);
  for (const generation of ['v1', 'v2']) {
    find(
      'connect_users',
      'generation = ? AND reference_user_id >= ? AND reference_user_id < ? AND person_id IS NOT NULL',
      generation,
      ...beginning,
    );
  }
  for (const identifier of search.identifiers) {
    for (const provider of ['email', 'phone', 'test']) {
      find('person_identities', 'provider = ? AND identifier = ?', provider, identifier);
    }
  }
  if (search.personId !== undefined) {
    parts.push('SELECT id FROM people WHERE company_id = ? AND partition = ? AND id = ?');
    bound.push(...own, search.personId);
  }
  if (search.words.length > 0) {
    const byWord = search.words.map(
      () =>
        'SELECT person_id FROM person_names WHERE company_id = ? AND partition = ? AND word >= ? AND word < ?',
    );
    parts.push(`SELECT person_id FROM (${byWord.join(' INTERSECT ')}) AS named`);
    bound.push(...search.words.flatMap((word) => [...own, word, word + AFTER_PREFIX]));
  }
  return { sql: parts.join(' UNION '), bound };
}

function metadataSql(scope: Scope, { key, value, isPrefix }: NonNullable<PeopleFilter['metadata']>): Sql {
  const having = 'SELECT person_id FROM person_metadata WHERE company_id = ? AND partition = ? AND key = ?';
  const own = [...ofScope(scope), key];
  if (value === undefined) return { sql: having, bound: own };
  return isPrefix
    ? { sql: `${having} AND value >= ? AND value < ?`, bound: [...own, value, value + AFTER_PREFIX] }
    : { sql: `${having} AND value = ?`, bound: [...own, value] };
}
