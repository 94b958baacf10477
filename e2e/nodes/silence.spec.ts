/** Nodes whose database falls silent, and nodes that are frozen: no caller waits long, one leads, and nothing is lost. */
import { expect, test } from '@playwright/test';
import { connectToPostgres, findPostgres, USER } from '../../testing/postgres/server.ts';
import { startWire } from '../../testing/wire.ts';
import { limitMs } from '../../testing/tier.ts';
import { apiOf } from '../support/pages/console.ts';
import { send } from '../support/http.ts';
import { prerequisite } from '../support/prerequisite.ts';
import { type Gatehouse, newPostgresDatabase, startGatehouse } from '../support/service/server.ts';

prerequisite(
  findPostgres() === undefined ? 'PostgreSQL is not installed (apt-get install postgresql).' : null,
);

const LONGEST_STALL_MS = limitMs(15_000);
const BACK_WITHIN = { timeout: limitMs(5_000) };
const TAKES_OVER_WITHIN = { timeout: limitMs(12_000) };

const running: Gatehouse[] = [];
async function start(env: Record<string, string>): Promise<Gatehouse> {
  const node = await startGatehouse({ env });
  running.push(node);
  return node;
}
test.beforeEach(() => test.setTimeout(limitMs(180_000)));
test.afterEach(async () => {
  await Promise.all(running.splice(0).map((node) => node.stop().catch(() => undefined)));
});

const ready = async (node: Gatehouse) => {
  const startedMs = performance.now();
  const answer = await send<{ status: string; node?: { role: string } }>(`${node.baseUrl}/readyz`);
  expect(performance.now() - startedMs).toBeLessThan(limitMs(2_500));
  return { status: answer.status, says: answer.body.status, role: answer.body.node?.role };
};

/** Opens a run, as v3 does. */
async function initialize(node: Gatehouse) {
  const startedMs = performance.now();
  const { status, headers } = await send(`${node.baseUrl}/v3/initialize`, {
    key: node.company.keys.sk_test,
    body: {},
  });
  return { status, retryAfter: headers.get('retry-after'), tookMs: performance.now() - startedMs };
}

test('a silent database is answered with 503 and Retry-After in every generation, ends nothing, and is back at once', async () => {
  const direct = new URL(await newPostgresDatabase());
  const wire = await startWire(() => connectToPostgres(direct.href));
  try {
    const url = `postgres://${USER}@127.0.0.1:${wire.port}${direct.pathname}`;
    const node = await start({ GATEHOUSE_DATABASE_URL: url });
    expect((await initialize(node)).status).toBe(200);
    wire.die();
    const stalled = await Promise.all(Array.from({ length: 30 }, () => initialize(node)));
    for (const { status, retryAfter, tookMs } of stalled) {
      expect([status, retryAfter]).toEqual([503, '5']);
      expect(tookMs).toBeLessThan(LONGEST_STALL_MS);
    }
    expect(await ready(node)).toMatchObject({ status: 503, says: 'storage_unreachable' });
    const { keys } = node.company;
    const api = { 'api-key': keys.ak_test };
    const others = await Promise.all([
      send(`${node.baseUrl}/v2/verification/status`, { headers: api, body: {} }),
      send(`${node.baseUrl}/v1/webhook/admin/config/get`, { headers: api, body: {} }),
      send(`${node.baseUrl}/v3/confirmations/x`, { key: keys.sk_test }),
      send(`${node.baseUrl}/flow/my/code`, { body: { phone: '+999011234567' } }),
      send(apiOf(node, '/sign-in'), { body: { name: 'Ada', passphrase: 'not the right one' } }),
    ]);
    expect(others.map(({ status, headers }) => [status, headers.get('retry-after')])).toEqual(
      others.map(() => [503, '5']),
    );
    wire.heal();
    await expect.poll(async () => (await initialize(node)).status, BACK_WITHIN).toBe(200);
    await expect.poll(async () => (await ready(node)).status, BACK_WITHIN).toBe(200);
    wire.die();
    const stoppedMs = performance.now();
    process.kill(node.pid, 'SIGTERM');
    await node.ended();
    expect(performance.now() - stoppedMs).toBeLessThan(limitMs(8_000));
  } finally {
    await wire.close();
  }
});

test('a frozen leader loses the lead and its locks within seconds, and serves again as a member when it wakes', async () => {
  const env = { GATEHOUSE_DATABASE_URL: await newPostgresDatabase() };
  const [first, second] = [await start(env), await start(env)];
  expect([(await ready(first)).role, (await ready(second)).role]).toEqual(['leader', 'member']);
  process.kill(first.pid, 'SIGSTOP');
  try {
    await expect.poll(async () => (await ready(second)).role, TAKES_OVER_WITHIN).toBe('leader');
    expect((await initialize(second)).tookMs).toBeLessThan(limitMs(6_000));
  } finally {
    process.kill(first.pid, 'SIGCONT');
  }
  // Its first answer after it woke up.
  expect((await ready(first)).role).toBe('member');
  await expect.poll(async () => (await ready(first)).status, BACK_WITHIN).toBe(200);
  expect((await ready(second)).role).toBe('leader');
});
