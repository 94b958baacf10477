/** The folder that holds an installation: its database and the key to it. */
import { accessSync, constants, mkdirSync } from 'node:fs';
import path from 'node:path';
import { ConfigError } from './config.ts';
import type { Database } from './store/port.ts';
import { openSqlite } from './store/sqlite.ts';

/** Makes sure the data folder is there and can be written. @throws ConfigError */
export function prepareDataDir(dataDir: string): void {
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    accessSync(dataDir, constants.W_OK | constants.X_OK);
  } catch (error) {
    const reason = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
    throw new ConfigError(
      `The data folder ${dataDir} cannot be written (${reason}). Choose another with --data-dir, or mend its rights.`,
    );
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
