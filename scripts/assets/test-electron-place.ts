/** Where the Electron for the desktop app's tests is stored; a separate file from the one that downloads it. */
import { join } from 'node:path';
import { cacheDir } from './paths.ts';

export const TEST_ELECTRON_VERSION = '33.2.1';
/** Increase the last number when the files derived from the download change. */
const EDITION = `${TEST_ELECTRON_VERSION}-1`;

/** Whether this machine can run it. */
export const canRunTestElectron = (): boolean => process.platform === 'linux' && process.arch === 'x64';

export const testElectronDir = (cache = cacheDir()): string => join(cache, `test-electron-${EDITION}`);

export const testElectronProgram = (): string => join(testElectronDir(), 'electron');
