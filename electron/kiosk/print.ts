/** Prints the kiosk's page without a dialog, which nobody at a held screen could answer. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { BrowserWindow } from 'electron';
import type { PaperSize, PrintFailure } from './channels.ts';

/** A system that does not answer; the printer may have the page. */
const ANSWER_MS = 60_000;

type Printing = { paper: PaperSize; printer: string | null; log: (line: string) => void };

/** The named printer, or the only one: Linux prints nothing without a name. */
export function printerOf(names: readonly string[], wanted: string | null): string | null {
  if (wanted !== null) return names.includes(wanted) ? wanted : null;
  return names.length === 1 ? (names[0] ?? null) : null;
}

/** Resolves with null once the system has the page, which is not yet paper. */
export async function printPage(
  window: BrowserWindow | null,
  { paper, printer, log }: Printing,
): Promise<PrintFailure | null> {
  if (window === null) return 'failed';
  const { webContents } = window;
  const print = async (): Promise<PrintFailure | null> => {
    const names = (await webContents.getPrintersAsync()).map(({ name }) => name);
    const deviceName = printerOf(names, printer);
    if (deviceName === null) {
      log(`no printer for a badge: ${printer ?? 'none named'}, ${names.length} found`);
      return 'no_printer';
    }
    const options = { silent: true, deviceName, pageSize: paper, margins: { marginType: 'none' as const } };
    return new Promise((resolve) => {
      webContents.print(options, (isSpooled, reason) => {
        if (!isSpooled) log(`printing on ${deviceName} failed: ${reason}`);
        resolve(isSpooled ? null : 'failed');
      });
    });
  };
  const limit = new AbortController();
  const unanswered = async (): Promise<PrintFailure> => {
    await sleep(ANSWER_MS, undefined, limit);
    log('printing a badge was not answered');
    return 'failed';
  };
  try {
    return await Promise.race([print(), unanswered()]);
  } finally {
    limit.abort();
  }
}
