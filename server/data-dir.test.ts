import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import Sqlite from 'better-sqlite3';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ConfigError } from './config.ts';
import { databaseKeyOf, openDatabase, prepareDataDir } from './data-dir.ts';
import { dataPaths } from './data-paths.ts';
import { readBackupHeader } from './services/backup/container-read.ts';
import { initial } from './store/migrations/0001-initial.ts';
import { SCHEMA_VERSION } from './store/migrations/migrate.ts';
import { schemaVersionOf } from './store/snapshot.ts';
import { unlock } from './store/sqlite-key.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'gatehouse-data-dir-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

it('is made with the folders above it, for its owner alone', () => {
  const dataDir = path.join(folder, 'a/b/c');
  prepareDataDir(dataDir);
  prepareDataDir(dataDir);
  expect(statSync(dataDir).isDirectory()).toBe(true);
  if (process.platform !== 'win32') expect(statSync(dataDir).mode & 0o777).toBe(0o700);
});

it('is refused in a sentence where a file stands in its way', () => {
  const file = path.join(folder, 'file');
  writeFileSync(file, '');
  expect(() => prepareDataDir(file)).toThrow(ConfigError);
  expect(() => prepareDataDir(path.join(file, 'below'))).toThrow(/cannot be written \(ENOTDIR\)/);
});

it.runIf(process.platform === 'linux')(
  'is refused where nothing can be made, however the system says so',
  () => {
    expect(() => prepareDataDir('/proc/gatehouse')).toThrow(/cannot be written \(ENOENT\)/);
  },
);

it('a database of an older version is backed up before it is changed', async () => {
  const paths = dataPaths(folder);
  const key = databaseKeyOf(folder);
  const old = new Sqlite(paths.database);
  unlock(old, key);
  old.exec(initial.sql);
  old.pragma('user_version = 1');
  old.close();

  await (await openDatabase(folder)).close();
  expect(schemaVersionOf({ path: paths.database, key })).toBe(SCHEMA_VERSION);
  const names = readdirSync(paths.backups);
  expect(names).toEqual([expect.stringMatching(/^before-upgrade-of-schema-1-.*\.gatehouse-backup$/)]);
  const header = await readBackupHeader(path.join(paths.backups, names[0]!));
  expect(header.schema_version).toBe(1);

  // A second start has nothing to change.
  await (await openDatabase(folder)).close();
  expect(readdirSync(paths.backups)).toHaveLength(1);
});
