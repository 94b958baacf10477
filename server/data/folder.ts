/** The folder that holds an installation: its database and the key to it. */
import { accessSync, constants, existsSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { ConfigError } from './errors.ts';
import { databaseUrlFrom, dataPaths, isOwnEntry, isOwnFolder } from './location.ts';
import { isServed, shareDataDir } from './lock.ts';
import { finishRestore } from './finish-restore.ts';
import { injectedKey } from './injected-key.ts';
import { readBackupSettings } from '../services/backup/automatic.ts';
import { EXTENSION, migrationBackupName } from '../services/backup/names.ts';
import { freeTarget } from '../services/backup/target.ts';
import { createBackup } from '../services/backup/create.ts';
import { recordDamagedLog } from '../services/health/log-damage.ts';
import type { DamagedLog } from '../store/sql/sqlite/durable-mark.ts';
import { Refusal } from '../refusals/refusal.ts';
import { copiedTo } from '../store/backup/copy.ts';
import { readOrCreateKeyFile } from '../store/sql/key-file.ts';
import { keepFromOthers } from '../store/sql/owner-only.ts';
import type { Database } from '../store/sql/port.ts';
import { openPostgres } from '../store/sql/postgres/driver.ts';
import { type KeySource, readKeyRing } from '../store/sql/secrets.ts';
import { openSqlite, type SqliteOptions } from '../store/sql/sqlite/driver.ts';

/** Creates the data folder if needed and checks that it is writable. @throws ConfigError */
export function prepareDataDir(dataDir: string): void {
  try {
    makeFolder(dataDir);
    accessSync(dataDir, constants.W_OK | constants.X_OK);
    closeToOthers(dataDir);
  } catch (error) {
    const reason = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
    throw new ConfigError(
      `The data folder ${dataDir} cannot be written (${reason}). Choose another with --data-dir, or change its permissions.`,
    );
  }
}

/**
 * For commands that need existing data.
 * @throws ConfigError
 */
export function refuseWithoutData(dataDir: string): void {
  const { database, restoreMark } = dataPaths(dataDir);
  if (existsSync(database) || existsSync(restoreMark)) return;
  throw new ConfigError(
    `The folder ${dataDir} contains no Gatehouse data. Name the right one with --data-dir.`,
  );
}

/**
 * For a folder that a command may make: the one around it must exist. Otherwise a disk that is not connected would
 * become a folder on another disk.
 * @throws ConfigError
 */
export function refuseWithoutParent(folder: string): void {
  const parent = path.dirname(folder);
  if (existsSync(parent)) return;
  throw new ConfigError(
    `The folder ${parent} does not exist. Create it, or check that its disk is connected. Nothing was changed.`,
  );
}

/**
 * Removes the permissions of group and others from Gatehouse’s files in the folder, and from the folder itself unless
 * it also contains other files, which may be meant for others.
 */
function closeToOthers(dataDir: string): void {
  // A link may lead to a disk that is not connected.
  const names = readdirSync(dataDir).filter((name) => existsSync(path.join(dataDir, name)));
  if (names.every(isOwnEntry)) keepFromOthers(dataDir);
  for (const name of names.filter(isOwnEntry)) {
    const entry = path.join(dataDir, name);
    keepFromOthers(entry);
    if (isOwnFolder(name) && statSync(entry).isDirectory()) closeFilesIn(entry, () => true);
  }
}

function closeFilesIn(folder: string, isOurs: (name: string) => boolean): void {
  for (const name of readdirSync(folder).filter(isOurs)) keepFromOthers(path.join(folder, name));
}

/**
 * Creates a folder for its owner only, and its parents. Node's recursive `mkdir` hangs if a file system answers "no
 * such file" although the parent exists, as /proc does.
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

type OpenOptions = Pick<SqliteOptions, 'onFollowerError' | 'onRefusedWrites' | 'onDamagedLog'> & {
  databaseUrl?: string | null;
  /** Required with `databaseUrl`. */
  databaseKeys?: KeySource | null;
  /** Also opens the source of a copy, which nothing else may use. */
  acceptsCopied?: boolean;
  /** Receives the older version before its schema is changed, or 0 for an empty PostgreSQL database. A throw leaves both as they are. */
  beforeMigration?: (schemaVersion: number) => void;
};

/**
 * Opens the installation's database, shared with other processes: the file in the data folder, or the PostgreSQL
 * database in `databaseUrl`. Finishes an interrupted restore first. Backs the file up before migrating its schema.
 * @throws ConfigError, StoreError, Refusal
 */
export async function openDatabase(
  dataDir: string,
  { databaseUrl = null, databaseKeys = null, acceptsCopied = false, ...options }: OpenOptions = {},
): Promise<Database> {
  prepareDataDir(dataDir);
  finishRestore(dataDir);
  const lock = shareDataDir(dataDir);
  try {
    const db =
      databaseUrl === null
        ? await openFile(dataDir, options)
        : await openPostgres({
            ...options,
            url: databaseUrl,
            keys: await readKeyRing(databaseKeys ?? { file: '' }),
          });
    try {
      if (!acceptsCopied) await refuseCopied(db, dataDir);
      await closeChosenBackups(db);
    } catch (error) {
      await db.close();
      throw error;
    }
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

/** @throws ConfigError for the source of a copy: guests admitted since then would be unknown there */
async function refuseCopied(db: Database, dataDir: string): Promise<void> {
  const copied = await copiedTo(db);
  if (copied === null) return;
  const what =
    copied.engine === 'postgres'
      ? 'to PostgreSQL. Set GATEHOUSE_DATABASE_URL'
      : 'to a folder. Unset GATEHOUSE_DATABASE_URL and start with --data-dir';
  throw new ConfigError(
    `This data was copied ${what} to use the copy. Only if the copy is not in use, run "gatehouse data reopen --data-dir ${dataDir}" to use this data again.`,
  );
}

async function openFile(
  dataDir: string,
  options: Omit<OpenOptions, 'databaseUrl' | 'databaseKeys' | 'acceptsCopied'>,
): Promise<Database> {
  const { database: databasePath, key: keyPath, backups } = dataPaths(dataDir);
  const damages: DamagedLog[] = [];
  const db = await openSqlite({
    ...options,
    onDamagedLog(found) {
      damages.push(found);
      options.onDamagedLog?.(found);
    },
    path: databasePath,
    keyPath,
    key: injectedKey(),
    async beforeMigration({ schemaVersion, key }) {
      options.beforeMigration?.(schemaVersion);
      refuseWhileServed(dataDir);
      const nowMs = Date.now();
      // An update has just made one itself, perhaps in the same second.
      const target = freeTarget(backups, (ms) => migrationBackupName(schemaVersion, ms), nowMs);
      await createBackup({ databasePath, databaseKey: key, target, nowMs });
    },
  });
  // A full disk takes no record. The log of the process has it.
  for (const damage of damages) await recordDamagedLog(db, damage, Date.now()).catch(() => undefined);
  return db;
}

/**
 * A server of the older version would keep running on a schema that it does not know, and could not start again.
 * @throws ConfigError
 */
function refuseWhileServed(dataDir: string): void {
  if (!isServed(dataDir)) return;
  throw new ConfigError(
    `An older version of Gatehouse is running on ${dataDir}, and this version has to change its database. ` +
      'Stop it (or quit the app), then try again. Nothing was changed.',
  );
}

/** Backups in a folder that an admin chose. It may contain other files, and may be missing today. */
async function closeChosenBackups(db: Database): Promise<void> {
  const { folder } = await readBackupSettings(db);
  if (folder !== null && existsSync(folder)) closeFilesIn(folder, (name) => name.endsWith(EXTENSION));
}

/**
 * The key of the installation’s database file, which must exist. @throws StoreError, `on_postgres` if the
 * data is not in a file
 */
export function databaseKeyOf(dataDir: string): Uint8Array {
  refuseOnPostgres();
  const { database, key } = dataPaths(dataDir);
  return injectedKey() ?? readOrCreateKeyFile(key, database);
}

/**
 * For everything that copies, moves or replaces the database file. @throws Refusal `on_postgres` if the data is
 * not in a file
 */
export function refuseOnPostgres(): void {
  if (databaseUrlFrom(process.env) === null) return;
  throw new Refusal('on_postgres', {
    message:
      'The data is on PostgreSQL (GATEHOUSE_DATABASE_URL). Use PostgreSQL’s own backups, such as pg_dump.',
  });
}
