/** Builds the pages when there are none or their sources have changed since; costs a few milliseconds otherwise. */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { withLock } from '../assets/lock.ts';
import { cacheDir, PROJECT_ROOT } from '../assets/paths.ts';

/** Everything that a bundle can be made of, as folders and files of the project. */
export const PAGE_SOURCES = [
  'renderer',
  'locales',
  'electron',
  'server/contract',
  'docs/webhooks',
  'vite.config.ts',
  'package-lock.json',
];
const NOT_BUNDLED = /\.test\.tsx?$/;
const BUILT_BY = path.join(PROJECT_ROOT, 'node_modules/vite/bin/vite.js');

/** What was built out of what. */
type Stamp = { sources: string; files: string[] };

/** A build that failed; the builder's own words have gone to stderr already. */
export class PagesError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'PagesError';
  }
}

/**
 * Returns when `dist` holds the pages of the present sources. Writes to stderr only.
 * @throws PagesError
 */
export async function ensurePages(
  tell: (line: string) => void,
  { root = PROJECT_ROOT, build = viteBuild, lock = path.join(cacheDir(), 'pages.lock') } = {},
): Promise<void> {
  const sources = await fingerprint(root, PAGE_SOURCES);
  if (await isBuilt(root, sources)) return;
  await withLock(
    lock,
    () => tell('Waiting for another process that builds the pages …'),
    async () => {
      if (await isBuilt(root, sources)) return;
      tell('Building the pages …');
      await build();
      await writeStamp(root, sources);
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
  if (path.extname(source) !== '') return [source];
  const entries = await readdir(place, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && !NOT_BUNDLED.test(entry.name))
    .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)).replaceAll(path.sep, '/'));
}

const stampFile = (root: string): string => path.join(root, 'dist/built.json');

async function isBuilt(root: string, sources: string): Promise<boolean> {
  let stamp: Stamp;
  try {
    stamp = JSON.parse(await readFile(stampFile(root), 'utf8')) as Stamp;
  } catch {
    return false;
  }
  return stamp.sources === sources && stamp.files.every((file) => existsSync(path.join(root, 'dist', file)));
}

async function writeStamp(root: string, sources: string): Promise<void> {
  const dist = path.join(root, 'dist');
  await mkdir(dist, { recursive: true });
  const entries = await readdir(dist, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(dist, path.join(entry.parentPath, entry.name)));
  await writeFile(stampFile(root), JSON.stringify({ sources, files } satisfies Stamp));
}

async function viteBuild(): Promise<void> {
  if (!existsSync(BUILT_BY)) {
    throw new PagesError('The pages cannot be built: run "npm ci" first (vite is a development dependency).');
  }
  // Its own process: the server that starts next should not carry a bundler's memory.
  const child = spawn(process.execPath, [BUILT_BY, 'build'], {
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
  if (code !== 0) throw new PagesError(`The pages could not be built (vite ended with ${String(code)}).`);
}
