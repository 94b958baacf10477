/** Nobody polls what is announced: idle screens cost no statement, and news arrives without a slow look. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import Sqlite from 'better-sqlite3';
import pg from 'pg';
import { expect, it, onTestFinished, vi } from 'vitest';
import { limitMs } from '../testing/tier.ts';
import { leaseDatabase } from '../testing/postgres/lease.ts';
import { TEST_KEY } from '../testing/postgres/server.ts';
import { onSqlite, tempDir } from '../testing/store/temp-store.ts';
import { serverConfig } from './config.ts';
import { startServer } from './main.ts';
import { captureTestFace } from './services/capture/test-capture.ts';
import { createCompany } from './services/companies/companies.ts';
import { authenticateV3 } from './services/keys/keys.ts';
import { openSession as openOperatorSession } from './services/operators/operator-session.ts';
import { createOperator } from './services/operators/operators.ts';
import { claimReview, decideReviewLater } from './services/reviews/decide.ts';
import { giveConsent, openSession } from './services/runs/flow.ts';
import { initialize } from './services/runs/initialize.ts';
import { pairDevice } from './services/venue/kiosk-pairing.ts';
import { addKiosk, command } from './services/venue/kiosks.ts';
import { findOpenCaseOf } from './store/reviews/cases.ts';
import { findSession } from './store/runs/sessions.ts';
import { SLOW_LOOK_MS } from './store/sql/followers.ts';
import { openDatabase } from './data/folder.ts';

const IDLE_MS = 10_000;
/** Without a slow look, what is not announced never arrives, so nothing has to be in a hurry. */
const MAY_TAKE_MS = limitMs(60_000);

/** Repeats of fifteen seconds or more happen only when the test says so. */
function holdSlowLooks(): () => void {
  const real = globalThis.setInterval;
  const held: (() => void)[] = [];
  const hold = (work: () => void, ms?: number) => {
    const isHeld = ms !== undefined && ms >= SLOW_LOOK_MS;
    if (isHeld) held.push(work);
    return real(isHeld ? () => undefined : work, ms);
  };
  vi.stubGlobal('setInterval', hold);
  onTestFinished(() => void vi.unstubAllGlobals());
  return () => held.forEach((look) => look());
}

/** The proofs of life that remain on PostgreSQL: the node's report, the leader's lock, and whether a connection lives. */
const PROOFS_OF_LIFE = [/\bnodes\b/, /pg_try_advisory_lock/, /^SELECT 1$/, /schema_version/, /secret_keys/];

/** The statements of all connections, as the driver runs them. */
function watchStatements(folder: string): string[] {
  const statements: string[] = [];
  if (!onSqlite) {
    const client: { query: unknown } = pg.Client.prototype;
    const query = client.query as (this: pg.Client, ...given: unknown[]) => unknown;
    client.query = function (this: pg.Client, ...given: unknown[]) {
      const [of] = given as [string | { text?: string }];
      const text = typeof of === 'string' ? of : (of.text ?? '');
      if (!PROOFS_OF_LIFE.some((proof) => proof.test(text))) statements.push(text);
      return query.apply(this, given);
    };
    onTestFinished(() => {
      client.query = query;
    });
    return statements;
  }
  const memory = new Sqlite(':memory:');
  const of = Object.getPrototypeOf(memory.prepare('SELECT 1')) as Record<string, unknown>;
  memory.close();
  for (const name of ['run', 'get', 'all']) {
    const real = of[name] as (this: Sqlite.Statement, ...values: unknown[]) => unknown;
    of[name] = function (this: Sqlite.Statement, ...values: unknown[]) {
      if (this.database.name.startsWith(folder)) statements.push(this.source);
      return real.apply(this, values);
    };
    onTestFinished(() => {
      of[name] = real;
    });
  }
  return statements;
}

type Stream = { events: { event: string; data: string }[] };

async function follow(url: string, headers: Record<string, string>): Promise<Stream> {
  const leaving = new AbortController();
  onTestFinished(() => leaving.abort());
  const response = await fetch(url, { headers, signal: leaving.signal });
  expect(response.status).toBe(200);
  const events: Stream['events'] = [];
  const read = async () => {
    let text = '';
    for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
      const parts = (text + chunk).split('\n\n');
      text = parts.pop() ?? '';
      for (const part of parts) {
        const [event = '', data = ''] = part.replace('event: ', '').split('\ndata: ');
        events.push({ event, data });
      }
    }
  };
  read().catch(() => undefined);
  return { events };
}

/** Where the database is, on either engine. */
async function placeOf(dataDir: string) {
  if (onSqlite) return {};
  const file = path.join(dataDir, 'keys');
  writeFileSync(file, TEST_KEY, { mode: 0o600 });
  return { databaseUrl: await leaseDatabase(dataDir), databaseKeys: { file } };
}

async function openVenue() {
  const dataDir = tempDir();
  const place = await placeOf(dataDir);
  const lookSlowly = holdSlowLooks();
  const statements = watchStatements(dataDir);
  const server = await startServer({
    ...serverConfig({ dataDir, port: '0', consolePort: '0' }),
    ...place,
    // Without models the service starts anyway, and much faster.
    modelDir: path.join(dataDir, 'none'),
    pagesDir: path.join(dataDir, 'none'),
    logLevel: 'silent',
  });
  onTestFinished(() => server.close());
  const { deps } = server;
  const { db, clock } = deps;
  const { company_id: companyId, keys } = await createCompany(db, clock, { name: 'Venue', actor: 'cli' });
  const caller = await authenticateV3(db, keys.sk_test, { secretOnly: false, nowMs: clock.now() });
  const scope = { companyId, partition: 'test' } as const;
  const { operator } = await createOperator(deps, {
    name: 'ana',
    role: 'admin',
    passphrase: 'correct horse battery staple',
    origin: 'cli',
    actor: 'cli',
  });

  async function kiosk(name: string): Promise<{ id: string } & Stream> {
    const made = await addKiosk(deps, companyId, { name }, 'cli');
    const { device_token: token } = await pairDevice(deps, made.code);
    const { events } = await follow(`${server.baseUrl}/kiosk/events`, { 'x-kiosk-token': token });
    return { id: made.kiosk.kiosk_id, events };
  }
  async function consoleStream(): Promise<Stream> {
    const origin = { address: '127.0.0.1', device: 'Chrome' };
    const token = await db.tx((tx) => openOperatorSession(tx, operator.operator_id, origin, clock.now()));
    const address = `${server.consoleUrl}/console/api/live?company_id=${companyId}&partition=test`;
    return follow(address, { cookie: `gatehouse_console=${token}` });
  }
  async function checkOf(face: string, isReviewed: boolean) {
    const config = {
      skip: { window_hours: 0 },
      ...(isReviewed && { collision: { action: 'review' as const } }),
    };
    const { session_id: id } = await initialize(deps, caller, { config });
    const { flow_token: token } = await openSession(deps, id ?? '', { device: 'mobile' }, null);
    const session = async () => (await findSession(db, id ?? ''))!;
    await giveConsent(deps, await session(), { accepted: true });
    await captureTestFace(deps, await session(), face);
    return { id: id ?? '', token, state: (await session()).state };
  }
  /** Passes once, comes again and waits for a reviewer. */
  async function guest(face: string): Promise<{ id: string } & Stream> {
    await checkOf(face, false);
    const { id, token, state } = await checkOf(face, true);
    expect(state).toBe('in_review');
    const { events } = await follow(`${server.baseUrl}/flow/sessions/${id}/events`, {
      'x-flow-token': token,
    });
    return { id, events };
  }
  return {
    dataDir,
    place,
    deps,
    companyId,
    scope,
    operator,
    statements,
    lookSlowly,
    kiosk,
    consoleStream,
    guest,
  };
}

it(
  'ten kiosks, three consoles and five waiting guests run no statement in ten seconds but the slow look',
  { timeout: MAY_TAKE_MS },
  async () => {
    const { statements, lookSlowly, kiosk, consoleStream, guest } = await openVenue();
    for (let n = 1; n <= 10; n += 1) await kiosk(`Door ${n}`);
    for (let n = 0; n < 3; n += 1) await consoleStream();
    for (let n = 1; n <= 5; n += 1) await guest(`guest-${n}`);
    // What their arrival announced is looked at first.
    let seen = -1;
    while (seen < statements.length) {
      seen = statements.length;
      await sleep(1_500);
    }
    const before = statements.length;
    await sleep(IDLE_MS);
    expect(statements.slice(before)).toEqual([]);
    lookSlowly();
    await vi.waitFor(() => expect(statements.length).toBeGreaterThan(before), MAY_TAKE_MS);
  },
);

it(
  'a kiosk and the console learn of an order without a slow look, also of one by another process',
  { timeout: MAY_TAKE_MS },
  async () => {
    const { dataDir, place, deps, companyId, kiosk, consoleStream } = await openVenue();
    const { id, events } = await kiosk('Door');
    const shown = await consoleStream();
    const count = (all: Stream['events'], name: string) => all.filter(({ event }) => event === name).length;
    await vi.waitFor(() => expect(count(events, 'orders')).toBe(1), MAY_TAKE_MS);
    // As the command line does beside the server.
    const other = await openDatabase(dataDir, place);
    onTestFinished(() => other.close());
    for (const [n, db] of [deps.db, other].entries()) {
      const changes = count(shown.events, 'audit');
      await command({ db, clock: deps.clock }, companyId, id, { kind: 'reset', actor: 'cli' });
      await vi.waitFor(() => {
        expect(count(events, 'orders')).toBe(n + 2);
        expect(count(shown.events, 'audit')).toBeGreaterThan(changes);
      }, MAY_TAKE_MS);
    }
  },
);

it(
  'a guest learns of a decision when it takes effect, without a slow look, and not before',
  { timeout: MAY_TAKE_MS },
  async () => {
    const { deps, scope, operator, guest } = await openVenue();
    const { db, clock } = deps;
    const { id, events } = await guest('guest');
    const { id: caseId } = (await findOpenCaseOf(db, scope, id))!;
    const call = { scope, caseId, operatorId: operator.operator_id };
    await claimReview(deps, call);
    await decideReviewLater(deps, call, { decision: 'different_people', reason: 'Looked at both' });
    // A shorter minute.
    const effectiveAt = clock.now() + 2_000;
    await db.write('UPDATE review_cases SET decision_effective_at = ? WHERE id = ?', effectiveAt, caseId);
    db.announce('decisions');
    await vi.waitFor(
      () => expect(events.some(({ data }) => data.includes('"state":"settled"'))).toBe(true),
      MAY_TAKE_MS,
    );
    expect(clock.now()).toBeGreaterThanOrEqual(effectiveAt);
  },
);
