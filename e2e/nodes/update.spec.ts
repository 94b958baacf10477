/** A node on PostgreSQL takes an update from a file. */
import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from '@playwright/test';
import { SCHEMA_VERSION } from '../../server/store/schema/migrations.ts';
import { findPostgres } from '../../testing/postgres/server.ts';
import { limitMs } from '../../testing/tier.ts';
import { prerequisite } from '../support/prerequisite.ts';
import { installSelfUpdating, NEW, updateWith } from '../support/service/self-updating.ts';
import { newPostgresDatabase } from '../support/service/server.ts';

prerequisite(
  findPostgres() === undefined ? 'PostgreSQL is not installed (apt-get install postgresql).' : null,
);
test.describe.configure({ timeout: limitMs(60_000) });

test('an update that changes the database is taken once an admin has said that there is a backup', async () => {
  await using it = await installSelfUpdating();
  const keyFile = path.join(path.dirname(it.folder), 'database.key');
  await writeFile(keyFile, randomBytes(32).toString('hex'), { mode: 0o600 });
  const env = {
    GATEHOUSE_DATABASE_URL: await newPostgresDatabase(),
    GATEHOUSE_DATABASE_KEY_FILE: keyFile,
    GATEHOUSE_DRAIN_SECONDS: '0',
  };
  const before = await it.serve(env);
  const company = await it.run(['company', 'create', '--name', 'Venue'], env);
  expect(company.code, company.stderr).toBe(0);
  const file = await updateWith(
    { migration: 'CREATE TABLE later (x INTEGER)' },
    { schema: SCHEMA_VERSION + 1 },
  );
  const refused = await it.run(['update', 'install', file], env);
  expect(refused).toMatchObject({ code: 1 });
  expect(refused.stderr).toContain('Make one, then add --database-is-saved');
  const taken = await it.run(['update', 'install', file, '--database-is-saved'], env);
  expect(taken.code, taken.stderr).toBe(0);
  expect(await before.exit).toBe(75);
  const after = await it.serve(env);
  expect((await fetch(`${after.addresses.baseUrl}/readyz`)).status).toBe(200);
  expect(await it.current()).toBe(NEW);
  expect((await it.run(['company', 'list'], env)).stdout).toContain('Venue');
  after.child.kill('SIGTERM');
  expect(await after.exit).toBe(0);
});
