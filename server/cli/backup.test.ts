/** Where `backup create` may write, as an operator sees it. */
import { spawnSync } from 'node:child_process';
import {
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { tempDir } from '../../testing/store/temp-store.ts';
import { openDatabase } from '../data/folder.ts';
import { backupCreate, backupRestore } from './backup.ts';

type Answer = Record<string, unknown>;

const answerOf = async (
  command: typeof backupCreate,
  file: string,
  values: Record<string, string | boolean>,
): Promise<Answer> => (await command({ values, positionals: [file] })) as Answer;

/** Data in use, as beside a running server, and another folder for backups. */
async function installed() {
  const dataDir = path.join(tempDir(), 'data');
  const db = await openDatabase(dataDir);
  onTestFinished(() => db.close());
  const stick = tempDir();
  const create = (file: string, values: Record<string, string | boolean> = {}) =>
    answerOf(backupCreate, file, { 'data-dir': dataDir, ...values });
  return { db, dataDir, stick, create };
}

describe('backup create', () => {
  it.each<[string, (at: { dataDir: string; stick: string }) => string]>([
    ['the database', ({ dataDir }) => path.join(dataDir, 'gatehouse.db')],
    ['the log of the database', ({ dataDir }) => path.join(dataDir, 'gatehouse.db-wal')],
    ['the key file', ({ dataDir }) => path.join(dataDir, 'gatehouse.key')],
    ['the lock', ({ dataDir }) => path.join(dataDir, 'gatehouse.lock')],
    ['the key file by a way round', ({ dataDir }) => `${dataDir}/backups/../gatehouse.key`],
    [
      'the database by a link to its folder',
      ({ dataDir, stick }) => {
        symlinkSync(dataDir, path.join(stick, 'link'));
        return path.join(stick, 'link/gatehouse.db');
      },
    ],
    [
      'the database by a symbolic link',
      ({ dataDir, stick }) => {
        symlinkSync(path.join(dataDir, 'gatehouse.db'), path.join(stick, 'link'));
        return path.join(stick, 'link');
      },
    ],
    [
      'the database by a hard link',
      ({ dataDir, stick }) => {
        linkSync(path.join(dataDir, 'gatehouse.db'), path.join(stick, 'one.gatehouse-backup'));
        return path.join(stick, 'one.gatehouse-backup');
      },
    ],
    [
      'somebody’s file',
      ({ stick }) => {
        writeFileSync(path.join(stick, 'guests.xlsx'), 'guests');
        return path.join(stick, 'guests.xlsx');
      },
    ],
    ['a folder', ({ stick }) => stick],
  ])('never writes over %s, with --replace neither', async (_name, fileOf) => {
    const { dataDir, stick, create } = await installed();
    const file = fileOf({ dataDir, stick });
    const before = [dataDir, stick].map((each) => readdirSync(each).sort());
    const key = readFileSync(path.join(dataDir, 'gatehouse.key'));
    for (const replace of [false, true])
      await expect(create(file, { replace })).rejects.toMatchObject({
        code: expect.stringMatching(/^(backup_file_exists|backup_folder_in_data|not_a_backup)$/) as string,
      });
    const expected = before.map((names) => names.filter((name) => name !== 'backups'));
    const after = [dataDir, stick].map((each) => readdirSync(each).sort());
    expect(after.map((names) => names.filter((name) => name !== 'backups'))).toEqual(expected);
    expect(readFileSync(path.join(dataDir, 'gatehouse.key'))).toEqual(key);
  });

  it.each([
    ['a new file', ''],
    ['a file in another folder of it', 'recordings'],
    ['a file below one', 'desktop/profile'],
  ])('takes no place for %s inside the data folder but backups', async (_name, below) => {
    const { dataDir, stick, create } = await installed();
    mkdirSync(path.join(dataDir, below), { recursive: true });
    const inside = path.join(dataDir, below, 'new.gatehouse-backup');
    symlinkSync(path.join(dataDir, below), path.join(stick, 'link'));
    for (const file of [inside, path.join(stick, 'link/new.gatehouse-backup')])
      await expect(create(file)).rejects.toMatchObject({ code: 'backup_folder_in_data' });
    expect(existsSync(inside)).toBe(false);
    const allowed = path.join(dataDir, 'backups/new.gatehouse-backup');
    expect(await create(allowed)).toMatchObject({ file: allowed, data_dir: dataDir, verified: true });
  });

  it('refuses a link named backups that leads back into the data folder', async () => {
    const { dataDir, create } = await installed();
    symlinkSync('.', path.join(dataDir, 'backups'));
    await expect(create(path.join(dataDir, 'backups/restored.db'))).rejects.toMatchObject({
      code: 'backup_folder_in_data',
    });
  });

  it.runIf(process.platform === 'linux' && process.geteuid?.() === 0)(
    'knows the data folder where it is mounted a second time',
    async ({ skip }) => {
      const { dataDir, stick, create } = await installed();
      const mounted = spawnSync('mount', ['--bind', dataDir, stick]);
      if (mounted.status !== 0) return skip();
      try {
        await expect(create(path.join(stick, 'restored.db'))).rejects.toMatchObject({
          code: 'backup_folder_in_data',
        });
      } finally {
        spawnSync('umount', [stick]);
      }
    },
  );

  it.each(['missing/one.gatehouse-backup', 'missing/below/one.gatehouse-backup', 'missing/'])(
    'makes no folder for %s',
    async (file) => {
      const { stick, create } = await installed();
      await expect(create(`${stick}/${file}`)).rejects.toThrow(/does not exist|names a folder/);
      expect(readdirSync(stick)).toEqual([]);
    },
  );

  it('makes no folder where backups is a link to a disk that is not connected', async () => {
    const { dataDir, stick, create } = await installed();
    symlinkSync(path.join(stick, 'gone'), path.join(dataDir, 'backups'));
    await expect(create(path.join(dataDir, 'backups/one.gatehouse-backup'))).rejects.toMatchObject({
      code: 'backup_folder_missing',
    });
    expect(readdirSync(stick)).toEqual([]);
  });

  it('replaces a Gatehouse backup only with --replace', async () => {
    const { stick, create } = await installed();
    const file = path.join(stick, 'one.gatehouse-backup');
    await create(file);
    const first = readFileSync(file);
    await expect(create(file)).rejects.toThrow(/--replace/);
    expect(readFileSync(file)).toEqual(first);
    await create(file, { replace: true });
    expect(readFileSync(file)).not.toEqual(first);
    expect(readdirSync(stick)).toEqual(['one.gatehouse-backup']);
  });

  it('makes no recovery phrase that nobody sees', async () => {
    const { db, stick, create } = await installed();
    writeFileSync(path.join(stick, 'taken'), '');
    await expect(create(path.join(stick, 'taken'))).rejects.toThrow('already exists');
    expect(await db.all(`SELECT name FROM settings WHERE name = 'backup.recovery'`)).toEqual([]);
    const made = await create(path.join(stick, 'free'));
    expect(String(made['recovery_phrase']).split(' ')).toHaveLength(24);
  });
});

describe('backup restore', () => {
  it('answers with the folder that it restored into', async () => {
    const { dataDir, stick, create, db } = await installed();
    const file = path.join(stick, 'one.gatehouse-backup');
    await create(file);
    await db.close();
    expect(await answerOf(backupRestore, file, { 'data-dir': dataDir })).toMatchObject({ data_dir: dataDir });
  });

  it('of a file that cannot be read leaves no folder, and no key', async () => {
    const { stick } = await installed();
    const other = path.join(tempDir(), 'other');
    writeFileSync(path.join(stick, 'letter'), 'Dear guest');
    for (const name of ['missing', 'letter'])
      await expect(
        answerOf(backupRestore, path.join(stick, name), { 'data-dir': other }),
      ).rejects.toMatchObject({
        code: expect.stringMatching(/^(file_not_readable|not_a_backup)$/) as string,
      });
    expect(existsSync(other)).toBe(false);
  });

  it('makes no parents of a folder that was named', async () => {
    const { stick, create } = await installed();
    const file = path.join(stick, 'one.gatehouse-backup');
    await create(file);
    const other = path.join(stick, 'not-connected/data');
    await expect(answerOf(backupRestore, file, { 'data-dir': other })).rejects.toThrow('does not exist');
    expect(existsSync(path.dirname(other))).toBe(false);
    renameSync(file, path.join(stick, 'two'));
  });
});
