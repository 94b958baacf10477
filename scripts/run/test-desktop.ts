/** Sees to what the tests of the desktop app need: a screen and a real Electron. */
import { whyNoDisplay } from '../../e2e/electron/display.ts';
import { progressOn } from '../assets/progress.ts';
import { ensureTestElectron } from '../assets/test-electron.ts';
import { canRunTestElectron } from '../assets/test-electron-place.ts';

/**
 * Fetches the Electron where the tests can run, and says where they cannot: then they are left out.
 * @returns what is wrong, where they must not be left out: in a continuous integration that could run them
 * @throws AssetError
 */
export async function ensureTestDesktop(
  tell: (line: string) => void,
  env: NodeJS.ProcessEnv = process.env,
): Promise<string | null> {
  if (!canRunTestElectron()) {
    tell('The tests of the desktop app are left out: their Electron runs on Linux on x64 only.');
    return null;
  }
  const missing = whyNoDisplay();
  if (missing === null) {
    await ensureTestElectron(progressOn(process.stderr));
    return null;
  }
  tell(`The tests of the desktop app are left out: ${missing}.`);
  return env['CI'] === undefined ? null : `The desktop app cannot be tested: ${missing}.`;
}
