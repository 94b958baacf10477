/** Where an installation keeps its data: the folder, and PostgreSQL where it is used. */
import { existsSync, readFileSync } from 'node:fs';
import { homedir, userInfo } from 'node:os';
import path from 'node:path';
import { serversOf } from '../store/sql/postgres/servers.ts';
import type { KeySource } from '../store/sql/secrets.ts';
import { ConfigError } from './errors.ts';

/**
 * Default folder of an installation’s data: the user’s application folder. A variable that is empty or holds no full
 * path counts as not set (XDG Base Directory Specification): the data would get into the working folder.
 * @throws ConfigError
 */
function defaultDataDir(env: NodeJS.ProcessEnv): string {
  const { platform } = process;
  if (platform === 'win32')
    return path.join(fullPath(env['APPDATA']) ?? path.join(homeFolder(), 'AppData', 'Roaming'), 'Gatehouse');
  if (platform === 'darwin') return path.join(homeFolder(), 'Library', 'Application Support', 'Gatehouse');
  return path.join(fullPath(env['XDG_DATA_HOME']) ?? path.join(homeFolder(), '.local', 'share'), 'gatehouse');
}

const fullPath = (text: string | undefined): string | null =>
  text !== undefined && path.isAbsolute(text) ? text : null;

/** The system knows it, too, where HOME is empty. @throws ConfigError */
function homeFolder(): string {
  const home = fullPath(homedir()) ?? fullPath(accountHome());
  if (home === null)
    throw new ConfigError('This user has no home folder. Name the data folder with --data-dir.');
  return home;
}

/** Undefined for a user without an entry in the system’s list. */
function accountHome(): string | undefined {
  try {
    return userInfo().homedir;
  } catch {
    return undefined;
  }
}

/** The folder of the data: as named by the option, else by the environment, else the user’s. @throws ConfigError */
export function dataDirFrom(option: string | undefined, env: NodeJS.ProcessEnv): string {
  if (option?.trim() === '') throw new ConfigError('--data-dir is empty. Name a folder after it.');
  return relocatedDir(path.resolve(option ?? (env['GATEHOUSE_DATA_DIR'] || defaultDataDir(env))));
}

/** The current folder of the data; the folder itself unless it was moved. @throws ConfigError */
function relocatedDir(dataDir: string): string {
  const { moved, database } = dataPaths(dataDir);
  // A new installation in the old folder is independent.
  if (!existsSync(moved) || existsSync(database)) return dataDir;
  const to = movedTo(readFileSync(moved, 'utf8'));
  if (to === null)
    throw new ConfigError(
      `${moved} cannot be read. It should hold the new path of the data: {"to": "/new/folder"}. Correct it, or name the folder with --data-dir.`,
    );
  return to;
}

function movedTo(note: string): string | null {
  try {
    const to = (JSON.parse(note) as { to?: unknown } | null)?.to;
    return typeof to === 'string' ? fullPath(to) : null;
  } catch {
    return null;
  }
}

/** Where the database is, and the keys of its encrypted columns. */
export type DatabaseLocation = {
  /** PostgreSQL that holds the data; null for the encrypted file in the data folder. Never logged: it has a password. */
  databaseUrl: string | null;
  /** Keys of the columns that are encrypted on PostgreSQL; null without any. */
  databaseKeys: KeySource | null;
};

/** Without a host in the address, the driver takes PGHOST. */
const isThisMachine = (host: string): boolean =>
  host === '' || host.startsWith('/') || /^(localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/.test(host);

/**
 * `GATEHOUSE_DATABASE_URL`. A server on another machine must use TLS, and its certificate must be for that name.
 * @throws ConfigError, without the address, which may contain a password
 */
export function databaseUrlFrom(env: NodeJS.ProcessEnv): string | null {
  const text = env['GATEHOUSE_DATABASE_URL'];
  if (text === undefined || text === '') return null;
  const servers = serversOf(text);
  if (servers.length === 0) {
    throw new ConfigError(
      'GATEHOUSE_DATABASE_URL must be the address of a PostgreSQL database, such as postgres://gatehouse@127.0.0.1/gatehouse.',
    );
  }
  const isElsewhere = servers.some(({ host }) => !isThisMachine(host || env['PGHOST'] || ''));
  if (isElsewhere && !isVerified(servers[0]?.url ?? '')) {
    throw new ConfigError(
      'GATEHOUSE_DATABASE_URL is on another machine: add sslmode=verify-full, and sslrootcert=FILE for a private certificate authority.',
    );
  }
  return text;
}

/** The driver uses the last parameter of a name. */
const isVerified = (url: string): boolean =>
  new URL(url).searchParams.getAll('sslmode').at(-1) === 'verify-full';

/**
 * `GATEHOUSE_DATABASE_URL` with `GATEHOUSE_DATABASE_KEY_FILE` or `GATEHOUSE_DATABASE_KEY_COMMAND`. PostgreSQL needs one
 * of the two.
 * @throws ConfigError
 */
export function databaseFrom(env: NodeJS.ProcessEnv): DatabaseLocation {
  const databaseUrl = databaseUrlFrom(env);
  const file = env['GATEHOUSE_DATABASE_KEY_FILE'] ?? '';
  const command = env['GATEHOUSE_DATABASE_KEY_COMMAND'] ?? '';
  if (file !== '' && command !== '')
    throw new ConfigError('Set GATEHOUSE_DATABASE_KEY_FILE or GATEHOUSE_DATABASE_KEY_COMMAND, not both.');
  if (file !== '') return { databaseUrl, databaseKeys: { file: path.resolve(file) } };
  if (command !== '') return { databaseUrl, databaseKeys: { command } };
  if (databaseUrl !== null) {
    throw new ConfigError(
      'GATEHOUSE_DATABASE_URL needs GATEHOUSE_DATABASE_KEY_FILE: a file with the key that encrypts secrets in the ' +
        'database. Create it with: openssl rand -hex 32 > FILE && chmod 600 FILE. Or set ' +
        'GATEHOUSE_DATABASE_KEY_COMMAND to a command that prints the key.',
    );
  }
  return { databaseUrl, databaseKeys: null };
}

/** Paths in a data folder. */
export function dataPaths(dataDir: string) {
  return {
    database: path.join(dataDir, 'gatehouse.db'),
    key: path.join(dataDir, 'gatehouse.key'),
    /** Automatic backups, unless the settings name another folder. */
    backups: path.join(dataDir, 'backups'),
    /** Captures recorded with `gatehouse record`. */
    recordings: path.join(dataDir, 'recordings'),
    /** A verified restored database that waits to be put in place. */
    restored: path.join(dataDir, 'restored.db'),
    /** Marks a verified restore, which the next process that opens the folder finishes. */
    restoreMark: path.join(dataDir, 'restored.json'),
    /** Contains the new path after the data has been moved. */
    moved: path.join(dataDir, 'moved.json'),
  };
}

/** Folders in a data folder that contain only Gatehouse’s files. */
const OWN_FOLDERS = /^(?:backups|logs|recordings|before-restore-.+)$/;
/**
 * Gatehouse's files there, with their logs, drafts and locked forms. The desktop app keeps its browser profile in
 * `desktop`.
 */
const OWN_ENTRIES = /^(?:gatehouse\.(?:db|key|lock)|restored\.(?:db|json)|moved\.json)|^desktop$/;

export const isOwnFolder = (name: string): boolean => OWN_FOLDERS.test(name);
export const isOwnEntry = (name: string): boolean => OWN_FOLDERS.test(name) || OWN_ENTRIES.test(name);

/** A database and its SQLite files. */
export const databaseFiles = (database: string): string[] =>
  ['', '-wal', '-shm', '-journal', '-mark'].map((suffix) => database + suffix);
