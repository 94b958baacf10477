import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
  mkdirSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { withoutRoot } from '../../testing/service/without-root.ts';
import type { DeletionTime } from '../domain/clock.ts';
import { ConfigError } from './errors.ts';
import { ownDataDir, shareDataDir } from './lock.ts';
import {
  finishRestore,
  listPreviousDatabases,
  previousDatabaseName,
  removePreviousDatabases,
} from './finish-restore.ts';

const PREVIOUS = previousDatabaseName(Date.UTC(2030, 4, 15, 12));
let dir: string;
beforeEach(() => {
  dir = mkdtempSync(path.join(tmpdir(), 'gatehouse-restore-'));
});
afterEach(() => rmSync(dir, { recursive: true }));

const put = (name: string, text: string) => {
  mkdirSync(path.dirname(path.join(dir, name)), { recursive: true });
  writeFileSync(path.join(dir, name), text);
};
const get = (name: string) => readFileSync(path.join(dir, name), 'utf8');
const mark = () => put('restored.json', JSON.stringify({ aside: PREVIOUS }));

it('the data that restores replaced is listed with its time and size, newest first', async () => {
  const earlier = previousDatabaseName(Date.UTC(2030, 4, 14, 9, 30));
  put(`${earlier}/gatehouse.db`, 'old');
  put(`${PREVIOUS}/gatehouse.db`, 'newer');
  put(`${PREVIOUS}/gatehouse.db-wal`, 'log');
  put('backups/nightly', 'other');
  expect(await listPreviousDatabases(dir)).toEqual([
    { folder: path.join(dir, PREVIOUS), replacedAt: Date.UTC(2030, 4, 15, 12), bytes: 8 },
    { folder: path.join(dir, earlier), replacedAt: Date.UTC(2030, 4, 14, 9, 30), bytes: 3 },
  ]);
});

describe('an interrupted restore', () => {
  it.each<[string, string[]]>([
    ['before anything was moved', ['gatehouse.db', 'gatehouse.db-wal']],
    ['after the old database was moved', [`${PREVIOUS}/gatehouse.db`, 'gatehouse.db-wal']],
    ['after the old log was moved, too', [`${PREVIOUS}/gatehouse.db`, `${PREVIOUS}/gatehouse.db-wal`]],
  ])('%s is finished', (_when, [database = '', log = '']) => {
    put(database, 'old');
    put(log, 'old log');
    put('restored.db', 'new');
    mark();
    finishRestore(dir);
    expect(get('gatehouse.db')).toBe('new');
    expect(get(`${PREVIOUS}/gatehouse.db`)).toBe('old');
    expect(get(`${PREVIOUS}/gatehouse.db-wal`)).toBe('old log');
    expect(readdirSync(dir).sort()).toEqual([PREVIOUS, 'gatehouse.db', 'gatehouse.lock'].sort());
  });

  it('after the new database was in place is finished', () => {
    put('gatehouse.db', 'new');
    put('gatehouse.db-wal', 'new log');
    mark();
    finishRestore(dir);
    expect([get('gatehouse.db'), get('gatehouse.db-wal')]).toEqual(['new', 'new log']);
    expect(existsSync(path.join(dir, 'restored.json'))).toBe(false);
  });

  it('before it was decided keeps the old data', () => {
    put('gatehouse.db', 'old');
    put('restored.db', 'half');
    finishRestore(dir);
    expect(get('gatehouse.db')).toBe('old');
  });

  it('waits for processes that use the data', () => {
    put('gatehouse.db', 'old');
    put('restored.db', 'new');
    mark();
    const user = shareDataDir(dir);
    expect(() => finishRestore(dir)).toThrow(ConfigError);
    expect(get('gatehouse.db')).toBe('old');
    user.release();
    finishRestore(dir);
    expect(get('gatehouse.db')).toBe('new');
  });
});

describe('the lock of a data folder', () => {
  it('is shared by everyone who uses the data, and exclusive to one that replaces it', () => {
    const users = [shareDataDir(dir), shareDataDir(dir)];
    expect(() => ownDataDir(dir)).toThrow(/Gatehouse is running on/);
    for (const user of users) user.release();
    const owner = ownDataDir(dir);
    expect(() => shareDataDir(dir)).toThrow(/being restored or moved/);
    owner.release();
    shareDataDir(dir).release();
  });
});

it('a replaced database is deleted after a week', async () => {
  put(`${PREVIOUS}/gatehouse.db`, 'old');
  put('backups/one', 'kept');
  const day = (n: number) => Date.UTC(2030, 4, 15 + n, 12) as DeletionTime;
  await removePreviousDatabases(dir, day(6));
  expect(existsSync(path.join(dir, PREVIOUS))).toBe(true);
  await removePreviousDatabases(dir, day(8));
  expect(readdirSync(dir)).toEqual(['backups']);
});

it('a replaced database that cannot be deleted is reported and keeps none of the others', async () => {
  const [stuck, other] = [PREVIOUS, previousDatabaseName(Date.UTC(2030, 4, 16, 12))];
  put(`${stuck}/gatehouse.db`, 'old');
  put(`${other}/gatehouse.db`, 'old');
  chmodSync(path.join(dir, stuck), 0o500);
  const time = Date.UTC(2030, 5, 15) as DeletionTime;
  const removing = withoutRoot(dir, () => removePreviousDatabases(dir, time));
  await expect(removing).rejects.toMatchObject({ code: 'EACCES' });
  chmodSync(path.join(dir, stuck), 0o700);
  expect(readdirSync(dir)).toEqual([stuck]);
});
