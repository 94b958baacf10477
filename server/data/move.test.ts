import { chmodSync, existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { dataDirFrom } from './location.ts';
import { openDatabase } from './folder.ts';
import { mountPointsIn, moveData } from './move.ts';
import { withoutRoot } from '../../testing/service/without-root.ts';
import { tempDir } from '../../testing/store/temp-store.ts';
import { canMount, mountedDisk, mountedFolder } from '../../testing/store/small-disk.ts';
import { insertCompany, listCompanies } from '../store/companies/companies.ts';

let root: string;
let from: string;
beforeEach(async () => {
  root = tempDir();
  from = path.join(root, 'old');
  const db = await openDatabase(from);
  await db.tx((tx) => insertCompany(tx, { id: 'c', name: 'Venue', dailyLimit: 1, createdAt: 1 }));
  await db.close();
  mkdirSync(path.join(from, 'backups'));
  writeFileSync(path.join(from, 'backups/one'), 'backup');
});

it('all data is in the new folder, and the old one contains its path', async () => {
  const to = path.join(root, 'new place');
  await moveData(from, to);
  expect(readdirSync(from).sort()).toEqual(['gatehouse.lock', 'moved.json']);
  expect(readdirSync(to).sort()).toEqual(['backups', 'gatehouse.db', 'gatehouse.key']);
  const db = await openDatabase(dataDirFrom(from, {}));
  expect(await listCompanies(db)).toMatchObject([{ id: 'c' }]);
  await db.close();
});

it('nothing is moved while the data is in use', async () => {
  const db = await openDatabase(from);
  await expect(moveData(from, path.join(root, 'new'))).rejects.toThrow(/is running on/);
  expect(readdirSync(root)).toEqual(['old']);
  await db.close();
});

function linkToOld(): string {
  symlinkSync(from, path.join(root, 'link'));
  return path.join(root, 'link');
}

it.each([
  ['a folder with something in it', () => root, /inside the other/],
  ['a folder inside', () => path.join(from, 'below'), /inside the other/],
  ['a folder inside, by a link', () => path.join(linkToOld(), 'below'), /inside the other/],
  ['a folder in one that is missing', () => path.join(root, 'stick/new'), /does not exist/],
])('%s is refused', async (_name, to, words) => {
  await expect(moveData(from, to())).rejects.toThrow(words);
  expect(readdirSync(from)).toContain('gatehouse.db');
  expect(readdirSync(root).filter((name) => name !== 'link')).toEqual(['old']);
});

const MOUNTS: [string, (folder: string) => boolean][] = [
  ['another disk', (folder) => mountedDisk('size=1m', folder) !== null],
  ['a folder of the same disk', (folder) => mountedFolder(path.join(root, 'elsewhere'), folder)],
];
it.runIf(canMount).each(MOUNTS)(
  'a folder in the data that is %s is named, and nothing is moved',
  async (_, mount) => {
    mkdirSync(path.join(root, 'elsewhere'));
    const backups = path.join(from, 'backups');
    if (!mount(backups)) return;
    const to = path.join(root, 'new');
    await expect(moveData(from, to)).rejects.toThrow(`${backups} is a mount point`);
    expect(existsSync(to)).toBe(false);
    expect(readdirSync(from)).toContain('gatehouse.db');
    expect(readdirSync(from)).not.toContain('moved.json');
  },
);

it('mount points are found by the system’s table, with spaces in their names', () => {
  const line = (point: string) => `36 35 98:0 /mnt1 ${point} rw,noatime master:1 - ext3 /dev/root rw`;
  const table = [line('/'), line('/data'), line(String.raw`/data/back\040ups`), line('/database')].join('\n');
  expect(mountPointsIn('/data', table)).toEqual(['/data/back ups']);
});

it.runIf(canMount)('a disk that has no room is named, and nothing is moved', async () => {
  const small = mountedDisk('size=300k');
  if (small === null) return;
  const to = path.join(small, 'new');
  await expect(moveData(from, to)).rejects.toThrow(`The disk of ${to} is full`);
  expect(readdirSync(small)).toEqual([]);
  await (await openDatabase(from)).close();
});

it.runIf(process.platform !== 'win32')(
  'what cannot be deleted in the old folder is listed, and the new one is used',
  async () => {
    const backups = path.join(from, 'backups');
    chmodSync(backups, 0o500);
    const to = path.join(root, 'new');
    expect(await withoutRoot(root, () => moveData(from, to))).toMatchObject({ left: [backups] });
    expect(dataDirFrom(from, {})).toBe(to);
    expect(existsSync(path.join(from, 'gatehouse.key'))).toBe(false);
  },
);

it('a folder that is not empty is refused, and not changed', async () => {
  const to = path.join(root, 'taken');
  mkdirSync(to);
  writeFileSync(path.join(to, 'file'), 'mine');
  await expect(moveData(from, to)).rejects.toThrow(/not empty/);
  expect(readdirSync(to)).toEqual(['file']);
});
