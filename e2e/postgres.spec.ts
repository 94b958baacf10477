/** A node with its data on PostgreSQL. The conformance suites run on one in the project `postgres`. */
import { expect, test } from '@playwright/test';
import { findPostgres } from '../testing/postgres/server.ts';
import { apiOf, signIn } from './support/console.ts';
import { send } from './support/http.ts';
import { prerequisite } from './support/prerequisite.ts';
import { newPostgresDatabase, startGatehouse } from './support/server.ts';

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
