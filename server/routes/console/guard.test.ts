import Fastify from 'fastify';
import { expect, it } from 'vitest';
import { testInstallation } from '../../../testing/service/installation.ts';
import { openTestService } from '../../../testing/service/temp-service.ts';
import { createChangeFeed } from '../../services/changes/changes.ts';
import type { ConsoleDeps } from '../deps.ts';
import { consoleApi } from './index.ts';
import { type Access, guardRoutes, PUBLIC_ROUTES } from './guard.ts';

async function consoleDeps(): Promise<ConsoleDeps> {
  const { deps, clock } = await openTestService();
  const changes = createChangeFeed(deps.db, clock, deps.events, () => undefined);
  return { ...deps, changes, ...testInstallation(deps.db, clock) };
}

it('every route of the API names a role, or is on the list of public ones', async () => {
  const app = Fastify();
  const routes: { name: string; access: Access | 'public' | undefined }[] = [];
  app.addHook('onRoute', ({ method, url, config }) => {
    routes.push({ name: `${[method].flat().join()} ${url}`, access: config?.access });
  });
  await app.register(consoleApi, { deps: await consoleDeps() });
  await app.ready();
  expect(routes.length).toBeGreaterThan(20);
  expect(routes.filter(({ access }) => access === undefined)).toEqual([]);
  const open = routes.filter(({ access }) => access === 'public').map(({ name }) => name);
  expect(new Set(open.map((name) => name.replace('/console/api', '').replace('HEAD', 'GET')))).toEqual(
    new Set(PUBLIC_ROUTES),
  );
  await app.close();
});

it('a route without a role is not started', async () => {
  const deps = await consoleDeps();
  const app = Fastify();
  guardRoutes(app, deps);
  expect(() => app.get('/forgotten', () => 'secret')).toThrow('does not say who may call it');
  expect(() => app.get('/open', { config: { access: 'public' } }, () => 'secret')).toThrow(
    'without being on the list',
  );
  await app.close();
});
