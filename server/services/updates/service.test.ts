/** Updates from the console: what is shown meanwhile and afterwards, and what stays. */
import { generateKeyPairSync } from 'node:crypto';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import product from '../../../package.json' with { type: 'json' };
import { makeUpdate } from '../../../scripts/packaging/update.ts';
import { openTestService } from '../../../testing/service/temp-service.ts';
import { tempDir } from '../../../testing/store/temp-store.ts';
import { updateKeyOf } from './keys.ts';
import { createUpdateService } from './service.ts';

const ADMIN = 'operator:1';
const NEW = '9.1.0';
const keys = generateKeyPairSync('ed25519');

async function made(version = NEW, privateKey = keys.privateKey): Promise<string> {
  const folder = tempDir();
  mkdirSync(path.join(folder, 'program/bin'), { recursive: true });
  writeFileSync(path.join(folder, 'program/bin/gatehouse'), '#!/bin/sh\n', { mode: 0o755 });
  const file = path.join(folder, 'gatehouse.update');
  await makeUpdate(
    {
      folder: path.join(folder, 'program'),
      version,
      minFrom: '0.1.0',
      schema: 1_000,
      privateKeys: [privateKey],
    },
    file,
  );
  return file;
}

async function installed() {
  const { deps, clock } = await openTestService();
  const folder = tempDir();
  mkdirSync(path.join(folder, 'versions', product.version), { recursive: true });
  const service = createUpdateService(deps.db, clock, {
    home: { folder, version: product.version },
    data: null,
    isSupervised: false,
    keys: [updateKeyOf(keys.publicKey)],
    onError: () => undefined,
  });
  return {
    ...service,
    versions: () => readdirSync(path.join(folder, 'versions')).sort(),
    async settled() {
      await expect.poll(async () => (await service.state()).working).toBeNull();
      return service.state();
    },
    actions: () =>
      deps.db.all<{ action: string; actor: string }>(
        `SELECT action, actor FROM audit_entries WHERE action LIKE 'update.%' ORDER BY seq`,
      ),
  };
}

const problem = (of: string): unknown => expect.objectContaining({ facts: { args: { problem: of } } });

it('checks a file without changing anything, one at a time', async () => {
  const it = await installed();
  const file = await made();
  it.check(file);
  expect(() => it.check(file)).toThrow(problem('under_way'));
  expect(await it.settled()).toMatchObject({
    version: product.version,
    problem: null,
    checked: { file, version: NEW, changes_database: true, signed_by: updateKeyOf(keys.publicKey).id },
    last: null,
  });
  expect(it.versions()).toEqual([product.version]);
  expect(await it.actions()).toEqual([]);
});

it('says why a file is not accepted, and forgets the one before', async () => {
  const it = await installed();
  it.check(await made());
  await it.settled();
  it.check(await made(NEW, generateKeyPairSync('ed25519').privateKey));
  expect(await it.settled()).toMatchObject({ problem: 'unknown_key', checked: null });
  expect(() => it.check('gatehouse.update')).toThrow(problem('unreadable'));
});

it('installs only the version that an admin agreed to, and only with a backup of PostgreSQL', async () => {
  const it = await installed();
  const file = await made('9.2.0');
  it.install({ file, version: NEW, isDatabaseSaved: true, actor: ADMIN });
  expect(await it.settled()).toMatchObject({ problem: 'changed', last: null });
  it.install({ file, version: '9.2.0', isDatabaseSaved: false, actor: ADMIN });
  expect(await it.settled()).toMatchObject({ problem: 'database_unsaved', last: null });
  expect(it.versions()).toEqual([product.version]);
});

it('keeps an update for the next start, until an admin removes it', async () => {
  const it = await installed();
  const file = await made();
  it.install({ file, version: NEW, isDatabaseSaved: true, actor: ADMIN });
  expect(await it.settled()).toMatchObject({
    newest_accepted: NEW,
    last: { state: 'waiting', version: NEW },
  });
  expect(it.versions()).toEqual([product.version, NEW]);
  it.install({ file, version: NEW, isDatabaseSaved: true, actor: ADMIN });
  expect(await it.settled()).toMatchObject({ problem: 'under_way', last: { state: 'waiting' } });
  await it.withdraw(ADMIN);
  expect((await it.state()).last).toBeNull();
  expect(it.versions()).toEqual([product.version]);
  await it.withdraw(ADMIN);
  expect(await it.actions()).toEqual([
    { action: 'update.accept', actor: ADMIN },
    { action: 'update.withdraw', actor: ADMIN },
  ]);
});
