/** Whether a desktop window is possible here, and with which program. */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { PROJECT_ROOT } from '../assets/paths.ts';

/** `unavailable` is a clause that ends a sentence beginning "No desktop window:". */
export type Desktop = { program: string; args: string[] } | { unavailable: string };

const PACKAGE = path.join(PROJECT_ROOT, 'node_modules/electron');
/** Where its installer looks unless a mirror is configured. */
const USUAL_SOURCE = 'https://github.com/electron/electron/releases/';
const REACH_TIMEOUT_MS = 4_000;
const DOWNLOAD_TIMEOUT_MS = 120_000;

/** Finds Electron, downloading it once if its source answers; never waits long if it does not. */
export async function findDesktop(
  { noSandbox }: { noSandbox: boolean },
  tell: (line: string) => void,
  env: NodeJS.ProcessEnv = process.env,
): Promise<Desktop> {
  const isLinux = process.platform === 'linux';
  if (isLinux && !env['DISPLAY'] && !env['WAYLAND_DISPLAY']) return { unavailable: 'there is no display' };
  if (isLinux && process.getuid?.() === 0 && !noSandbox) {
    return { unavailable: "it does not run as root (unless without Chromium's sandbox: --no-sandbox)" };
  }
  const found = await electronProgram(tell, env);
  if ('unavailable' in found) return found;
  const args = noSandbox ? ['--no-sandbox'] : [];
  // Without a graphics device Chromium's software renderer only costs time.
  if (isLinux && !existsSync('/dev/dri')) args.push('--disable-gpu');
  return { program: found.program, args };
}

async function electronProgram(
  tell: (line: string) => void,
  env: NodeJS.ProcessEnv,
): Promise<{ program: string } | { unavailable: string }> {
  const override = env['ELECTRON_OVERRIDE_DIST_PATH'];
  if (override !== undefined && override !== '') {
    const program = path.join(override, (await installedName()) ?? platformName());
    return existsSync(program) ? { program } : { unavailable: `${program} is not installed` };
  }
  const installed = await installedProgram();
  if (installed !== null) return { program: installed };
  if (!existsSync(path.join(PACKAGE, 'install.js'))) return { unavailable: 'Electron is not installed' };
  const source = env['ELECTRON_MIRROR'] ?? env['npm_config_electron_mirror'] ?? USUAL_SOURCE;
  if (!(await answers(source))) {
    return {
      unavailable: `Electron has not been downloaded yet and ${new URL(source).host} does not answer`,
    };
  }
  tell('Fetching Electron …');
  if (!(await download())) return { unavailable: 'Electron could not be downloaded' };
  const fetched = await installedProgram();
  return fetched === null ? { unavailable: 'Electron could not be downloaded' } : { program: fetched };
}

/** The package's file with the path of its binary, relative to its `dist`. */
async function installedName(): Promise<string | null> {
  try {
    return (await readFile(path.join(PACKAGE, 'path.txt'), 'utf8')).trim();
  } catch {
    return null;
  }
}

async function installedProgram(): Promise<string | null> {
  const name = await installedName();
  const program = name === null ? null : path.join(PACKAGE, 'dist', name);
  return program !== null && existsSync(program) ? program : null;
}

function platformName(): string {
  if (process.platform === 'win32') return 'electron.exe';
  return process.platform === 'darwin' ? 'Electron.app/Contents/MacOS/Electron' : 'electron';
}

async function answers(address: string): Promise<boolean> {
  try {
    await fetch(address, {
      method: 'HEAD',
      redirect: 'manual',
      signal: AbortSignal.timeout(REACH_TIMEOUT_MS),
    });
    return true;
  } catch {
    return false;
  }
}

async function download(): Promise<boolean> {
  const child = spawn(process.execPath, [path.join(PACKAGE, 'install.js')], {
    stdio: ['ignore', 'ignore', 'ignore'],
    timeout: DOWNLOAD_TIMEOUT_MS,
  });
  return new Promise((resolve) => {
    child.once('error', () => resolve(false));
    child.once('exit', (code) => resolve(code === 0));
  });
}
