/** Sees to the browsers that the end-to-end tests drive. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { findChromium } from '../../e2e/support/chromium.ts';
import { findFirefox, findWebKit } from '../../e2e/support/browsers/find.ts';

/** Debian and its relatives keep this file. */
const DEBIAN_MARK = '/etc/debian_version';

/** Installs Debian's Chromium where there is no browser and we may. @returns what to do where there is still none */
export function ensureBrowser(tell: (line: string) => void): string | null {
  const advice =
    'The end-to-end tests need Chromium: install it (on Debian: apt-get install chromium), ' +
    'or set CHROMIUM_PATH to the executable of a Chromium or Chrome.';
  return ensure('Chromium', findChromium, ['chromium', 'fonts-liberation'], advice, tell);
}

/** As `ensureBrowser`, for the browsers in which each surface is tried once. @returns what is left out, and how to add it */
export function ensureOtherBrowsers(tell: (line: string) => void): string[] {
  const leftOut = (name: string, packages: string) =>
    `The tests in ${name} are left out: it is not installed (on Debian: apt-get install ${packages}).`;
  return [
    ensure('Firefox', findFirefox, ['firefox-esr'], leftOut('Firefox', 'firefox-esr'), tell),
    ensure('WebKitGTK', findWebKit, ['webkit2gtk-driver'], leftOut('WebKitGTK', 'webkit2gtk-driver'), tell),
  ].filter((trouble) => trouble !== null);
}

function ensure(
  name: string,
  find: () => unknown,
  packages: readonly string[],
  advice: string,
  tell: (line: string) => void,
): string | null {
  if (find() !== undefined) return null;
  if (process.getuid?.() !== 0 || !existsSync(DEBIAN_MARK)) return advice;
  tell(`Installing ${name} …`);
  const apt = (...args: string[]) =>
    spawnSync('apt-get', args, {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    }).status === 0;
  const install = () => apt('install', '-y', '--no-install-recommends', ...packages);
  // The lists of a fresh machine are often empty or old.
  const installed = install() || (apt('update') && install());
  return installed && find() !== undefined ? null : `${name} could not be installed. ${advice}`;
}
