/** A rolling upgrade: a node from before the newest migration serves beside a new one, and no request is refused. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from '@playwright/test';
import { findPostgres } from '../../testing/postgres/server.ts';
import { limitMs } from '../../testing/tier.ts';
import { send } from '../support/http.ts';
import { prerequisite } from '../support/prerequisite.ts';
import { buildServer, previousCommit } from '../support/service/previous-version.ts';
import { confirmation, consentedRun, runOf } from '../support/run.ts';
import { type Gatehouse, newPostgresDatabase, startGatehouse } from '../support/service/server.ts';

const commit = previousCommit();
prerequisite(
  findPostgres() === undefined ? 'PostgreSQL is not installed (apt-get install postgresql).' : null,
);
// A published archive of the sources has none, and nothing can be installed instead.
test.skip(commit === null, 'This copy of the repository has no history to build the older version from.');

const READY_TIMEOUT_MS = limitMs(120_000);
const SOON = { timeout: limitMs(15_000) };

/** Lets guests in one after the other until it is stopped. Every call has to succeed. */
function admitGuests(secretKey: string, ways: [from: Gatehouse, to: Gatehouse][]) {
  let isOver = false;
  const admitted: { vyt: string; name: string }[] = [];
  const visit = async (number: number) => {
    const [from, to] = ways[number % ways.length]!;
    const name = `guest-${number}`;
    const run = await consentedRun(from, secretKey, { external_id: name });
    const { status, body } = await runOf(to, run).flow('/test-capture', { face: name });
    expect({ status, state: body.state }).toEqual({ status: 200, state: 'settled' });
    const { vyt } = body.result!;
    expect((await confirmation(from, secretKey, vyt)).verified).toBe(true);
    admitted.push({ vyt, name });
  };
  const ended = (async () => {
    for (let number = 0; !isOver; number += 1) await visit(number);
  })();
  // The failure is reported by `end`.
  ended.catch(() => undefined);
  return {
    admitted,
    ways,
    async end() {
      isOver = true;
      await ended;
    },
  };
}

test('an older node serves beside a new one until it is replaced, and no request is refused', async () => {
  test.setTimeout(limitMs(240_000));
  const folder = await mkdtemp(path.join(tmpdir(), 'gatehouse-older-'));
  const nodes: Gatehouse[] = [];
  try {
    const server = buildServer(commit!, path.join(folder, 'source'));
    const env = { GATEHOUSE_DATABASE_URL: await newPostgresDatabase(), GATEHOUSE_DRAIN_SECONDS: '0' };
    const older = await startGatehouse({ env, server, readyTimeoutMs: READY_TIMEOUT_MS });
    nodes.push(older);
    const key = older.company.keys.sk_test;
    const guests = admitGuests(key, [[older, older]]);
    await expect.poll(() => guests.admitted.length, SOON).toBeGreaterThan(3);

    // It migrates the schema while the older node serves.
    const newer = await startGatehouse({ env, readyTimeoutMs: READY_TIMEOUT_MS, upgrades: true });
    nodes.push(newer);
    guests.ways.push([older, newer], [newer, older], [newer, newer]);
    const before = guests.admitted.length;
    await expect.poll(() => guests.admitted.length, SOON).toBeGreaterThan(before + 8);
    await expect.poll(async () => (await send(`${older.baseUrl}/readyz`)).status, SOON).toBe(503);
    // It takes over within a second of the older node's resignation.
    const roleOfNewer = async () =>
      (await send<{ node?: { role: string } }>(`${newer.baseUrl}/readyz`)).body.node?.role;
    await expect.poll(roleOfNewer, SOON).toBe('leader');

    // One face at both nodes, at the same time.
    const twins = await Promise.all(
      [older, newer].map(async (node, n) => {
        const run = await consentedRun(node, key, { external_id: `twin-${n}`, group: 'everyone' });
        return { run, node };
      }),
    );
    const verdicts = await Promise.all(
      twins.map(
        async ({ run }) => (await run.flow('/test-capture', { face: 'twins' })).body.result!.verified,
      ),
    );
    expect(verdicts.toSorted()).toEqual([false, true]);

    guests.ways.splice(0, guests.ways.length, [newer, newer]);
    await guests.end();
    await older.kill9();
    await expect(older.restart()).rejects.toThrow('newer Gatehouse');
    for (const { vyt } of guests.admitted) expect((await confirmation(newer, key, vyt)).verified).toBe(true);
  } finally {
    await Promise.all(nodes.map((node) => node.stop()));
    await rm(folder, { recursive: true, force: true });
  }
});
