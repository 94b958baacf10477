/** The console's list of sessions. */
import type { Role } from '../../contract/console/common.ts';
import type {
  SessionItem,
  SessionPage,
  SessionQuery,
  VerificationChoices,
} from '../../contract/console/sessions.ts';
import { pageLimit, toPage } from '../../domain/cursor.ts';
import { normaliseEmail, normalisePhone } from '../../domain/identity.ts';
import type { Scope } from '../../domain/scope.ts';
import { listSessions, type SessionRow, type SessionSearch } from '../../store/runs/session-list.ts';
import type { SqlReader } from '../../store/sql/port.ts';
import { pageVerifications } from '../../store/companies/verifications.ts';
import type { ServiceDeps } from '../deps.ts';
import { iso, isoOrNull } from '../times.ts';
import { placeOf, timeOf } from '../lists.ts';
import { shownIdentity, statusOf, verificationName } from './status.ts';

/** Shorter beginnings would find nearly everything. */
const MIN_PREFIX_CHARS = 3;
const SESSION_ID = /^vs_[0-9A-Za-z]{20,60}$/;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Newest first. @throws ConsoleError `invalid_cursor`, `invalid_time` */
export async function listSessionItems(
  { db, clock }: Pick<ServiceDeps, 'db' | 'clock'>,
  scope: Scope,
  query: SessionQuery,
  role: Role,
): Promise<SessionPage> {
  const limit = pageLimit(query);
  const place = placeOf(query.cursor, ['number', 'string']);
  const [fromMs, toMs] = [timeOf(query.from), timeOf(query.to)];
  const search = searchOf(query.q);
  const nowMs = clock.now();
  const rows = await listSessions(
    db,
    scope,
    {
      nowMs,
      ...(search && { search }),
      ...(query.status !== undefined && { status: query.status }),
      ...(query.group !== undefined && { group: query.group }),
      ...(query.verification !== undefined && { verificationId: query.verification }),
      ...(query.generation !== undefined && { generation: query.generation }),
      ...(fromMs !== undefined && { fromMs }),
      ...(toMs !== undefined && { toMs }),
    },
    place && { createdAt: place[0], id: place[1] },
    limit + 1,
  );
  return toPage(
    rows,
    limit,
    ({ createdAt, id }) => [createdAt, id],
    (row) => toSessionItem(row, role, nowMs),
  );
}

/** More than anyone chooses from; others are named by their id in the address. */
const MAX_CHOICES = 200;

export async function listVerificationChoices(db: SqlReader, scope: Scope): Promise<VerificationChoices> {
  const { items } = await pageVerifications(db, scope.companyId, MAX_CHOICES, 0);
  return {
    items: items.map(({ id, externalId }) => ({
      verification_id: id,
      name: verificationName(id, externalId),
    })),
  };
}

/** What was typed, as everything that it may be. */
function searchOf(typed: string | undefined): SessionSearch | null {
  const text = typed?.trim() ?? '';
  if (text === '') return null;
  const isId = SESSION_ID.test(text) || UUID.test(text);
  const identities = [normaliseEmail(text), normalisePhone(text)];
  return {
    ...(isId && { id: SESSION_ID.test(text) ? text : text.toLowerCase() }),
    identifiers: identities.flatMap((identity) => identity?.identifier ?? []),
    externalId: text,
    isPrefix: text.length >= MIN_PREFIX_CHARS,
  };
}

export function toSessionItem(row: SessionRow, role: Role, nowMs: number): SessionItem {
  return {
    session_id: row.id,
    status: statusOf(row, nowMs),
    generation: row.generation,
    verification_id: row.verificationId,
    verification_name: verificationName(row.verificationId, row.verificationExternalId),
    external_id: row.externalId,
    identity: shownIdentity(row, role),
    group: row.groupId,
    created_at: iso(row.createdAt),
    settled_at: isoOrNull(row.settledAt),
  };
}
