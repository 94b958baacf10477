/** Finds the browser for the tests: `CHROMIUM_PATH`, else the first known name on the path. */
import { accessSync, constants } from 'node:fs';
import path from 'node:path';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/** The browser's executable; undefined if there is none. */
export function findChromium(env: NodeJS.ProcessEnv = process.env): string | undefined {
  const chosen = env['CHROMIUM_PATH'];
  if (chosen !== undefined && chosen !== '') return chosen;
  const folders = [...(env['PATH'] ?? '').split(path.delimiter), '/usr/bin'].filter(
    (folder) => folder !== '',
  );
  return NAMES.flatMap((name) => folders.map((folder) => path.join(folder, name))).find(isExecutable);
}

/**
 * Launch options for tests and screenshots: without the sandbox, which root may not use, and without network calls of
 * its own.
 */
export function chromiumOptions(): { executablePath?: string; args: string[] } {
  const executablePath = findChromium();
  return {
    ...(executablePath !== undefined && { executablePath }),
    args: ['--no-sandbox', '--disable-background-networking'],
  };
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
