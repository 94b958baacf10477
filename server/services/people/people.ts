/** Finding people in the console. */
import type { MetadataKeys, PeoplePage, PeopleQuery, PersonItem } from '../../contract/console/people.ts';
import { pageLimit, toPage } from '../../domain/cursor.ts';
import { displayName, foldText, indexedValue, searchedWords, UUID } from '../../domain/people/search.ts';
import { identifiersIn } from '../../domain/identity.ts';
import type { Scope } from '../../domain/scope.ts';
import { listPeople, type PeopleFilter, type PersonRow } from '../../store/people/list.ts';
import { listMetadataKeys } from '../../store/people/metadata-index.ts';
import type { SqlReader } from '../../store/sql/port.ts';
import { fromJson } from '../../store/rows.ts';
import type { Metadata } from '../../domain/runs/session-request.ts';
import { iso, placeOf } from '../wire/values.ts';

const MAX_KEYS = 200;

/** Most recently seen first. @throws Refusal `invalid_cursor` */
export async function listPersonItems(db: SqlReader, scope: Scope, query: PeopleQuery): Promise<PeoplePage> {
  const limit = pageLimit(query);
  const place = placeOf(query.cursor, ['number', 'string']);
  const after = place && { lastSeenAt: place[0], id: place[1] };
  const rows = await listPeople(db, scope, filterOf(query), after, limit + 1);
  return toPage(rows, limit, ({ lastSeenAt, id }) => [lastSeenAt, id], toPersonItem);
}

/** Every metadata key of anyone, sorted. */
export async function listKeysOfMetadata(db: SqlReader, scope: Scope): Promise<MetadataKeys> {
  return { items: await listMetadataKeys(db, scope, MAX_KEYS) };
}

function filterOf({ q, key, value }: PeopleQuery): PeopleFilter {
  const text = q?.trim() ?? '';
  const sought = value?.trim() ?? '';
  const isPrefix = sought.endsWith('*');
  return {
    ...(text !== '' && { search: searchOf(text) }),
    ...(key !== undefined &&
      key !== '' && {
        metadata: {
          key,
          isPrefix,
          ...(sought !== '' && { value: isPrefix ? foldText(sought.slice(0, -1)) : indexedValue(sought) }),
        },
      }),
  };
}

/** The search text, interpreted as everything that it may be. */
function searchOf(text: string): NonNullable<PeopleFilter['search']> {
  return {
    ...(UUID.test(text) && { personId: text.toLowerCase() }),
    identifiers: identifiersIn(text),
    words: searchedWords(text),
    externalId: text,
  };
}

function toPersonItem(row: PersonRow): PersonItem {
  const { identityProvider: provider, identityGiven, identityIdentifier } = row;
  const identifier = identityGiven ?? identityIdentifier;
  return {
    person_id: row.id,
    short_id: shortId(row.id),
    name: displayName(fromJson<Metadata>(row.metadata)),
    identity: provider !== null && identifier !== null ? { provider, identifier } : null,
    external_id: row.externalId,
    passes: row.passes,
    created_at: iso(row.createdAt),
    last_seen_at: iso(row.lastSeenAt),
  };
}

/**
 * Enough of an ID to distinguish people at a glance. Uses the end, because the start of a UUIDv7 is the time.
 */
const SHORT_ID_CHARS = 8;

export const shortId = (id: string): string => id.slice(-SHORT_ID_CHARS);
