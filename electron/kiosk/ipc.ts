/** Answers the kiosk's page, after checking the sender and the arguments. */
import { ipcMain, type IpcMainInvokeEvent } from 'electron';
import {
  areKioskArgumentsValid,
  KIOSK_CHANNELS,
  type KioskChannel,
  type LeaveAnswer,
  type LeaveProof,
} from './channels.ts';

export type KioskIpcOptions = {
  /** Whether this is the kiosk window's own top frame, on the kiosk's own page. */
  isSender: (event: IpcMainInvokeEvent) => boolean;
  lock: (token: string) => void;
  leave: (proof: LeaveProof | null) => Promise<LeaveAnswer>;
  release: () => Promise<boolean>;
  log: (line: string) => void;
};

export function answerKiosk({ isSender, lock, leave, release, log }: KioskIpcOptions): void {
  const handle = (channel: KioskChannel, work: (argument: unknown) => unknown) => {
    ipcMain.handle(channel, (event, ...args: unknown[]) => {
      if (!isSender(event) || !areKioskArgumentsValid(channel, args)) {
        log(`call of ${channel} refused`);
        throw new Error('refused');
      }
      return work(args[0]);
    });
  };
  handle(KIOSK_CHANNELS.lock, (token) => {
    lock(token as string);
    return true;
  });
  handle(KIOSK_CHANNELS.leave, (proof) => leave(proof as LeaveProof | null));
  handle(KIOSK_CHANNELS.release, () => release());
}
