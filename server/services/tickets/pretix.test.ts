/** pretix from its QR code to what it was told, with a stand-in made from its documented answers. */
import { expect, it, vi } from 'vitest';
import { Pretix, PRETIX_EVENT, PRETIX_LIST } from '../../../testing/tickets/pretix.ts';
import product from '../../../package.json' with { type: 'json' };
import { askOf, listen } from '../../../testing/tickets/stand-in.ts';
import { EVENT, openTicketVenue, SOURCE, testTeller } from '../../../testing/tickets/venue.ts';
import { refusalOf } from '../../../testing/service/temp-service.ts';
import { findSource, insertSource, updateSource } from '../../store/tickets/sources.ts';
import { createAsk } from './ask.ts';
import { ticketHasher } from './codes.ts';
import { choosePretix, readChoices, readNow, readUntold, rollSource, tellSourceAgain } from './connect.ts';
import { readDoorTeam } from './door-team.ts';
import { scanAtPhone } from './phone-tickets.ts';
import { ticketOfSignedCode } from './pretix-read.ts';
import { pairPretix } from './pretix.ts';
import { createSource, readSources, removeSource } from './sources.ts';
import { syncSources } from './sync.ts';

const CONFIG = {
  ...{ url: 'https://pretix.example', organizer: 'club', token: 'secret-token', profile: 'pretixscan' },
  ...{ event: PRETIX_EVENT, list: PRETIX_LIST },
};
const actor = 'cli';

const order = (
  code: string,
  secret: string,
  change: Partial<Pretix['orders'][number]> = {},
  position = {},
) => ({
  ...{ code, status: 'p', modified: 1 },
  positions: [{ id: Number(code.slice(1)), secret, item: 1, attendee_name: `Guest ${code}`, ...position }],
  ...change,
});

async function openPretix(pretix = new Pretix()) {
  const venue = await openTicketVenue({ kind: 'pretix', config: CONFIG }, askOf(pretix));
  const sync = () => syncSources(venue.deps, SOURCE);
  const states = async (): Promise<Record<string, string>> =>
    Object.fromEntries((await venue.tickets()).map(({ code, state }) => [code ?? '', state] as const));
  return { ...venue, pretix, sync, states };
}

it('is paired by its QR code over the network, then its event and list are chosen and read', async () => {
  const pretix = new Pretix();
  pretix.orders = [order('O1', 'S1')];
  pretix.url = await listen(pretix);
  const ask = createAsk({
    policy: async () => ({
      allowHosts: new Set(['127.0.0.1']),
      ownAddresses: new Set(),
      ownPorts: new Set(),
    }),
  });
  const { deps, live, tickets } = await openTicketVenue({ kind: 'list', config: {} }, ask);
  const request = { kind: 'pretix', pairing: pretix.code } as const;
  const made = await createSource(deps, live, { eventId: EVENT, request, actor });
  expect(made).toMatchObject({ kind: 'pretix', name: 'Gate 1', sync: { is_chosen: false, failure: null } });
  const of = { eventId: EVENT, sourceId: made.source_id };
  expect(await readChoices(deps, live, { ...of, event: undefined })).toEqual({
    events: [{ event: PRETIX_EVENT, name: 'Night' }],
    lists: [],
  });
  const { lists } = await readChoices(deps, live, { ...of, event: PRETIX_EVENT });
  expect(lists).toEqual([{ list: PRETIX_LIST, name: 'Main' }]);
  expect(
    await refusalOf(choosePretix(deps, live, { ...of, choice: { event: PRETIX_EVENT, list: 99 }, actor })),
  ).toBe('source_refused');
  const chosen = await choosePretix(deps, live, {
    ...of,
    choice: { event: PRETIX_EVENT, list: PRETIX_LIST },
    actor,
  });
  expect(chosen).toMatchObject({ tickets: 1, sync: { is_chosen: true, failure: null } });
  expect(await tickets()).toMatchObject([{ code: 'S1', name: 'Guest O1', kind: 'Full', party: 'O1' }]);
});

it.each([
  ['something else', () => 'https://pretix.example', 'unreadable'],
  ['a higher version', (pretix: Pretix) => ((pretix.version = 2), pretix.code), 'newer'],
  ['a token that was used', (pretix: Pretix) => pretix.code.replace('token-1', 'token-2'), 'used'],
])('a pairing with %s is refused in words', async (_, code, problem) => {
  const pretix = new Pretix();
  const pairing = pairPretix(askOf(pretix), code(pretix));
  await expect(pairing).rejects.toMatchObject({ code: 'source_refused', facts: { args: { problem } } });
});

it.each([
  ['nobody answers', 'unreachable' as const, 'unreachable'],
  ['a page of a proxy answers', { http: 200, body: '<html>' }, 'unknown'],
  ['an error answers', { http: 500 }, 'unknown'],
])('a pairing is refused in words if %s', async (_, fault, problem) => {
  const pretix = new Pretix();
  pretix.fault = () => fault;
  await expect(pairPretix(askOf(pretix), pretix.code)).rejects.toMatchObject({
    facts: { args: { problem } },
  });
});

it('orders become tickets by their state, product and date', async () => {
  const { pretix, sync, states } = await openPretix();
  pretix.list = { all_products: false, limit_products: [1], subevent: 42, rules: {} };
  const date = { subevent: 42 };
  pretix.orders = [
    order('O1', 'paid', {}, date),
    order('O2', 'pending', { status: 'n' }, date),
    order('O3', 'valid-if-pending', { status: 'n', valid_if_pending: true }, date),
    order('O4', 'order-cancelled', { status: 'c' }, date),
    order('O5', 'expired', { status: 'e' }, date),
    order('O6', 'position-cancelled', {}, { ...date, canceled: true }),
    order('O7', 'blocked', {}, { ...date, blocked: ['admin'] }),
    order('O8', 'other-product', {}, { ...date, item: 2 }),
    order('O9', 'other-date', {}, { subevent: 43 }),
  ];
  await sync();
  expect(await states()).toEqual({
    ...{ paid: 'valid', pending: 'unpaid', 'valid-if-pending': 'valid', 'order-cancelled': 'cancelled' },
    ...{ expired: 'cancelled', 'position-cancelled': 'cancelled', blocked: 'blocked' },
    ...{ 'other-product': 'cancelled', 'other-date': 'cancelled' },
  });
});

it('a list with rules has staff decide', async () => {
  const { pretix, sync, tickets } = await openPretix();
  pretix.list = { all_products: true, rules: { and: [{ isBefore: [] }] } };
  pretix.orders = [order('O1', 'S1')];
  await sync();
  expect(await tickets()).toMatchObject([{ rulesUnknown: true }]);
});

it('only what changed since the first page is read again, and codes are revoked, blocked and unblocked', async () => {
  const { pretix, sync, states, tickets } = await openPretix();
  pretix.orders = [order('O1', 'S1'), order('O2', 'S2')];
  await sync();
  const before = await tickets();
  pretix.reads = [];
  await sync();
  expect(pretix.reads.filter((url) => url.includes('modified_since=1000'))).toHaveLength(1);
  expect(await tickets()).toEqual(before);
  const now = pretix.tick();
  pretix.orders[0] = order('O1', 'S1-new', { modified: now });
  pretix.revoked = [{ secret: 'S1', created: now }];
  pretix.blocked = [{ secret: 'S2', blocked: true, updated: now }];
  await sync();
  expect(await states()).toEqual({ 'S1-new': 'valid', S1: 'revoked', S2: 'blocked' });
  pretix.blocked = [{ secret: 'S2', blocked: false, updated: pretix.tick() }];
  await sync();
  expect(await states()).toMatchObject({ S2: 'valid', S1: 'revoked' });
});

it('a reading that stops at any page continues there, and ends with all tickets', async () => {
  const { pretix, sync, states, db, live } = await openPretix();
  pretix.pageSize = 2;
  pretix.orders = Array.from({ length: 9 }, (_, at) => order(`O${at + 1}`, `S${at + 1}`));
  for (let at = 0; at < 8; at += 1) {
    let pages = 0;
    // One page, then an outage.
    pretix.fault = ({ url }) => (url.includes('/orders/') && (pages += 1) > 1 ? 'unreachable' : undefined);
    await sync();
  }
  pretix.fault = undefined;
  await sync();
  expect(Object.keys(await states())).toHaveLength(9);
  const reads = pretix.reads.filter((url) => url.includes('/orders/') && !url.includes('modified_since'));
  expect(reads.length).toBeLessThanOrEqual(6);
  expect((await findSource(db, live, SOURCE))?.state['failure']).toBeUndefined();
});

it.each([
  ['a device that was revoked', { http: 401, body: {} }, 'pair_again'],
  ['a profile without the right', { http: 403, body: {} }, 'no_rights'],
  ['no network', 'unreachable' as const, 'unreachable'],
  ['an error', { http: 502 }, 'failed'],
])('%s is named, and the tickets stay', async (_, fault, failure) => {
  const { pretix, sync, states, deps, live } = await openPretix();
  pretix.orders = [order('O1', 'S1')];
  await sync();
  pretix.fault = () => fault;
  await sync();
  const { items } = await readSources(deps, live, EVENT);
  expect(items[0]?.sync).toMatchObject({ failure });
  expect(await states()).toEqual({ S1: 'valid' });
});

it('a next page at another host is not asked for, so the token stays', async () => {
  const { pretix, sync } = await openPretix();
  const hosts = new Set<string>();
  pretix.orders = [order('O1', 'S1')];
  pretix.fault = ({ url }) => {
    hosts.add(new URL(url).host);
    return url.includes('/orders/')
      ? { http: 200, body: { next: 'https://evil.example/', results: [] } }
      : undefined;
  };
  await sync();
  expect([...hosts]).toEqual(['pretix.example']);
});

it.each([
  ['another scheme, behind a proxy', (next: string) => next.replace('https:', 'http:')],
  ['another host', (next: string) => next.replace('pretix.example', 'internal:8000')],
  ['no host', (next: string) => next.replace('https://pretix.example', '')],
])('a next page that is named with %s is read where pretix was paired', async (_, rename) => {
  const { pretix, sync, states } = await openPretix();
  pretix.pageSize = 2;
  pretix.orders = Array.from({ length: 5 }, (_, at) => order(`O${at + 1}`, `S${at + 1}`));
  pretix.fault = (question) => {
    const said = pretix.handle(question);
    const body = (said.body ?? {}) as Record<string, unknown>;
    const { next } = body;
    return typeof next === 'string' ? { ...said, body: { ...body, next: rename(next) } } : said;
  };
  await sync();
  expect(Object.keys(await states())).toHaveLength(5);
});

it('a page that names itself as the next is a failure that staff see', async () => {
  const { pretix, sync, deps, live } = await openPretix();
  pretix.fault = ({ url }) =>
    url.includes('/orders/') ? { http: 200, body: { next: url, results: [] } } : undefined;
  await sync();
  expect((await readSources(deps, live, EVENT)).items[0]?.sync).toMatchObject({ failure: 'failed' });
});

const otherEvent: Pretix['fault'] = ({ url }) => {
  if (!url.includes('/events/other/')) return undefined;
  return { http: 200, body: { results: url.includes('/checkinlists/?') ? [{ id: 8, name: 'Main' }] : [] } };
};
const OTHER = { eventId: EVENT, sourceId: SOURCE, choice: { event: 'other', list: 8 }, actor } as const;

it('tickets of an event that was chosen by mistake admit nobody, and do again once it is chosen', async () => {
  const { pretix, sync, states, deps, live } = await openPretix();
  pretix.orders = [order('O1', 'S1'), order('O2', 'S2'), order('O3', 'S3')];
  pretix.revoked = [{ secret: 'S2', created: 1 }];
  pretix.fault = otherEvent;
  await sync();
  await choosePretix(deps, live, OTHER);
  expect(await states()).toEqual({ S1: 'cancelled', S2: 'revoked', S3: 'cancelled' });
  await choosePretix(deps, live, { ...OTHER, choice: { event: PRETIX_EVENT, list: PRETIX_LIST } });
  expect(await states()).toEqual({ S1: 'valid', S2: 'revoked', S3: 'valid' });
});

it('a page of the event before is not taken once another was chosen', async () => {
  const pretix = new Pretix();
  pretix.orders = [order('O1', 'S1')];
  pretix.fault = otherEvent;
  let meanwhile: (() => Promise<unknown>) | undefined;
  const venue = await openTicketVenue({ kind: 'pretix', config: CONFIG }, async (question) => {
    const reply = await askOf(pretix)(question);
    const run = question.url.includes(`/${PRETIX_EVENT}/orders/`) ? meanwhile : undefined;
    meanwhile &&= run ? undefined : meanwhile;
    await run?.();
    return reply;
  });
  const { deps, live, db, tickets } = venue;
  meanwhile = () => choosePretix(deps, live, OTHER);
  await syncSources(deps, SOURCE);
  expect(await tickets()).toEqual([]);
  const state = (await findSource(db, live, SOURCE))?.state;
  expect(state).toMatchObject({ list: { all: true }, readAt: deps.clock.now() });
  expect(JSON.stringify(state)).not.toContain('Full');
});

it('a source whose pages can’t be taken keeps no other waiting', async () => {
  const pretix = new Pretix();
  pretix.orders = [order('O1', 'S1', {}, { attendee_name: 'A\u0000da' })];
  const venue = await openTicketVenue({ kind: 'pretix', config: CONFIG }, async (question) => {
    if (question.url.includes('/broken/')) throw new Error('broken');
    return askOf(pretix)(question);
  });
  const { deps, live, db, tickets } = venue;
  const found = await findSource(db, live, SOURCE);
  if (!found) throw new Error('The venue has no source.');
  const config = { ...CONFIG, event: 'broken' };
  await db.tx((tx) => insertSource(tx, live, { ...found, id: 'a', config }));
  await expect(syncSources(deps)).rejects.toThrow('1 sources');
  expect(await tickets()).toMatchObject([{ code: 'S1', name: 'Ada' }]);
  expect((await findSource(db, live, 'a'))?.state).toEqual({ failure: 'failed' });
});

it('it is told in order, with the time of the entry; a conflict and a refusal are shown without the code', async () => {
  const { pretix, sync, tickets, pass, db, clock, deps, live } = await openPretix();
  pretix.orders = [order('O1', 'S1'), order('O2', 'S2'), order('O3', 'S3')];
  await sync();
  const idOf = async (code: string) => (await tickets()).find((ticket) => ticket.code === code)?.id ?? '';
  pretix.handle({
    url: `${CONFIG.url}/api/v1/organizers/club/checkinrpc/redeem/`,
    method: 'POST',
    headers: { authorization: 'Device secret-token' },
    body: {
      secret: 'S2',
      lists: [PRETIX_LIST],
      type: 'entry',
      datetime: '2026-01-01T00:00:00Z',
      nonce: 'other',
    },
  });
  const at = clock.now();
  const entry = await pass(await idOf('S1'), 'in', at);
  await pass(await idOf('S1'), 'out', at + 60_000);
  await pass(await idOf('S1'), 'in', at + 120_000);
  await pass(await idOf('S2'), 'in', at + 180_000);
  pretix.orders[2]!.status = 'c';
  await pass(await idOf('S3'), 'in', at + 240_000);
  clock.advance(300_000);
  const teller = testTeller(db, clock, askOf(pretix));
  await teller.drain();
  expect(
    pretix.checkIns.filter(({ secret }) => secret === 'S1').map(({ type, datetime }) => [type, datetime]),
  ).toEqual([
    ['entry', new Date(at).toISOString().replace(/\.\d+Z/, 'Z')],
    ['exit', new Date(at + 60_000).toISOString().replace(/\.\d+Z/, 'Z')],
    ['entry', new Date(at + 120_000).toISOString().replace(/\.\d+Z/, 'Z')],
  ]);
  const of = { eventId: EVENT, sourceId: SOURCE };
  const { items } = await readUntold(deps, live, of);
  expect(items).toMatchObject([
    { status: 'refused', name: 'Guest O3', reason: 'canceled' },
    { status: 'conflict', name: 'Guest O2', other_at: '2026-01-01T00:00:00Z' },
  ]);
  const door = await readDoorTeam(deps, live, { eventId: EVENT, showsCodes: false });
  expect(door.conflicts).toMatchObject([{ name: 'Guest O2', other_at: '2026-01-01T00:00:00Z' }]);
  expect(JSON.stringify(items)).not.toMatch(/S[123]/);
  pretix.orders[2]!.status = 'p';
  expect(await tellSourceAgain(deps, live, { ...of, actor })).toMatchObject({
    sync: { waiting: 1, refused: 0 },
  });
  await teller.drain();
  // Undone afterwards: this profile may not annul, so the guest has left.
  await pass(await idOf('S1'), 'undo', clock.now(), entry);
  await teller.drain();
  expect(pretix.checkIns.at(-1)).toMatchObject({ secret: 'S1', type: 'exit' });
  expect(await readNow(deps, live, of)).toMatchObject({ sync: { waiting: 0, refused: 0, conflicts: 1 } });
  expect(teller.errors).toEqual([]);
});

it('a ticket that was used elsewhere is a conflict once, not at each later passage', async () => {
  const { pretix, sync, tickets, pass, db, clock, deps, live } = await openPretix();
  pretix.orders = [order('O1', 'S1')];
  await sync();
  pretix.checkIns = [
    ...[{ secret: 'S1', type: 'entry', datetime: '2026-01-01T00:00:00Z', nonce: 'x', list: PRETIX_LIST }],
  ];
  const [ticket] = await tickets();
  for (const kind of ['in', 'out', 'in'] as const) await pass(ticket?.id ?? '', kind, clock.now());
  await testTeller(db, clock, askOf(pretix)).drain();
  expect(await readNow(deps, live, { eventId: EVENT, sourceId: SOURCE })).toMatchObject({
    sync: { conflicts: 1, told: 2 },
  });
});

it('refused scans are uploaded once, in its words; what staff decide, and codes of nobody, are not', async () => {
  const { pretix, sync, tickets, pass, db, clock, deps, live } = await openPretix();
  pretix.orders = [
    order('O1', 'S1'),
    order('O2', 'S2', { status: 'c' }),
    order('O3', 'S3', {}, { valid_until: new Date(clock.now() - 60_000).toISOString() }),
    order('O4', 'S4', { status: 'n' }),
  ];
  await sync();
  const idOf = async (code: string) => (await tickets()).find((ticket) => ticket.code === code)?.id ?? '';
  await pass(await idOf('S1'), 'in', clock.now());
  const phone = { id: 'p', name: 'Kim', role: 'steward', eventId: EVENT, endsAt: clock.now() + 9e6 } as const;
  const scan = (text: string) => scanAtPhone(deps, { ...phone, ...live }, { text, direction: 'in' });
  clock.advance(60_000);
  for (const code of ['S1', 'S2', 'S3', 'S4', 'Unknown']) await scan(code);
  const waiting = async () =>
    (await db.one<{ n: number }>('SELECT COUNT(*) AS n FROM ticket_refused_scans'))?.n ?? 0;
  expect(await waiting()).toBe(3);
  const isUpload = (url: string) => url.includes('failed_checkins');
  for (const fault of ['unreachable', { http: 500 }, { http: 403, body: {} }] as const) {
    pretix.fault = ({ url }) => (isUpload(url) ? fault : undefined);
    await sync();
    expect(await waiting()).toBe(3);
  }
  // The first arrives, its answer does not.
  let uploads = 0;
  pretix.fault = ({ url }) => {
    if (!isUpload(url)) return undefined;
    uploads += 1;
    return uploads === 1 ? 'lost' : { http: 500 };
  };
  await sync();
  await sync();
  pretix.fault = undefined;
  await sync();
  expect(await waiting()).toBe(0);
  const datetime = new Date(clock.now()).toISOString().replace(/\.\d+Z/, 'Z');
  const said = { type: 'entry', datetime };
  expect(pretix.failed).toMatchObject([
    { ...said, error_reason: 'already_redeemed', raw_barcode: 'S1', position: 1 },
    { ...said, error_reason: 'canceled', raw_barcode: 'S2', position: 2 },
    { ...said, error_reason: 'invalid_time', raw_barcode: 'S3', position: 3 },
  ]);
  // What it will never take is not sent again.
  await scan('S2');
  pretix.fault = ({ url }) => (isUpload(url) ? { http: 400, body: { error_reason: ['No.'] } } : undefined);
  await sync();
  expect(await waiting()).toBe(0);
});

it('pretix knows which version scans, and a profile that changed there counts from then on', async () => {
  const { pretix, sync, tickets, pass, db, clock } = await openPretix();
  pretix.orders = [order('O1', 'S1')];
  pretix.profile = 'full';
  await sync();
  expect(pretix.software).toBe(product.version);
  pretix.software = 'told once';
  await sync();
  expect(pretix.software).toBe('told once');
  const [ticket] = await tickets();
  const entry = await pass(ticket?.id ?? '', 'in', clock.now());
  await pass(ticket?.id ?? '', 'undo', clock.now(), entry);
  await testTeller(db, clock, askOf(pretix)).drain();
  expect(pretix.checkIns).toEqual([]);
});

it('a key that is replaced is used at once, and a refusal keeps the one before', async () => {
  const { pretix, sync, deps, live, db, states } = await openPretix();
  pretix.orders = [order('O1', 'S1')];
  const roll = () => rollSource(deps, live, { eventId: EVENT, sourceId: SOURCE, actor });
  const token = async () => (await findSource(db, live, SOURCE))?.config['token'];
  for (const fault of ['unreachable', { http: 403 }, { http: 200, body: {} }] as const) {
    pretix.fault = () => fault;
    expect(await refusalOf(roll())).toBe('source_refused');
  }
  pretix.fault = undefined;
  expect(await token()).toBe('secret-token');
  await roll();
  expect(await token()).toBe('secret-token-rolled');
  await sync();
  expect(await states()).toEqual({ S1: 'valid' });
});

it('a signed code that was sold since the last reading is a ticket, if the list has its product', async () => {
  const { pretix, sync, db, live, deps, clock, tickets } = await openPretix();
  pretix.keys = [
    'LS0tLS1CRUdJTiBQVUJMSUMgS0VZLS0tLS0KTUNvd0JRWURLMlZ3QXlFQUE2RUh2L1BPRUw0ZGNOMFk1MHZBbVdmazFqQ2JwUTFmSGR5R1pCSlZNYmc9Ci0tLS0tRU5EIFBVQkxJQyBLRVktLS0tLQo=',
  ];
  const code =
    '=4g3+5CVxLF2hLUG41ZKJQ4hpuUkg8YlcdrbkhVV7xGeoeIvAzI5Q9jQCO/I3FdzJRJrVtgbQBssyx6l4CWcuJtCBDhSodkZFR2QiFUCKAEAOAQA';
  pretix.list = { all_products: false, limit_products: [1], rules: {} };
  const hash = await ticketHasher(deps);
  const scan = (text: string) =>
    db.tx((tx) => ticketOfSignedCode(tx, live, { eventId: EVENT, code: text, hash, at: clock.now() }));
  await sync();
  expect(await scan(code)).toBeNull();
  pretix.list = { all_products: true, rules: {} };
  await sync();
  expect(await scan(code.replace('CBDh', 'CBDi'))).toBeNull();
  expect(await scan(code)).toMatchObject({ code, kind: 'Signed', state: 'valid' });
  // The order that is read later gives the same ticket its name.
  pretix.orders = [order('O1', code, { modified: pretix.tick() }, { item: 1345 })];
  await sync();
  expect(await tickets()).toMatchObject([{ code, name: 'Guest O1' }]);
});

it('products of all pages are named, and what did not change is not sent again', async () => {
  const { pretix, sync, tickets } = await openPretix();
  pretix.pageSize = 2;
  pretix.items = Array.from({ length: 7 }, (_, at) => ({ id: at + 1, name: { en: `Product ${at + 1}` } }));
  pretix.orders = [order('O1', 'S1', {}, { item: 7 })];
  await sync();
  expect(await tickets()).toMatchObject([{ kind: 'Product 7' }]);
  pretix.reads = [];
  pretix.orders = [order('O2', 'S2', { modified: pretix.tick() }, { item: 6 })];
  await sync();
  expect(
    pretix.reads.filter((url) => url.startsWith('304')).map((url) => new URL(url.slice(4)).pathname),
  ).toEqual(
    ['items', 'checkinlists'].map((name) => `/api/v1/organizers/club/events/${PRETIX_EVENT}/${name}/`),
  );
  expect((await tickets()).map(({ kind }) => kind).sort()).toEqual(['Product 6', 'Product 7']);
});

it('products without an end are read up to a limit, and orders anyway', async () => {
  const { pretix, sync, tickets } = await openPretix();
  pretix.pageSize = 1;
  pretix.items = Array.from({ length: 100 }, (_, at) => ({ id: at + 1, name: { en: 'P' } }));
  pretix.orders = [order('O1', 'S1')];
  await sync();
  expect(pretix.reads.filter((url) => url.includes('/items/'))).toHaveLength(20);
  expect(await tickets()).toHaveLength(1);
});

it('a list that is gone has staff choose again, and the tickets stay', async () => {
  const { pretix, sync, states, deps, live } = await openPretix();
  pretix.orders = [order('O1', 'S1')];
  await sync();
  pretix.list = null;
  await sync();
  expect((await readSources(deps, live, EVENT)).items[0]?.sync).toMatchObject({ failure: 'unchosen' });
  expect(await states()).toEqual({ S1: 'valid' });
});

it('the time of the first page goes back percent-encoded, and outlives a restart', async () => {
  const { pretix, sync, deps } = await openPretix();
  const asked: string[] = [];
  pretix.fault = (question) => {
    asked.push(question.url);
    const said = pretix.handle(question);
    return { ...said, headers: { ...said.headers, 'x-page-generated': '2027-01-01T10:00:00.5+00:00' } };
  };
  await sync();
  await syncSources({ ...deps }, SOURCE);
  expect(asked.filter((url) => url.includes('_since=2027-01-01T10%3A00%3A00.5%2B00%3A00'))).toHaveLength(3);
});

it('a system that asks for time is asked again when it is over', async () => {
  const { pretix, deps, clock, sync } = await openPretix();
  let asked = 0;
  pretix.fault = () => {
    asked += 1;
    return { http: 429, headers: { 'retry-after': '120' } };
  };
  await sync();
  for (const [afterMs, times] of [
    [60_000, 1],
    [59_999, 1],
    [1, 2],
  ] as const) {
    clock.advance(afterMs);
    await syncSources(deps);
    expect(asked).toBe(times);
  }
});

it('a removed source gives its access back, and is removed without a network, too', async () => {
  const { pretix, deps, live, db } = await openPretix();
  const gone = { eventId: EVENT, sourceId: SOURCE, reason: 'wrong shop', actor } as const;
  const source = await findSource(db, live, SOURCE);
  await removeSource(deps, live, gone);
  expect(pretix.isRevoked).toBe(true);
  if (!source) throw new Error('The venue has no source.');
  await db.tx((tx) => insertSource(tx, live, source));
  pretix.fault = () => 'unreachable';
  await removeSource(deps, live, gone);
  expect(await findSource(db, live, SOURCE)).toBeUndefined();
});

it('an undo is annulled with the profile that may, and tells an exit once it may not', async () => {
  const { pretix, sync, tickets, pass, db, clock, live, calls } = await openPretix();
  pretix.profile = 'full';
  pretix.orders = [order('O1', 'S1')];
  const source = await findSource(db, live, SOURCE);
  await db.tx((tx) => updateSource(tx, live, { ...source!, config: { ...CONFIG, profile: 'full' } }));
  await sync();
  const [ticket] = await tickets();
  const teller = testTeller(db, clock, askOf(pretix));
  const enterAndUndo = async () => {
    clock.advance(60_000);
    await pass(ticket!.id, 'undo', clock.now(), await pass(ticket!.id, 'in', clock.now()));
    await teller.drain();
    return pretix.checkIns.map(({ type }) => type);
  };
  expect(await enterAndUndo()).toEqual([]);
  pretix.profile = 'pretixscan';
  expect(await enterAndUndo()).toEqual(['entry', 'exit']);
  expect((await calls()).every(({ status }) => status === 'told')).toBe(true);
});

it('a silent source keeps no other waiting', async () => {
  const pretix = new Pretix();
  pretix.orders = [order('O1', 'S1')];
  const silent = Promise.withResolvers<null>();
  const venue = await openTicketVenue({ kind: 'pretix', config: CONFIG }, async (question) => {
    if (question.url.includes('/silent/')) {
      await silent.promise;
      return askOf({ handle: () => ({ http: 500 }) })(question);
    }
    return askOf(pretix)(question);
  });
  const { deps, live, db, tickets } = venue;
  const found = await findSource(db, live, SOURCE);
  const config = { ...CONFIG, event: 'silent' };
  await db.tx((tx) => insertSource(tx, live, { ...found!, id: 'a', config }));
  const first = syncSources(deps);
  await vi.waitFor(async () => expect(await tickets()).toMatchObject([{ code: 'S1' }]));
  silent.resolve(null);
  await first;
  expect((await findSource(db, live, 'a'))?.state).toEqual({ failure: 'failed' });
});
