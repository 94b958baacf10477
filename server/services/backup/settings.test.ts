import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, rmdirSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { testInstallation } from '../../../testing/service/installation.ts';
import { openTestService } from '../../../testing/service/temp-service.ts';
import { tempDir } from '../../../testing/store/temp-store.ts';
import { changeBackups, readBackups } from './settings.ts';

const ADMIN = 'operator:1';

async function installed() {
  const dir = tempDir();
  const { deps, clock } = await openTestService(dir);
  return { ...deps, ...testInstallation(deps.db, clock, dir) };
}

it('makes one backup at a time, and lists it', async () => {
  const deps = await installed();
  const { backups } = deps;
  await Promise.all([backups.begin(ADMIN), backups.begin(ADMIN)]);
  expect((await backups.running())?.percent).toBeLessThan(100);
  await backups.idle();
  const state = await readBackups(deps);
  expect(state).toMatchObject({ running: null, failure: null, key_kind: 'key_file' });
  expect(state.files).toHaveLength(1);
  expect(state.files[0]?.bytes).toBeGreaterThan(0);
});

const schedule = (folder: string | null, keep = 3) => ({ is_on: true, folder, keep });

it('reports why a backup was not made, and does not make a folder that is missing', async () => {
  const deps = await installed();
  const folder = path.join(tempDir(), 'stick');
  mkdirSync(folder);
  await changeBackups(deps, schedule(folder), ADMIN);
  rmdirSync(folder);
  await deps.backups.begin(ADMIN);
  await deps.backups.idle();
  expect((await readBackups(deps)).failure).toBe('backup_folder_missing');
  expect(existsSync(folder)).toBe(false);
  // Something else can be changed while the disk is away.
  await changeBackups(deps, schedule(folder, 5), ADMIN);
});

it.each([
  ['that is no full path', () => 'here', 'backup_folder_relative'],
  ['that is missing', (dir: string) => path.join(dir, 'missing'), 'backup_folder_missing'],
  ['inside the data folder', (dir: string) => dir, 'backup_folder_in_data'],
])('refuses a folder %s', async (_name, folderOf, code) => {
  const deps = await installed();
  const folder = folderOf(deps.backups.dataDir);
  await expect(changeBackups(deps, schedule(folder), ADMIN)).rejects.toMatchObject({ code });
});

it.runIf(process.platform === 'linux' && process.geteuid?.() === 0)(
  'makes no backup on the disk of the data in place of another that is not mounted',
  async ({ skip }) => {
    const deps = await installed();
    const stick = tempDir();
    if (spawnSync('mount', ['-t', 'tmpfs', 'tmpfs', stick]).status !== 0) return skip();
    await changeBackups(deps, schedule(stick), ADMIN).finally(() => spawnSync('umount', [stick]));
    await deps.backups.begin(ADMIN);
    await deps.backups.idle();
    expect((await readBackups(deps)).failure).toBe('backup_folder_missing');
    expect(readdirSync(stick)).toEqual([]);
  },
);

it('offers a command for a restore that names the data folder', async () => {
  const deps = await installed();
  const { restore_command: command } = await readBackups(deps);
  expect(command).toContain(`--data-dir '${deps.backups.dataDir}'`);
});
