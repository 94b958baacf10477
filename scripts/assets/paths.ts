/** Where assets are kept. The cache is not committed; deleting it costs one download. */
import { join, resolve } from 'node:path';

export const PROJECT_ROOT = resolve(import.meta.dirname, '../..');

/** `GATEHOUSE_CACHE_DIR`, else `.cache` in the project. */
export function cacheDir(): string {
  const chosen = process.env['GATEHOUSE_CACHE_DIR'];
  return chosen === undefined || chosen === '' ? join(PROJECT_ROOT, '.cache') : resolve(chosen);
}

/** The models that the server and the page load. */
export function modelsDir(cache = cacheDir()): string {
  return join(cache, 'models');
}

/** Photos of people, for tests only. */
export function testPhotosDir(cache = cacheDir()): string {
  return join(cache, 'test-photos');
}

/** The models' manifests, which are part of the source. */
export const MANIFEST_DIR = join(PROJECT_ROOT, 'assets/models');

/** Node.js's compile cache for the server's modules: a second start is faster by half a second. */
export function compiledDir(): string {
  return join(cacheDir(), 'compiled');
}

// Where the Electron for the desktop app's tests is stored.

export const TEST_ELECTRON_VERSION = '33.2.1';
/** Increase the last number when the files derived from the download change. */
const EDITION = `${TEST_ELECTRON_VERSION}-1`;

/** Whether this machine can run it. */
export const canRunTestElectron = (): boolean => process.platform === 'linux' && process.arch === 'x64';

export const testElectronDir = (cache = cacheDir()): string => join(cache, `test-electron-${EDITION}`);

export const testElectronProgram = (): string => join(testElectronDir(), 'electron');
