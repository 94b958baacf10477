import sharp from 'sharp';
import { expect, test } from 'vitest';
import type { EventCreate, EventRecord } from '../../contract/console/events.ts';
import { insertPhoneCode } from '../../store/phone/codes.ts';
import { openTestService, refusalOf, type TestService } from '../../../testing/service/temp-service.ts';
import { run, sessionOf, startRun } from '../../../testing/service/runs.ts';
import { giveConsent } from '../runs/flow.ts';
import { readKioskConfig, readLogo } from './kiosk-config.ts';
import { pairDevice } from './kiosk-pairing.ts';
import { startWalkUp } from './kiosk-runs.ts';
import { authoriseKiosk } from './kiosk-tokens.ts';
import { changeLanguages } from '../companies/languages.ts';
import { captureTestFace } from '../capture/test-capture.ts';
import { snapshotOf } from '../runs/sessions/session-view.ts';
import { cancelStuckSession, reopenStuckSession } from '../runs/stuck-sessions.ts';
import { operatorActor } from '../../domain/operators/actor.ts';
import { createOperator } from '../operators/operators.ts';
import { readCodes, readDoor } from './door.ts';
import { changeEvent, createEvent, readEventOptions, readEventPage } from './events.ts';
import { addKiosk, changeKiosk, command, readKiosks, renewCode, revoke } from './kiosks.ts';
import { changeLogo, changePicture } from './logo.ts';
import { reportCsv } from './report-csv.ts';
import { readReport } from './report.ts';

const HOUR_MS = 3_600_000;
const ACTOR = 'operator:ana' as const;

function event(service: TestService, more: Partial<EventCreate> = {}): Promise<EventRecord> {
  const now = service.clock.now();
  const times = {
    starts_at: new Date(now - HOUR_MS).toISOString(),
    ends_at: new Date(now + 8 * HOUR_MS).toISOString(),
  };
  const request = { name: 'Night run', limit: { kind: 'total', max: 1 } as const, ...times, ...more };
  return createEvent(service.deps, service.scope('test'), request, ACTOR);
}

/** A paired kiosk, and a function that sends a test face through it. */
async function kiosk(service: TestService, eventId: string, name = 'North gate') {
  const { deps, company } = service;
  const { code, kiosk: made } = await addKiosk(deps, company.company_id, { name, event_id: eventId }, ACTOR);
  const { device_token: token } = await pairDevice(deps, code);
  const start = async () => {
    const { snapshot } = await startWalkUp(deps, await authoriseKiosk(deps.db, token));
    return snapshot.session_id;
  };
  const pass = async (face: string, seconds = 10) => {
    const id = await start();
    await giveConsent(deps, await sessionOf(service, id), { accepted: true });
    service.clock.advance(seconds * 1_000);
    await captureTestFace(deps, await sessionOf(service, id), face);
    return id;
  };
  return { id: made.kiosk_id, token, start, pass };
}

const door = (service: TestService) => readDoor(service.deps, service.scope('test'), { role: 'admin' });

test('an event uses the default verification in a group of its own, unless set otherwise', async () => {
  const service = await openTestService();
  const made = await event(service);
  expect(made.verification_id).toBe(service.company.default_verification_id);
  expect(made.group).toMatch(/^event-\w{10}$/);
  expect(made.state).toBe('running');
  expect((await event(service, { group: 'vip' })).group).toBe('vip');
  expect(await refusalOf(event(service, { group: 'vip' }))).toBe('group_taken');
});

test('an event keeps its languages, and its kiosks offer those that the installation offers', async () => {
  const service = await openTestService();
  const { deps } = service;
  await event(service, { languages: ['en', 'fr'] });
  await changeLanguages(deps, { offered: ['en', 'de'], default_language: 'de' }, ACTOR);
  const { items } = await readEventPage(deps, service.scope('test'), {});
  expect(items[0]).toMatchObject({ languages: ['en', 'fr'], kiosk_languages: ['en'] });
  expect((await readEventOptions(deps, service.scope('test'))).languages).toEqual(['en', 'de']);
});

test('an event ends after it starts, within a year, and uses a verification of its company', async () => {
  const service = await openTestService();
  const refused = (more: Partial<EventCreate>) => refusalOf(event(service, more));
  expect(await refused({ starts_at: '2030-01-02T10:00:00Z', ends_at: '2030-01-02T10:00:00Z' })).toBe(
    'event_ends_before_start',
  );
  expect(await refused({ starts_at: '2030-01-02T10:00:00Z', ends_at: '2032-01-02T10:00:00Z' })).toBe(
    'event_too_long',
  );
  expect(await refused({ ends_at: 'some day soon' })).toBe('event_without_times');
  expect(await refused({ name: '   ' })).toBe('event_without_name');
  expect(await refused({ verification_id: 'somebody-elses' })).toBe('event_verification_unknown');
});

test('an event of one partition is not found in the other', async () => {
  const service = await openTestService();
  const { event_id: id } = await event(service);
  const live = service.scope('live');
  expect((await readEventPage(service.deps, live, {})).items).toEqual([]);
  expect(await refusalOf(changeEvent(service.deps, live, id, { name: 'x', reason: 'why' }, ACTOR))).toBe(
    'not_found',
  );
});

test('a list of events continues where its page ended', async () => {
  const service = await openTestService();
  for (const day of [1, 2, 3]) {
    await event(service, {
      name: `Day ${day}`,
      starts_at: `2030-06-0${day}T10:00:00Z`,
      ends_at: `2030-06-0${day}T20:00:00Z`,
    });
  }
  const scope = service.scope('test');
  const first = await readEventPage(service.deps, scope, { limit: 2 });
  const rest = await readEventPage(service.deps, scope, { limit: 2, cursor: first.next_cursor ?? '' });
  expect([...first.items, ...rest.items].map(({ name }) => name)).toEqual(['Day 3', 'Day 2', 'Day 1']);
  expect(rest.next_cursor).toBeNull();
  expect(await refusalOf(readEventPage(service.deps, scope, { cursor: 'nonsense' }))).toBe('invalid_cursor');
});

test('empty texts are not stored', async () => {
  const service = await openTestService();
  const { words } = await event(service, { words: { en: { welcome: ' Hello ', passed: '  ' }, de: {} } });
  expect(words).toEqual({ en: { welcome: 'Hello' } });
});

test('a logo is encoded again, small, with another address each time', async () => {
  const service = await openTestService();
  const { deps } = service;
  const { event_id: eventId } = await event(service);
  const scope = service.scope('test');
  const bytes = await sharp({ create: { width: 2_000, height: 1_000, channels: 3, background: 'teal' } })
    .withExif({ IFD0: { Copyright: 'Somebody' } })
    .jpeg()
    .toBuffer();
  const { logo_id: first } = await changeLogo(deps, { scope, eventId, bytes, actor: ACTOR });
  const image = await readLogo(deps, first ?? '');
  const { format, width, height, exif } = await sharp(image).metadata();
  expect([format, width, height, exif]).toEqual(['webp', 800, 400, undefined]);
  const { logo_id: second } = await changeLogo(deps, { scope, eventId, bytes, actor: ACTOR });
  expect(second).not.toBe(first);
  expect((await changeLogo(deps, { scope, eventId, bytes: null, actor: ACTOR })).logo_id).toBeNull();
});

test.each([
  ['logo', changeLogo],
  ['picture', changePicture],
] as const)(
  'a %s that somebody else changed since it was read stays, and the refusal says who',
  async (kind, change) => {
    const service = await openTestService();
    const { deps } = service;
    const request = { name: 'Ben', role: 'admin', origin: 'cli', actor: 'cli' } as const;
    const ben = operatorActor((await createOperator(deps, request)).operator.operator_id);
    const { event_id: eventId, version: empty } = await event(service);
    const scope = service.scope('test');
    const bytes = await sharp({ create: { width: 60, height: 30, channels: 3, background: 'teal' } })
      .png()
      .toBuffer();
    const { version } = await change(deps, { scope, eventId, bytes, version: empty, actor: ACTOR });
    const theirs = await change(deps, { scope, eventId, bytes, version, actor: ben });
    const stale = { scope, eventId, version, actor: ACTOR };
    for (const file of [bytes, null]) {
      const refused: unknown = await change(deps, { ...stale, bytes: file }).catch((error: unknown) => error);
      expect(refused).toMatchObject({
        code: 'changed_meanwhile',
        facts: {
          conflict: { fields: [{ field: `${kind}_id`, theirs: theirs[`${kind}_id`], changed_by: 'Ben' }] },
        },
      });
    }
    const { version: read } = theirs;
    const other = await changeEvent(
      deps,
      scope,
      eventId,
      { name: 'Longer night', reason: 'sold out', version },
      ACTOR,
    );
    expect(other[`${kind}_id`]).toBe(theirs[`${kind}_id`]);
    expect((await change(deps, { ...stale, version: read, bytes: null }))[`${kind}_id`]).toBeNull();
  },
);

test('the hosted page of an event’s run shows its logo; without an event there is none', async () => {
  const service = await openTestService();
  const { deps } = service;
  const { event_id: eventId, group } = await event(service);
  const bytes = await sharp({ create: { width: 60, height: 30, channels: 3, background: 'teal' } })
    .png()
    .toBuffer();
  const { id: ofEvent } = await startRun(service, { group });
  const logoOf = async (id: string) =>
    (await snapshotOf(deps, await sessionOf(service, id))).branding.logo_url;
  expect(await logoOf(ofEvent)).toBeNull();
  const { logo_id: logo } = await changeLogo(deps, {
    scope: service.scope('test'),
    eventId,
    bytes,
    actor: ACTOR,
  });
  expect(await logoOf(ofEvent)).toBe(`/kiosk/logos/${logo}`);
  expect(await logoOf((await startRun(service, { group: 'another' })).id)).toBeNull();
  expect(await logoOf((await startRun(service)).id)).toBeNull();
});

test('the picture behind the start screen is encoded again, and kiosks learn its darkest colour', async () => {
  const service = await openTestService();
  const { deps, company } = service;
  const { event_id: eventId } = await event(service);
  const scope = service.scope('test');
  const dark = { create: { width: 40, height: 40, channels: 3, background: '#102030' } } as const;
  const bytes = await sharp({ create: { width: 3_000, height: 1_500, channels: 3, background: '#e0d0c0' } })
    .composite([{ input: await sharp(dark).png().toBuffer() }])
    .withExif({ IFD0: { Copyright: 'Somebody' } })
    .jpeg()
    .toBuffer();
  const { picture_id: id } = await changePicture(deps, { scope, eventId, bytes, actor: ACTOR });
  const { format, width, height, exif } = await sharp(await readLogo(deps, id ?? '')).metadata();
  expect([format, width, height, exif]).toEqual(['webp', 1920, 960, undefined]);
  const { code } = await addKiosk(deps, company.company_id, { name: 'North', event_id: eventId }, ACTOR);
  const { device_token: token } = await pairDevice(deps, code);
  const shown = async () =>
    (await readKioskConfig(deps, await authoriseKiosk(deps.db, token))).event?.picture;
  expect((await shown())?.darkest).toMatch(/^#[0-4][0-9a-f][0-4][0-9a-f][0-6][0-9a-f]$/);
  await changePicture(deps, { scope, eventId, bytes: null, actor: ACTOR });
  expect(await shown()).toBeNull();
});

test.each([
  ['a drawing that could run scripts', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')],
  ['a page', Buffer.from('<!doctype html>')],
  ['a picture that ends early', Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 16])],
  ['nothing', Buffer.alloc(0)],
])('%s is not accepted as a logo', async (_what, bytes) => {
  const service = await openTestService();
  const { event_id: eventId } = await event(service);
  const change = changeLogo(service.deps, { scope: service.scope('test'), eventId, bytes, actor: ACTOR });
  expect(await refusalOf(change)).toBe('invalid_logo');
});

test('a kiosk waits for its code, is online while it reports, and away afterwards', async () => {
  const service = await openTestService();
  const { deps, clock, company } = service;
  const state = async () => (await readKiosks(deps, company.company_id)).map((found) => found.state);
  const { kiosk: made } = await addKiosk(deps, company.company_id, { name: 'North' }, ACTOR);
  expect(await state()).toEqual(['waiting']);
  clock.advance(600_000);
  expect(await state()).toEqual(['code_over']);
  const { code } = await renewCode(deps, company.company_id, made.kiosk_id, ACTOR);
  expect(
    await refusalOf(command(deps, company.company_id, made.kiosk_id, { kind: 'walk_up', actor: ACTOR })),
  ).toBe('kiosk_not_paired');
  const { device_token: token } = await pairDevice(deps, code);
  expect(await state()).toEqual(['online']);
  clock.advance(60_000);
  expect(await state()).toEqual(['away']);
  await revoke(deps, company.company_id, made.kiosk_id, { reason: 'stolen', actor: ACTOR });
  expect(await state()).toEqual([]);
  await expect(authoriseKiosk(deps.db, token)).rejects.toThrow('invalid_kiosk_token');
});

test('a code comes with the trust page of the network mode’s address, not of one that devices trust', async () => {
  const { deps, company } = await openTestService();
  const trust = { url: 'http://192.168.1.4:4183/trust', fingerprint: 'AB:CD' };
  const inNetworkMode = { ...deps, baseUrl: () => 'https://192.168.1.4:4182', trustPage: () => trust };
  const name = { name: 'North' };
  expect((await addKiosk(inNetworkMode, company.company_id, name, ACTOR)).trust).toEqual(trust);
  const isPublic = { ...inNetworkMode, connectUrl: inNetworkMode.baseUrl };
  expect((await addKiosk(isPublic, company.company_id, name, ACTOR)).trust).toBeNull();
});

test('a kiosk runs events of its own company only', async () => {
  const service = await openTestService();
  const { deps, company } = service;
  const { kiosk: made } = await addKiosk(deps, company.company_id, { name: 'North' }, ACTOR);
  const change = changeKiosk(deps, company.company_id, made.kiosk_id, { event_id: 'elsewhere' }, ACTOR);
  expect(await refusalOf(change)).toBe('not_found');
  expect(await refusalOf(changeKiosk(deps, 'other', made.kiosk_id, { name: 'x' }, ACTOR))).toBe('not_found');
});

test('the door says who passed, and who has already entered, since when and where', async () => {
  const service = await openTestService();
  const { event_id: id } = await event(service);
  const [north, south] = [await kiosk(service, id), await kiosk(service, id, 'South gate')];
  await north.pass('alice');
  const passedAt = new Date(service.clock.now()).toISOString();
  service.clock.advance(60_000);
  await south.pass('alice');
  const view = await door(service);
  expect(view.event?.event_id).toBe(id);
  expect(view.latest.map(({ result, kiosk_name }) => [result, kiosk_name])).toEqual([
    ['already', 'South gate'],
    ['passed', 'North gate'],
  ]);
  expect(view.latest[0]?.earlier).toEqual({ at: passedAt, kiosk_name: 'North gate' });
  expect([view.counts.passed, view.counts.turned_away, view.last_hour]).toEqual([1, 1, 1]);
});

test('the door shows a guest’s name from the organiser, and never data that the organiser did not send', async () => {
  const service = await openTestService();
  const { group } = await event(service);
  const asSent = { first_name: 'Ana', last_name: 'Ruiz' };
  await run(service, 'alice', { group, external_id: 'T-1', metadata: asSent });
  await run(service, 'bob', { group, external_id: 'T-2' });
  await run(service, 'cleo', { group, email: 'cleo@example.com' });
  const guests = (await door(service)).latest.map(({ guest }) => guest);
  expect(guests).toHaveLength(3);
  expect(guests).toEqual(expect.arrayContaining(['Ana Ruiz', 'T-2', null]));
});

test('if the event has no limit, returning guests are let in, and the door says so', async () => {
  const service = await openTestService();
  const { event_id: id } = await event(service, { limit: { kind: 'none', max: 1 } });
  const gate = await kiosk(service, id);
  await gate.pass('alice');
  await gate.pass('alice');
  const { latest, counts } = await door(service);
  expect(latest.map(({ result }) => result)).toEqual(['passed_again', 'passed']);
  expect(latest[0]?.earlier?.kiosk_name).toBe('North gate');
  expect([counts.passed, counts.passed_again]).toEqual([1, 1]);
});

test('a run in progress is shown until it is released from its device, or ended', async () => {
  const service = await openTestService();
  const { deps } = service;
  const { event_id: id } = await event(service);
  const gate = await kiosk(service, id);
  const scope = service.scope('test');
  const sessionId = await gate.start();
  const underWay = async () => (await door(service)).under_way.map((run) => [run.session_id, run.step]);
  expect(await underWay()).toEqual([[sessionId, 'consent']]);
  const act = { reason: 'tablet froze', actor: ACTOR };
  await reopenStuckSession(deps, scope, sessionId, act);
  expect(await underWay()).toEqual([]);
  await cancelStuckSession(deps, scope, sessionId, act);
  expect((await door(service)).latest.map(({ result }) => result)).toEqual(['unfinished']);
});

test('codes are shown masked, in their partition, until they are used or expired', async () => {
  const service = await openTestService();
  const { deps, clock } = service;
  const now = clock.now();
  const { event_id: id } = await event(service);
  const sessionId = await (await kiosk(service, id)).start();
  await deps.db.tx((tx) =>
    insertPhoneCode(tx, service.scope('test'), {
      id: 'c1',
      sessionId,
      number: '+34600123456',
      code: '123456',
      sentAt: now,
      expiresAt: now + 600_000,
      triesLeft: 5,
      delivery: 'none',
    }),
  );
  const read = (partition: 'live' | 'test') => readCodes(deps, service.scope(partition), { isLimited: true });
  expect(await read('test')).toMatchObject([{ number: '+34•••••••56', code: '123456' }]);
  expect(await read('live')).toEqual([]);
  clock.advance(600_000);
  expect(await read('test')).toEqual([]);
});

test('a code for a person’s own page, which opens their data in every company, is hidden from limited operators', async () => {
  const { deps, clock, scope } = await openTestService();
  const now = clock.now();
  const own = (id: string, code: string, delivery: 'none' | 'pending' | 'sent' | 'failed') =>
    deps.db.tx((tx) =>
      insertPhoneCode(tx, null, {
        id,
        sessionId: null,
        number: '+34600123456',
        code,
        sentAt: now,
        expiresAt: now + 600_000,
        triesLeft: 5,
        delivery,
      }),
    );
  await own('c1', '111111', 'none');
  await own('c2', '222222', 'failed');
  await own('c3', '333333', 'pending');
  await own('c4', '444444', 'sent');
  const read = async (isLimited: boolean) =>
    (await readCodes(deps, scope('live'), { isLimited })).map(({ code }) => code).sort();
  // One that the person gets by SMS is nobody else's.
  expect(await read(false)).toEqual(['111111', '222222']);
  expect(await read(true)).toEqual([]);
});

test('the report counts the event’s runs by hour, outcome, reason and kiosk', async () => {
  const service = await openTestService();
  const { deps, clock } = service;
  const made = await event(service, { name: '=Night "run"' });
  const [north, south] = [
    await kiosk(service, made.event_id),
    await kiosk(service, made.event_id, 'South gate'),
  ];
  await north.pass('alice', 8);
  await north.pass('bob', 20);
  await south.pass('alice', 12);
  clock.advance(HOUR_MS);
  await north.pass('carla', 10);
  const report = await readReport(deps, service.scope('test'), made.event_id);
  expect(report.counts).toMatchObject({ ended: 4, passed: 3, turned_away: 1, in_review: 0 });
  expect(report.hours.map(({ let_in, turned_away }) => [let_in, turned_away])).toEqual([
    [2, 1],
    [1, 0],
  ]);
  expect(report.reasons).toEqual([{ reason: 'limit_reached', count: 1, share: 1 }]);
  expect(report.kiosk_time).toEqual({ runs: 4, median_s: 12, p90_s: 20 });
  expect(report.kiosks.map(({ name, runs, let_in }) => [name, runs, let_in])).toEqual([
    ['North gate', 3, 3],
    ['South gate', 1, 0],
  ]);
  const lines = reportCsv(report, 'en').split('\r\n');
  expect(lines.slice(0, 2)).toEqual([
    '\uFEFFSection,Hour or kiosk,Name,Value,field',
    `Event,,Name,"'=Night ""run""",event.name`,
  ]);
  expect(lines).toContain('Totals,,Turned away,1,counts.turned_away');
  expect(lines).toContain('Reasons for turning guests away,,No entries left,1,reasons.limit_reached');
  expect(lines).toContain('By kiosk,South gate,Let in,0,kiosks.let_in');
  expect(reportCsv(report, 'de')).toContain('Summen,,Abgewiesen,1,counts.turned_away');
});

test('the report has every hour from the first run to the last, also empty ones', async () => {
  const service = await openTestService();
  const { deps, clock } = service;
  const made = await event(service);
  const gate = await kiosk(service, made.event_id);
  await gate.pass('alice', 8);
  clock.advance(3 * HOUR_MS);
  await gate.pass('carla', 10);
  const { hours } = await readReport(deps, service.scope('test'), made.event_id);
  const starts = hours.map(({ from }) => Date.parse(from));
  expect(starts).toEqual(starts.map((_, place) => starts[0]! + place * HOUR_MS));
  expect(hours.map(({ let_in }) => let_in)).toEqual([1, 0, 0, 1]);
});

test('a case of the event is listed with its decision', async () => {
  const service = await openTestService();
  const verification = await service.verification('by-review', {
    config: { collision: { action: 'review' } },
  });
  const { event_id: id } = await event(service, { verification_id: verification });
  const gate = await kiosk(service, id);
  await gate.pass('alice');
  await gate.pass('near:alice');
  const view = await door(service);
  expect(view.latest[0]?.result).toBe('ask');
  expect(view.open_cases).toBe(1);
  const { cases, counts } = await readReport(service.deps, service.scope('test'), id);
  expect([cases.open, counts.in_review]).toEqual([1, 1]);
});
