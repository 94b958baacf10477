/** What service managers are told of a server that is in trouble. */
import Fastify from 'fastify';
import { expect, it, onTestFinished } from 'vitest';
import { openTestService } from '../../testing/service/temp-service.ts';
import { testEngine } from '../../testing/service/temp-store.ts';
import { healthRoutes } from './health.ts';

async function askReady({ isDamaged = false, workers = 2 }) {
  const { deps } = await openTestService();
  const app = Fastify();
  onTestFinished(() => app.close());
  const stats = () => ({ workers, busy: 0, queuedFrames: 0, restarts: 0 });
  healthRoutes(app, {
    db: { ...deps.db, isDamaged: () => isDamaged },
    faces: { ...deps.faces, stats },
  });
  const { statusCode, body } = await app.inject('/readyz');
  return [statusCode, JSON.parse(body)] as const;
}

it.each([
  ['all is well', {}, 200, 'ready'],
  ['the face engine has no thread', { workers: 0 }, 503, 'face_engine_unavailable'],
  ['a page of the database cannot be read', { isDamaged: true }, 503, 'storage_damaged'],
  ['both: the data comes first', { isDamaged: true, workers: 0 }, 503, 'storage_damaged'],
])('%s', async (_, trouble, code, status) => {
  expect(await askReady(trouble)).toEqual([code, { status, engine: testEngine }]);
});
