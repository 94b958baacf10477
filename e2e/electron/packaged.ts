/** The unpacked desktop app, built by the project's own command. It is rebuilt if any of its inputs changed. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import {
  cacheDir,
  PROJECT_ROOT,
  TEST_ELECTRON_VERSION,
  testElectronDir,
} from '../../scripts/assets/paths.ts';
import { fingerprint, SOURCES } from '../../scripts/run/built.ts';
import { limitMs } from '../../testing/tier.ts';

export const PACK_TIMEOUT_MS = limitMs(90_000);
/** The inputs of the package, and the files that build it. */
const INPUTS = [...SOURCES, ...['assets', 'scripts/packaging', 'scripts/assets', 'electron-builder.yml']];
const KEPT = path.join(cacheDir(), 'package');

/** @returns its folder */
export async function packagedApp(): Promise<string> {
  const unpacked = path.join(KEPT, `${await fingerprint(PROJECT_ROOT, INPUTS)}-${TEST_ELECTRON_VERSION}`);
  if (existsSync(unpacked)) return unpacked;
  // The previous package is obsolete, and large.
  await rm(KEPT, { recursive: true, force: true });
  await mkdir(KEPT, { recursive: true });
  const output = path.join(KEPT, 'unfinished');
  await promisify(execFile)(
    path.join(PROJECT_ROOT, 'node_modules/.bin/electron-builder'),
    [
      ...['--config', 'electron-builder.yml', '--linux', 'dir', '--publish', 'never'],
      `-c.electronDist=${testElectronDir()}`,
      `-c.electronVersion=${TEST_ELECTRON_VERSION}`,
      `-c.directories.output=${output}`,
    ],
    { cwd: PROJECT_ROOT },
  ).catch((error: unknown) => {
    // The command's own words stand at its end; the report keeps only the beginning of a message.
    const { stdout, stderr } = error as { stdout?: string; stderr?: string };
    throw new Error(`The packer failed: ${`${stdout}${stderr}`.slice(-2_000)}`, { cause: error });
  });
  await rename(path.join(output, 'linux-unpacked'), unpacked);
  await rm(output, { recursive: true });
  return unpacked;
}
