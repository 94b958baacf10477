/**
 * Where the key to the database is kept. For a new installation it goes into the system's keychain, if there is one,
 * sealed in a file next to the database. Otherwise the server creates a plain key file that only its owner can read,
 * and the app says so.
 */
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { KeyStorage } from './channels.ts';

/** The required part of Electron's safeStorage. */
export type Keychain = {
  /** False if it would only obfuscate what it stores. */
  isSafe: () => Promise<boolean>;
  lock: (text: string) => Promise<Buffer>;
  unlock: (locked: Buffer) => Promise<string>;
};

/** `key`: 64 hexadecimal characters to pass to the server; null if the server reads its own key file. */
type FoundKey = { storage: KeyStorage; key: string | null };

const KEY_BYTES = 32;
const KEY_TEXT = /^[0-9a-f]{64}$/;

/** The keychain does not return its key, or cannot store one; the message is for the operator. */
export class KeychainError extends Error {
  override readonly name = 'KeychainError';
}

/** @throws KeychainError */
export async function findKey(dataFolder: string, keychain: Keychain | null): Promise<FoundKey> {
  const plain = path.join(dataFolder, 'gatehouse.key');
  const sealed = `${plain}.sealed`;
  if (existsSync(sealed)) return { storage: 'keychain', key: await readSealed(sealed, keychain) };
  const isNew = !existsSync(plain) && !existsSync(path.join(dataFolder, 'gatehouse.db'));
  if (!isNew || !keychain || !(await keychain.isSafe())) return { storage: 'file', key: null };
  const key = randomBytes(KEY_BYTES).toString('hex');
  try {
    mkdirSync(dataFolder, { recursive: true, mode: 0o700 });
    writeDurably(sealed, await keychain.lock(key));
  } catch (error) {
    throw new KeychainError(
      `The database key could not be stored in ${dataFolder} (${reasonOf(error)}). ` +
        'Unlock the keychain, check that the folder is writable, and try again.',
    );
  }
  // A key that cannot be read back must not become the only one.
  return { storage: 'keychain', key: await readSealed(sealed, keychain) };
}

async function readSealed(sealed: string, keychain: Keychain | null): Promise<string> {
  const advice =
    'Sign in as the user who installed Gatehouse and unlock the keychain, or restore a backup with its recovery phrase ' +
    'into an empty data folder.';
  let key: string;
  try {
    if (!keychain || !(await keychain.isSafe())) throw new Error('it is not available');
    key = await keychain.unlock(readFileSync(sealed));
  } catch (error) {
    throw new KeychainError(
      `The system's keychain did not return the database key (${reasonOf(error)}). ${advice}`,
    );
  }
  if (!KEY_TEXT.test(key)) throw new KeychainError(`The key in ${sealed} is damaged. ${advice}`);
  return key;
}

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** A power failure leaves no key or a whole one. The server syncs the folder when it makes the database there. */
function writeDurably(file: string, content: Buffer): void {
  const draft = `${file}.draft`;
  writeFileSync(draft, content, { mode: 0o600, flush: true });
  renameSync(draft, file);
}
