/** What service managers learn about a server with problems. */
import Fastify from 'fastify';
import { expect, it, onTestFinished } from 'vitest';
import { openTestService } from '../../testing/service/temp-service.ts';
import { testEngine } from '../../testing/store/temp-store.ts';
import { openTestHealth } from '../../testing/service/health.ts';
import type { HealthDeps } from '../services/health/facts.ts';
import { LAN_OFF } from '../services/network/service.ts';
import type { NodeStatus } from '../services/maintenance/nodes.ts';
import type { Database } from '../store/sql/port.ts';
import { healthRoutes } from './health.ts';

type Trouble = {
  isDamaged?: boolean;
  refusesWrites?: boolean;
  workers?: number;
  state?: NodeStatus['state'];
  commits?: boolean;
  one?: Database['one'];
} & Pick<Partial<HealthDeps>, 'lan' | 'keyKind'>;
/** What load balancers often wait. */
const READY_WITHIN_MS = 2_000;
const NODE = { id: 'n1', role: 'leader', indexLag: 3 } as const;

async function askReady({
  isDamaged = false,
  refusesWrites = false,
  workers = 2,
  state,
  commits = true,
  one,
  ...change
}: Trouble) {
  const { deps } = await openTestService();
  const db = { ...deps.db, isDamaged: () => isDamaged, refusesWrites: () => refusesWrites };
  const stats = () => ({ workers, busy: 0, queuedFrames: 0, restarts: 0 });
  const { health } = await openTestHealth({ db, faces: { ...deps.faces, stats }, ...change });
  const app = Fastify();
  onTestFinished(() => app.close());
  healthRoutes(app, {
    db: { ...db, ...(one && { one }) },
    health,
    node: { status: () => (state === undefined ? null : { ...NODE, state, commits }) },
  });
  const { statusCode, body } = await app.inject('/readyz');
  return [statusCode, JSON.parse(body)] as const;
}

it.each([
  ['all is well', {}, 200, 'ready'],
  ['the face engine has no thread', { workers: 0 }, 503, 'face_engine_unavailable'],
  ['a page of the database cannot be read', { isDamaged: true }, 503, 'storage_damaged'],
  ['the disk is full', { refusesWrites: true }, 503, 'storage_not_writable'],
])('%s', async (_, trouble, code, status) => {
  expect(await askReady(trouble)).toEqual([code, { status, engine: testEngine }]);
});

it.each([
  ['a page is damaged on a full disk', { isDamaged: true, refusesWrites: true }, ['storage_not_writable']],
  ['both: the data comes first', { isDamaged: true, workers: 0 }, ['face_engine_unavailable']],
])('%s', async (_, trouble, details) => {
  expect(await askReady(trouble)).toEqual([503, { status: 'storage_damaged', engine: testEngine, details }]);
});

it('lists the other problems of the service, by codes alone, and nothing about the installation', async () => {
  const lan = { state: () => ({ ...LAN_OFF, isOn: true, failure: 'port_in_use' as const }) };
  expect(await askReady({ lan, keyKind: 'key_file' })).toEqual([
    200,
    { status: 'ready', engine: testEngine, details: ['network_failed'] },
  ]);
});

it.each([
  ['serves', 'serving', 200, 'ready'],
  ['is about to stop', 'draining', 503, 'draining'],
  ['is older than the schema', 'outdated', 503, 'outdated'],
  ['lacks a key that others use', 'key_missing', 503, 'key_missing'],
] as const)('one of several nodes that %s says so, with its role and lag', async (_, state, code, status) => {
  const node = { id: 'n1', role: 'leader', index_lag: 3 };
  expect(await askReady({ state })).toEqual([code, { status, engine: testEngine, node }]);
});

it('a node whose last report was never committed, as when a standby hangs, is not ready', async () => {
  expect(await askReady({ state: 'serving', commits: false })).toMatchObject([
    503,
    { status: 'storage_not_writable' },
  ]);
});

it.each([
  ['fails', () => Promise.reject(new Error('gone'))],
  ['never answers', () => new Promise<never>(() => undefined)],
])('a database that %s is answered in time, too', async (_, one) => {
  const startedMs = performance.now();
  expect(await askReady({ one })).toEqual([503, { status: 'storage_unreachable', engine: testEngine }]);
  expect(performance.now() - startedMs).toBeLessThan(READY_WITHIN_MS);
});
