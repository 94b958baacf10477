/** Where codes of tickets never are, and when names end. */
import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { openTestService } from '../../testing/service/temp-service.ts';
import { passOf, run, sessionOf } from '../../testing/service/runs.ts';
import { kiosk as kioskRow, venueEvent } from '../../testing/store/rows.ts';
import { tableNames, tempDir } from '../../testing/store/temp-store.ts';
import { serverConfig } from '../config.ts';
import { KIOSK_TOKEN_HEADER } from '../contract/kiosk.ts';
import { SHIFT_TOKEN_HEADER } from '../contract/tickets.ts';
import { ANY_AGE, olderThan } from '../domain/clock.ts';
import { captureTestFace } from '../services/capture/test-capture.ts';
import { exportPerson } from '../services/people/export.ts';
import { runRetention } from '../services/people/retention-run.ts';
import { giveConsent } from '../services/runs/flow.ts';
import { ticketHasher } from '../services/tickets/codes.ts';
import { changeTicketRules } from '../services/tickets/rules.ts';
import { createShift, joinShift, readShifts } from '../services/tickets/shifts.ts';
import { readUntold } from '../services/tickets/connect.ts';
import { reportCsv } from '../services/venue/report-csv.ts';
import { readReport } from '../services/venue/report.ts';
import { pairDevice } from '../services/venue/kiosk-pairing.ts';
import { pairingCodeHash } from '../services/venue/kiosk-tokens.ts';
import { createWebhook } from '../services/webhooks/v3-webhooks.ts';
import type { Database } from '../store/sql/port.ts';
import { insertSource } from '../store/tickets/sources.ts';
import { findTicket, insertTicket } from '../store/tickets/tickets.ts';
import { insertEvent } from '../store/venue/events.ts';
import { insertKiosk } from '../store/venue/kiosks.ts';
import { createPublicApp } from './public-app.ts';

const DAY_MS = 86_400_000;
const KNOWN = 'SECRET-CODE-77';
const UNKNOWN = 'SECRET-CODE-78';

/** An event of pretix with one ticket, a kiosk, a phone of a supervisor, a webhook and a log of everything. */
async function openVenue() {
  const service = await openTestService();
  const { deps, clock, company } = service;
  const scope = service.scope('test');
  const at = clock.now();
  const event = venueEvent(scope, company.default_verification_id, 'e', {
    ...{ startsAt: at - 3_600_000, endsAt: at + DAY_MS, badge: '<h1>{name}</h1>' },
  });
  const hash = await ticketHasher(deps);
  const dates = { createdAt: at, updatedAt: at };
  await deps.db.tx(async (tx) => {
    await insertEvent(tx, event);
    await insertSource(tx, scope, {
      ...{ id: 's', eventId: 'e', kind: 'pretix', name: 'Shop', config: {}, state: {}, ...dates },
    });
    await insertTicket(tx, scope, {
      ...{ id: 't', eventId: 'e', sourceId: 's', codeHash: hash(KNOWN), code: KNOWN, externalId: '1' },
      ...{ name: 'Ada Lovelace', kind: 'Day', party: 'O1', note: 'on the list', state: 'valid' },
      ...{ validFrom: null, validUntil: null, rulesUnknown: false, ...dates },
    });
    const row = { eventId: 'e', codeHash: pairingCodeHash('GATE'), at, name: 'North' };
    await insertKiosk(tx, kioskRow(company.company_id, 'k', row));
  });
  await createWebhook(deps, { scope, actor: 'cli' }, { url: 'https://shop.example/hooks' });
  const { device_token: kiosk } = await pairDevice(deps, 'GATE');
  await createShift(deps, scope, { eventId: 'e', role: 'supervisor', actor: 'cli' });
  const [shift] = await readShifts(deps, scope, 'e');
  const { token: phone } = await joinShift(deps, { code: shift?.code ?? '', name: 'Kim' });
  const log: string[] = [];
  const logger = pino({ level: 'trace' }, { write: (line) => void log.push(line) });
  const app = await createPublicApp({ deps, logger, ...serverConfig({ dataDir: tempDir() }, {}) });
  onTestFinished(() => app.close());
  const post = async (url: string, payload: object, headers = {}) =>
    (
      await app.inject({
        ...{ method: 'POST', url, payload },
        headers: { [KIOSK_TOKEN_HEADER]: kiosk, [SHIFT_TOKEN_HEADER]: phone, ...headers },
      })
    ).json<Record<string, unknown>>();
  return { service, deps, clock, scope, event, log, post };
}

test('codes are in no log, webhook, export, report or table, whether they are known or not', async () => {
  const { service, deps, scope, log, post } = await openVenue();
  const { opened } = await post('/kiosk/tickets', { text: KNOWN });
  const sessionId = (opened as { snapshot: { session_id: string } }).snapshot.session_id;
  await giveConsent(deps, await sessionOf(service, sessionId), { accepted: true });
  const ended = await captureTestFace(deps, await sessionOf(service, sessionId), 'alice');
  expect(await post('/kiosk/admissions', { session_id: sessionId })).toMatchObject({ verdict: 'admit' });
  const { badge } = await post('/kiosk/badges', {});
  expect(badge).toMatchObject({ values: { name: 'Ada Lovelace', kind: 'Day', order: 'O1' } });
  expect(JSON.stringify(badge)).not.toContain(KNOWN);
  const { badge_id: id } = badge as { badge_id: string };
  expect(await post('/kiosk/badges/end', { badge_id: id })).toEqual({});
  for (const [url, payload] of [
    ['/kiosk/tickets', { text: UNKNOWN }],
    ['/kiosk/tickets', { text: KNOWN }],
    ['/kiosk/tickets', { text: [KNOWN] }],
    ['/scan/tickets', { text: UNKNOWN, direction: 'in' }],
    ['/scan/tickets', { text: KNOWN, direction: 'out' }],
    ['/scan/tickets', { text: KNOWN, direction: 'sideways' }],
    [`/scan/${KNOWN}`, { text: KNOWN }],
    ['/scan/search', { text: KNOWN }],
    ['/flow/tickets', { event_id: 'e', code: KNOWN }],
    ['/flow/tickets', { event_id: KNOWN, code: UNKNOWN }],
    ['/flow/tickets', { event_id: 'e', code: [KNOWN] }],
  ] as const)
    await post(url, payload);
  const now = deps.clock.now.bind(deps.clock);
  deps.clock.now = () => {
    throw new Error('broken');
  };
  expect(await post('/kiosk/tickets', { text: KNOWN })).not.toHaveProperty('decision');
  deps.clock.now = now;
  expect(log.length).toBeGreaterThan(0);
  const { personId } = await passOf(service, ended);
  const seen = [
    ...log,
    JSON.stringify(await exportPerson(deps, scope, personId ?? '', 'cli')),
    JSON.stringify(await readUntold(deps, scope, { eventId: 'e', sourceId: 's' })),
    reportCsv(await readReport(deps, scope, 'e'), 'en'),
  ];
  const tables = await deps.db.all<{ name: string }>(
    `SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'`,
  );
  for (const { name } of tables) {
    const rows = await deps.db.all<Record<string, unknown>>(`SELECT * FROM ${name}`);
    seen.push(
      // Codes that pretix needs are sealed, as the test of all secret columns shows.
      ...rows.flatMap(({ code, ...row }) =>
        Object.values(name === 'tickets' ? row : { ...row, code }).map((value) =>
          value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : String(value),
        ),
      ),
    );
  }
  expect(seen.filter((text) => text.includes('SECRET-CODE'))).toEqual([]);
  expect(await deps.db.all('SELECT body FROM webhook_calls')).not.toEqual([]);
});

test('a humans-only code is in no log, webhook, export, report or table, however it was sent', async () => {
  const { service, deps, scope, event, log, post } = await openVenue();
  const key = { authorization: `Bearer ${service.company.keys.sk_test}`, 'idempotency-key': 'one' };
  const ended = await run(service, 'alice', { group: event.group });
  const pass = await passOf(service, ended);
  const token = deps.tokens.mint({ passId: pass.id, mintedAt: deps.clock.now() }, pass.id);
  const { code } = await post(`/v3/confirmations/${token}/code`, {}, key);
  expect(code).toMatch(/^hc_/);
  expect(await post('/v3/codes/redeem', { code }, key)).toMatchObject({ event_id: event.id });
  const sent = [{ code }, { code: [code] }, { code: `${String(code)}A` }];
  for (const body of sent) await post('/v3/codes/redeem', body, { ...key, 'idempotency-key': 'two' });
  await post('/kiosk/tickets', { text: code });
  await post('/scan/tickets', { text: code, direction: 'in' });
  const now = deps.clock.now.bind(deps.clock);
  deps.clock.now = () => {
    throw new Error('broken');
  };
  await post('/v3/codes/redeem', { code }, { ...key, 'idempotency-key': 'three' });
  deps.clock.now = now;
  expect(log.length).toBeGreaterThan(0);
  const secret = String(code).slice('hc_'.length);
  const seen = [
    ...log,
    JSON.stringify(await exportPerson(deps, scope, pass.personId ?? '', 'cli')),
    reportCsv(await readReport(deps, scope, event.id), 'en'),
    ...(await everything(deps.db)),
  ];
  expect(seen.filter((text) => text.includes(secret))).toEqual([]);
  expect(await deps.db.all('SELECT body FROM webhook_calls')).not.toEqual([]);
});

/** Every value of every table. */
async function everything(db: Database): Promise<string[]> {
  const texts: string[] = [];
  for (const name of await tableNames(db))
    for (const row of await db.all<object>(`SELECT * FROM "${name}"`))
      for (const value of Object.values(row))
        texts.push(value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : String(value));
  return texts;
}

test('names, codes and who came end after the days that the event keeps them', async () => {
  const { deps, scope, event, service } = await openVenue();
  await changeTicketRules(deps, scope, { eventId: 'e', change: { keep_days: 3 }, actor: 'cli' });
  const retentionAt = (at: number) =>
    runRetention(deps.db, service.clock, olderThan(ANY_AGE, ANY_AGE - at), 'system');
  const due = event.endsAt + 3 * DAY_MS;
  expect(await retentionAt(due - 1)).toMatchObject({ tickets: 0 });
  expect(await findTicket(deps.db, scope, 't')).toMatchObject({ name: 'Ada Lovelace', code: KNOWN });
  expect(await retentionAt(due)).toMatchObject({ tickets: 1 });
  expect(await findTicket(deps.db, scope, 't')).toMatchObject({
    ...{ name: null, code: null, externalId: null, party: null, note: null, personId: null, kind: 'Day' },
  });
});
