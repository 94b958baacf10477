/** Where the Electron of the desktop app's tests is kept, apart from how it gets there. */
import { join } from 'node:path';
import { cacheDir } from './paths.ts';

export const TEST_ELECTRON_VERSION = '33.2.1';
/** The last number is raised when what is made of the download changes. */
const EDITION = `${TEST_ELECTRON_VERSION}-1`;

/** Whether this machine can run it. */
export const canRunTestElectron = (): boolean => process.platform === 'linux' && process.arch === 'x64';

export const testElectronDir = (cache = cacheDir()): string => join(cache, `test-electron-${EDITION}`);

export const testElectronProgram = (): string => join(testElectronDir(), 'electron');
