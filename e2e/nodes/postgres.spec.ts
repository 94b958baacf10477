/** A node with its data on PostgreSQL. The conformance suites run on one in the project `postgres`. */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from '@playwright/test';
import { renderClips } from '../../testing/camera/clips.ts';
import { personA } from '../../testing/camera/people.ts';
import { findPostgres } from '../../testing/postgres/server.ts';
import { limitMs } from '../../testing/tier.ts';
import { apiOf, signIn } from '../support/pages/console.ts';
import { send } from '../support/http.ts';
import { prerequisite } from '../support/prerequisite.ts';
import { attempt, confirmation, consentedRun } from '../support/run.ts';
import { type Gatehouse, newPostgresDatabase, startGatehouse } from '../support/service/server.ts';

prerequisite(
  findPostgres() === undefined ? 'PostgreSQL is not installed (apt-get install postgresql).' : null,
);

/** PostgreSQL trusts the test's user, so it does not ask for it. */
const PASSWORD = 'correct-horse';

test('a node on PostgreSQL says so, keeps its data, makes no backup and never shows its password', async () => {
  test.slow();
  const env = {
    GATEHOUSE_DATABASE_URL: `${await newPostgresDatabase()}&password=${PASSWORD}`,
    GATEHOUSE_LOG_LEVEL: 'debug',
  };
  const node = await startGatehouse({ env });
  const call = async () => (await send(`${node.baseUrl}/readyz`)).body;
  expect(await call()).toMatchObject({ status: 'ready', engine: 'postgres', node: { role: 'leader' } });
  const { cookie } = await signIn(node, 'admin');
  const ask = (path: string) => send(apiOf(node, path), { headers: { cookie } });
  const shown = [await call(), await ask('/maintenance'), await ask('/settings/network'), node.log()];
  expect(JSON.stringify(shown)).not.toContain(PASSWORD);
  await expect(node.cli(['backup', 'create', 'x.gatehouse-backup'])).rejects.toThrow('on PostgreSQL');
  await node.kill9();
  await node.restart();
  const companies = await node.cli<{ companies: { company_id: string }[] }>(['company', 'list']);
  expect(JSON.stringify(companies)).toContain(node.company.company_id);
  await node.stop();
});

test('a backup as the chapter says, restored into an empty database, keeps results and audit chains and recognises a person', async () => {
  test.setTimeout(limitMs(120_000));
  const folder = mkdtempSync(path.join(tmpdir(), 'gatehouse-dump-'));
  const running: Gatehouse[] = [];
  const startOn = async (url: string, env: Record<string, string> = {}) => {
    const node = await startGatehouse({ env: { ...env, GATEHOUSE_DATABASE_URL: url } });
    running.push(node);
    return node;
  };
  const run = (program: string, args: string[]) =>
    promisify(execFile)(path.join(findPostgres() ?? '', program), args);
  try {
    const [source, target] = [await newPostgresDatabase(), await newPostgresDatabase()];
    const node = await startOn(source);
    const { keys } = node.company;
    const person = await renderClips(personA);
    const check = async (at: Gatehouse, externalId: string) =>
      (await attempt(await consentedRun(at, keys.sk_live, { external_id: externalId }), person)).result;
    const first = await check(node, 'first account');
    expect(first?.verified).toBe(true);

    // While the node serves.
    const file = path.join(folder, 'gatehouse.dump');
    const kept = ['--format=custom', '--exclude-table-data=face_rows', '--exclude-table-data=seen_face*'];
    await run('pg_dump', [...kept, '--file', file, '--dbname', source]);
    await node.stop();
    await run('pg_restore', ['--exit-on-error', '--no-owner', '--dbname', target, file]);

    const otherKey = path.join(folder, 'other.keys');
    writeFileSync(otherKey, 'a5'.repeat(32), { mode: 0o600 });
    await expect(startOn(target, { GATEHOUSE_DATABASE_KEY_FILE: otherKey })).rejects.toThrow(
      'GATEHOUSE_DATABASE_KEY_FILE',
    );

    const restored = await startOn(target);
    expect(await restored.cli(['audit', 'verify'])).toMatchObject({ intact: true });
    expect(await confirmation(restored, keys.sk_live, first?.vyt ?? '')).toMatchObject({ verified: true });
    const second = await check(restored, 'second account');
    expect(await confirmation(restored, keys.sk_live, second?.vyt ?? '')).toMatchObject({
      verified: false,
      reasons: ['collision_company', 'duplicate_account'],
    });
  } finally {
    await Promise.all(running.map((node) => node.stop()));
    rmSync(folder, { recursive: true, force: true });
  }
});
