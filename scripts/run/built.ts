/** Builds the pages and the server when there are none or their sources have changed since; costs some milliseconds otherwise. */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, statSync } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { withLock } from '../assets/lock.ts';
import { cacheDir, PROJECT_ROOT } from '../assets/paths.ts';

/** The server as `npm start`, the desktop app and the end-to-end tests run it. */
export const SERVER = path.join(PROJECT_ROOT, 'dist/server/cli.js');

/** One configuration of vite, and everything that its output can be made of, as folders and files of the project. */
type Build = { name: 'pages' | 'server'; folder: string; config: string; sources: readonly string[] };

const LOCKED_VERSIONS = 'package-lock.json';
const PAGES: Build = {
  name: 'pages',
  folder: 'dist',
  config: 'vite.config.ts',
  // `package.json` has the oldest browsers, `scripts/locales` turns catalogues into modules.
  sources: [
    'renderer',
    'locales',
    'electron',
    'server/contract',
    'server/routes',
    'docs',
    'CHANGELOG.md',
    'scripts/docs',
    'scripts/locales',
    'scripts/sdk',
    'sdk',
    'LICENSE',
    'package.json',
    LOCKED_VERSIONS,
  ],
};
const SERVER_FILES: Build = {
  name: 'server',
  folder: 'dist/server',
  config: 'vite.server.config.ts',
  sources: ['server', 'locales', 'package.json', LOCKED_VERSIONS],
};
/** What everything that is built is made of. */
export const SOURCES = [PAGES, SERVER_FILES].flatMap(({ config, sources }) => [config, ...sources]);

const NOT_BUNDLED = /\.test\.tsx?$/;
const BUILT_BY = path.join(PROJECT_ROOT, 'node_modules/vite/bin/vite.js');

/** What was built out of what. */
type Stamp = { sources: string; files: string[] };

/** A build failed. The builder has already written why to stderr. */
export class BuildError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'BuildError';
  }
}

type Where = { root?: string; run?: (build: Build) => Promise<void>; lock?: string };

/**
 * Returns when `dist` holds the pages and the server of the present sources. Writes to stderr only.
 * @throws BuildError
 */
export async function ensureBuilt(tell: (line: string) => void, where: Where = {}): Promise<void> {
  await ensure(PAGES, tell, where);
  await ensureServer(tell, where);
}

/** The same for the server alone. @throws BuildError */
export const ensureServer = (tell: (line: string) => void, where: Where = {}): Promise<void> =>
  ensure(SERVER_FILES, tell, where);

async function ensure(
  build: Build,
  tell: (line: string) => void,
  { root = PROJECT_ROOT, run = viteBuild, lock = path.join(cacheDir(), `${build.name}.lock`) }: Where,
): Promise<void> {
  const sources = await fingerprint(root, [build.config, ...build.sources]);
  if (await isBuilt(root, build, sources)) return;
  await withLock(
    lock,
    () => tell(`Waiting for another process that builds the ${build.name} …`),
    async () => {
      if (await isBuilt(root, build, sources)) return;
      tell(`Building the ${build.name} …`);
      await run(build);
      await writeStamp(root, build, sources);
    },
  );
}

/** SHA-256 over names and contents, so that a fresh checkout with new times builds nothing twice. */
export async function fingerprint(root: string, sources: readonly string[]): Promise<string> {
  const names = (await Promise.all(sources.map((source) => filesOf(root, source)))).flat().sort();
  const contents = await Promise.all(names.map((name) => readFile(path.join(root, name))));
  const hash = createHash('sha256');
  for (const [index, name] of names.entries()) {
    hash.update(`${name}\0${contents[index]?.length ?? 0}\0`).update(contents[index] ?? '');
  }
  return hash.digest('hex');
}

async function filesOf(root: string, source: string): Promise<string[]> {
  const place = path.join(root, source);
  if (!existsSync(place)) return [];
  if (statSync(place).isFile()) return [source];
  const entries = await readdir(place, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && !NOT_BUNDLED.test(entry.name))
    .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)).replaceAll(path.sep, '/'));
}

const stampFile = (root: string, { folder }: Build): string => path.join(root, folder, 'built.json');

async function isBuilt(root: string, build: Build, sources: string): Promise<boolean> {
  let stamp: Stamp;
  try {
    stamp = JSON.parse(await readFile(stampFile(root, build), 'utf8')) as Stamp;
  } catch {
    return false;
  }
  return stamp.sources === sources && stamp.files.every((file) => existsSync(path.join(root, file)));
}

async function writeStamp(root: string, build: Build, sources: string): Promise<void> {
  await mkdir(path.join(root, build.folder), { recursive: true });
  const files = await filesOf(root, build.folder);
  const own = files.filter((file) => build === SERVER_FILES || !file.startsWith(`${SERVER_FILES.folder}/`));
  await writeFile(stampFile(root, build), JSON.stringify({ sources, files: own } satisfies Stamp));
}

async function viteBuild({ name, config }: Build): Promise<void> {
  if (!existsSync(BUILT_BY)) {
    throw new BuildError(
      `The ${name} cannot be built: run "npm ci" first (vite is a development dependency).`,
    );
  }
  // Its own process: the server that starts next should not carry a bundler's memory.
  const child = spawn(process.execPath, [BUILT_BY, 'build', '--config', config], {
    cwd: PROJECT_ROOT,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  // A list of files is of interest only where something went wrong.
  const output: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => output.push(chunk));
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  if (code !== 0) process.stderr.write(Buffer.concat(output));
  if (code !== 0) throw new BuildError(`The ${name} could not be built (vite ended with ${String(code)}).`);
}
