import { readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { recording } from '../../testing/service/recording.ts';
import { tempDir } from '../../testing/store/temp-store.ts';
import type { DeletionTime } from '../domain/clock.ts';
import { deleteRecordings, listRecordings, openRecordings, removeDueRecordings } from './recordings.ts';

const FILE = { databaseUrl: null, databaseKeys: null };

const namesIn = async (dir: string) => (await readdir(join(dir, 'recordings'))).sort();

test('a recording is read as it was saved, and its file shows nothing of it', async () => {
  const dir = tempDir();
  const { save, read } = await openRecordings(dir, FILE);
  const saved = await save(recording());
  expect(await listRecordings(dir)).toEqual([saved]);
  expect(saved).toMatchObject({ code: 'ABCD2345', number: 1, keptUntil: '2027-02-21' });
  expect(await read(saved)).toEqual(recording());
  const bytes = await readFile(join(dir, 'recordings', saved.name));
  for (const word of ['still', '"p01"', 'Venue', '"dim"']) expect(bytes.includes(word)).toBe(false);
});

test('a recording that was renamed, changed or sealed by another installation is refused', async () => {
  const [dir, other] = [tempDir(), tempDir()];
  const { save, read } = await openRecordings(dir, FILE);
  const saved = await save(recording());
  const refused = { code: 'database_damaged' };
  await expect((await openRecordings(other, FILE)).read(saved)).rejects.toThrow();
  const file = join(dir, 'recordings', saved.name);
  const later = { ...saved, name: saved.name.replace('2027-02', '2029-02') };
  await rename(file, join(dir, 'recordings', later.name));
  await expect(read(later)).rejects.toMatchObject(refused);
  await rename(join(dir, 'recordings', later.name), file);
  const bytes = await readFile(file);
  bytes[bytes.length - 20]! ^= 1;
  await writeFile(file, bytes);
  await expect(read(saved)).rejects.toMatchObject(refused);
});

test('with the keys of PostgreSQL, every key of the file opens, and the first seals', async () => {
  const dir = tempDir();
  const keyFile = join(dir, 'keys');
  const on = { databaseUrl: 'postgres://127.0.0.1/gatehouse', databaseKeys: { file: keyFile } };
  await writeFile(keyFile, 'a'.repeat(64), { mode: 0o600 });
  const saved = await (await openRecordings(dir, on)).save(recording());
  await writeFile(keyFile, `${'b'.repeat(64)}\n${'a'.repeat(64)}\n`);
  expect(await (await openRecordings(dir, on)).read(saved)).toEqual(recording());
  await writeFile(keyFile, 'b'.repeat(64));
  await expect((await openRecordings(dir, on)).read(saved)).rejects.toThrow('cannot be decrypted');
});

test('recordings are deleted by code, by their last day and all at once, drafts of a crash included', async () => {
  const dir = tempDir();
  const { save } = await openRecordings(dir, FILE);
  await save(recording());
  await save(recording());
  await save(recording({ code: 'EFGH2345', keptUntil: '2026-12-01' }));
  await writeFile(join(dir, 'recordings', '2026-12-01-EFGH2345-2.recording.draft'), 'half');
  await writeFile(join(dir, 'recordings', 'notes.txt'), 'not ours');
  expect(await listRecordings(dir)).toMatchObject([
    { code: 'EFGH2345' },
    { code: 'ABCD2345', number: 1 },
    { code: 'ABCD2345', number: 2 },
  ]);
  const at = (time: string) => Date.parse(time) as DeletionTime;
  expect(await removeDueRecordings(dir, at('2026-12-01T23:59:59Z'))).toBe(0);
  expect(await removeDueRecordings(dir, at('2026-12-02T00:00:00Z'))).toBe(1);
  expect(await namesIn(dir)).toHaveLength(3);
  expect(await deleteRecordings(dir, 'ABCD2345')).toBe(2);
  expect(await namesIn(dir)).toEqual(['notes.txt']);
  await save(recording());
  expect(await deleteRecordings(dir, null)).toBe(1);
  expect(await listRecordings(dir)).toEqual([]);
});
