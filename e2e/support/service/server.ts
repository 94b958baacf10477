/** A real Gatehouse for one test: its own process, ports, data folder and company, all removed afterwards. */
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { onReadyLine, type ServerAddresses } from '../../../electron/service/ready-line.ts';
import { compiledDir } from '../../../scripts/assets/paths.ts';
import { ensureServer } from '../../../scripts/run/built.ts';
import {
  createTestDatabase,
  findPostgres,
  startPostgres,
  TEST_KEY,
} from '../../../testing/postgres/server.ts';
import { limitMs } from '../../../testing/tier.ts';
import type { NewCompany } from '../../../server/services/companies/companies.ts';
import { CLI, type Ended, runCli, runCommand } from './command-line.ts';
import { freePorts } from './free-ports.ts';

/** Loading the models takes a few seconds. */
const READY_TIMEOUT_MS = limitMs(30_000);
/** The server cuts off remaining work after 10 s. */
const STOP_TIMEOUT_MS = limitMs(15_000);
const MAX_PORT_ATTEMPTS = 3;
/** The server's message if a port was not available. */
const PORT_IN_USE = /Port \d+ on \S+ is in use by another program/;
/** Amount of the log that is shown when a start fails. */
const LOG_TAIL_CHARS = 4_000;
/** A developer's own settings must not affect tests; the location of models may. */
const KEPT_SETTINGS = ['GATEHOUSE_CACHE_DIR', 'GATEHOUSE_MODEL_DIR'];

export type GatehouseOptions = {
  /** Settings in addition to the tests' own (`GATEHOUSE_…`). */
  env?: Record<string, string>;
  /** Wrapper of the server's command, which it must `exec`: system limits, fewer privileges. */
  under?: readonly string[];
  /** Command line of another build of the server. */
  server?: string;
  /** Maximum time of a start; longer in tests with many starts on a busy machine. */
  readyTimeoutMs?: number;
  /** It joins nodes of an older version: commands wait until a node of this version has changed the schema. */
  upgrades?: boolean;
};

/** Stops at the end of its block if it is declared with `await using`. */
export type Gatehouse = AsyncDisposable & {
  /** The public address, if the settings have one. */
  readonly baseUrl: string;
  /** The host and port where it listens. */
  readonly listening: string;
  readonly consoleUrl: string;
  readonly dataDir: string;
  /** Of the current server process. */
  readonly pid: number;
  /** A separate company, created by the command line, with complete keys. */
  readonly company: NewCompany;
  /** Everything the server has written to stderr since its last start. */
  log(): string;
  /**
   * Runs a command on this data folder, with options by their names, and returns its JSON.
   * @throws with the command's stderr
   */
  cli<T = unknown>(args: readonly string[], options?: Readonly<Record<string, string>>): Promise<T>;
  /** Runs a command on this server's data, as from a shell. */
  command(args: readonly string[]): Promise<Ended>;
  /** Restarts it after `kill9` or `ended`, on the same ports and data. */
  restart(): Promise<void>;
  /**
   * Resolves when the server has exited.
   * @returns its exit code
   */
  ended(): Promise<number | null>;
  /** Kills it without warning. The data stays. */
  kill9(): Promise<void>;
  /**
   * Drains it and removes the data.
   * @throws if the exit code is not 0
   */
  stop(): Promise<void>;
};

type Running = {
  addresses: ServerAddresses;
  process: ChildProcess;
  exit: Promise<number | null>;
  log(): string;
};

/** The PostgreSQL of this worker, which ends with it. */
let postgres: ReturnType<typeof startPostgres> | undefined;
let databases = 0;

/**
 * A new PostgreSQL database.
 * @throws if PostgreSQL is not installed
 */
export async function newPostgresDatabase(): Promise<string> {
  const bin = findPostgres();
  if (bin === undefined)
    throw new Error('PostgreSQL is not installed (on Debian: apt-get install postgresql).');
  postgres ??= startPostgres(bin);
  const { folder } = await postgres;
  return createTestDatabase(folder, `gatehouse_${++databases}`);
}

/** `GATEHOUSE_TEST_ENGINE=postgres` runs every test against nodes on PostgreSQL. */
async function databaseSettings(): Promise<Record<string, string>> {
  if (process.env['GATEHOUSE_TEST_ENGINE'] !== 'postgres') return {};
  return { GATEHOUSE_DATABASE_URL: await newPostgresDatabase() };
}

let built: Promise<void> | undefined;
const tell = (line: string) => process.stderr.write(`${line}\n`);

export async function startGatehouse({
  env = {},
  under = [],
  server = CLI,
  readyTimeoutMs = READY_TIMEOUT_MS,
  upgrades = false,
}: GatehouseOptions = {}): Promise<Gatehouse> {
  await (built ??= ensureServer(tell));
  const dataDir = await mkdtemp(path.join(tmpdir(), 'gatehouse-e2e-'));
  const keyFile = path.join(dataDir, 'column.keys');
  await writeFile(keyFile, TEST_KEY, { mode: 0o600 });
  const settings = {
    ...ownSettings(),
    ...(await databaseSettings()),
    GATEHOUSE_DATABASE_KEY_FILE: keyFile,
    // Network mode picks free ports instead of those after the first.
    GATEHOUSE_LAN_PORT: '0',
    // Rendered people come back with the very face of their one photo, as no real person does.
    GATEHOUSE_REPLAY_FACES: '0',
    ...env,
    GATEHOUSE_DATA_DIR: dataDir,
  };
  const removeData = () => rm(dataDir, { recursive: true, force: true, maxRetries: 3 });

  const cli: Gatehouse['cli'] = async <T>(
    args: readonly string[],
    options: Readonly<Record<string, string>> = {},
  ) => {
    const named = Object.entries(options).flatMap(([name, value]) => [`--${name}`, value]);
    return JSON.parse(await runCli([...args, ...named, '--json'], settings, server)) as T;
  };

  let args: string[];
  let running: Running;
  let company: NewCompany;
  const begin = async () => {
    ({ args, running } = await launchOnFreePorts(settings, { under, server, readyTimeoutMs }));
  };
  try {
    if (upgrades) await begin();
    company = await cli<NewCompany>(['company', 'create'], { name: 'Test venue' });
    if (!upgrades) await begin();
  } catch (error) {
    await removeData();
    throw error;
  }

  const stop = async () => {
    const wasRunning = running.process.exitCode === null && running.process.signalCode === null;
    const code = await kill('SIGTERM');
    await removeData();
    if (wasRunning && code !== 0) throw new Error(`The server ended with ${code}.\n${running.log()}`);
  };
  const kill = async (signal: 'SIGTERM' | 'SIGKILL'): Promise<number | null> => {
    running.process.kill(signal);
    const hung = setTimeout(() => running.process.kill('SIGKILL'), STOP_TIMEOUT_MS);
    const code = await running.exit;
    clearTimeout(hung);
    return code;
  };

  return {
    get baseUrl() {
      return running.addresses.baseUrl;
    },
    get listening() {
      return `127.0.0.1:${args[1]}`;
    },
    get consoleUrl() {
      return running.addresses.consoleUrl;
    },
    dataDir,
    get pid() {
      return running.process.pid ?? 0;
    },
    company,
    log: () => running.log(),
    cli,
    command: (commandArgs) => runCommand(commandArgs, settings, server),
    async restart() {
      running = await launch(settings, args, { under, server, readyTimeoutMs });
    },
    ended: () => running.exit,
    async kill9() {
      await kill('SIGKILL');
    },
    stop,
    [Symbol.asyncDispose]: stop,
  };
}

function ownSettings(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(
    ([name]) => !name.startsWith('GATEHOUSE_') || KEPT_SETTINGS.includes(name),
  );
  return { ...Object.fromEntries(kept), GATEHOUSE_LOG_LEVEL: 'warn', NODE_COMPILE_CACHE: compiledDir() };
}

type LaunchOptions = Required<Pick<GatehouseOptions, 'under' | 'server' | 'readyTimeoutMs'>>;

/**
 * Draws other ports if another process took one before the server did.
 * @returns also the ports, for restarts
 */
async function launchOnFreePorts(
  env: NodeJS.ProcessEnv,
  options: LaunchOptions,
  attemptsLeft = MAX_PORT_ATTEMPTS,
): Promise<{ args: string[]; running: Running }> {
  const [port, consolePort] = await freePorts(2);
  const args = ['--port', `${port}`, '--console-port', `${consolePort}`];
  try {
    return { args, running: await launch(env, args, options) };
  } catch (error) {
    if (attemptsLeft <= 1 || !PORT_IN_USE.test(String(error))) throw error;
    return launchOnFreePorts(env, options, attemptsLeft - 1);
  }
}

async function launch(
  env: NodeJS.ProcessEnv,
  args: readonly string[],
  { under, server, readyTimeoutMs }: LaunchOptions,
): Promise<Running> {
  const [program = process.execPath, ...rest] = [...under, process.execPath, server, 'serve', ...args];
  const child = spawn(program, rest, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let written = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (written += text));
  const exit = new Promise<number | null>((resolve) => child.once('close', resolve));
  // Ends the server if the test runner is interrupted.
  const endWithUs = () => child.kill('SIGKILL');
  process.once('exit', endWithUs);
  void exit.then(() => process.off('exit', endWithUs));

  const addresses = await new Promise<ServerAddresses>((resolve, reject) => {
    const fail = (what: string) => reject(new Error(`${what}\n${written.slice(-LOG_TAIL_CHARS)}`));
    const late = setTimeout(() => {
      child.kill('SIGKILL');
      fail('The server did not get ready in time.');
    }, readyTimeoutMs);
    onReadyLine(child.stdout, (found) => {
      clearTimeout(late);
      resolve(found);
    });
    void exit.then((code) => {
      clearTimeout(late);
      fail(`The server ended with ${code} before it was ready.`);
    });
  });
  return { addresses, process: child, exit, log: () => written };
}
