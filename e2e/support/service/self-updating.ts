/** An installation that updates itself, and updates for it: copies of the built server that differ in what a test needs. */
import { spawn, type ChildProcess } from 'node:child_process';
import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, readFile, readlink, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { onReadyLine, type ServerAddresses } from '../../../electron/service/ready-line.ts';
import product from '../../../package.json' with { type: 'json' };
import { modelsDir, PROJECT_ROOT } from '../../../scripts/assets/paths.ts';
import { makeUpdate, type UpdateInput } from '../../../scripts/packaging/update.ts';
import { updateKeyOf } from '../../../server/services/updates/keys.ts';
import { limitMs } from '../../../testing/tier.ts';
import type { Ended } from './command-line.ts';
import { freePorts } from './free-ports.ts';

export const OLD = product.version;
export const NEW = '9.1.0';
/** By default systemd gives up after five within 10 s. */
const MOST_STARTS = 4;
const READY_TIMEOUT_MS = limitMs(30_000);

/** The keys of the tests, in place of those that are compiled in. */
export const KEYS: { publicKey: KeyObject; privateKey: KeyObject } = generateKeyPairSync('ed25519');

const ACCEPT_KEYS: [string, string] = [
  '{ keys: [] }',
  `{ keys: [${JSON.stringify(updateKeyOf(KEYS.publicKey))}] }`,
];

/** Has a built server accept updates that the tests sign. */
export const acceptKeys = (folder: string): Promise<void> => changeServer(folder, [ACCEPT_KEYS]);

type Program = {
  version?: string;
  /** Statement of one migration more than this build has. */
  migration?: string;
  /** How long a version that is tried may take. */
  healthyWithinMs?: number;
  /** Statement of the server right before it begins its work, except when it is tried. */
  start?: string;
  /** What starts it, in place of the built server alone; `$@` are the arguments and `run` starts the server. */
  script?: string;
};

/** Fills a folder with a version. */
async function makeProgram(
  folder: string,
  { version = OLD, migration, healthyWithinMs, start, script = 'exec run "$@"' }: Program,
): Promise<void> {
  for (const part of ['dist/server', 'dist/console', 'assets/models', 'locales']) {
    if (existsSync(path.join(PROJECT_ROOT, part)))
      await cp(path.join(PROJECT_ROOT, part), path.join(folder, part), { recursive: true });
  }
  const changes: [string | RegExp, string][] = [[`version: "${OLD}"`, `version: "${version}"`], ACCEPT_KEYS];
  if (migration !== undefined)
    changes.push([
      'var SCHEMA_VERSION = ',
      `MIGRATIONS.push({ version: MIGRATIONS.at(-1).version + 1, sql: ${JSON.stringify(migration)} });\nvar SCHEMA_VERSION = `,
    ]);
  if (healthyWithinMs !== undefined)
    changes.push([/HEALTHY_WITHIN_MS = [\de_]+/, `HEALTHY_WITHIN_MS = ${healthyWithinMs}`]);
  if (start !== undefined)
    changes.push(['await node.announce();', `if (!config.isTrial) { ${start} }\nawait node.announce();`]);
  await changeServer(path.join(folder, 'dist/server'), changes);
  const starter = path.join(folder, 'bin/gatehouse');
  await mkdir(path.dirname(starter));
  const server = 'here=$(dirname "$(dirname "$(readlink -f "$0")")")/dist/server/cli.js';
  const lines = script.replace('run ', `'${process.execPath}' "$here" `);
  await writeFile(starter, `#!/bin/sh\n${server}\n${lines}\n`, { mode: 0o755 });
}

/** Each change fits exactly one place of the build. */
async function changeServer(folder: string, changes: [string | RegExp, string][]): Promise<void> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.js'));
  const texts = new Map<string, string>();
  for (const name of names) texts.set(name, await readFile(path.join(folder, name), 'utf8'));
  for (const [from, to] of changes) {
    const having = names.filter((name) => {
      const text = texts.get(name) ?? '';
      return typeof from === 'string' ? text.includes(from) : from.test(text);
    });
    const [only, ...others] = having;
    if (only === undefined || others.length > 0)
      throw new Error(`${String(from)} is in ${having.length} files of the build.`);
    texts.set(
      only,
      (texts.get(only) ?? '').replace(from, () => to),
    );
  }
  for (const [name, text] of texts) await writeFile(path.join(folder, name), text);
}

/** An update with that program. Its models and packages are those of the installation. */
export async function updateWith(program: Program, change: Partial<UpdateInput> = {}): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'gatehouse-update-'));
  const version = program.version ?? NEW;
  await makeProgram(path.join(folder, 'program'), { ...program, version });
  const file = path.join(folder, `gatehouse-${version}.update`);
  await makeUpdate(
    {
      folder: path.join(folder, 'program'),
      version,
      minFrom: OLD,
      privateKeys: [KEYS.privateKey],
      ...change,
    },
    file,
  );
  await rm(path.join(folder, 'program'), { recursive: true });
  return file;
}

type Serving = {
  addresses: ServerAddresses;
  child: ChildProcess;
  exit: Promise<number | null>;
  log: () => string;
};

export type SelfUpdating = AsyncDisposable & {
  folder: string;
  dataDir: string;
  /** The version that the next start runs. */
  current(): Promise<string>;
  /** What is in the folder of versions. */
  versions(): Promise<string[]>;
  /** @param under wrapper of the command, such as a system limit */
  run(args: readonly string[], env?: NodeJS.ProcessEnv, under?: readonly string[]): Promise<Ended>;
  /** Starts it once, until it is ready or ends. */
  start(env?: NodeJS.ProcessEnv): Promise<Serving | { code: number | null; log: string }>;
  /** As a service manager does: again when it has failed. */
  serve(env?: NodeJS.ProcessEnv): Promise<Serving>;
  remove(): Promise<void>;
};

/** @param from an installation that is copied as it is, which saves time */
export async function installSelfUpdating(program: Program = {}, from?: SelfUpdating): Promise<SelfUpdating> {
  const root = await mkdtemp(path.join(tmpdir(), 'gatehouse-home-'));
  const [folder, dataDir] = [path.join(root, 'home'), path.join(root, 'data')];
  if (from === undefined) {
    await makeProgram(path.join(folder, 'versions', OLD), program);
    await symlink(path.join(PROJECT_ROOT, 'node_modules'), path.join(folder, 'node_modules'));
    await symlink(`versions/${OLD}`, path.join(folder, 'current'));
  } else {
    await cp(from.folder, folder, { recursive: true, verbatimSymlinks: true });
    await cp(from.dataDir, dataDir, { recursive: true });
  }
  const [port, consolePort] = await freePorts(2);
  const settings = {
    ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('GATEHOUSE_'))),
    GATEHOUSE_MODEL_DIR: process.env['GATEHOUSE_MODEL_DIR'] ?? modelsDir(),
    GATEHOUSE_DATA_DIR: dataDir,
    GATEHOUSE_SUPERVISED: '1',
    GATEHOUSE_LOG_LEVEL: 'warn',
    GATEHOUSE_LAN_PORT: '0',
  };
  const starter = path.join(folder, 'current/bin/gatehouse');
  const spawned = (args: readonly string[], env: NodeJS.ProcessEnv, under: readonly string[] = []) => {
    const [first = starter, ...rest] = [...under, starter, ...args];
    return spawn(first, rest, { env: { ...settings, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
  };

  const start: SelfUpdating['start'] = async (env = {}) => {
    const child = spawned(['serve', '--port', `${port}`, '--console-port', `${consolePort}`], env);
    let log = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => (log += text));
    const endWithUs = () => child.kill('SIGKILL');
    process.once('exit', endWithUs);
    const exit = new Promise<number | null>((resolve) => child.once('close', resolve));
    void exit.then(() => process.off('exit', endWithUs));
    const late = setTimeout(() => child.kill('SIGKILL'), READY_TIMEOUT_MS);
    const addresses = await Promise.race([
      new Promise<ServerAddresses>((resolve) => onReadyLine(child.stdout, resolve)),
      exit.then(() => null),
    ]);
    clearTimeout(late);
    if (addresses === null) return { code: await exit, log };
    return { addresses, child, exit, log: () => log };
  };

  const remove = () => rm(root, { recursive: true, force: true, maxRetries: 3 });
  return {
    folder,
    dataDir,
    current: async () => path.basename(await readlink(path.join(folder, 'current'))),
    versions: async () => (await readdir(path.join(folder, 'versions'))).sort(),
    run(args, env = {}, under = []) {
      const child = spawned(args, env, under);
      let [stdout, stderr] = ['', ''];
      child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
      child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
      return new Promise((resolve) => {
        child.once('close', (code) => resolve({ code: code ?? -1, stdout, stderr }));
      });
    },
    start,
    async serve(env) {
      let log = '';
      for (let starts = 0; starts < MOST_STARTS; starts++) {
        const started = await start(env);
        if ('addresses' in started) return started;
        log += started.log;
        if (started.code === 0) break;
      }
      throw new Error(`The service doesn't start.\n${log}`);
    },
    remove,
    [Symbol.asyncDispose]: remove,
  };
}
