import { existsSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import Sqlite from 'better-sqlite3';
import { expect, it, vi } from 'vitest';
import { tempDir } from '../../testing/store/temp-store.ts';
import { markRestored } from '../data/finish-restore.ts';
import { databaseKeyOf, openDatabase } from '../data/folder.ts';
import { dataPaths } from '../data/location.ts';
import { SCHEMA_VERSION } from '../store/schema/migrations.ts';
import { writeSetting } from '../store/settings.ts';
import { unlock } from '../store/sql/sqlite/connection.ts';
import { backupCreate, backupPhrase } from './backup.ts';
import { dataCopy, dataReopen } from './data.ts';
import { auditVerify, companyList, maintenanceOn } from './operations.ts';
import { operatorList } from './operators.ts';
import { metricsToken } from './secrets.ts';

/** Copies to a PostgreSQL that does not answer, to test only the steps before it. */
async function copyFrom(folder: string): Promise<void> {
  const keyFile = path.join(tempDir(), 'keys');
  writeFileSync(keyFile, '5a'.repeat(32), { mode: 0o600 });
  vi.stubEnv('GATEHOUSE_DATABASE_KEY_FILE', keyFile);
  const to = `postgres:///nowhere?host=${encodeURIComponent(tempDir())}`;
  await dataCopy({ values: { to, 'data-dir': folder }, positionals: [] }).finally(() => vi.unstubAllEnvs());
}

it('a copy from a folder without data is refused and leaves no file there', async () => {
  const folder = path.join(tempDir(), 'mistyped');
  await expect(copyFrom(folder)).rejects.toThrow('contains no Gatehouse data');
  expect(existsSync(folder)).toBe(false);
});

it('a copy of data of an older version is refused and does not change it', async () => {
  const folder = tempDir();
  await (await openDatabase(folder)).close();
  const old = new Sqlite(dataPaths(folder).database);
  unlock(old, databaseKeyOf(folder));
  old.pragma(`user_version = ${SCHEMA_VERSION - 1}`);
  await expect(copyFrom(folder)).rejects.toThrow('written by an older version');
  expect(old.pragma('user_version', { simple: true })).toBe(SCHEMA_VERSION - 1);
  old.close();
});

it('a copy completes a decided restore first', async () => {
  const folder = tempDir();
  await (await openDatabase(folder)).close();
  const { database, restored, restoreMark } = dataPaths(folder);
  renameSync(database, restored);
  await markRestored(folder, 0);
  await expect(copyFrom(folder)).rejects.toMatchObject({ code: 'database_unreachable' });
  expect([existsSync(database), existsSync(restoreMark)]).toEqual([true, false]);
});

it.each([
  ['company list', companyList],
  ['operator list', operatorList],
  ['backup phrase', backupPhrase],
  ['metrics token', metricsToken],
  ['maintenance on', maintenanceOn],
  ['audit verify', auditVerify],
  ['backup create', backupCreate],
])('%s in a mistyped folder is refused and leaves no file there', async (_, command) => {
  const folder = path.join(tempDir(), 'mistyped');
  const input = { values: { 'data-dir': folder }, positionals: [path.join(tempDir(), 'backup')] };
  await expect(command(input)).rejects.toThrow('contains no Gatehouse data');
  expect(existsSync(folder)).toBe(false);
});

const reopen = (folder: string) =>
  dataReopen({ values: { 'data-dir': folder, reason: 'copy not used' }, positionals: [] });

it('the source of a copy is reopened once, with the reason in the audit log', async () => {
  const folder = tempDir();
  const before = await openDatabase(folder);
  await before.tx((tx) => writeSetting(tx, 'data.copied_to', { engine: 'postgres', at: 1 }));
  await before.close();
  await reopen(folder);
  await expect(reopen(folder)).rejects.toThrow('already usable');
  const db = await openDatabase(folder);
  expect(await db.all(`SELECT actor, details FROM audit_entries WHERE action = 'data.reopen'`)).toEqual([
    { actor: 'cli', details: JSON.stringify({ engine: 'postgres', reason: 'copy not used' }) },
  ]);
  await db.close();
});

it('a folder without data is not reopened and stays as it is', async () => {
  const folder = path.join(tempDir(), 'mistyped');
  await expect(reopen(folder)).rejects.toThrow('contains no Gatehouse data');
  expect(existsSync(folder)).toBe(false);
});
