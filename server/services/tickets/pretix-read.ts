/** The orders of a pretix event, its revoked and its blocked codes: what changed since, page by page, from where it stopped. */
import { readSignedCode, readSigningKeys } from '../../domain/tickets/signed-code.ts';
import type { TicketState } from '../../domain/tickets/ticket.ts';
import { findTicket, insertTicket, type Ticket } from '../../store/tickets/tickets.ts';
import { listSources, type TicketSource } from '../../store/tickets/sources.ts';
import type { Scope } from '../../domain/scope.ts';
import type { SqlTx } from '../../store/sql/port.ts';
import product from '../../../package.json' with { type: 'json' };
import { newId } from '../ports/ids.ts';
import type { Ask, Reply } from './ask.ts';
import type { HashCode } from '../../domain/tickets/code-hash.ts';
import { organizerUrl, pretixConfig, pretixHeaders, updatePretix } from './pretix.ts';
import { type NoPage, type Page, readList, readObject, readText, type SaidTicket } from './source-page.ts';

/** In this order: an order's newest code is known before the older one is revoked. */
const PARTS = [
  { name: 'orders', path: 'orders/?ordering=-last_modified', since: 'modified_since' },
  { name: 'revoked', path: 'revokedsecrets/?ordering=-created', since: 'created_since' },
  { name: 'blocked', path: 'blockedsecrets/?ordering=-updated', since: 'updated_since' },
] as const;

/** Where a part continues: `since` is the time of the first page of the reading before, `first` of this one. */
type Cursor = { since?: string; first?: string; next?: string };
type State = {
  part?: number;
  cursors?: Record<string, Cursor>;
  keys?: string[];
  items?: Record<string, string>;
  /** `Last-Modified` of products and lists, which are sent again only if they changed. */
  modified?: { items?: string | undefined; lists?: string | undefined };
  /** The version that pretix last got, and the profile that it named then. */
  software?: string;
  profile?: string;
  list?: { all: boolean; products: number[]; subevent: number | null; hasRules: boolean };
};

/** One page, or the event itself before the first. */
export async function readPretix(ask: Ask, source: TicketSource): Promise<Page | NoPage> {
  const config = pretixConfig(source);
  if (config.event === undefined || config.list === undefined) return { failure: 'unchosen' };
  const state = source.state as State;
  const base = `${organizerUrl(config)}/events/${encodeURIComponent(config.event)}`;
  const get: Get = (url, headers = {}) => ask({ url, headers: { ...pretixHeaders(config), ...headers } });
  if (state.part === undefined) {
    const page = await readSettings(get, base, config.list, state);
    if ('failure' in page || state.software === product.version) return page;
    const updated = await updatePretix(ask, config);
    return updated === null
      ? page
      : { ...page, state: { ...page.state, ...updated, software: product.version } };
  }
  const part = PARTS[state.part] ?? PARTS[0];
  const cursor = state.cursors?.[part.name] ?? {};
  const since = cursor.since === undefined ? '' : `&${part.since}=${encodeURIComponent(cursor.since)}`;
  const begin = `${base}/${part.path}${since}`;
  const url = cursor.next === undefined ? begin : (nextPage(begin, cursor.next) ?? begin);
  const reply = await get(url);
  if (reply.http !== 200) return failureOf(reply);
  const body = readObject(reply.body);
  const results = readList(body['results']);
  const next = typeof body['next'] === 'string' ? nextPage(begin, body['next']) : '';
  if (next === null || next === url) return { failure: 'failed' };
  const generated = reply.headers['x-page-generated'];
  const first =
    cursor.next !== undefined ? cursor.first : typeof generated === 'string' ? generated : cursor.since;
  const isEnd = next === '';
  const following = isEnd
    ? first === undefined
      ? {}
      : { since: first }
    : { ...cursor, ...(first !== undefined && { first }), next };
  const isLast = isEnd && state.part === PARTS.length - 1;
  return {
    isLast,
    tickets: part.name === 'orders' ? results.flatMap((order) => ticketsOf(order, state)) : [],
    codes:
      part.name === 'orders'
        ? []
        : results.map((row) => ({
            code: typeof row['secret'] === 'string' ? row['secret'] : '',
            state: part.name === 'revoked' ? 'revoked' : row['blocked'] === false ? 'valid' : 'blocked',
          })),
    state: {
      ...state,
      cursors: { ...state.cursors, [part.name]: following },
      // After the last part the event itself is read again.
      part: isLast ? undefined : isEnd ? state.part + 1 : state.part,
    },
  };
}

/**
 * pretix names the next page in full, at the address that it believes to have; the token goes to the paired one alone.
 * Null if no page is named.
 */
function nextPage(begin: string, named: string): string | null {
  const { search } = URL.canParse(named, begin) ? new URL(named, begin) : { search: '' };
  return search === '' ? null : `${begin.slice(0, begin.indexOf('?'))}${search}`;
}

const failureOf = ({ http, retryAfterMs }: Reply): NoPage => ({
  failure:
    http === null ? 'unreachable' : http === 401 ? 'pair_again' : http === 403 ? 'no_rights' : 'failed',
  retryAfterMs,
});

type Get = (url: string, headers?: Readonly<Record<string, string>>) => Promise<Reply>;
type Rows = ReturnType<typeof readList>;

/** 1,000 products, or lists. Those beyond have no name here, and no list beyond can be read. */
const MAX_SETTING_PAGES = 20;

/** All pages; null rows if they are the same as `modified`. */
async function readAll(
  get: Get,
  first: string,
  modified: string | undefined,
): Promise<{ rows: Rows | null; modified: string | undefined } | NoPage> {
  const rows: Rows[number][] = [];
  let since: string | undefined;
  let url: string | null = first;
  for (let pages = 0; url !== null && pages < MAX_SETTING_PAGES; pages += 1) {
    const isFirst = pages === 0;
    const reply: Reply = await get(
      url,
      isFirst && modified !== undefined ? { 'if-modified-since': modified } : {},
    );
    if (isFirst && reply.http === 304) return { rows: null, modified };
    if (reply.http !== 200) return failureOf(reply);
    if (isFirst) since = reply.headers['last-modified'];
    const body = readObject(reply.body);
    rows.push(...readList(body['results']));
    url = typeof body['next'] === 'string' ? nextPage(first, body['next']) : null;
  }
  return { rows, modified: since };
}

async function readSettings(get: Get, base: string, listId: number, state: State): Promise<Page | NoPage> {
  const event = await get(`${base}/`);
  if (event.http !== 200) return failureOf(event);
  const items = await readAll(get, `${base}/items/?page=1`, state.modified?.items);
  if ('failure' in items) return items;
  const lists = await readAll(get, `${base}/checkinlists/?exclude=checkin_count`, state.modified?.lists);
  if ('failure' in lists) return lists;
  const list = lists.rows?.find(({ id }) => id === listId);
  // It is gone.
  if (lists.rows !== null && list === undefined) return { failure: 'unchosen' };
  const keys = readObject(readObject(event.body)['valid_keys'])['pretix_sig1'];
  const nameOf = (name: unknown) => readText(Object.values(readObject(name))[0]) || readText(name);
  return {
    tickets: [],
    isLast: false,
    state: {
      ...state,
      part: 0,
      keys: Array.isArray(keys) ? keys.filter((key) => typeof key === 'string') : [],
      ...(items.rows && {
        items: Object.fromEntries(items.rows.map(({ id, name }) => [String(id), nameOf(name)])),
      }),
      ...(list && { list: listOf(list) }),
      modified: { items: items.modified, lists: lists.modified },
    },
  };
}

function listOf({
  all_products: all,
  limit_products: products,
  subevent,
  rules,
}: Rows[number]): NonNullable<State['list']> {
  return {
    all: all !== false,
    products: Array.isArray(products) ? products.map(Number) : [],
    subevent: typeof subevent === 'number' ? subevent : null,
    // No stable interface: staff decide what the rules say.
    hasRules: Object.keys(readObject(rules)).length > 0,
  };
}

/** Whether the check-in list has a ticket of this product and date. */
const isInList = ({ list }: State, item: number, subevent: number | null): boolean =>
  list !== undefined &&
  (list.all || list.products.includes(item)) &&
  (list.subevent === null || list.subevent === subevent);

function ticketsOf(order: Readonly<Record<string, unknown>>, state: State): SaidTicket[] {
  return readList(order['positions']).flatMap((position) => {
    const code = typeof position['secret'] === 'string' ? position['secret'] : '';
    const item = Number(position['item']);
    const subevent = typeof position['subevent'] === 'number' ? position['subevent'] : null;
    if (code === '') return [];
    const isGone = position['canceled'] === true || !isInList(state, item, subevent);
    return {
      code,
      externalId: String(position['id']),
      name: readText(position['attendee_name']) || null,
      kind: state.items?.[String(item)] ?? null,
      party: readText(order['code']) || null,
      state: isGone ? 'cancelled' : stateOf(order, position),
      validFrom: timeOf(position['valid_from']),
      validUntil: timeOf(position['valid_until']),
      rulesUnknown: state.list?.hasRules === true,
    };
  });
}

function stateOf(
  {
    status,
    valid_if_pending: isValidPending,
    require_approval: needsApproval,
  }: Readonly<Record<string, unknown>>,
  { blocked }: Readonly<Record<string, unknown>>,
): TicketState {
  if (status === 'c' || status === 'e') return 'cancelled';
  if (Array.isArray(blocked) && blocked.length > 0) return 'blocked';
  if (status === 'n' && (isValidPending !== true || needsApproval === true)) return 'unpaid';
  return 'valid';
}

const timeOf = (value: unknown): number | null => {
  const at = Date.parse(readText(value));
  return Number.isNaN(at) ? null : at;
};

/** A code that was sold since the last reading, if the event's key signed it and the list has its product; otherwise null. */
export async function ticketOfSignedCode(
  tx: SqlTx,
  scope: Scope,
  { eventId, code, hash, at }: { eventId: string; code: string; hash: HashCode; at: number },
): Promise<Ticket | null> {
  for (const source of await listSources(tx, scope, eventId)) {
    if (source.kind !== 'pretix') continue;
    const state = source.state as State;
    const signed = readSignedCode(code, readSigningKeys(state.keys ?? []));
    if (!signed || !isInList(state, signed.item, signed.subevent || null)) continue;
    const id = newId(at);
    await insertTicket(tx, scope, {
      ...{ id, eventId, sourceId: source.id, codeHash: hash(code), code, externalId: null },
      ...{ name: null, party: null, note: null, kind: state.items?.[String(signed.item)] ?? null },
      ...{ validFrom: signed.validFrom, validUntil: signed.validUntil, state: 'valid' },
      ...{ rulesUnknown: state.list?.hasRules === true, createdAt: at, updatedAt: at },
    });
    return (await findTicket(tx, scope, id)) ?? null;
  }
  return null;
}
