/** What service managers learn about a server with problems. */
import Fastify from 'fastify';
import { expect, it, onTestFinished } from 'vitest';
import { openTestService } from '../../testing/service/temp-service.ts';
import { testEngine } from '../../testing/store/temp-store.ts';
import type { NodeStatus } from '../services/maintenance/nodes.ts';
import { healthRoutes } from './health.ts';

type Trouble = {
  isDamaged?: boolean;
  refusesWrites?: boolean;
  workers?: number;
  state?: NodeStatus['state'];
};
const NODE = { id: 'n1', role: 'leader', indexLag: 3 } as const;

async function askReady({ isDamaged = false, refusesWrites = false, workers = 2, state }: Trouble) {
  const { deps } = await openTestService();
  const app = Fastify();
  onTestFinished(() => app.close());
  const stats = () => ({ workers, busy: 0, queuedFrames: 0, restarts: 0 });
  healthRoutes(app, {
    db: { ...deps.db, isDamaged: () => isDamaged, refusesWrites: () => refusesWrites },
    faces: { ...deps.faces, stats },
    node: { status: () => (state === undefined ? null : { ...NODE, state }) },
  });
  const { statusCode, body } = await app.inject('/readyz');
  return [statusCode, JSON.parse(body)] as const;
}

it.each([
  ['all is well', {}, 200, 'ready'],
  ['the face engine has no thread', { workers: 0 }, 503, 'face_engine_unavailable'],
  ['a page of the database cannot be read', { isDamaged: true }, 503, 'storage_damaged'],
  ['the disk is full', { refusesWrites: true }, 503, 'storage_not_writable'],
  ['a page is damaged on a full disk', { isDamaged: true, refusesWrites: true }, 503, 'storage_damaged'],
  ['both: the data comes first', { isDamaged: true, workers: 0 }, 503, 'storage_damaged'],
])('%s', async (_, trouble, code, status) => {
  expect(await askReady(trouble)).toEqual([code, { status, engine: testEngine }]);
});

it.each([
  ['serves', 'serving', 200, 'ready'],
  ['is about to stop', 'draining', 503, 'draining'],
  ['is older than the schema', 'outdated', 503, 'outdated'],
] as const)('one of several nodes that %s says so, with its role and lag', async (_, state, code, status) => {
  const node = { id: 'n1', role: 'leader', index_lag: 3 };
  expect(await askReady({ state })).toEqual([code, { status, engine: testEngine, node }]);
});
