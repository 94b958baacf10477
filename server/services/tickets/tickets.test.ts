import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { openTestService, refusalOf, type TestService } from '../../../testing/service/temp-service.ts';
import { passOf, sessionOf } from '../../../testing/service/runs.ts';
import { kiosk as kioskRow, seedPerson, venueEvent } from '../../../testing/store/rows.ts';
import { onSqlite } from '../../../testing/store/temp-store.ts';
import type { Snapshot } from '../../contract/flow.ts';
import type { SourceKind, TicketState } from '../../domain/tickets/ticket.ts';
import { listEntries } from '../../store/tickets/entries.ts';
import { saveTicketRules } from '../../store/tickets/rules.ts';
import { insertSource } from '../../store/tickets/sources.ts';
import { findTicket, insertTicket } from '../../store/tickets/tickets.ts';
import { insertEvent, updateEvent, type VenueEvent } from '../../store/venue/events.ts';
import { findKiosk, insertKiosk, type Kiosk } from '../../store/venue/kiosks.ts';
import { createFastify } from '../../http/public-app.ts';
import { scanRoutes } from '../../routes/scan/index.ts';
import { captureTestFace } from '../capture/test-capture.ts';
import { exportPerson } from '../people/export.ts';
import { giveConsent } from '../runs/flow.ts';
import { readOrders } from '../venue/kiosk-config.ts';
import { readDoor } from '../venue/door.ts';
import { startWalkUp } from '../venue/kiosk-runs.ts';
import { changeKiosk } from '../venue/kiosks.ts';
import { pairDevice } from '../venue/kiosk-pairing.ts';
import { authoriseKiosk, pairingCodeHash } from '../venue/kiosk-tokens.ts';
import { endBadgeAtKiosk, printAgain, readBadges, takeBadgeAtKiosk } from './badges.ts';
import { ticketHasher } from './codes.ts';
import { readDoorTeam } from './door-team.ts';
import { admitAtKiosk, scanAtKiosk } from './kiosk-tickets.ts';
import { letChildrenIn, letInAtPhone, scanAtPhone, searchAtPhone, undoAtPhone } from './phone-tickets.ts';
import { changeTicketRules } from './rules.ts';
import {
  authorisePhone,
  callSupervisor,
  createShift,
  endShift,
  joinShift,
  readShifts,
  readShiftStatus,
} from './shifts.ts';

type Given = { code: string; name?: string; party?: string; state?: TicketState; note?: string };
const HOUR_MS = 3_600_000;
/** Each statement of the other engine crosses a socket. */
const CODES = onSqlite ? 2_000 : 100;
/** Of each gate. */
const AT_ONCE = 25;

async function atTheDoor(kind: SourceKind = 'list', tickets: readonly Given[] = []) {
  const service = await openTestService();
  const { deps, clock, company } = service;
  const scope = service.scope('test');
  const at = clock.now();
  const times = { createdAt: at, updatedAt: at };
  const event: VenueEvent = venueEvent(scope, company.default_verification_id, 'event-1', {
    group: 'night-run',
    startsAt: at - HOUR_MS,
    endsAt: at + 48 * HOUR_MS,
  });
  const hash = await ticketHasher(deps);
  await deps.db.tx(async (tx) => {
    await insertEvent(tx, event);
    await insertSource(tx, scope, {
      id: 's',
      eventId: event.id,
      kind,
      name: 'S',
      config: {},
      state: {},
      ...times,
    });
    for (const [
      index,
      { code, name = null, party = null, state = 'valid', note = null },
    ] of tickets.entries())
      await insertTicket(tx, scope, {
        id: `t${index}`,
        eventId: event.id,
        sourceId: 's',
        codeHash: hash(code),
        code: null,
        externalId: null,
        name,
        kind: 'Day ticket',
        party,
        note,
        validFrom: null,
        validUntil: null,
        state,
        rulesUnknown: false,
        ...times,
      });
  });
  return {
    service,
    deps,
    clock,
    scope,
    event,
    entries: () => listEntries(deps.db, scope, { eventId: event.id, limit: 9_999 }),
  };
}

async function gate({ deps, company, clock }: TestService, id: string): Promise<Kiosk> {
  const code = `GATE-${id}`;
  const row = { eventId: 'event-1', codeHash: pairingCodeHash(code), at: clock.now(), name: id };
  await deps.db.tx((tx) => insertKiosk(tx, kioskRow(company.company_id, id, row)));
  return authoriseKiosk(deps.db, (await pairDevice(deps, code)).device_token);
}

async function join(service: TestService, role: 'steward' | 'supervisor', name = 'Sam') {
  const scope = service.scope('test');
  await createShift(service.deps, scope, { eventId: 'event-1', role, actor: 'cli' });
  const code = (await readShifts(service.deps, scope, 'event-1')).findLast(
    (shift) => shift.role === role,
  )?.code;
  return (await joinShift(service.deps, { code: code ?? '', name })).token;
}

const phone = async (...given: Parameters<typeof join>) =>
  authorisePhone(given[0].deps, await join(...given));

/** Passes the check of a run with a test face. */
async function check(service: TestService, sessionId: string, face: string): Promise<Snapshot> {
  await giveConsent(service.deps, await sessionOf(service, sessionId), { accepted: true });
  return captureTestFace(service.deps, await sessionOf(service, sessionId), face);
}

const shown = (text: string) => ({ text, ownOrigins: [] });

async function enter(service: TestService, kiosk: Kiosk, code: string, face: string) {
  const { opened } = await scanAtKiosk(service.deps, kiosk, shown(code));
  const sessionId = opened?.snapshot.session_id ?? '';
  await check(service, sessionId, face);
  return { sessionId, decision: await admitAtKiosk(service.deps, kiosk, { session_id: sessionId }) };
}

test('a ticket, then the check: its guest enters once, and the ticket is theirs', async () => {
  const { service, deps, scope, entries } = await atTheDoor('list', [
    { code: '=A1', name: 'Ada', note: 'VIP' },
  ]);
  const kiosk = await gate(service, 'north');
  const scanned = await scanAtKiosk(deps, kiosk, shown('\\000026=A1\n'));
  expect(scanned.decision).toMatchObject({
    verdict: 'check',
    ticket: { name: 'Ada', kind: 'Day ticket' },
    note: null,
  });
  const sessionId = scanned.opened?.snapshot.session_id ?? '';
  expect(await refusalOf(admitAtKiosk(deps, kiosk, { session_id: sessionId }))).toBe('wrong_step');
  expect(await entries()).toEqual([]);
  await check(service, sessionId, 'alice');
  const admitted = await admitAtKiosk(deps, kiosk, { session_id: sessionId });
  expect(admitted).toMatchObject({ verdict: 'admit', ticket: { name: 'Ada', is_inside: true } });
  expect(await admitAtKiosk(deps, kiosk, { session_id: sessionId })).toMatchObject({
    verdict: 'admit',
    entry: admitted.entry,
  });
  expect(await entries()).toHaveLength(1);
  expect((await findTicket(deps.db, scope, 't0'))?.personId).toEqual(expect.any(String));
  const again = await scanAtKiosk(deps, kiosk, shown('=A1'));
  expect(again.decision).toMatchObject({ verdict: 'refuse', why: 'already_in', last_gate: 'north' });
});

test('the check first: the ticket is asked for, and found by the face when its guest comes back', async () => {
  const { service, deps, event, scope, clock } = await atTheDoor('list', [{ code: 'A1' }]);
  const rules = { reEntry: true, mostInside: null, keepDays: 30 };
  await deps.db.tx((tx) => saveTicketRules(tx, scope, { eventId: event.id, rules, at: clock.now() }));
  const kiosk = await gate(service, 'north');
  const first = (await startWalkUp(deps, kiosk)).snapshot.session_id;
  await check(service, first, 'alice');
  expect(await admitAtKiosk(deps, kiosk, { session_id: first })).toMatchObject({
    verdict: 'ask_ticket',
    ticket: null,
  });
  expect(await admitAtKiosk(deps, kiosk, { session_id: first, text: 'nonsense' })).toMatchObject({
    why: 'unknown',
  });
  expect(await admitAtKiosk(deps, kiosk, { session_id: first, text: 'A1' })).toMatchObject({
    verdict: 'admit',
  });
  const out = { text: 'A1', direction: 'out' } as const;
  expect(await scanAtPhone(deps, await phone(service, 'supervisor'), out)).toMatchObject({
    verdict: 'admit',
  });
  const second = (await startWalkUp(deps, kiosk)).snapshot.session_id;
  await check(service, second, 'alice');
  const back = await admitAtKiosk(deps, kiosk, { session_id: second });
  expect(back).toMatchObject({ verdict: 'admit', ticket: { ticket_id: 't0' } });
});

test('another face with somebody’s ticket, and a face with a second ticket, are for staff', async () => {
  const { service, deps, event, scope, clock } = await atTheDoor('list', [{ code: 'A1' }, { code: 'B2' }]);
  const kiosk = await gate(service, 'north');
  await enter(service, kiosk, 'A1', 'alice');
  expect((await enter(service, kiosk, 'B2', 'alice')).decision).toMatchObject({
    verdict: 'ask_staff',
    why: 'other_ticket',
  });
  const rules = { reEntry: true, mostInside: null, keepDays: 30 };
  await deps.db.tx((tx) => saveTicketRules(tx, scope, { eventId: event.id, rules, at: clock.now() }));
  await scanAtPhone(deps, await phone(service, 'supervisor'), { text: 'A1', direction: 'out' });
  expect((await enter(service, kiosk, 'A1', 'bob')).decision).toMatchObject({
    verdict: 'ask_staff',
    why: 'other_face',
  });
});

test('two gates that check two guests with one code let one in', async () => {
  const { service, deps, entries } = await atTheDoor('list', [{ code: 'A1' }]);
  const [north, south] = [await gate(service, 'north'), await gate(service, 'south')];
  const runs = [];
  for (const [kiosk, face] of [
    [north, 'alice'],
    [south, 'bob'],
  ] as const) {
    const { opened } = await scanAtKiosk(deps, kiosk, shown('A1'));
    const sessionId = opened?.snapshot.session_id ?? '';
    await check(service, sessionId, face);
    runs.push({ kiosk, sessionId });
  }
  const decisions = await Promise.all(
    runs.map(({ kiosk, sessionId }) => admitAtKiosk(deps, kiosk, { session_id: sessionId })),
  );
  expect(decisions.map(({ verdict }) => verdict).toSorted()).toEqual(['admit', 'ask_staff']);
  expect(await entries()).toHaveLength(1);
});

test('two gates that scan the same codes at once let each in once', async () => {
  const codes = Array.from({ length: CODES }, (_, index) => `C${index}`);
  const { service, deps, scope, entries } = await atTheDoor(
    'list',
    codes.map((code) => ({ code })),
  );
  const phones = [await phone(service, 'steward', 'Ann'), await phone(service, 'steward', 'Ben')];
  await seedPerson(deps.db, scope, 'p');
  await deps.db.tx((tx) => tx.run(`UPDATE tickets SET person_id = 'p'`));
  const verdicts: string[] = [];
  // More at once would wait for the company's lock beyond its limit on a slow machine, and be told to come again.
  for (let at = 0; at < CODES; at += AT_ONCE) {
    const scans = phones.flatMap((each) =>
      codes.slice(at, at + AT_ONCE).map((text) => scanAtPhone(deps, each, { text, direction: 'in' })),
    );
    verdicts.push(...(await Promise.all(scans)).map(({ verdict, why }) => why ?? verdict));
  }
  expect(verdicts.filter((verdict) => verdict === 'admit')).toHaveLength(CODES);
  expect(verdicts.filter((verdict) => verdict === 'already_in')).toHaveLength(CODES);
  expect(new Set((await entries()).map(({ ticketId }) => ticketId)).size).toBe(CODES);
});

/** A kiosk through which guests leave. */
async function exit(service: TestService, id: string): Promise<Kiosk> {
  const { deps, company } = service;
  await gate(service, id);
  await changeKiosk(deps, company.company_id, id, { is_way_out: true }, 'cli');
  return (await findKiosk(deps.db, company.company_id, id)) as Kiosk;
}

/** By the face alone. */
async function leave(service: TestService, kiosk: Kiosk, face: string) {
  const sessionId = (await startWalkUp(service.deps, kiosk)).snapshot.session_id;
  await check(service, sessionId, face);
  return admitAtKiosk(service.deps, kiosk, { session_id: sessionId });
}

test('at an exit a guest is counted out by their face, with or without their ticket, as often as they came in', async () => {
  const { service, deps, event, scope, clock, entries } = await atTheDoor('list', [
    { code: 'A1' },
    { code: 'B2' },
  ]);
  // A check on the way out is no entry, so the limit lets its guest in again.
  await deps.db.tx((tx) => updateEvent(tx, { ...event, limit: { kind: 'total', max: 2 } }));
  const rules = { reEntry: true, mostInside: null, keepDays: 30 };
  await deps.db.tx((tx) => saveTicketRules(tx, scope, { eventId: event.id, rules, at: clock.now() }));
  const [north, south] = [await gate(service, 'north'), await exit(service, 'south')];
  await enter(service, north, 'A1', 'alice');
  await enter(service, north, 'B2', 'bob');
  expect(await leave(service, south, 'alice')).toMatchObject({ verdict: 'admit', direction: 'out' });
  expect(await leave(service, south, 'alice')).toMatchObject({ verdict: 'ask_staff', why: 'not_inside' });
  expect((await enter(service, south, 'B2', 'alice')).decision).toMatchObject({ why: 'other_face' });
  expect((await enter(service, south, 'B2', 'bob')).decision).toMatchObject({
    verdict: 'admit',
    direction: 'out',
  });
  expect((await enter(service, north, 'A1', 'alice')).decision).toMatchObject({
    verdict: 'admit',
    direction: 'in',
  });
  expect((await entries()).map(({ direction }) => direction)).toEqual(['in', 'out', 'out', 'in', 'in']);
  // The door counts who was let in.
  const { counts, latest } = await readDoor(deps, scope, { role: 'admin' });
  expect([counts.passed, counts.passed_again, latest.length]).toEqual([2, 1, 3]);
});

test('at an exit a face that nobody let in is for staff: it is not kept, and nobody is counted out', async () => {
  const { service, deps, entries } = await atTheDoor('list', [{ code: 'A1' }]);
  const kiosk = await exit(service, 'south');
  const sessionId = (await startWalkUp(deps, kiosk)).snapshot.session_id;
  const snapshot = await check(service, sessionId, 'carol');
  expect(await passOf(service, snapshot)).toMatchObject({
    status: 'denied',
    reasons: ['not_recognised'],
    personId: null,
  });
  expect(await refusalOf(admitAtKiosk(deps, kiosk, { session_id: sessionId }))).toBe('wrong_step');
  expect(await deps.db.all('SELECT id FROM people')).toEqual([]);
  expect(await entries()).toEqual([]);
  // A later check at the entrance is her first.
  expect((await enter(service, await gate(service, 'north'), 'A1', 'carol')).decision).toMatchObject({
    verdict: 'admit',
  });
});

test('two exits that recognise one guest at once count them out once', async () => {
  const { service, entries } = await atTheDoor('list', [{ code: 'A1' }]);
  await enter(service, await gate(service, 'north'), 'A1', 'alice');
  const exits = [await exit(service, 'south'), await exit(service, 'west')];
  const verdicts = await Promise.all(
    exits.map(async (kiosk) => (await leave(service, kiosk, 'alice')).verdict),
  );
  expect(verdicts.toSorted()).toEqual(['admit', 'ask_staff']);
  expect(await entries()).toHaveLength(2);
});

test('any code becomes a ticket with its first guest, and belongs to this event', async () => {
  const { service } = await atTheDoor('any');
  const kiosk = await gate(service, 'north');
  expect((await enter(service, kiosk, 'BOARDING PASS', 'alice')).decision).toMatchObject({
    verdict: 'admit',
  });
  expect((await scanAtKiosk(service.deps, kiosk, shown('BOARDING PASS'))).decision).toMatchObject({
    why: 'already_in',
  });
});

test('a party is asked who is here; each is checked singly, and staff tap the children in', async () => {
  const order = [
    { code: 'A', name: 'Ada', party: 'P' },
    { code: 'B', name: 'Ben', party: 'P' },
    { code: 'C', name: 'Cy', party: 'P' },
  ];
  const { service, deps, entries } = await atTheDoor('list', order);
  const kiosk = await gate(service, 'north');
  const asked = await scanAtKiosk(deps, kiosk, shown('A'));
  expect(asked).toMatchObject({ opened: null, decision: { verdict: 'ask_party' } });
  expect(asked.decision?.party.map(({ name }) => name)).toEqual(['Ada', 'Ben', 'Cy']);
  const steward = await phone(service, 'steward');
  expect(await refusalOf(letChildrenIn(deps, steward, ['t2']))).toBe('not_admitted');
  const { opened } = await scanAtKiosk(deps, kiosk, { ticket_id: 't0', ownOrigins: [] });
  const sessionId = opened?.snapshot.session_id ?? '';
  await check(service, sessionId, 'alice');
  expect(await admitAtKiosk(deps, kiosk, { session_id: sessionId })).toMatchObject({ verdict: 'admit' });
  expect(await letChildrenIn(deps, steward, ['t2', 't2'])).toEqual({ let_in: 1 });
  expect((await entries()).map(({ ticketId, how }) => [ticketId, how])).toEqual([
    ['t2', 'staff'],
    ['t0', 'check'],
  ]);
});

test('a phone that lost the reply asks again with its key, and gets the same answer', async () => {
  const { service, deps, entries } = await atTheDoor('list', [
    { code: 'A', party: 'P' },
    { code: 'B', party: 'P' },
    { code: 'C', state: 'unpaid' },
  ]);
  await seedPerson(deps.db, service.scope('test'), 'p');
  await deps.db.tx((tx) => tx.run(`UPDATE tickets SET person_id = 'p' WHERE id = 't0'`));
  const app = createFastify(pino({ level: 'silent' }), 0);
  await app.register(scanRoutes, { deps });
  onTestFinished(() => app.close());
  const tokens = [await join(service, 'supervisor'), await join(service, 'supervisor')];
  const ask = async (url: string, payload: object, key: string, phoneAt = 0) => {
    const headers = { 'x-shift-token': tokens[phoneAt] ?? '', 'idempotency-key': key };
    const reply = await app.inject({ method: 'POST', url, headers, payload });
    return { status: reply.statusCode, ...reply.json<Record<string, unknown>>() };
  };
  const scan = { text: 'A', direction: 'in' };
  const acts = [
    ['/scan/tickets', scan, { verdict: 'admit' }],
    ['/scan/children', { ticket_ids: ['t1'] }, { let_in: 1 }],
    ['/scan/tickets', { text: 'C', direction: 'in' }, { why: 'unpaid' }],
    ['/scan/let-in', { ticket_id: 't2', reason: 'Paid now' }, { verdict: 'admit' }],
    ['/scan/tickets', { text: 'A', direction: 'out' }, { verdict: 'admit', direction: 'out' }],
  ] as const;
  for (const [index, [url, payload, expected]] of acts.entries()) {
    const first = await ask(url, payload, `k${index}`);
    expect(first).toMatchObject({ status: 200, ...expected });
    expect(await ask(url, payload, `k${index}`)).toEqual(first);
  }
  expect(await entries()).toHaveLength(4);
  const counted = await deps.db.one<{ scans: number }>('SELECT SUM(scans) AS scans FROM ticket_refusals');
  expect(Number(counted?.scans)).toBe(1);
  expect(await ask('/scan/tickets', scan, 'another')).toMatchObject({ why: 'already_in' });
  expect(await ask('/scan/tickets', scan, 'k0', 1)).toMatchObject({ why: 'already_in' });
  expect(await ask('/scan/tickets', { text: 'B', direction: 'in' }, 'k0')).toMatchObject({ status: 422 });
});

test('a steward scans, a supervisor lets in with a reason and takes it back for 15 s', async () => {
  const { service, deps, clock, entries } = await atTheDoor('pretix', [
    { code: 'A', name: 'Zoë Ray', state: 'unpaid' },
  ]);
  const [steward, supervisor] = [await phone(service, 'steward'), await phone(service, 'supervisor', 'Kim')];
  expect(await scanAtPhone(deps, steward, { text: 'A', direction: 'in' })).toMatchObject({
    verdict: 'ask_staff',
    why: 'unpaid',
  });
  const letIn = { ticket_id: 't0', reason: 'Paid in cash' };
  expect(await refusalOf(letInAtPhone(deps, steward, letIn))).toBe('supervisor_required');
  expect(await refusalOf(scanAtPhone(deps, steward, { text: 'A', direction: 'out' }))).toBe(
    'supervisor_required',
  );
  const { entry } = await letInAtPhone(deps, supervisor, letIn);
  expect(await refusalOf(letInAtPhone(deps, supervisor, letIn))).toBe('not_admitted');
  await undoAtPhone(deps, supervisor, entry ?? 0);
  await undoAtPhone(deps, supervisor, entry ?? 0);
  const again = await letInAtPhone(deps, supervisor, letIn);
  clock.advance(15_001);
  expect(await refusalOf(undoAtPhone(deps, supervisor, again.entry ?? 0))).toBe('undo_too_late');
  const [newest] = await entries();
  expect(newest).toMatchObject({ how: 'staff', reason: 'Paid in cash', gateName: 'Kim', undoneAt: null });
  const told = await deps.db.all('SELECT kind, status FROM ticket_calls ORDER BY seq');
  expect(told).toEqual(['in', 'undo', 'in'].map((kind) => ({ kind, status: 'waiting' })));
  const logged = await deps.db.all<{ action: string }>(
    `SELECT action, details FROM audit_entries WHERE actor LIKE 'phone:%' ORDER BY seq`,
  );
  expect(logged.map(({ action }) => action)).toEqual([
    'shift.join',
    'shift.join',
    'ticket.let_in',
    'ticket.undo',
    'ticket.let_in',
  ]);
  expect(await refusalOf(searchAtPhone(deps, steward, 'zoe'))).toBe('supervisor_required');
  expect(await searchAtPhone(deps, supervisor, 'zoe')).toMatchObject({
    items: [{ name: 'Zoë Ray', is_inside: true }],
    has_more: false,
  });
});

test('a guest whose entry was undone is let in again by the same check', async () => {
  const { service, deps } = await atTheDoor('list', [{ code: 'A1' }]);
  const kiosk = await gate(service, 'north');
  const { sessionId, decision } = await enter(service, kiosk, 'A1', 'alice');
  await undoAtPhone(deps, await phone(service, 'supervisor'), decision.entry ?? 0);
  const again = await admitAtKiosk(deps, kiosk, { session_id: sessionId });
  expect(again).toMatchObject({ verdict: 'admit', ticket: { is_inside: true } });
  expect(again.entry).not.toBe(decision.entry);
});

test('a revoked shift code ends its phones at once, and the event’s end ends all', async () => {
  const { service, deps, clock, scope } = await atTheDoor();
  await createShift(deps, scope, { eventId: 'event-1', role: 'steward', actor: 'cli' });
  const [shift] = await readShifts(deps, scope, 'event-1');
  const code = shift?.code ?? '';
  const { token } = await joinShift(deps, { code: ` ${code.toLowerCase()}`, name: 'Sam' });
  const sam = await authorisePhone(deps, token);
  await callSupervisor(deps, sam, true);
  expect(await readShiftStatus(deps, sam)).toMatchObject({
    has_called: true,
    calls: [{ name: 'Sam' }],
    role: 'steward',
  });
  await callSupervisor(deps, sam, false);
  expect(await readShiftStatus(deps, sam)).toMatchObject({ has_called: false, calls: [] });
  await endShift(deps, scope, shift?.id ?? '', 'cli');
  expect(await refusalOf(authorisePhone(deps, token))).toBe('invalid_shift_token');
  expect(await refusalOf(joinShift(deps, { code, name: 'Sam' }))).toBe('invalid_shift_code');
  await phone(service, 'steward');
  const { code: open } = (await readShifts(deps, scope, 'event-1'))[0] ?? { code: '' };
  clock.advance(48 * HOUR_MS);
  expect(await refusalOf(joinShift(deps, { code: open, name: 'Sam' }))).toBe('invalid_shift_code');
  expect(
    await refusalOf(createShift(deps, scope, { eventId: 'event-1', role: 'steward', actor: 'cli' })),
  ).toBe('event_over');
});

test('occupancy is what the entries say, and full at its limit', async () => {
  const { service, deps, scope, event, clock } = await atTheDoor('list', [{ code: 'A' }, { code: 'B' }]);
  const rules = { reEntry: false, mostInside: 1, keepDays: 30 };
  await deps.db.tx((tx) => saveTicketRules(tx, scope, { eventId: event.id, rules, at: clock.now() }));
  const supervisor = await phone(service, 'supervisor');
  const counts = async () => (await readShiftStatus(deps, supervisor)).counts;
  expect(await counts()).toMatchObject({ tickets: 2, inside: 0, is_full: false });
  await letInAtPhone(deps, supervisor, { ticket_id: 't0', reason: 'guest list' });
  expect(await counts()).toMatchObject({ inside: 1, most_inside: 1, is_full: true });
  await scanAtPhone(deps, supervisor, { ticket_id: 't0', direction: 'out' });
  expect(await counts()).toMatchObject({ inside: 0, is_full: false, gates: [{ entered: 1, left: 1 }] });
});

test('the door names the guest by the ticket, and an export has it without the code', async () => {
  const { service, deps, scope, event } = await atTheDoor('list', [
    { code: 'TICKET-A1', name: 'Ada', note: 'VIP' },
  ]);
  const kiosk = await gate(service, 'north');
  const { opened } = await scanAtKiosk(deps, kiosk, shown('TICKET-A1'));
  const door = () => readDoor(deps, scope, { eventId: event.id, role: 'staff' });
  expect((await door()).under_way).toMatchObject([{ guest: 'Ada · Day ticket' }]);
  const sessionId = opened?.snapshot.session_id ?? '';
  await check(service, sessionId, 'alice');
  await admitAtKiosk(deps, kiosk, { session_id: sessionId });
  expect((await door()).latest).toMatchObject([{ guest: 'Ada · Day ticket' }]);
  const personId = (await findTicket(deps.db, scope, 't0'))?.personId ?? '';
  const exported = await exportPerson(deps, scope, personId, 'cli');
  const ways = [{ direction: 'in', gate: 'north' }];
  expect(exported.tickets).toMatchObject([{ name: 'Ada', kind: 'Day ticket', note: 'VIP', ways }]);
  expect(JSON.stringify(exported)).not.toContain('TICKET-A1');
});

test('no code of a ticket is in the database or the audit log', async () => {
  const { service, deps } = await atTheDoor('list', [{ code: 'SECRET-CODE-77' }]);
  await enter(service, await gate(service, 'north'), 'SECRET-CODE-77', 'alice');
  for (const table of [
    'tickets',
    'ticket_entries',
    'ticket_runs',
    'ticket_refusals',
    'audit_entries',
    'sessions',
  ])
    expect(JSON.stringify(await deps.db.all(`SELECT * FROM ${table}`))).not.toContain('SECRET-CODE-77');
});

test('codes of the door team are shown to those who may let people in', async () => {
  const { service, deps, scope, event } = await atTheDoor();
  await createShift(deps, scope, { eventId: event.id, role: 'steward', actor: 'cli' });
  const seen = (showsCodes: boolean) =>
    readDoorTeam(service.deps, scope, { eventId: event.id, showsCodes }).then(({ shifts }) => shifts);
  expect((await seen(true)).map(({ role, code }) => [role, code !== null])).toEqual([['steward', true]]);
  expect(await seen(false)).toMatchObject([{ role: 'steward', code: null, join_url: null }]);
});

test('a stale form of the limit keeps what another admin changed since', async () => {
  const { service, deps, scope, event } = await atTheDoor();
  const read = () => readDoorTeam(service.deps, scope, { eventId: event.id, showsCodes: false });
  const { version } = await read();
  const change = (sent: { re_entry?: boolean; most_inside?: number | null }) =>
    changeTicketRules(deps, scope, { eventId: event.id, change: { ...sent, version }, actor: 'cli' });
  await change({ most_inside: 500 });
  await change({ re_entry: true });
  expect(await read()).toMatchObject({ re_entry: true, counts: { most_inside: 500 } });
  expect(await refusalOf(change({ most_inside: 300 }))).toBe('changed_meanwhile');
});

const BADGE = '<h1>{name}</h1><p>{kind}</p><small>{event}</small>';

/** A door whose kiosks print badges. */
async function withBadges(tickets: readonly Given[]) {
  const door = await atTheDoor('list', tickets);
  const { deps, event, scope } = door;
  await deps.db.tx((tx) => updateEvent(tx, { ...event, badge: BADGE, badgeWidthMm: 250, badgeHeightMm: 25 }));
  return {
    ...door,
    queue: () => readBadges(deps.db, scope, event.id),
    take: async (kiosk: Kiosk) => (await takeBadgeAtKiosk(deps, kiosk)).badge,
  };
}

test('an event without a template prints no badge', async () => {
  const { service, deps, scope, event } = await atTheDoor('list', [{ code: 'A1', name: 'Ada' }]);
  const kiosk = await gate(service, 'north');
  await enter(service, kiosk, 'A1', 'alice');
  expect(await takeBadgeAtKiosk(deps, kiosk)).toEqual({ badge: null });
  expect(await readBadges(deps.db, scope, event.id)).toEqual([]);
});

test('a badge waits at the kiosk where its guest entered, which takes it once', async () => {
  const { service, deps, take, queue } = await withBadges([{ code: 'A1', name: 'Ada', party: 'P7' }]);
  const [kiosk, other] = [await gate(service, 'north'), await gate(service, 'south')];
  const waiting = async (at: Kiosk) =>
    (await readOrders({ ...deps, maintenance: { retryAfterS: () => null } }, at)).orders.badges;
  await enter(service, kiosk, 'A1', 'alice');
  expect([await waiting(kiosk), await waiting(other), await take(other)]).toEqual([1, 0, null]);
  const taken = (await Promise.all([take(kiosk), take(kiosk)])).filter((badge) => badge !== null);
  const values = { name: 'Ada', kind: 'Day ticket', event: 'Night run', order: 'P7' };
  expect(taken).toMatchObject([{ template: BADGE, width_mm: 250, height_mm: 25, values }]);
  expect(await waiting(kiosk)).toBe(0);
  expect(await queue()).toMatchObject([{ name: 'Ada', kiosk: 'north', status: 'taken' }]);
  const id = taken[0]?.badge_id ?? '';
  await endBadgeAtKiosk(deps, other, { badge_id: id });
  await endBadgeAtKiosk(deps, kiosk, { badge_id: id, failure: 'no_printer' });
  expect(await queue()).toMatchObject([{ status: 'failed', why: 'no_printer' }]);
  expect(await take(kiosk)).toBeNull();
});

test('a badge is printed a second time only if staff ask for it, and the audit log says who', async () => {
  const { service, deps, scope, event, clock, take, queue } = await withBadges([{ code: 'A1' }]);
  const rules = { reEntry: true, mostInside: null, keepDays: 30 };
  await deps.db.tx((tx) => saveTicketRules(tx, scope, { eventId: event.id, rules, at: clock.now() }));
  const kiosk = await gate(service, 'north');
  const supervisor = await phone(service, 'supervisor');
  await enter(service, kiosk, 'A1', 'alice');
  const id = (await take(kiosk))?.badge_id ?? '';
  await scanAtPhone(deps, supervisor, { text: 'A1', direction: 'out' });
  await enter(service, kiosk, 'A1', 'alice');
  expect(await take(kiosk)).toBeNull();
  const again = { eventId: event.id, id, actor: 'cli' } as const;
  await printAgain(deps, scope, again);
  expect(await refusalOf(printAgain(deps, scope, again))).toBe('not_found');
  expect(await take(kiosk)).toMatchObject({ badge_id: id });
  expect(await queue()).toHaveLength(1);
  const audited = await deps.db.all<{ actor: string }>(
    `SELECT actor FROM audit_entries WHERE action = 'ticket.badge_again'`,
  );
  expect(audited).toEqual([{ actor: 'cli' }]);
});

test('an entry that was undone prints nothing; its guest’s badge waits where they enter later', async () => {
  const { service, deps, take } = await withBadges([{ code: 'A1' }]);
  const [north, south] = [await gate(service, 'north'), await gate(service, 'south')];
  const { decision } = await enter(service, north, 'A1', 'alice');
  await undoAtPhone(deps, await phone(service, 'supervisor'), decision.entry ?? 0);
  expect(await take(north)).toBeNull();
  await enter(service, south, 'A1', 'alice');
  expect([await take(north), await take(south)]).toEqual([null, expect.objectContaining({ width_mm: 250 })]);
});

test('who is let in at a phone gets no badge, because phones have no printer', async () => {
  const { service, deps, queue } = await withBadges([{ code: 'A1' }]);
  const given = { ticket_id: 't0', reason: 'Known to me' };
  await letInAtPhone(deps, await phone(service, 'supervisor'), given);
  expect(await queue()).toEqual([]);
});
