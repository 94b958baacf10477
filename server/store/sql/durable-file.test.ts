import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { tempDir } from '../../../testing/store/temp-store.ts';
import { syncFolder, writeDurably } from './durable-file.ts';

it('a file is replaced as a whole, readable by its owner only, and its draft is gone', async () => {
  const folder = tempDir();
  const file = path.join(folder, 'note');
  writeFileSync(`${file}.draft`, 'left by a power failure, and longer than what follows');
  await writeDurably(file, 'first');
  await writeDurably(file, Buffer.from('second'));
  expect(readFileSync(file, 'utf8')).toBe('second');
  expect(readdirSync(folder)).toEqual(['note']);
  if (process.platform !== 'win32') expect(statSync(file).mode & 0o777).toBe(0o600);
});

it('a write that fails leaves what was there before', async () => {
  const file = path.join(tempDir(), 'note');
  await writeDurably(file, 'before');
  mkdirSync(`${file}.draft`);
  await expect(writeDurably(file, 'after')).rejects.toThrow('EISDIR');
  expect(readFileSync(file, 'utf8')).toBe('before');
});

it('a folder that is not there cannot be synced, and that is said', () => {
  expect(() => syncFolder(path.join(tempDir(), 'gone'))).toThrow('ENOENT');
});
