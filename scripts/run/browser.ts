/** Finds or installs the programs that the tests need: browsers, and PostgreSQL. */
import { findChromium, findFirefox, findWebKit } from '../../testing/browsers.ts';
import { findPostgres } from '../../testing/postgres/server.ts';
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

/**
 * Installs Debian's Chromium if there is no browser and it is allowed.
 * @returns what to do if there is still none
 */
export function ensureBrowser(tell: (line: string) => void): string | null {
  const advice =
    'The end-to-end tests need Chromium: install it (on Debian: apt-get install chromium), ' +
    'or set CHROMIUM_PATH to the executable of a Chromium or Chrome.';
  return ensure('Chromium', findChromium, ['chromium', 'fonts-liberation'], advice, tell);
}

/**
 * The PostgreSQL server on which the store and the services are tested as well.
 * @returns what is left out, and how to add it
 */
export function ensurePostgres(tell: (line: string) => void): string | null {
  const leftOut =
    'Skipping the PostgreSQL tests: version 15 or newer is not installed (on Debian: apt-get install postgresql).';
  return ensure('PostgreSQL', findPostgres, ['postgresql'], leftOut, tell);
}

/**
 * Like `ensureBrowser`, for the other browsers in which each surface is tried once.
 * @returns what is left out, and how to add it
 */
export function ensureOtherBrowsers(tell: (line: string) => void): string[] {
  const leftOut = (name: string, packages: string) =>
    `Skipping the tests in ${name}: it is not installed (on Debian: apt-get install ${packages}).`;
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
  const manager = packageManager();
  if (!manager.mayInstall) return advice;
  tell(`Installing ${name} …`);
  const isInstalled = installPackages(packages, manager);
  return isInstalled && find() !== undefined ? null : `${name} could not be installed. ${advice}`;
}

/** Debian and its derivatives have this file. */
const DEBIAN_MARK = '/etc/debian_version';

export type PackageManager = {
  /** Only root on Debian installs packages; everyone else gets instructions. */
  mayInstall: boolean;
  /** Runs `apt-get`. @returns whether it succeeded */
  apt: (...args: string[]) => boolean;
};

export const packageManager = (): PackageManager => ({
  mayInstall: process.getuid?.() === 0 && existsSync(DEBIAN_MARK),
  apt: (...args) =>
    spawnSync('apt-get', args, {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    }).status === 0,
});

/** @returns whether the packages are now installed */
export function installPackages(packages: readonly string[], { mayInstall, apt }: PackageManager): boolean {
  if (!mayInstall) return false;
  const install = () => apt('install', '-y', '--no-install-recommends', ...packages);
  // The lists of a new machine are often empty or old.
  return install() || (apt('update') && install());
}
