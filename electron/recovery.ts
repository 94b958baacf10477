/** How a window recovers when its page has crashed or hangs. */
import type { BrowserWindow } from 'electron';

/** Retrying does not help a page that keeps crashing. */
const MAX_DEATHS = 3;
const WITHIN_MS = 60_000;
/** A page that computes may be slow; after this long it counts as hanging. */
const HANG_MS = 15_000;

type Recovery = {
  /** The page's process is gone. */
  died(): 'reload' | 'give-up';
};

export function createRecovery(now: () => number = Date.now): Recovery {
  let deaths: number[] = [];
  return {
    died() {
      deaths = [...deaths.filter((at) => now() - at < WITHIN_MS), now()];
      if (deaths.length <= MAX_DEATHS) return 'reload';
      deaths = [];
      return 'give-up';
    },
  };
}

type RecoveryOptions = { reload: () => void; giveUp: () => void; log: (line: string) => void };

/** Reloads the window's page when its process crashes or hangs, as long as that helps. */
export function recoverWindow(window: BrowserWindow, { reload, giveUp, log }: RecoveryOptions): void {
  const recovery = createRecovery();
  let hanging: NodeJS.Timeout | undefined;
  const calm = () => clearTimeout(hanging);
  window.webContents.on('render-process-gone', (_event, { reason, exitCode }) => {
    calm();
    if (reason === 'clean-exit') return;
    log(`the window's page is gone (${reason}, ${exitCode})`);
    if (recovery.died() === 'reload') reload();
    else giveUp();
  });
  window.webContents.on('preload-error', (_event, _file, error) => {
    log(`the window's bridge to the app failed: ${error.message}`);
  });
  window.on('unresponsive', () => {
    calm();
    log("the window's page does not answer");
    // Ending it triggers the event above, which reloads it.
    hanging = setTimeout(() => window.webContents.forcefullyCrashRenderer(), HANG_MS);
  });
  window.on('responsive', calm);
  window.once('closed', calm);
}
