/** The clock of the test data: every rule finds that data older, live data never is, and nothing with a time is forgotten. */
import { pino } from 'pino';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createRun, PHONE } from '../../../testing/service/connect-runs.ts';
import { NO_SKIP, passOf, run, sessionOf, startRun } from '../../../testing/service/runs.ts';
import { openTestService, refusalOf, type TestService } from '../../../testing/service/temp-service.ts';
import { pass, seedPass, seedPerson, seedSession, session } from '../../../testing/store/rows.ts';
import { createFastify } from '../../http/public-app.ts';
import { v3Routes } from '../../routes/v3/index.ts';
import { MOVED, MOVED_WITH_SESSION } from '../../store/people/test-clock.ts';
import type { Database, SqlValue, Topic } from '../../store/sql/port.ts';
import { captureTestFace } from '../capture/test-capture.ts';
import { changeDailyLimit } from '../companies/companies.ts';
import { readConfirmation } from '../passes/confirmations.ts';
import { settleTestPass } from '../passes/test-token.ts';
import { giveConsent } from '../runs/flow.ts';
import { confirmCode, requestCode } from '../runs/phone-step.ts';
import { resultOf } from '../runs/sessions/session-result.ts';
import { advanceTestClock, showTestClock } from './test-clock.ts';
import { clearTestData } from './test-data.ts';

const MINUTE_S = 60;
const DAY_S = 86_400;

const advance = ({ deps, company }: TestService, seconds: number) =>
  advanceTestClock(deps, company.company_id, { seconds, actor: 'cli' });

describe('what ends automatically ends for test data', () => {
  it('a session', async () => {
    const service = await openTestService();
    const { id } = await startRun(service);
    await advance(service, DAY_S);
    const ended = captureTestFace(service.deps, await sessionOf(service, id), 'alice');
    expect(await refusalOf(ended)).toBe('session_expired');
    expect(await refusalOf(run(service, 'alice'))).toBe('(not refused)');
  });

  it('a result token, also one that is read again, and one of a test pass', async () => {
    const service = await openTestService();
    const caller = await service.caller('sk_test');
    const done = await run(service, 'alice');
    const minted = await settleTestPass(service.deps, caller, {});
    const read = (token = '') => refusalOf(readConfirmation(service.deps, caller, token));
    const again = async () =>
      (await resultOf(service.deps, await sessionOf(service, done.session_id), undefined))?.vyt;
    for (const expected of ['(not refused)', '(not refused)', 'token_expired']) {
      await advance(service, 14 * MINUTE_S);
      // The text stays the same, as long as anyone reads it.
      expect(await again()).toBe(done.result?.vyt);
      expect([await read(done.result?.vyt), await read(minted.token)]).toEqual([expected, expected]);
    }
    const later = await settleTestPass(service.deps, caller, {});
    expect(await read(later.token)).toBe('(not refused)');
  });

  it('the skip window', async () => {
    const service = await openTestService();
    const first = await passOf(service, await run(service, 'alice'));
    await advance(service, DAY_S - MINUTE_S);
    expect((await passOf(service, await run(service, 'alice'))).id).toBe(first.id);
    await advance(service, MINUTE_S);
    expect((await passOf(service, await run(service, 'alice'))).id).not.toBe(first.id);
  });

  it('the daily cap, whose counts become those of the days before', async () => {
    const service = await openTestService();
    const { deps, clock, company } = service;
    await changeDailyLimit(deps.db, clock, { companyId: company.company_id, dailyLimit: 1, actor: 'cli' });
    const isRefused = async (face: string) =>
      (await passOf(service, await run(service, face, NO_SKIP))).reasons.includes('usage_cap_exceeded');
    for (const _day of [1, 2]) {
      expect([await isRefused('alice'), await isRefused('bob')]).toEqual([false, true]);
      await advance(service, DAY_S);
    }
    const days = 'SELECT day, settled FROM usage_days ORDER BY day';
    expect(await deps.db.all(days)).toEqual([
      { day: '2030-05-13', settled: 1 },
      { day: '2030-05-14', settled: 1 },
    ]);
  });

  it.each([
    ['day', DAY_S],
    ['week', 7 * DAY_S],
    ['month', 31 * DAY_S],
  ] as const)('a limit of one a %s', async (kind, seconds) => {
    const service = await openTestService();
    const config = { limit: { kind, max: 1 }, skip: { window_hours: 0 } };
    const reasons = async () =>
      (await passOf(service, await run(service, 'alice', { config, external_id: 'alice' }))).reasons;
    expect(await reasons()).toEqual([]);
    expect(await reasons()).toEqual(['limit_reached']);
    await advance(service, seconds);
    expect(await reasons()).toEqual([]);
  });

  it('a phone code, and the wait for the next', async () => {
    const service = await openTestService();
    const { deps } = service;
    const { id } = await createRun(service, {});
    const opened = () => sessionOf(service, id);
    await giveConsent(deps, await opened(), { accepted: true });
    const ask = async () => refusalOf(requestCode(deps, await opened(), PHONE));
    expect([await ask(), await ask()]).toEqual(['(not refused)', 'resend_too_soon']);
    await advance(service, 11 * MINUTE_S);
    expect(await refusalOf(confirmCode(deps, await opened(), PHONE.slice(-6)))).toBe('code_expired');
    expect(await ask()).toBe('(not refused)');
  });
});

type Row = Record<string, SqlValue>;
const timesOf = (db: Database, table: string, partition: string): Promise<Row[]> =>
  db.all<Row>(
    `SELECT ${(MOVED[table] ?? []).map((name) => `${name} AS "${name}"`).join(', ')} FROM ${table} WHERE partition = ?`,
    partition,
  );

it('live data and other companies are never moved', async () => {
  const service = await openTestService();
  const { deps, company } = service;
  const live = service.scope('live');
  await seedPerson(deps.db, live, 'live-alice');
  await seedSession(deps.db, session(live, company.default_verification_id, 'live-session'));
  const own = { personId: 'live-alice', sessionId: 'live-session' };
  await seedPass(deps.db, live, pass(company.default_verification_id, 'live-pass', own));
  const other = await service.otherCompany();
  await settleTestPass(deps, await other.caller('sk_test'), {});
  const seen = async () => ({
    live: await Promise.all(['people', 'sessions', 'passes'].map((table) => timesOf(deps.db, table, 'live'))),
    other: await timesOf(deps.db, 'passes', 'test'),
  });
  const before = await seen();
  expect(before.live.flat()).toHaveLength(3);
  await advance(service, DAY_S);
  expect(await seen()).toEqual(before);
});

it('it goes forward only, at most 366 days, and back when the test data is cleared', async () => {
  const service = await openTestService();
  const { deps, company, clock } = service;
  const companyId = company.company_id;
  const shown = () => showTestClock(deps.db, companyId);
  expect(await shown()).toEqual({ advanced_seconds: 0 });
  expect(await advance(service, 365 * DAY_S)).toEqual({ advanced_seconds: 365 * DAY_S });
  expect(await refusalOf(advance(service, DAY_S + 1))).toBe('test_clock_at_end');
  expect(await advance(service, DAY_S)).toEqual({ advanced_seconds: 366 * DAY_S });
  await clearTestData(deps.db, clock, { companyId, before: null, actor: 'cli' });
  expect(await shown()).toEqual({ advanced_seconds: 0 });
  const entries = await deps.db.all<{ action: string }>(
    "SELECT action FROM audit_entries WHERE action LIKE 'test%' ORDER BY seq",
  );
  expect(entries.map(({ action }) => action)).toEqual([
    'test_clock.advance',
    'test_clock.advance',
    'test_data.clear',
  ]);
});

it('open pages of the console and of guests are told, and what waits for a time looks again', async () => {
  const service = await openTestService();
  const { deps, company } = service;
  const { id } = await startRun(service);
  const told: string[] = [];
  const follow = (topic: Topic, subject: string) =>
    onTestFinished(deps.db.follow(topic, (isNews) => isNews && told.push(topic), subject));
  follow('session', id);
  for (const topic of ['audit', 'case', 'usage', 'webhooks'] as const) follow(topic, company.company_id);
  for (const topic of ['codes', 'decisions'] as const) follow(topic, 'any');
  await advance(service, DAY_S);
  await expect
    .poll(() => new Set(told), { timeout: 30_000 })
    .toEqual(new Set(['session', 'audit', 'case', 'usage', 'webhooks', 'codes', 'decisions']));
});

it('too much test data is refused instead of holding up checks of live data', async () => {
  const service = await openTestService();
  const { deps, company } = service;
  const verificationId = company.default_verification_id;
  await deps.db.tx(async (tx) => {
    await tx.run(
      `INSERT INTO passes (id, company_id, partition, verification_id, status, reasons, groups, declined, settled_at, generation)
       WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i <= 5000)
       SELECT 'many-' || i, ?, 'test', ?, 'approved', '[]', '[]', 0, 1, 'v3' FROM n`,
      company.company_id,
      verificationId,
    );
  });
  expect(await refusalOf(advance(service, 1))).toBe('test_data_too_large');
});

it('every time of a partition moves or stays for a reason', async () => {
  const { deps } = await openTestService();
  const columns = await deps.db.all<{ name: string; of: string }>(
    deps.db.engine === 'sqlite'
      ? `SELECT c.name AS name, m.name AS "of" FROM sqlite_master m JOIN pragma_table_info(m.name) c
         WHERE m.type = 'table' AND m.name IN
           (SELECT t.name FROM sqlite_master t JOIN pragma_table_info(t.name) k
            WHERE t.type = 'table' AND k.name IN ('partition', 'session_id'))`
      : `SELECT column_name AS name, table_name AS "of" FROM information_schema.columns
         WHERE table_schema = 'public' AND table_name IN
           (SELECT table_name FROM information_schema.columns
            WHERE table_schema = 'public' AND column_name IN ('partition', 'session_id'))`,
  );
  const isTime = ({ name }: { name: string }) =>
    /(_at|_since|_until|_from|_after|^at)$/.test(name) && !/^(lease|checking)_until$/.test(name);
  const all: Record<string, readonly string[]> = { ...MOVED, ...MOVED_WITH_SESSION };
  const staying = columns.filter(isTime).filter(({ name, of }) => !all[of]?.includes(name));
  expect([...new Set(staying.map(({ of }) => of))].sort()).toEqual(
    [
      // Records of acts and their times.
      ...['audit_entries', 'control_results', 'erasure_proofs', 'event_face_ends', 'request_log'],
      // Settings, and keys: nobody locks themselves out.
      ...['keys', 'v3_webhooks', 'webhook_configs', 'webhook_secrets'],
      // A day at the door, planned in real time.
      ...[
        'events',
        'human_codes',
        'kiosks',
        'ticket_badges',
        'ticket_calls',
        'ticket_entries',
        'ticket_refused_scans',
        'ticket_rules',
        'ticket_shifts',
        'ticket_sources',
        'tickets',
      ],
      // Kept under keys of real days.
      'seen_faces',
    ].sort(),
  );
  for (const [table, moving] of Object.entries(all)) {
    for (const name of moving) expect(columns).toContainEqual({ name, of: table });
  }
});

it('only a secret test key reaches it, and a repeated call moves it once', async () => {
  const service = await openTestService();
  const app = createFastify(pino({ level: 'silent' }), 0);
  await app.register(v3Routes, { deps: service.deps });
  onTestFinished(() => app.close());
  const { keys } = service.company;
  const ask = async (method: 'GET' | 'POST' | 'DELETE', key: keyof typeof keys, headers = {}) => {
    const reply = await app.inject({
      method,
      url: '/v3/test/clock',
      headers: { authorization: `Bearer ${keys[key]}`, ...headers },
      ...(method === 'POST' && { payload: { advance_seconds: DAY_S } }),
    });
    return [reply.statusCode, reply.json<object>()];
  };
  for (const method of ['GET', 'POST', 'DELETE'] as const) {
    expect(await ask(method, 'sk_live')).toEqual([403, { detail: 'test_key_required' }]);
    expect((await ask(method, 'pk_test'))[0]).toBe(401);
  }
  const once = { 'idempotency-key': 'one' };
  for (const _time of [1, 2]) {
    expect(await ask('POST', 'sk_test', once)).toEqual([200, { advanced_seconds: DAY_S }]);
  }
  expect(await ask('GET', 'sk_test')).toEqual([200, { advanced_seconds: DAY_S }]);
  expect(await ask('DELETE', 'sk_test')).toEqual([200, { advanced_seconds: 0 }]);
});
