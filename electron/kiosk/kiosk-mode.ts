/** The app as a kiosk: its window until staff leave it, on this machine's server or on another's. */
import { type BrowserWindow, ipcMain, type IpcMainInvokeEvent, powerSaveBlocker } from 'electron';
import { answered } from '../ipc.ts';
import { shellMessages } from '../messages.ts';
import type { ServerState } from '../service/supervisor.ts';
import { recoverWindow } from '../recovery.ts';
import {
  areKioskArgumentsValid,
  KIOSK_CHANNELS,
  type KioskChannel,
  type LeaveAnswer,
  type LeaveProof,
  type PaperSize,
  type PrintFailure,
} from './channels.ts';
import { isPaired, isUnpaired, mayLeave } from './leave.ts';
import { kioskArguments, type KioskOptions } from './options.ts';
import { printPage } from './print.ts';
import { nextPage } from './window-rules.ts';
import { createKioskWindow, kioskFetch } from './window.ts';

type KioskModeOptions = {
  icon: string;
  preload: string;
  server: () => ServerState;
  /** Language of the messages shown without a server. */
  language: () => string;
  log: (line: string) => void;
  /** Staff left kiosk mode: the app continues as a normal window. */
  left: () => void;
};

type KioskMode = {
  /** Opens the kiosk, with a pairing code if there is one, or brings it to the front. */
  open: (options: KioskOptions, code?: string) => void;
  isOpen: () => boolean;
  /** Whether only staff's PIN, or the system itself, can end it. */
  isHeld: () => boolean;
  /** The switches with which the next start opens it again; none while it is not open. */
  arguments: () => string[];
  /** Closes it with the app, held or not. */
  shut: () => void;
  /** The server's state has changed. */
  serverChanged: () => void;
};

/** Retry interval for a page that did not load, for example from another machine that is not running yet. */
const LOAD_AGAIN_MS = 3_000;

export function createKioskMode({ icon, preload, server, language, log, left }: KioskModeOptions): KioskMode {
  let window: BrowserWindow | null = null;
  let options: KioskOptions = { display: null, server: null, fingerprint: null, printer: null };
  /** The device's token, once the page is a paired kiosk: from then on the screen is held. */
  let token: string | null = null;
  /** Another token that the page of a held screen named, until the server confirms it. */
  let claimed: string | null = null;
  let shown = '';
  /** For the page's first load only. */
  let pairingCode: string | null = null;
  let awake: number | null = null;

  const origin = (): string | null => {
    if (options.server !== null) return options.server;
    const state = server();
    return state.kind === 'ready' ? new URL(state.addresses.connectUrl).origin : null;
  };
  const show = (isGone = false) => {
    const next = nextPage({ origin: origin(), state: server(), shown, isGone, language: language() });
    if (window === null || next === null) return;
    shown = next;
    const fragment = pairingCode === null || origin() === null ? '' : `#code=${pairingCode}`;
    if (fragment !== '') pairingCode = null;
    // A load that the next address replaces is not a failure.
    window.loadURL(next + fragment).catch(() => undefined);
  };

  const isSender = ({ senderFrame, sender }: IpcMainInvokeEvent): boolean => {
    const from = origin();
    if (!senderFrame || senderFrame.parent !== null || sender !== window?.webContents) return false;
    return from !== null && URL.canParse(senderFrame.url) && new URL(senderFrame.url).origin === from;
  };
  /** A held kiosk takes another token only from the server: with an invented one, anybody could leave. */
  const takeClaimed = async (): Promise<void> => {
    const asked = claimed;
    if (asked === null || !(await isPaired({ origin: origin(), token: asked }, kioskFetch))) return;
    if (claimed !== asked || token === null) return;
    [token, claimed] = [asked, null];
    log('the kiosk was paired again');
  };
  const lock = async (device: string): Promise<boolean> => {
    if (token === null) log('the kiosk holds the screen');
    token ??= device;
    claimed = token === device ? null : device;
    await takeClaimed();
    return token === device;
  };
  const leave = async (proof: LeaveProof | null): Promise<LeaveAnswer> => {
    await takeClaimed();
    const answer = await mayLeave({ origin: origin(), token, proof }, kioskFetch);
    log(answer === 'left' ? 'the kiosk was left' : `leaving the kiosk was refused (${answer})`);
    if (answer === 'left') end();
    return answer;
  };
  /** The page says that the device is no longer paired; the server decides. */
  const release = async (): Promise<boolean> => {
    await takeClaimed();
    const asked = token;
    if (asked === null) return true;
    if (!(await isUnpaired({ origin: origin(), token: asked }, kioskFetch))) return false;
    // The device may have been paired again meanwhile.
    if (token !== asked) return false;
    token = claimed = null;
    log('the device is no longer paired: the screen is released');
    return true;
  };
  const isHeld = () => token !== null;
  const letGo = (): BrowserWindow | null => {
    const held = window;
    token = claimed = null;
    window = null;
    if (awake !== null) powerSaveBlocker.stop(awake);
    awake = null;
    return held;
  };
  const end = () => {
    const ended = letGo();
    left();
    // After the page has got its answer; a destroyed window runs no close handlers.
    setImmediate(() => ended?.destroy());
  };

  answerKiosk({
    isSender,
    lock,
    leave,
    release,
    print: (paper) => printPage(window, { paper, printer: options.printer, log }),
    log,
  });

  return {
    open(wanted, code) {
      if (token === null) pairingCode = code ?? null;
      if (window !== null) {
        if (pairingCode !== null) show(true);
        window.focus();
        return;
      }
      options = wanted;
      shown = '';
      const opened = createKioskWindow({
        title: shellMessages(language()).title.kiosk,
        icon,
        preload,
        display: wanted.display,
        fingerprint: wanted.fingerprint,
        origin,
        isHeld,
      });
      window = opened;
      awake = powerSaveBlocker.start('prevent-display-sleep');
      recoverWindow(opened, {
        reload: () => show(true),
        giveUp: () => setTimeout(() => show(true), LOAD_AGAIN_MS),
        log,
      });
      opened.webContents.on('did-fail-load', (_event, code, _words, _url, isMainFrame) => {
        // −3: replaced by another load.
        if (isMainFrame && code !== -3) setTimeout(() => show(true), LOAD_AGAIN_MS);
      });
      opened.once('closed', () => {
        if (window === opened) end();
      });
      show();
    },
    isOpen: () => window !== null,
    isHeld,
    arguments: () => (window === null ? [] : kioskArguments(options)),
    shut: () => letGo()?.destroy(),
    serverChanged: () => show(),
  };
}

// Answers the kiosk's page, after checking the sender and the arguments.

type KioskIpcOptions = {
  /** Whether this is the kiosk window's own top frame, on the kiosk's own page. */
  isSender: (event: IpcMainInvokeEvent) => boolean;
  lock: (token: string) => Promise<boolean>;
  leave: (proof: LeaveProof | null) => Promise<LeaveAnswer>;
  release: () => Promise<boolean>;
  print: (paper: PaperSize) => Promise<PrintFailure | null>;
  log: (line: string) => void;
};

function answerKiosk({ isSender, lock, leave, release, print, log }: KioskIpcOptions): void {
  const handle = (channel: KioskChannel, work: (argument: unknown) => unknown) => {
    ipcMain.handle(channel, (event, ...args: unknown[]) => {
      if (!isSender(event) || !areKioskArgumentsValid(channel, args)) {
        log(`call of ${channel} refused`);
        throw new Error('refused');
      }
      return answered(channel, () => work(args[0]), log);
    });
  };
  handle(KIOSK_CHANNELS.lock, (token) => lock(token as string));
  handle(KIOSK_CHANNELS.leave, (proof) => leave(proof as LeaveProof | null));
  handle(KIOSK_CHANNELS.release, () => release());
  handle(KIOSK_CHANNELS.print, (paper) => print(paper as PaperSize));
}
