import type { BrowserWindow } from 'electron';
import { createRecovery, HANG_MS } from './recovery.ts';

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
