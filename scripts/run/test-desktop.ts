/** Provides what the tests of the desktop app need: a screen with a window manager, and a real Electron. */
import { whyNoDisplay } from '../../testing/display.ts';
import { progressOn } from '../assets/progress.ts';
import { ensureTestElectron } from '../assets/test-electron.ts';
import { canRunTestElectron } from '../assets/paths.ts';
import { installPackages, type PackageManager, packageManager } from './browser.ts';

const TESTS = 'the tests of the desktop app (e2e/electron/*.spec.ts)';
const PACKAGES = ['xvfb', 'openbox'];

/** Both null if the tests run. */
type DesktopTests = {
  /** Which tests are left out, why, and how to run them. */
  leftOut: string | null;
  /** The problem, if the tests must not be left out: as root on Debian, or in continuous integration. */
  trouble: string | null;
};

/** Whether there is a screen for the tests; one is installed if needed and allowed. */
export function ensureDisplay(
  tell: (line: string) => void,
  manager: PackageManager,
  whyNot: () => string | null,
): DesktopTests {
  let missing = whyNot();
  if (missing !== null && manager.mayInstall) {
    tell('Installing Xvfb and openbox for the tests of the desktop app …');
    installPackages(PACKAGES, manager);
    missing = whyNot();
  }
  if (missing === null) return { leftOut: null, trouble: null };
  return {
    leftOut: `Skipping ${TESTS}, because ${missing}. To run them, run "apt-get install ${PACKAGES.join(' ')}" as root.`,
    trouble: manager.mayInstall ? `Xvfb and openbox could not be installed for ${TESTS}.` : null,
  };
}

/** Prepares the tests of the desktop app. @throws AssetError */
export async function ensureTestDesktop(tell: (line: string) => void): Promise<DesktopTests> {
  if (!canRunTestElectron()) {
    return {
      leftOut: `Skipping ${TESTS}, because their Electron runs only on Linux on x64.`,
      trouble: null,
    };
  }
  const display = ensureDisplay(tell, packageManager(), whyNoDisplay);
  if (display.leftOut === null) {
    await ensureTestElectron(progressOn(process.stderr));
    return display;
  }
  if (process.env['CI'] === undefined) return display;
  return { ...display, trouble: display.trouble ?? display.leftOut };
}
