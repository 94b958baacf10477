import { createHash } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import Sqlite from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ConfigError } from './errors.ts';
import { databaseKeyOf, openDatabase, prepareDataDir } from './folder.ts';
import { dataPaths } from './location.ts';
import { shareServing } from './lock.ts';
import { DEFAULT_BACKUP_SETTINGS, storeBackupSettings } from '../services/backup/automatic.ts';
import { readBackupHeader } from '../services/backup/container/read.ts';
import { createBackup } from '../services/backup/create.ts';
import { systemClock } from '../services/ports/clock.ts';
import { initial } from '../store/schema/0001-initial.ts';
import { appendAudit, verifyAudit } from '../store/operators/audit.ts';
import { auditChains } from '../store/schema/0024-to-0031.ts';
import { MIGRATIONS, SCHEMA_VERSION } from '../store/schema/migrations.ts';
import { writeSetting } from '../store/settings.ts';
import { forgetCopy } from '../store/backup/copy.ts';
import type { Database } from '../store/sql/port.ts';
import { schemaVersionOf } from '../store/backup/snapshot.ts';
import { plainPages, tracesOf } from '../../testing/store/temp-store.ts';
import { unlock } from '../store/sql/sqlite/connection.ts';
import { sized } from '../../testing/tier.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'gatehouse-data-dir-'));
});
afterEach(() => {
  vi.useRealTimers();
  rmSync(folder, { recursive: true });
});

it('is created with its parent folders, for its owner only', () => {
  const dataDir = path.join(folder, 'a/b/c');
  prepareDataDir(dataDir);
  prepareDataDir(dataDir);
  expect(statSync(dataDir).isDirectory()).toBe(true);
  if (process.platform !== 'win32') expect(statSync(dataDir).mode & 0o777).toBe(0o700);
});

it('a file in its place is refused with a message', () => {
  const file = path.join(folder, 'file');
  writeFileSync(file, '');
  expect(() => prepareDataDir(file)).toThrow(ConfigError);
  expect(() => prepareDataDir(path.join(file, 'below'))).toThrow(/cannot be written \(ENOTDIR\)/);
});

it.runIf(process.platform === 'linux')(
  'is refused if it cannot be created, however the system reports it',
  () => {
    expect(() => prepareDataDir('/proc/gatehouse')).toThrow(/cannot be written \(ENOENT\)/);
  },
);

/** As the first version left it. */
function makeOldDatabase(): { paths: ReturnType<typeof dataPaths>; key: Uint8Array } {
  const paths = dataPaths(folder);
  const key = databaseKeyOf(folder);
  const old = new Sqlite(paths.database);
  unlock(old, key);
  old.exec(initial.sql);
  old.exec(`INSERT INTO settings VALUES ('canary', 'deleted before deletions were overwritten')`);
  old.exec(`DELETE FROM settings`);
  old.pragma('user_version = 1');
  old.close();
  return { paths, key };
}

it('a backup that an update has made within the same second keeps no older database from being opened', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2030, 4, 15) });
  const { paths } = makeOldDatabase();
  const names = ['000000', '000001'].map(
    (at) => `before-upgrade-of-schema-1-2030-05-15T${at}Z.gatehouse-backup`,
  );
  mkdirSync(paths.backups);
  writeFileSync(path.join(paths.backups, names[0]!), 'of the update');
  await (await openDatabase(folder)).close();
  vi.useRealTimers();
  expect(readdirSync(paths.backups).sort()).toEqual(names);
  expect(readFileSync(path.join(paths.backups, names[0]!), 'utf8')).toBe('of the update');
});

it('a database of an older version is backed up before it is changed, and loses its deleted content', async () => {
  const { paths, key } = makeOldDatabase();
  await (await openDatabase(folder)).close();
  expect(schemaVersionOf({ path: paths.database, key })).toBe(SCHEMA_VERSION);
  const names = readdirSync(paths.backups);
  expect(names).toEqual([expect.stringMatching(/^before-upgrade-of-schema-1-.*\.gatehouse-backup$/)]);
  const header = await readBackupHeader(path.join(paths.backups, names[0]!));
  expect(header.schema_version).toBe(1);

  expect(tracesOf(plainPages({ path: paths.database, key }), 'deleted before')).toEqual([]);

  // A second start has nothing to change.
  await (await openDatabase(folder)).close();
  expect(readdirSync(paths.backups)).toHaveLength(1);
});

it('a database of an older version is refused while a server of that version runs, and stays as it is', async () => {
  const paths = dataPaths(folder);
  await (await openDatabase(folder)).close();
  const old = new Sqlite(paths.database);
  unlock(old, databaseKeyOf(folder));
  old.pragma(`user_version = ${SCHEMA_VERSION - 1}`);
  const server = await shareServing(folder, async () => undefined);

  await expect(openDatabase(folder)).rejects.toThrow(/older version of Gatehouse is running.*Stop it/);
  expect(old.pragma('user_version', { simple: true })).toBe(SCHEMA_VERSION - 1);
  expect(existsSync(paths.backups)).toBe(false);
  old.close();
  await server.release();
});

it('an audit log with one chain, as of older versions, is backed up and continued', async () => {
  const paths = dataPaths(folder);
  const key = databaseKeyOf(folder);
  const old = new Sqlite(paths.database);
  unlock(old, key);
  for (const migration of MIGRATIONS.filter(({ version }) => version < auditChains.version)) {
    old.exec(migration.sql);
    migration.fill?.(old);
  }
  old.pragma(`user_version = ${auditChains.version - 1}`);
  const insert = old.prepare(
    `INSERT INTO audit_entries (at, actor, action, company_id, partition, subject, details, previous_hash, hash)
     VALUES (1, 'system', 'key.roll', ?, NULL, 'x', '{}', ?, ?)`,
  );
  let previous: Uint8Array = new Uint8Array(32);
  for (const companyId of ['a', null, 'b', 'a']) {
    const entry = JSON.stringify([1, 'system', 'key.roll', companyId, null, 'x', '{}']);
    const hash = createHash('sha256').update(previous).update(entry).digest();
    insert.run(companyId, previous, hash);
    previous = hash;
  }
  old.close();

  const db = await openDatabase(folder);
  expect(readdirSync(paths.backups)).toHaveLength(1);
  await db.tx((tx) =>
    appendAudit(tx, { at: 2, actor: 'system', action: 'key.roll', companyId: 'b', subject: 'y' }),
  );
  expect(await verifyAudit(db)).toEqual({ entries: 5, brokenAt: null });
  await db.close();
});

describe.runIf(process.platform !== 'win32')('rights', () => {
  const modes = (dir: string): Record<string, string> =>
    Object.fromEntries(
      ['', ...(readdirSync(dir, { recursive: true }) as string[])].map((name) => [
        name,
        (statSync(path.join(dir, name)).mode & 0o777).toString(8),
      ]),
    );

  it.each(sized([0o000], [0o000, 0o022, 0o077]))(
    'of everything new are the owner’s alone under the umask %o',
    async (umask) => {
      const dataDir = path.join(folder, 'data');
      const before = process.umask(umask);
      let db: Database | undefined;
      try {
        db = await openDatabase(dataDir);
        await createBackup({
          databasePath: dataPaths(dataDir).database,
          databaseKey: databaseKeyOf(dataDir),
          target: path.join(dataPaths(dataDir).backups, 'one.gatehouse-backup'),
          nowMs: 0,
        });
        expect(modes(dataDir)).toEqual({
          '': '700',
          backups: '700',
          'backups/one.gatehouse-backup': '600',
          'gatehouse.db': '600',
          'gatehouse.db-mark': '600',
          'gatehouse.db-shm': '600',
          'gatehouse.db-wal': '600',
          'gatehouse.key': '600',
          'gatehouse.lock': '600',
          'gatehouse.lock-backup': '600',
        });
      } finally {
        process.umask(before);
        await db?.close();
      }
    },
  );

  it('permissions of existing files are tightened at start-up, even in a chosen backup folder', async () => {
    const dataDir = path.join(folder, 'data');
    const chosen = path.join(folder, 'chosen');
    let db = await openDatabase(dataDir);
    const settings = { ...DEFAULT_BACKUP_SETTINGS, folder: chosen };
    await db.tx((tx) => storeBackupSettings(tx, systemClock, settings, 'cli'));
    await db.close();
    const files = ['logs/gatehouse.log', 'before-restore-2030/gatehouse.db', 'backups/old.gatehouse-backup'];
    const made = [...files, 'restored.db', 'gatehouse.key.sealed'].map((name) => path.join(dataDir, name));
    for (const file of [...made, path.join(chosen, 'b.gatehouse-backup'), path.join(chosen, 'letter.txt')]) {
      mkdirSync(path.dirname(file), { recursive: true });
      writeFileSync(file, '');
    }
    for (const name of Object.keys(modes(dataDir))) {
      const entry = path.join(dataDir, name);
      chmodSync(entry, statSync(entry).isDirectory() ? 0o755 : 0o664);
    }
    for (const name of readdirSync(chosen)) chmodSync(path.join(chosen, name), 0o664);

    db = await openDatabase(dataDir);
    const after = modes(dataDir);
    const wide = Object.entries(after).filter(([, mode]) => mode !== '600' && mode !== '700');
    expect(wide).toEqual([]);
    expect(Object.keys(after)).toContain('gatehouse.db-wal');
    expect(modes(chosen)).toMatchObject({ 'b.gatehouse-backup': '600', 'letter.txt': '664' });
    await db.close();
  });

  it('of a folder with other files stay, and Gatehouse’s own files are closed', async () => {
    writeFileSync(path.join(folder, 'other.txt'), '');
    chmodSync(path.join(folder, 'other.txt'), 0o644);
    chmodSync(folder, 0o755);
    const db = await openDatabase(folder);
    expect(modes(folder)).toMatchObject({ '': '755', 'other.txt': '644', 'gatehouse.db': '600' });
    await db.close();
  });
});

it('of data that was copied to the other engine is refused until it is reopened', async () => {
  const db = await openDatabase(folder);
  await db.tx((tx) => writeSetting(tx, 'data.copied_to', { engine: 'postgres', at: 1 }));
  await db.close();
  await expect(openDatabase(folder)).rejects.toThrow(/GATEHOUSE_DATABASE_URL.*data reopen/);
  const chosen = await openDatabase(folder, { acceptsCopied: true });
  await chosen.tx(forgetCopy);
  await chosen.close();
  await (await openDatabase(folder)).close();
});
