/**
 * The console at the size of a venue after a season (demo data, large): the first queries of each page, compared with
 * a route that only checks the same session. Measures the server's own time: calls are injected, without a network or
 * browser, and only processor time counts, so that other load on the machine has no effect.
 */
import { LAN_OFF } from '../server/services/network/service.ts';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { FastifyInstance } from 'fastify';
import { createConsoleApp } from '../server/http/console-app.ts';
import { serverConfig } from '../server/config.ts';
import { databaseKeyOf, openDatabase } from '../server/data/folder.ts';
import { dataPaths } from '../server/data/location.ts';
import { createUnavailableEngine } from '../server/face/engine.ts';
import { createLogger } from '../server/http/logging.ts';
import { systemClock } from '../server/services/ports/clock.ts';
import { createUpdateService } from '../server/services/updates/service.ts';
import { createRestoreService } from '../server/services/backup/restore/restore-service.ts';
import { createBackupService } from '../server/services/backup/service.ts';
import type { ConsoleDeps } from '../server/routes/deps.ts';
import { createEvent } from '../server/services/venue/events.ts';
import { createOperator } from '../server/services/operators/operators.ts';
import { type DemoMade, makeDemo } from '../server/services/demo/make.ts';
import { SIZES } from '../server/services/demo/size.ts';
import { createUsageTracker } from '../server/services/keys/usage-tracker.ts';
import type { Database } from '../server/store/sql/port.ts';
import { percentile } from '../testing/figures.ts';
import type { BenchResult } from './support/report.ts';
import { benchDeps } from './support/service-deps.ts';

const API = '/console/api';
const MOST_MS = 300;
const ROUNDS = 9;
const PASSPHRASE = 'copper lantern river moss';

/** A page and its queries before anything is visible. `{…}` is an ID that is looked up first. */
const PAGES: readonly (readonly [page: string, calls: readonly string[]])[] = [
  ['door', ['/door', '/door/codes', '/kiosks']],
  ['events', ['/events']],
  ['event report', ['/events/{event}/report']],
  ['event report, a quarter of all runs', ['/events/{seasonEvent}/report']],
  ['reviews', ['/reviews', '/reviews/figures']],
  ['a case', ['/reviews/{case}']],
  ['sessions', ['/sessions', '/sessions/verifications']],
  ['sessions by group', ['/sessions?group=members']],
  ['sessions by the beginning of an id', ['/sessions?q=ticket-4']],
  ['sessions expired', ['/sessions?status=expired']],
  ['sessions denied', ['/sessions?status=denied']],
  ['a session', ['/sessions/{session}']],
  ['people', ['/people', '/people/metadata-keys']],
  ['people by name', ['/people?q=garc']],
  ['people by metadata', ['/people?key=ticket&value=Press']],
  ['a person', ['/people/{person}', '/people/{person}/history']],
  ['keys', ['/keys']],
  ['webhooks', ['/webhooks/lines', '/webhooks/receivers']],
  ['webhook calls', ['/webhooks/lines/{line}', '/webhooks/lines/{line}/calls']],
  ['failed calls', ['/webhooks/lines/{line}/calls?status=FAILED']],
  ['usage', ['/usage/today', '/usage/days', '/usage/parts?by=outcome', '/usage/cap/changes']],
  ['verifications', ['/verifications']],
  ['settings', ['/settings/retention', '/settings/network', '/maintenance']],
  ['thresholds', ['/settings/matching']],
  ['operators', ['/operators']],
  ['audit', ['/audit']],
  ['audit by action', ['/audit?action=pass.lock']],
];

type Item = Record<string, unknown>;
type Console = { app: FastifyInstance; cookie: string; scope: string };

export async function run(): Promise<BenchResult[]> {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'gatehouse-bench-'));
  const db = await openDatabase(dataDir);
  const reads = createUsageTracker(db, systemClock, () => undefined);
  try {
    const { app, deps, made } = await consoleOn(dataDir, db, reads);
    const cookie = await signedIn(app, deps);
    const opened = { app, cookie, scope: `company_id=${made.company_id}&partition=live` };
    const ids = { ...(await lookUp(opened)), seasonEvent: await makeSeasonEvent(deps, made.company_id) };
    const baseline = await median(opened, ['/me']);
    const results: BenchResult[] = [];
    for (const [page, calls] of PAGES) {
      const filled = calls.map((call) => fill(call, ids));
      if (filled.some((call) => call === null)) throw new Error(`${page}: there is nothing to open.`);
      const value = await median(opened, filled as string[]);
      results.push({
        name: `console, ${made.passes} passes: ${page}`,
        value,
        baseline,
        ratio: value / baseline,
        unit: 'ms',
        hold: `≤ ${MOST_MS} ms`,
        ok: value <= MOST_MS,
      });
    }
    await app.close();
    await deps.faceIndex.close();
    return results;
  } finally {
    await reads.close();
    await db.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

async function consoleOn(
  dataDir: string,
  db: Database,
  reads: ConsoleDeps['reads'],
): Promise<{ app: FastifyInstance; deps: ConsoleDeps; made: DemoMade }> {
  const config = serverConfig({ dataDir, port: '0' });
  const faces = createUnavailableEngine(config);
  const { embeddingModel: id, embeddingLength, thresholds } = faces;
  const model = { id, embeddingLength, thresholds };
  const made = await makeDemo(db, systemClock, { size: SIZES.large, model, actor: 'cli' });
  if (!made) throw new Error('A new folder has a demo already.');
  const service = await benchDeps(db, faces, reads);
  const { database: databasePath, backups: defaultFolder } = dataPaths(dataDir);
  const of = () => ({ databasePath, databaseKey: databaseKeyOf(dataDir) });
  const source = { of, dataDir, defaultFolder, startCommand: null, replaced: async () => [] };
  const deps: ConsoleDeps = {
    ...service,
    addresses: () => [],
    consoleUrl: () => 'http://127.0.0.1',
    isConsoleOpen: () => false,
    sms: { sender: 'operator' },
    webhookAllowHosts: [],
    backups: createBackupService(db, systemClock, source, () => undefined),
    restores: createRestoreService(db, systemClock, {
      source: source.of,
      target: path.join(dataDir, 'restored.db'),
      mark: async () => undefined,
      restart: () => undefined,
      onError: () => undefined,
    }),
    updates: createUpdateService(db, systemClock, {
      home: null,
      data: null,
      isSupervised: false,
      onError: () => undefined,
    }),
    papers: { recipients: [], hasRecordings: async () => false },
    keyKind: 'key_file',
    isInstalledApp: false,
    recovery: { isOpen: false },
    lan: { state: () => LAN_OFF, apply: async () => LAN_OFF },
  };
  const app = await createConsoleApp({ deps, logger: createLogger('silent'), ...config });
  return { app, deps, made };
}

async function signedIn(app: FastifyInstance, deps: ConsoleDeps): Promise<string> {
  const name = 'Bench';
  await createOperator(deps, { name, role: 'admin', passphrase: PASSPHRASE, origin: 'cli', actor: 'cli' });
  const reply = await app.inject({
    method: 'POST',
    url: `${API}/sign-in`,
    headers: { host: '127.0.0.1' },
    payload: { name, passphrase: PASSPHRASE },
  });
  if (reply.statusCode !== 200) throw new Error(`Sign-in answered ${reply.statusCode}: ${reply.body}`);
  return String(reply.headers['set-cookie']).split(';')[0] ?? '';
}

async function call<T>({ app, cookie, scope }: Console, url: string): Promise<T> {
  const reply = await app.inject({
    url: `${API}${url}${url.includes('?') ? '&' : '?'}${scope}`,
    headers: { host: '127.0.0.1', cookie },
  });
  if (reply.statusCode !== 200) throw new Error(`${url} answered ${reply.statusCode}: ${reply.body}`);
  return reply.json<T>();
}

/** IDs of rows that the detail pages open. */
async function lookUp(console: Console): Promise<Record<string, string | undefined>> {
  const first = async (url: string, id: string): Promise<string | undefined> => {
    const { items } = await call<{ items: Item[] }>(console, url);
    const value = items[0]?.[id];
    return typeof value === 'string' ? value : undefined;
  };
  return {
    event: await fullestEvent(console),
    case: await first('/reviews', 'case_id'),
    session: await first('/sessions', 'session_id'),
    person: await first('/people', 'person_id'),
    line: await first('/webhooks/lines', 'lineage_id'),
  };
}

type Report = { counts: { ended: number }; kiosk_time: { runs: number } };

/** The event of the demo with the most runs, some of them at its kiosks. */
async function fullestEvent(console: Console): Promise<string | undefined> {
  const { items } = await call<{ items: { event_id: string }[] }>(console, '/events');
  const sizes = await Promise.all(
    items.map(async ({ event_id: id }) => {
      const { counts, kiosk_time: time } = await call<Report>(console, `/events/${id}/report`);
      return { id, runs: time.runs === 0 ? 0 : counts.ended };
    }),
  );
  return sizes.filter(({ runs }) => runs > 0).sort((a, b) => b.runs - a.runs)[0]?.id;
}

/** An event of the group that a quarter of the demo's runs belong to. */
async function makeSeasonEvent(deps: ConsoleDeps, companyId: string): Promise<string> {
  const { event_id: id } = await createEvent(
    deps,
    { companyId, partition: 'live' },
    {
      name: 'Season',
      group: 'members',
      starts_at: '2026-01-01T10:00:00.000Z',
      ends_at: '2026-01-02T10:00:00.000Z',
    },
    'cli',
  );
  return id;
}

/** Null if a required ID does not exist. */
function fill(url: string, ids: Record<string, string | undefined>): string | null {
  const names = [...url.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? '');
  if (names.some((name) => ids[name] === undefined)) return null;
  return url.replaceAll(/\{(\w+)\}/g, (_all, name: string) => ids[name] ?? '');
}

/**
 * All calls of a page in sequence, as the server processes them; the median of several rounds, in milliseconds of
 * processor time.
 */
async function median(console: Console, calls: readonly string[]): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const before = process.cpuUsage();
    for (const url of calls) await call(console, url);
    const { user, system } = process.cpuUsage(before);
    times.push((user + system) / 1_000);
  }
  return percentile(times, 0.5);
}
