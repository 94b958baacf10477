/** Sees to the browser that the end-to-end tests drive. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { findChromium } from '../../e2e/support/chromium.ts';

/** Debian and its relatives keep this file. */
const DEBIAN_MARK = '/etc/debian_version';

/** Installs Debian's Chromium where there is no browser and we may. @returns what to do where there is still none */
export function ensureBrowser(tell: (line: string) => void): string | null {
  if (findChromium() !== undefined) return null;
  const advice =
    'The end-to-end tests need Chromium: install it (on Debian: apt-get install chromium), ' +
    'or set CHROMIUM_PATH to the executable of a Chromium or Chrome.';
  if (process.getuid?.() !== 0 || !existsSync(DEBIAN_MARK)) return advice;
  tell('Installing Chromium …');
  const apt = (...args: string[]) =>
    spawnSync('apt-get', args, {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    }).status === 0;
  const install = () => apt('install', '-y', '--no-install-recommends', 'chromium', 'fonts-liberation');
  // The lists of a fresh machine are often empty or old.
  const installed = install() || (apt('update') && install());
  return installed && findChromium() !== undefined ? null : `Chromium could not be installed. ${advice}`;
}
