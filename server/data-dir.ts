/** The folder that holds an installation: its database and the key to it. */
import { accessSync, constants, existsSync, mkdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { ConfigError } from './config.ts';
import type { Database } from './store/port.ts';
import { openSqlite } from './store/sqlite.ts';

/** Makes sure the data folder is there and can be written. @throws ConfigError */
export function prepareDataDir(dataDir: string): void {
  try {
    makeFolder(dataDir);
    accessSync(dataDir, constants.W_OK | constants.X_OK);
  } catch (error) {
    const reason = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
    throw new ConfigError(
      `The data folder ${dataDir} cannot be written (${reason}). Choose another with --data-dir, or mend its rights.`,
    );
  }
}

/**
 * Makes a folder for its owner alone, and those above it. Node's recursive `mkdir` never returns where a file system
 * answers "no such file" although the parent is there, as /proc does.
 */
function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'EEXIST' && statSync(folder).isDirectory()) return;
    const parent = path.dirname(folder);
    if (code !== 'ENOENT' || existsSync(parent)) throw error;
    makeFolder(parent);
    makeFolder(folder);
  }
}

/** @throws ConfigError, StoreError */
export async function openDatabase(dataDir: string): Promise<Database> {
  prepareDataDir(dataDir);
  return openSqlite({
    path: path.join(dataDir, 'gatehouse.db'),
    keyPath: path.join(dataDir, 'gatehouse.key'),
  });
}
