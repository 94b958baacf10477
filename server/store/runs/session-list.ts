/** Sessions as the console lists them. Whatever the filters, one index leads and the others only check. */
import type { Generation } from '../../contract/operations.ts';
import type { Identity } from '../../domain/identity.ts';
import type { Scope } from '../../domain/scope.ts';
import type { SqlReader, SqlValue } from '../sql/port.ts';
import { type PersonSearch, personSql } from '../people/metadata-index.ts';
import { eventNameOf } from '../venue/event-name.ts';
import { AFTER_PREFIX, ofScope, unindexed } from '../rows.ts';
import type { StoredSessionState } from '../../domain/runs/session-request.ts';
import { JOINED_VERIFICATION, type JoinedVerification } from '../companies/verifications.ts';

/** The status of a settled session's pass; kept by triggers (migration 9). */
type SessionOutcome = 'approved' | 'flagged' | 'locked' | 'revoked' | 'denied' | 'declined';

export type SessionRow = JoinedVerification & {
  id: string;
  state: StoredSessionState;
  outcome: SessionOutcome | null;
  passId: string | null;
  generation: Generation;
  externalId: string | null;
  identityProvider: Identity['provider'] | null;
  identityIdentifier: string | null;
  /** The address as it was sent; null if it is the same. */
  identityGiven: string | null;
  provenPhone: string | null;
  groupId: string | null;
  eventName: string | null;
  createdAt: number;
  settledAt: number | null;
  expiresAt: number;
};

/** Of `sessions s` with its verification `v`. */
export const SESSION_COLUMNS = `s.id, s.state, s.outcome, s.pass_id AS passId, s.generation, ${JOINED_VERIFICATION},
  s.external_id AS externalId, s.identity_provider AS identityProvider, s.identity_identifier AS identityIdentifier,
  s.identity_given AS identityGiven, s.proven_phone AS provenPhone, s.group_id AS groupId,
  ${eventNameOf('s')} AS "eventName", s.created_at AS createdAt, s.settled_at AS settledAt, s.expires_at AS expiresAt`;

/** Search terms; a session has to match any of them. */
export type SessionSearch = {
  /** Of a session or a pass. */
  id?: string;
  identifiers: readonly string[];
  externalId: string;
  /** Also as a prefix. */
  isPrefix: boolean;
  /** Matches sessions by their person. */
  person?: PersonSearch;
};

type SessionFilter = {
  search?: SessionSearch;
  /** An outcome, or a state of a session without one; `open` and `expired` as of `nowMs`. */
  status?: SessionOutcome | Exclude<StoredSessionState, 'settled'>;
  group?: string;
  verificationId?: string;
  generation?: Generation;
  fromMs?: number;
  toMs?: number;
  nowMs: number;
};

const OUTCOMES: readonly string[] = ['approved', 'flagged', 'locked', 'revoked', 'denied', 'declined'];
/** Newest first, after `after`. */
export async function listSessions(
  db: SqlReader,
  scope: Scope,
  filter: SessionFilter,
  after: { createdAt: number; id: string } | null,
  limit: number,
): Promise<SessionRow[]> {
  // A search finds few rows, so they are sorted afterwards instead of scanning the list in order.
  const isBroad = filter.search !== undefined && (await isSharedByMany(db, scope, filter.search));
  const own = (filter.search && !isBroad) || filter.status === 'expired' ? unindexed : (name: string) => name;
  const conditions = [`${own('s.company_id')} = ?`, `${own('s.partition')} = ?`];
  const values: SqlValue[] = ofScope(scope);
  let isLed = false;
  const need = (condition: string, ...bound: SqlValue[]) => {
    conditions.push(condition);
    values.push(...bound);
  };
  /** The index of the first such column leads; the other columns only check. */
  const needColumn = (column: string, value: SqlValue) => {
    need(`${isLed ? unindexed(column) : column} = ?`, value);
    isLed = true;
  };
  if (filter.search && isBroad) {
    need(
      `${unindexed('s.external_id')} >= ? AND ${unindexed('s.external_id')} < ?`,
      filter.search.externalId,
      filter.search.externalId + AFTER_PREFIX,
    );
  } else if (filter.search) {
    const { sql, bound } = searchSql(scope, filter.search);
    need(`s.id IN (${sql})`, ...bound);
    isLed = true;
  }
  const needStatus = (status: NonNullable<SessionFilter['status']>) => {
    const { sql, bound } = statusSql(scope, status, isLed, filter.nowMs);
    need(sql, ...bound);
    isLed = true;
  };
  // Most runs are approved; any other result is rarer than a group.
  if (filter.status !== undefined && filter.status !== 'approved') needStatus(filter.status);
  if (filter.group !== undefined) needColumn('s.group_id', filter.group);
  if (filter.status === 'approved') needStatus(filter.status);
  if (filter.verificationId !== undefined) needColumn('s.verification_id', filter.verificationId);
  if (filter.generation !== undefined) needColumn('s.generation', filter.generation);
  if (filter.fromMs !== undefined) need('s.created_at >= ?', filter.fromMs);
  if (filter.toMs !== undefined) need('s.created_at < ?', filter.toMs);
  if (after !== null) need('(s.created_at, s.id) < (?, ?)', after.createdAt, after.id);
  const rows = await db.all<SessionRow>(
    `SELECT ${SESSION_COLUMNS} FROM sessions s LEFT JOIN verifications v ON v.id = s.verification_id
     WHERE ${conditions.join(' AND ')} ORDER BY s.created_at DESC, s.id DESC LIMIT ?`,
    ...values,
    limit,
  );
  return rows.map((row) => ({
    ...row,
    identityGiven: db.secrets.open('sessions.identity_given', [row.id], row.identityGiven),
  }));
}

/** From this many on, scanning the list in order finds the newest sooner than collecting them all. */
const MANY = 2_000;

/** Whether very many external IDs have this prefix, and it cannot be anything else. */
async function isSharedByMany(db: SqlReader, scope: Scope, search: SessionSearch): Promise<boolean> {
  if (!search.isPrefix || search.id !== undefined || search.identifiers.length > 0) return false;
  const row = await db.one<{ found: number }>(
    `SELECT COUNT(*) AS found FROM (SELECT 1 FROM sessions
       WHERE company_id = ? AND partition = ? AND external_id >= ? AND external_id < ? LIMIT ?) AS counted`,
    ...ofScope(scope),
    search.externalId,
    search.externalId + AFTER_PREFIX,
    MANY + 1,
  );
  return row !== undefined && row.found > MANY;
}

type Sql = { sql: string; bound: SqlValue[] };

function searchSql(scope: Scope, search: SessionSearch): Sql {
  const parts: string[] = [];
  const bound: SqlValue[] = [];
  const find = (condition: string, ...sought: SqlValue[]) => {
    parts.push(`SELECT id FROM sessions WHERE company_id = ? AND partition = ? AND ${condition}`);
    bound.push(...ofScope(scope), ...sought);
  };
  if (search.id !== undefined) {
    find('id = ?', search.id);
    find('pass_id = ?', search.id);
  }
  for (const identifier of search.identifiers) {
    find('identity_identifier = ?', identifier);
    find('proven_phone = ?', identifier);
  }
  if (search.isPrefix) {
    find('external_id >= ? AND external_id < ?', search.externalId, search.externalId + AFTER_PREFIX);
  } else {
    find('external_id = ?', search.externalId);
  }
  if (search.person !== undefined) {
    const people = personSql(scope, search.person);
    find(`pass_id IN (SELECT p.id FROM passes p WHERE p.person_id IN (${people.sql}))`, ...people.bound);
  }
  return { sql: parts.join(' UNION '), bound };
}

function statusSql(
  scope: Scope,
  status: NonNullable<SessionFilter['status']>,
  isLed: boolean,
  nowMs: number,
): Sql {
  const own = (column: string) => (isLed ? unindexed(column) : column);
  if (OUTCOMES.includes(status)) {
    return { sql: `${own('s.state')} = 'settled' AND ${own('s.outcome')} = ?`, bound: [status] };
  }
  if (status === 'expired') {
    const among =
      'SELECT id FROM sessions WHERE company_id = ? AND partition = ? AND outcome IS NULL AND state';
    return {
      sql: `s.id IN (${among} = 'expired' UNION ALL ${among} = 'open' AND expires_at <= ?)`,
      bound: [...ofScope(scope), ...ofScope(scope), nowMs],
    };
  }
  const stillOpen = status === 'open' ? ' AND s.expires_at > ?' : '';
  return {
    sql: `${own('s.state')} = ? AND ${own('s.outcome')} IS NULL${stillOpen}`,
    bound: status === 'open' ? [status, nowMs] : [status],
  };
}
