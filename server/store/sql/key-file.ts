import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  linkSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { syncFolder } from './durable-file.ts';
import { StoreError } from './port.ts';

const KEY_BYTES = 32;
/** Exactly the key: anything after it may be left from a careless edit. */
const KEY_TEXT = /^\s*([0-9a-f]{64})\s*$/i;
const OTHERS_MASK = 0o077;

/** Next to the key file: the key as locked by the system's keychain. Only the desktop app can open it. */
const SEALED_SUFFIX = '.sealed';

/**
 * Parses the key.
 * @returns null if the text is not exactly a key
 */
export function parseKey(text: string): Buffer | null {
  const key = KEY_TEXT.exec(text)?.[1];
  return key === undefined ? null : Buffer.from(key, 'hex');
}

/**
 * The database's key: 32 random bytes, hex, in a file that only its owner may read. Created only together with the
 * database: a missing key next to an existing database is an error, since a new one could not open it.
 */
export function readOrCreateKeyFile(keyPath: string, databasePath: string): Buffer {
  if (!existsSync(keyPath)) {
    if (existsSync(keyPath + SEALED_SUFFIX)) {
      throw new StoreError(
        'database_key_missing',
        `The key to ${databasePath} is in this system's keychain, where only the Gatehouse app can read it. ` +
          'Use the app, or give the key with --key-stdin.',
      );
    }
    // Checked again, because another process may be creating both right now, the key file first.
    if (existsSync(databasePath) && !existsSync(keyPath)) {
      throw new StoreError(
        'database_key_missing',
        `The database ${databasePath} exists, but its key file ${keyPath} is missing. ` +
          'Restore the key file from a backup. The data cannot be read without it.',
      );
    }
    createKeyFile(keyPath);
  }
  if (process.platform !== 'win32' && (statSync(keyPath).mode & OTHERS_MASK) !== 0) {
    // Loose permissions usually come from a careless copy. Tightening them is safe and what the owner would want.
    chmodSync(keyPath, 0o600);
  }
  const key = parseKey(readFileSync(keyPath, 'utf8'));
  if (!key) {
    throw new StoreError(
      'database_key_unsafe',
      `The key file ${keyPath} is damaged: it should hold ${KEY_BYTES * 2} hexadecimal characters. ` +
        'Restore it from a backup.',
    );
  }
  return key;
}

/**
 * Written to a temporary file and then moved into place, so that another process finds no key file or a complete one.
 */
function createKeyFile(keyPath: string): void {
  const draftPath = `${keyPath}.${process.pid}`;
  try {
    writeFileSync(draftPath, `${randomBytes(KEY_BYTES).toString('hex')}\n`, { mode: 0o600, flush: true });
    publish(draftPath, keyPath);
    syncFolder(path.dirname(keyPath));
  } catch (error) {
    const code = errorCode(error);
    throw new StoreError(
      'database_not_writable',
      `The key file ${keyPath} cannot be written (${code}). ` +
        'Check that its folder exists and is writable, and that the disk is not read-only.',
      { cause: error },
    );
  }
}

/** If two processes create a key at the same time, the first one is kept. */
function publish(draftPath: string, keyPath: string): void {
  try {
    linkSync(draftPath, keyPath);
  } catch (error) {
    // File systems of memory sticks have no links; a rename is atomic, too.
    if (errorCode(error) !== 'EEXIST') renameSync(draftPath, keyPath);
  }
  rmSync(draftPath, { force: true });
}

const errorCode = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
