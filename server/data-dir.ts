/** The folder that holds an installation: its database and the key to it. */
import { accessSync, constants, existsSync, mkdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { ConfigError } from './config.ts';
import { shareDataDir } from './data-lock.ts';
import { dataPaths } from './data-paths.ts';
import { finishRestore } from './finish-restore.ts';
import { handedKey } from './handed-key.ts';
import { migrationBackupName } from './services/backup/names.ts';
import { createBackup } from './services/backup/create.ts';
import { readOrCreateKeyFile } from './store/key-file.ts';
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

/**
 * Opens the installation's database, beside others that use it. What a restore had begun is finished first; before a
 * newer schema is put in, a backup is made.
 * @throws ConfigError, StoreError, BackupError
 */
export async function openDatabase(dataDir: string): Promise<Database> {
  prepareDataDir(dataDir);
  finishRestore(dataDir);
  const lock = shareDataDir(dataDir);
  const { database: databasePath, key: keyPath, backups } = dataPaths(dataDir);
  try {
    const db = await openSqlite({
      path: databasePath,
      keyPath,
      key: handedKey(),
      async beforeMigration({ schemaVersion, key }) {
        const nowMs = Date.now();
        const target = path.join(backups, migrationBackupName(schemaVersion, nowMs));
        await createBackup({ databasePath, databaseKey: key, target, nowMs });
      },
    });
    return {
      ...db,
      async close() {
        await db.close();
        lock.release();
      },
    };
  } catch (error) {
    lock.release();
    throw error;
  }
}

/** The key to the installation's database, which must be there. @throws StoreError */
export function databaseKeyOf(dataDir: string): Uint8Array {
  const { database, key } = dataPaths(dataDir);
  return handedKey() ?? readOrCreateKeyFile(key, database);
}
