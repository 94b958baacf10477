/** A PostgreSQL for tests: Debian's own, on a socket in a temporary folder. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdtempSync, readdirSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { createKeyRing } from '../../server/store/sql/secrets.ts';

const DEBIAN = '/usr/lib/postgresql';
const MINIMUM_VERSION = 15;
export const USER = 'gatehouse';
const START_MAY_TAKE_MS = 30_000;

/** The key of the sealed columns in tests. */
export const TEST_KEY = '5a'.repeat(32);
export const testKeys = createKeyRing([Buffer.from(TEST_KEY, 'hex')]);

/** The folder of PostgreSQL's programs; undefined if none is installed, or only an older one. */
export function findPostgres(): string | undefined {
  if (!existsSync(DEBIAN)) return undefined;
  const versions = readdirSync(DEBIAN)
    .map(Number)
    .filter((version) => version >= MINIMUM_VERSION);
  const bin = path.join(DEBIAN, String(Math.max(0, ...versions)), 'bin');
  return existsSync(path.join(bin, 'initdb')) ? bin : undefined;
}

/** PostgreSQL refuses to run as root; Debian's package provides a user for it. */
export function ownUser(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const id = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
  return { uid: id('-u'), gid: id('-g') };
}

/**
 * Ends with this process, for whatever reason: the shell stops PostgreSQL and removes the folder when its input
 * closes. Nothing is synced to the disk, because a test's database does not have to survive a crash.
 */
const RUN = `bin=$1 folder=$2; shift 2
"$bin/postgres" -D "$folder/data" -k "$folder" -c listen_addresses= -c fsync=off -c synchronous_commit=off \\
  -c full_page_writes=off -c max_connections=200 -c shared_buffers=64MB "$@" >"$folder/log" 2>&1 &
cat >/dev/null; kill -QUIT $! 2>/dev/null; wait $!; rm -rf "$folder"`;

/** To the server of a database's address. */
export const connectToPostgres = (url: string): Socket =>
  connect(path.join(new URL(url).searchParams.get('host') ?? '', '.s.PGSQL.5432'));

export const testUrl = (folder: string, database: string): string =>
  `postgres:///${database}?host=${encodeURIComponent(folder)}&user=${USER}`;

/** A new folder that belongs to PostgreSQL's user. */
export function postgresFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'gatehouse-pg-'));
  const user = ownUser();
  if (user) chownSync(folder, user.uid, user.gid);
  return folder;
}

/** A running server. Its socket is in `folder`, its files in `folder/data`. */
type TestPostgres = { folder: string; stop: () => Promise<void> };

/**
 * @param prepare gets the folder before the start, writes files there that PostgreSQL owns, and returns further settings
 */
export async function startPostgres(
  bin: string,
  prepare: (folder: string) => Record<string, string> = () => ({}),
): Promise<TestPostgres> {
  const folder = postgresFolder();
  const user = ownUser();
  const args = [
    '-D',
    path.join(folder, 'data'),
    '-U',
    USER,
    '-A',
    'trust',
    '-E',
    'UTF8',
    '--locale=C',
    '--no-sync',
  ];
  execFileSync(path.join(bin, 'initdb'), args, { ...user, stdio: 'ignore', cwd: folder });
  const settings = prepare(folder);
  if (user) for (const name of readdirSync(folder)) chownSync(path.join(folder, name), user.uid, user.gid);
  return runPostgres(bin, folder, settings);
}

/** Starts the server of a folder that `initdb` or `pg_basebackup` has filled. */
export async function runPostgres(
  bin: string,
  folder: string,
  settings: Record<string, string>,
): Promise<TestPostgres> {
  const options = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const shell = spawn('sh', ['-c', RUN, 'sh', bin, folder, ...options], {
    ...ownUser(),
    cwd: folder,
    stdio: ['pipe', 'ignore', 'inherit'],
  });
  await reachable(testUrl(folder, 'postgres'), shell);
  return {
    folder,
    async stop() {
      shell.stdin.end();
      if (shell.exitCode === null) await once(shell, 'exit');
    },
  };
}

async function reachable(url: string, shell: ChildProcess): Promise<void> {
  const deadline = Date.now() + START_MAY_TAKE_MS;
  for (;;) {
    const client = new pg.Client({ connectionString: url });
    try {
      await client.connect();
      await client.end();
      return;
    } catch (error) {
      if (shell.exitCode !== null || Date.now() > deadline) throw error;
      await sleep(50);
    }
  }
}

/** Runs a statement over a connection of its own, and returns its rows. */
export async function administer<Row extends pg.QueryResultRow>(url: string, sql: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Row>(sql)).rows;
  } finally {
    await client.end();
  }
}

/**
 * Creates an empty database, or a copy of the template.
 * @returns its address
 */
export async function createTestDatabase(folder: string, name: string, template?: string): Promise<string> {
  const copied = template === undefined ? '' : ` TEMPLATE ${template}`;
  await administer(testUrl(folder, 'postgres'), `CREATE DATABASE ${name}${copied}`);
  return testUrl(folder, name);
}
