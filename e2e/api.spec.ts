import { expect, test } from '@playwright/test';
import { type Gatehouse, startGatehouse } from './support/server.ts';

let gatehouse: Gatehouse;
test.beforeAll(async () => {
  gatehouse = await startGatehouse();
});
test.afterAll(async () => {
  await gatehouse.stop();
});

test('the server is alive, and its health is for nobody to cache', async () => {
  const reply = await fetch(`${gatehouse.baseUrl}/healthz`);
  expect(reply.status).toBe(200);
  expect(reply.headers.get('cache-control')).toBe('no-store');
});

test('a key works, survives a crash, and is refused from the moment the command line revokes it', async () => {
  const { company } = gatehouse;
  const initialize = () =>
    fetch(`${gatehouse.baseUrl}/v3/initialize`, {
      method: 'POST',
      headers: { authorization: `Bearer ${company.keys.sk_test}`, 'content-type': 'application/json' },
      body: '{}',
    });
  expect((await initialize()).status).toBe(200);

  await gatehouse.kill9();
  await gatehouse.restart();
  expect((await initialize()).status).toBe(200);

  const keys = await gatehouse.cli<{ key_id: string; kind: string }[]>([
    'keys',
    'list',
    '--company',
    company.company_id,
  ]);
  const { key_id } = keys.find(({ kind }) => kind === 'sk_test')!;
  await gatehouse.cli([
    'keys',
    'revoke',
    '--company',
    company.company_id,
    '--key',
    key_id,
    '--reason',
    'lost',
  ]);
  expect((await initialize()).status).toBe(401);
});
