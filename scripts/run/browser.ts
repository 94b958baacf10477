/** Sees to the browsers that the end-to-end tests drive. */
import { findFirefox, findWebKit } from '../../e2e/support/browsers/find.ts';
import { findChromium } from '../../testing/chromium.ts';
import { installPackages, packageManager } from './debian.ts';

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
  const manager = packageManager();
  if (!manager.mayInstall) return advice;
  tell(`Installing ${name} …`);
  const isInstalled = installPackages(packages, manager);
  return isInstalled && find() !== undefined ? null : `${name} could not be installed. ${advice}`;
}
