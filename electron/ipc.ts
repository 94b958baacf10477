/** Answers the console's calls to the shell, after checking the sender and the arguments. */
import { app, type BrowserWindow, dialog, ipcMain, type IpcMainInvokeEvent, shell } from 'electron';
import { faultLine } from './faults.ts';
import { areArgumentsValid, type Channel, CHANNELS, type KeyStorage, type ShellStatus } from './channels.ts';
import type { ServerAddresses } from './service/ready-line.ts';
import { isSenderAllowed, type Sender } from './addresses.ts';

type IpcOptions = {
  addresses: () => ServerAddresses | null;
  window: () => BrowserWindow | undefined;
  keyStorage: () => KeyStorage;
  logFolder: string;
  log: (line: string) => void;
};

export function answerPages({ addresses, window, keyStorage, logFolder, log }: IpcOptions): void {
  const handle = (channel: Channel, work: () => unknown) => {
    ipcMain.handle(channel, (event, ...args: unknown[]) => {
      if (!isSenderAllowed(senderOf(event), addresses()) || !areArgumentsValid(channel, args)) {
        log(`call of ${channel} refused`);
        throw new Error('refused');
      }
      return answered(channel, work, log);
    });
  };
  handle(CHANNELS.status, (): ShellStatus => ({ version: app.getVersion(), keyStorage: keyStorage() }));
  handle(CHANNELS.chooseFolder, async () => {
    const options = { properties: ['openDirectory' as const, 'createDirectory' as const] };
    const parent = window();
    const { canceled, filePaths } = await (parent
      ? dialog.showOpenDialog(parent, options)
      : dialog.showOpenDialog(options));
    return canceled ? null : (filePaths[0] ?? null);
  });
  handle(CHANNELS.showLogs, async () => (await shell.openPath(logFolder)) === '');
}

/** The page learns that a call failed, and the log why. */
export async function answered(
  channel: string,
  work: () => unknown,
  log: (line: string) => void,
): Promise<unknown> {
  try {
    return await work();
  } catch (error) {
    log(faultLine(`call of ${channel} failed`, error));
    // Pages get the message alone.
    throw new Error('failed', { cause: error });
  }
}

function senderOf({ senderFrame }: IpcMainInvokeEvent): Sender | null {
  return senderFrame && { url: senderFrame.url, isTopFrame: senderFrame.parent === null };
}
