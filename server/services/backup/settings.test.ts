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

it('reports why a backup was not made', async () => {
  const deps = await installed();
  await changeBackups(deps, { is_on: true, folder: '/dev/null/backups', keep: 3 }, ADMIN);
  await deps.backups.begin(ADMIN);
  await deps.backups.idle();
  expect((await readBackups(deps)).failure).toBe('file_not_writable');
  await expect(changeBackups(deps, { is_on: true, folder: 'here', keep: 3 }, ADMIN)).rejects.toMatchObject({
    code: 'backup_folder_relative',
  });
});
