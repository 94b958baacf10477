/** The console's list of sessions, also as CSV. */
import { messagesOf } from '../../../locales/node.ts';
import type { OutcomesMessages } from '../../../locales/types/outcomes.ts';
import type { Actor } from '../../domain/operators/actor.ts';
import { isAtLeast, type Role } from '../../contract/console/common.ts';
import type {
  SessionItem,
  SessionPage,
  SessionQuery,
  VerificationChoices,
} from '../../contract/console/sessions.ts';
import type { Language } from '../../contract/languages.ts';
import { csvHead, csvLine } from '../../domain/csv.ts';
import { pageLimit, toPage } from '../../domain/cursor.ts';
import { identifiersIn } from '../../domain/identity.ts';
import { foldText, searchedWords, UUID } from '../../domain/people/search.ts';
import type { Scope } from '../../domain/scope.ts';
import { listMetadataKeys } from '../../store/people/metadata-index.ts';
import { listSessions, type SessionRow, type SessionSearch } from '../../store/runs/session-list.ts';
import { appendAudit } from '../../store/operators/audit.ts';
import type { SqlReader } from '../../store/sql/port.ts';
import { pageVerifications } from '../../store/companies/verifications.ts';
import type { Ports } from '../ports/ports.ts';
import { iso, isoOrNull, placeOf } from '../wire/values.ts';
import { venueRange } from '../companies/zones.ts';
import { readLetIn } from './let-in.ts';
import { shownIdentity, statusOf } from './status.ts';
import { joinedLabel, labelOf } from '../companies/verifications.ts';

/** Shorter prefixes would match nearly everything. */
const MIN_PREFIX_CHARS = 3;
/** Metadata has fewer keys. */
const MAX_KEYS = 100;
const SESSION_ID = /^vs_[0-9A-Za-z]{20,60}$/;

type Deps = Pick<Ports, 'db' | 'clock'>;

/** Newest first. @throws Refusal `invalid_cursor`, `invalid_time` */
export async function listSessionItems(
  { db, clock }: Deps,
  scope: Scope,
  query: SessionQuery,
  role: Role,
): Promise<SessionPage> {
  const limit = pageLimit(query);
  const place = placeOf(query.cursor, ['number', 'string']);
  const range = await venueRange(db, scope.companyId, query);
  const search = await searchOf(db, scope, query.q, role);
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
      ...range,
    },
    place && { createdAt: place[0], id: place[1] },
    limit + 1,
  );
  const letIn = await readLetIn(
    db,
    scope,
    rows.map(({ outcome, passId }) => (outcome === 'flagged' ? passId : null)),
  );
  return toPage(
    rows,
    limit,
    ({ createdAt, id }) => [createdAt, id],
    (row) => toSessionItem(row, { role, nowMs, letIn }),
  );
}

const EXPORT_PAGE = 1_000;
const FILTERS = ['q', 'status', 'group', 'verification', 'generation', 'from', 'to'] as const;

/**
 * All sessions that match, as lines of CSV, newest first. The export itself is recorded first. Headings and results are those of the
 * sessions page; `status` and `verification_id` are the names of the contract.
 * @throws Refusal `invalid_time`
 */
export async function exportSessions(
  deps: Deps,
  scope: Scope,
  query: SessionQuery,
  { actor, role, language }: { actor: Actor; role: Role; language: Language },
): Promise<AsyncGenerator<string>> {
  // Once the first line is sent, an error could only cut the file short.
  await venueRange(deps.db, scope.companyId, query);
  await deps.db.tx((tx) =>
    appendAudit(tx, {
      ...scope,
      at: deps.clock.now(),
      actor,
      action: 'session.export',
      subject: scope.companyId,
      // What was searched for may be somebody's name.
      details: { filters: FILTERS.filter((name) => query[name] !== undefined) },
    }),
  );
  return sessionLines(deps, scope, query, { role, language });
}

async function* sessionLines(
  deps: Deps,
  scope: Scope,
  query: SessionQuery,
  { role, language }: { role: Role; language: Language },
): AsyncGenerator<string> {
  const { limit: _limit, cursor: _cursor, ...filters } = query;
  const words = messagesOf('sessions', language);
  const outcomes = messagesOf('outcomes', language);
  const { defaultName } = messagesOf('verifications', language);
  yield csvHead([
    words.sessionId,
    words.status,
    'status',
    words.generation,
    words.verification,
    'verification_id',
    words.externalId,
    words.who,
    words.group,
    words.started,
    words.ended,
  ]);
  let cursor: string | null = null;
  do {
    const page: SessionPage = await listSessionItems(
      deps,
      scope,
      { ...filters, limit: EXPORT_PAGE, ...(cursor !== null && { cursor }) },
      role,
    );
    for (const item of page.items) {
      yield csvLine([
        item.session_id,
        outcomeName(item, outcomes),
        item.status,
        item.generation,
        item.verification.label ?? (item.verification.is_default ? defaultName : ''),
        item.verification.verification_id,
        item.external_id ?? '',
        item.identity?.identifier ?? '',
        item.group ?? '',
        item.created_at,
        item.settled_at ?? '',
      ]);
    }
    cursor = page.next_cursor;
  } while (cursor !== null);
}

function outcomeName({ status, let_in: letIn }: SessionItem, { names, ...words }: OutcomesMessages): string {
  if (letIn === null) return names[status];
  const { by, reason } = letIn;
  return by === null ? words.letInByHand({ reason }) : words.letInBy({ name: by, reason });
}

/** More than anyone chooses from; others are named by their ID in the address. */
const MAX_CHOICES = 200;

export async function listVerificationChoices(db: SqlReader, scope: Scope): Promise<VerificationChoices> {
  const { items } = await pageVerifications(db, scope.companyId, MAX_CHOICES, 0);
  return { items: items.map(labelOf) };
}

/**
 * Finds the typed text as an ID, an email or phone, an external ID, a name or a value of the metadata. Staff cannot read
 * metadata, so they do not find anything by it.
 */
async function searchOf(
  db: SqlReader,
  scope: Scope,
  typed: string | undefined,
  role: Role,
): Promise<SessionSearch | null> {
  const text = typed?.trim() ?? '';
  if (text === '') return null;
  const isId = SESSION_ID.test(text) || UUID.test(text);
  const isPrefix = text.length >= MIN_PREFIX_CHARS;
  return {
    ...(isId && { id: SESSION_ID.test(text) ? text : text.toLowerCase() }),
    identifiers: identifiersIn(text),
    externalId: text,
    isPrefix,
    ...(isPrefix &&
      !isId && {
        person: {
          words: searchedWords(text),
          value: foldText(text),
          keys: isAtLeast(role, 'reviewer') ? await listMetadataKeys(db, scope, MAX_KEYS) : [],
        },
      }),
  };
}

export function toSessionItem(
  row: SessionRow,
  { role, nowMs, letIn }: { role: Role; nowMs: number; letIn: Awaited<ReturnType<typeof readLetIn>> },
): SessionItem {
  return {
    session_id: row.id,
    status: statusOf(row, nowMs),
    let_in: letIn.get(row.passId ?? '') ?? null,
    generation: row.generation,
    verification: joinedLabel(row),
    external_id: row.externalId,
    identity: shownIdentity(row, role),
    group: row.groupId,
    event_name: row.eventName,
    created_at: iso(row.createdAt),
    settled_at: isoOrNull(row.settledAt),
  };
}
