/** Full and read-only disks, with real ones: said in words, of the right disk, and nothing half done. */
import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  statSync,
  statfsSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { canMount, mountedDisk } from '../../testing/store/small-disk.ts';
import { tempDir } from '../../testing/store/temp-store.ts';
import { createBackup } from '../services/backup/create.ts';
import { databaseKeyOf, openDatabase } from './folder.ts';
import { dataPaths } from './location.ts';
import { restoreData } from './restore.ts';

const KIB = 1_024;

/** A closed database of about `kib` KiB, and its backup. */
async function installed(kib: number) {
  const dataDir = path.join(tempDir(), 'data');
  const db = await openDatabase(dataDir);
  await db.tx((tx) =>
    tx.run('INSERT INTO settings (name, value) VALUES (?, ?)', 'filling', `"${'x'.repeat(kib * KIB)}"`),
  );
  await db.close();
  const { database: databasePath } = dataPaths(dataDir);
  const source = { databasePath, databaseKey: databaseKeyOf(dataDir), nowMs: 0 };
  return { dataDir, source, size: statSync(databasePath).size };
}

describe.runIf(canMount)('a full disk', () => {
  it.each([
    ['that has no room at all', 0.2, 'needs at least'],
    ['that has no room for the last of the files', 1.5, 'is full'],
  ])('of backups %s is named, and keeps none of them', async (_name, share, words) => {
    const { dataDir, source, size } = await installed(2_000);
    const stick = mountedDisk(`size=${Math.floor((size * share) / KIB)}k`);
    if (stick === null) return;
    const making = createBackup({ ...source, target: path.join(stick, 'one.gatehouse-backup') });
    await expect(making).rejects.toMatchObject({
      code: 'backup_disk_full',
      message: expect.stringContaining(`The disk of the folder ${stick} is full`) as string,
    });
    await expect(making).rejects.toThrow(words);
    expect(readdirSync(stick)).toEqual([]);
    expect(readdirSync(dataDir)).not.toContain('restored.db');
  });

  it.each([
    ['that has no room at all', 0.2],
    ['that fills up on the way', 1.01],
  ])('of the data %s is named, and a restore changes nothing', async (_name, share) => {
    const { source, dataDir, size } = await installed(2_000);
    const file = path.join(tempDir(), 'one.gatehouse-backup');
    await createBackup({ ...source, target: file });
    const small = mountedDisk('size=50m');
    if (small === null) return;
    await (await openDatabase(small)).close();
    copyFileSync(path.join(dataDir, 'gatehouse.key'), path.join(small, 'gatehouse.key'));
    copyFileSync(source.databasePath, path.join(small, 'gatehouse.db'));
    const { bavail, bsize } = statfsSync(small);
    writeFileSync(path.join(small, 'other'), Buffer.alloc(Math.floor(bavail * bsize - size * share)));
    const before = readdirSync(small).sort();
    const restoring = restoreData(small, {
      file,
      phrase: null,
      confirmed: null,
      keepsAccess: false,
      actor: 'cli',
    });
    await expect(restoring).rejects.toMatchObject({
      code: 'data_disk_full',
      message: expect.stringContaining(`The disk of the data folder ${small} is full`) as string,
    });
    expect(readdirSync(small).sort()).toEqual(before);
    await (await openDatabase(small)).close();
  });

  it('of the data where a restore begins in a new folder leaves none', async () => {
    const { source, size } = await installed(2_000);
    const file = path.join(tempDir(), 'one.gatehouse-backup');
    await createBackup({ ...source, target: file });
    const small = mountedDisk(`size=${Math.floor((size * 0.7) / KIB)}k`);
    if (small === null) return;
    const folder = path.join(small, 'data');
    const key = source.databaseKey;
    mkdirSync(folder);
    writeFileSync(path.join(folder, 'gatehouse.key'), `${Buffer.from(key).toString('hex')}\n`);
    const restoring = restoreData(folder, {
      file,
      phrase: null,
      confirmed: null,
      keepsAccess: false,
      actor: 'cli',
    });
    await expect(restoring).rejects.toMatchObject({ code: 'data_disk_full' });
    expect(existsSync(path.join(folder, 'gatehouse.db'))).toBe(false);
    expect(existsSync(path.join(folder, 'restored.db'))).toBe(false);
  });
});

describe.runIf(canMount)('a read-only disk', () => {
  it('of backups is named', async () => {
    const { source } = await installed(10);
    const stick = mountedDisk('size=10m');
    if (stick === null) return;
    spawnSync('mount', ['-o', 'remount,ro', stick]);
    const making = createBackup({ ...source, target: path.join(stick, 'one.gatehouse-backup') });
    await expect(making).rejects.toMatchObject({
      code: 'file_not_writable',
      message: expect.stringContaining('the disk is read-only') as string,
    });
  });
});
