/** What becomes of a window whose page has died or hangs. */
import type { BrowserWindow } from 'electron';

/** One that dies again and again is not helped by another try. */
const MAX_DEATHS = 3;
const WITHIN_MS = 60_000;
/** A page that computes may be slow; after this long it hangs. */
export const HANG_MS = 15_000;

export type Recovery = {
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

export type RecoveryOptions = { reload: () => void; giveUp: () => void; log: (line: string) => void };

/** Loads the window's page again when its process dies or hangs, as long as that helps. */
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
  window.on('unresponsive', () => {
    calm();
    log("the window's page does not answer");
    // Its end is its recovery: the event above loads it again.
    hanging = setTimeout(() => window.webContents.forcefullyCrashRenderer(), HANG_MS);
  });
  window.on('responsive', calm);
  window.once('closed', calm);
}
