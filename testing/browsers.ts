/** Finds the browsers for the tests. */
import { accessSync, constants, existsSync } from 'node:fs';
import path from 'node:path';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
/** The same engine without windows: opening a page takes half of the processor time. */
const SHELL = 'chromium-headless-shell';

/** `CHROMIUM_PATH`, else the first known name on the path; undefined if there is none. */
export const findChromium = (env: NodeJS.ProcessEnv = process.env): string | undefined => find(NAMES, env);

/** Like `findChromium`, for tests that need no part of the browser itself; prefers the one without windows. */
export const findShell = (env: NodeJS.ProcessEnv = process.env): string | undefined =>
  find([SHELL, ...NAMES], env);

function find(names: readonly string[], env: NodeJS.ProcessEnv): string | undefined {
  const chosen = env['CHROMIUM_PATH'];
  if (chosen !== undefined && chosen !== '') return chosen;
  const folders = [...(env['PATH'] ?? '').split(path.delimiter), '/usr/bin'].filter(
    (folder) => folder !== '',
  );
  return names.flatMap((name) => folders.map((folder) => path.join(folder, name))).find(isExecutable);
}

/**
 * Launch options for tests and screenshots: without the sandbox, which root may not use, and without network calls of
 * its own.
 */
export const chromiumOptions = (
  executablePath = findChromium(),
): { executablePath?: string; args: string[] } => ({
  ...(executablePath !== undefined && { executablePath }),
  args: ['--no-sandbox', '--disable-background-networking'],
});

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Debian's executable; undefined if it is not installed. */
export const findFirefox = (): string | undefined => existing('/usr/bin/firefox-esr');

/** The driver and the browser that it starts; undefined if one is not installed. */
export function findWebKit(): { driver: string; browser: string } | undefined {
  const driver = existing('/usr/bin/WebKitWebDriver');
  const browser = ['x86_64-linux-gnu', 'aarch64-linux-gnu']
    .map((folder) => existing(`/usr/lib/${folder}/webkit2gtk-4.1/MiniBrowser`))
    .find((file) => file !== undefined);
  return driver !== undefined && browser !== undefined ? { driver, browser } : undefined;
}

const existing = (file: string): string | undefined => (existsSync(file) ? file : undefined);
