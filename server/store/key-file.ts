import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  statSync,
  writeSync,
} from 'node:fs';
import { StoreError } from './port.ts';

const KEY_BYTES = 32;
const OTHERS_MASK = 0o077;

/**
 * The database's key: 32 random bytes, hex, in a file that only its owner may read. Made with the database and never
 * without it: a missing key beside an existing database is an error, since a new one could not open it.
 */
export function readOrCreateKeyFile(keyPath: string, databasePath: string): Buffer {
  if (!existsSync(keyPath)) {
    if (existsSync(databasePath)) {
      throw new StoreError(
        'database_key_missing',
        `The database ${databasePath} is there but its key file ${keyPath} is not. ` +
          'Put the key file back from a backup; without it the data cannot be read.',
      );
    }
    createKeyFile(keyPath);
  }
  if (process.platform !== 'win32' && (statSync(keyPath).mode & OTHERS_MASK) !== 0) {
    // Loose rights are usually a careless copy; tightening them is safe and what the owner would want.
    chmodSync(keyPath, 0o600);
  }
  const key = Buffer.from(readFileSync(keyPath, 'utf8').trim(), 'hex');
  if (key.length !== KEY_BYTES) {
    throw new StoreError(
      'database_key_unsafe',
      `The key file ${keyPath} is damaged: it should hold ${KEY_BYTES * 2} hexadecimal characters. ` +
        'Put it back from a backup.',
    );
  }
  return key;
}

function createKeyFile(keyPath: string): void {
  let fd: number;
  try {
    fd = openSync(keyPath, 'wx', 0o600);
  } catch (error) {
    // Another process made it between the look and the open: its key is as good as ours.
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return;
    throw error;
  }
  try {
    writeSync(fd, `${randomBytes(KEY_BYTES).toString('hex')}\n`);
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}
