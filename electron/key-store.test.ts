import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { findKey, type Keychain, KeychainError } from './key-store.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'gatehouse-keychain-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const turn = (bytes: Buffer) => bytes.map((byte) => byte ^ 0xff);
const keychain = (overrides: Partial<Keychain> = {}): Keychain => ({
  isSafe: async () => true,
  lock: async (text) => turn(Buffer.from(text)) as Buffer,
  unlock: async (locked) => Buffer.from(turn(locked)).toString(),
  ...overrides,
});
const put = (name: string) => writeFileSync(path.join(folder, name), 'x');

it('the key of a new installation is created in the keychain, and stays the same', async () => {
  const first = await findKey(folder, keychain());
  expect(first).toEqual({ storage: 'keychain', key: expect.stringMatching(/^[0-9a-f]{64}$/) as string });
  expect(await findKey(folder, keychain())).toEqual(first);
  expect(readdirSync(folder)).toEqual(['gatehouse.key.sealed']);
  const file = path.join(folder, 'gatehouse.key.sealed');
  expect(readFileSync(file).includes(first.key ?? '')).toBe(false);
  if (process.platform !== 'win32') expect(statSync(file).mode & 0o777).toBe(0o600);
});

it.each([
  ['there is no keychain', null],
  ['it only disguises', keychain({ isSafe: async () => false })],
])('if %s, the server creates a key file', async (_why, chain) => {
  expect(await findKey(folder, chain)).toEqual({ storage: 'file', key: null });
  expect(readdirSync(folder)).toEqual([]);
});

it.each(['gatehouse.key', 'gatehouse.db'])('next to %s no new key is created', async (name) => {
  put(name);
  expect(await findKey(folder, keychain())).toEqual({ storage: 'file', key: null });
});

it.each<[string, Keychain | null]>([
  [
    'is locked',
    keychain({
      unlock: async () => {
        throw new Error('locked');
      },
    }),
  ],
  ['is gone', null],
  ['gives something else', keychain({ unlock: async () => 'something' })],
])('a keychain that %s is an error, and no other key is created', async (_why, chain) => {
  await findKey(folder, keychain());
  await expect(findKey(folder, chain)).rejects.toThrow(KeychainError);
  expect(readdirSync(folder)).toEqual(['gatehouse.key.sealed']);
});

it('a keychain that accepts no key is an error with a message, and the next start tries again', async () => {
  const refusing = keychain({
    lock: async () => {
      throw new Error('denied');
    },
  });
  await expect(findKey(folder, refusing)).rejects.toThrow(KeychainError);
  expect((await findKey(folder, keychain())).storage).toBe('keychain');
});
