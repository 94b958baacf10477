/** How the store handles files it cannot or must not open: always with a message that an operator can act on. */
import {
  closeSync,
  mkdirSync,
  openSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import path from 'node:path';
import Sqlite from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { storePaths, tempDir } from '../../../../testing/store/temp-store.ts';
import { insertCompany } from '../../companies/companies.ts';
import { type StoreErrorCode, StoreError } from '../port.ts';
import { openSqlite } from './driver.ts';

const PAGE_BYTES = 4_096;
const MARK = 'The Secret Garden of Plain Text';

/** A closed database with enough rows for many pages, and its files. */
async function filledStore() {
  const dir = tempDir();
  const paths = storePaths(dir);
  const db = await openSqlite(paths);
  await db.tx(async (tx) => {
    for (let n = 0; n < 400; n++) {
      await insertCompany(tx, { id: `c${n}`, name: `${MARK} ${n}`, dailyLimit: 1, createdAt: n });
    }
  });
  await db.close();
  return { dir, ...paths };
}

async function expectRefused(opening: Promise<unknown>, code: StoreErrorCode, words: RegExp): Promise<void> {
  const error: unknown = await opening.then(
    () => null,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(StoreError);
  expect(error).toMatchObject({ code, message: expect.stringMatching(words) as unknown });
}

describe('encryption at rest', () => {
  it('leaves no plain text in any file, while the database is open and afterwards', async () => {
    const dir = tempDir();
    const db = await openSqlite(storePaths(dir));
    await db.tx((tx) => insertCompany(tx, { id: 'c', name: MARK, dailyLimit: 1, createdAt: 1 }));
    const written = () => Buffer.concat(readdirSync(dir).map((name) => readFileSync(path.join(dir, name))));
    expect(readdirSync(dir)).toContain('gatehouse.db-wal');
    for (const text of [MARK, 'CREATE TABLE', 'SQLite format 3']) {
      expect(written().includes(text)).toBe(false);
    }
    await db.close();
    for (const text of [MARK, 'CREATE TABLE', 'SQLite format 3']) {
      expect(written().includes(text)).toBe(false);
    }
  });

  it.skipIf(process.platform === 'win32')('restricts the key file to its owner', async () => {
    const { keyPath } = await filledStore();
    expect(statSync(keyPath).mode & 0o777).toBe(0o600);
  });
});

describe('a damaged database', () => {
  it.each([
    ['garbage in the header', 0, 64],
    ['garbage in the middle', 0.5, 64],
    ['a single flipped bit in the middle', 0.5, 1],
    ['garbage at the end', 0.99, 64],
  ])('%s', async (_title, where, length) => {
    const store = await filledStore();
    const bytes = readFileSync(store.path);
    const at = Math.floor(bytes.length * where);
    for (let i = at; i < at + length; i++) bytes[i] = (bytes[i] ?? 0) ^ 0x10;
    writeFileSync(store.path, bytes);
    await expectRefused(openSqlite(store), 'database_damaged', /Restore/);
  });

  it('truncated', async () => {
    const store = await filledStore();
    const bytes = readFileSync(store.path);
    writeFileSync(store.path, bytes.subarray(0, Math.floor(bytes.length / 2)));
    await expectRefused(openSqlite(store), 'database_damaged', /Restore/);
  });

  it('not a database', async () => {
    const store = await filledStore();
    writeFileSync(store.path, 'This is not a database. '.repeat(1_000));
    await expectRefused(openSqlite(store), 'database_damaged', /Restore/);
  });

  it('with another key', async () => {
    const [store, other] = [await filledStore(), await filledStore()];
    await expectRefused(openSqlite({ ...store, keyPath: other.keyPath }), 'database_damaged', /key file/);
  });
});

describe('a database that is damaged while it is open', () => {
  it('reports a damaged page to the caller who reads it, and keeps serving the rest', async () => {
    const store = await filledStore();
    const db = await openSqlite(store);
    const pages = await db.all<{ pageno: number }>("SELECT pageno FROM dbstat WHERE name = 'companies'");
    // A change makes the reader read the file again instead of its cache.
    await db.tx((tx) => tx.run("INSERT INTO settings (name, value) VALUES ('one', '1')"));
    const bytes = readFileSync(store.path);
    for (const { pageno } of pages) bytes.fill(0xa5, (pageno - 1) * PAGE_BYTES + 100, pageno * PAGE_BYTES);
    const file = openSync(store.path, 'r+');
    writeSync(file, bytes);
    closeSync(file);

    const companies = 'SELECT COUNT(*) AS companies FROM companies WHERE daily_limit = 1';
    expect(db.isDamaged()).toBe(false);
    await expectRefused(db.one(companies), 'database_damaged', /Restore/);
    expect(db.isDamaged()).toBe(true);
    // The snapshot that read the page ends with the turn, and must not end the process.
    await new Promise((resolve) => setImmediate(resolve));
    await db.tx((tx) => tx.run("UPDATE settings SET value = '2' WHERE name = 'one'"));
    expect(await db.one("SELECT value FROM settings WHERE name = 'one'")).toEqual({ value: '2' });
    await db.close();
  });
});

describe('the key file', () => {
  it('missing next to a database is an error, and no new one is created', async () => {
    const store = await filledStore();
    rmSync(store.keyPath);
    await expectRefused(openSqlite(store), 'database_key_missing', /backup/);
    expect(readdirSync(store.dir)).not.toContain('gatehouse.key');
  });

  it.each([
    ['empty', ''],
    ['too short', 'ab'.repeat(31)],
    ['too long', 'ab'.repeat(33)],
    ['not hexadecimal', `${'ab'.repeat(31)}zz`],
    ['followed by more', `${'ab'.repeat(32)} and more`],
  ])('that is %s is damaged', async (_title, content) => {
    const store = await filledStore();
    writeFileSync(store.keyPath, content);
    await expectRefused(openSqlite(store), 'database_key_unsafe', /damaged/);
  });

  it('may lack its last line break, or use capitals', async () => {
    const store = await filledStore();
    writeFileSync(store.keyPath, readFileSync(store.keyPath, 'utf8').trim().toUpperCase());
    await (await openSqlite(store)).close();
  });

  it.skipIf(process.platform === 'win32')('that others may read gets stricter permissions', async () => {
    const store = await filledStore();
    writeFileSync(`${store.keyPath}.copy`, readFileSync(store.keyPath), { mode: 0o644 });
    renameSync(`${store.keyPath}.copy`, store.keyPath);
    await (await openSqlite(store)).close();
    expect(statSync(store.keyPath).mode & 0o777).toBe(0o600);
  });

  it('leaves nothing else in the folder', async () => {
    const { dir } = await filledStore();
    expect(readdirSync(dir).sort()).toEqual(['gatehouse.db', 'gatehouse.key']);
  });
});

describe('a database from the future', () => {
  it('is refused, and not changed', async () => {
    const store = await filledStore();
    const key = readFileSync(store.keyPath, 'utf8').trim();
    const connection = new Sqlite(store.path);
    connection.pragma("cipher = 'aegis'");
    connection.pragma(`key = 'raw:${key}'`);
    connection.pragma('user_version = 9999');
    connection.close();
    await expectRefused(openSqlite(store), 'database_from_the_future', /newer Gatehouse/);
    await expectRefused(openSqlite(store), 'database_from_the_future', /9999/);
  });
});

describe('a path that cannot be written', () => {
  it('a missing folder', async () => {
    const missing = path.join(tempDir(), 'missing');
    await expectRefused(openSqlite(storePaths(missing)), 'database_not_writable', /missing/);
  });

  it('a file instead of the folder', async () => {
    const file = path.join(tempDir(), 'file');
    writeFileSync(file, '');
    await expectRefused(openSqlite(storePaths(file)), 'database_not_writable', /writable/);
  });

  it('a folder instead of the database', async () => {
    const store = await filledStore();
    rmSync(store.path);
    mkdirSync(store.path);
    await expectRefused(openSqlite(store), 'database_not_writable', /permissions/);
  });
});
