/** The only window: no privileges, no foreign pages. */
import { BrowserWindow, dialog, session, shell, app } from 'electron';
import { destinationOf, isConsole, isPermissionAllowed, pairingCodeOf } from './addresses.ts';
import type { ShellMessages } from '../locales/types/shell.ts';
import type { ServerAddresses } from './service/ready-line.ts';

type WindowOptions = {
  icon: string;
  preload: string;
  title: string;
  /** Current origin of the server; null without one. */
  addresses: () => ServerAddresses | null;
  retry: () => void;
  words: () => ShellMessages;
  /** Turns this machine into a kiosk, next to the console if there is a second screen. */
  openKiosk: (code: string) => void;
};

const SIZE = { width: 1280, height: 800, minWidth: 800, minHeight: 600 };
/** Own cookies and cache, separate from anything else that Electron might open. */
const PARTITION = 'persist:console';

/** Denies every permission that is not on the list, whether requested or checked, and every foreign download. */
function guardSession(addresses: WindowOptions['addresses']): void {
  const pages = session.fromPartition(PARTITION);
  pages.setPermissionRequestHandler((_contents, permission, answer, { requestingUrl }) => {
    answer(isPermissionAllowed(permission, requestingUrl, addresses()));
  });
  pages.setPermissionCheckHandler((_contents, permission, origin) =>
    isPermissionAllowed(permission, origin, addresses()),
  );
  pages.setDevicePermissionHandler(() => false);
  // Only the console's exports; no file from another address.
  pages.on('will-download', (event, item) => {
    if (!isConsole(item.getURL(), addresses())) event.preventDefault();
  });
}

export function createWindow({
  icon,
  preload,
  title,
  addresses,
  retry,
  words,
  openKiosk,
}: WindowOptions): BrowserWindow {
  guardSession(addresses);
  const window = new BrowserWindow({
    ...SIZE,
    title,
    icon,
    show: false,
    autoHideMenuBar: true,
    webPreferences: {
      partition: PARTITION,
      preload,
      contextIsolation: true,
      sandbox: true,
      nodeIntegration: false,
      webviewTag: false,
      spellcheck: false,
    },
  });
  const go = (url: string): boolean => {
    const destination = destinationOf(url, addresses());
    if (destination === 'browser') void shell.openExternal(url).catch(() => undefined);
    if (destination === 'kiosk') openKiosk(pairingCodeOf(url) ?? '');
    if (destination === 'retry') retry();
    return destination === 'here';
  };
  window.webContents.on('will-navigate', (event) => {
    if (!go(event.url)) event.preventDefault();
  });
  window.webContents.on('will-redirect', (event) => {
    if (!go(event.url)) event.preventDefault();
  });
  window.webContents.on('will-attach-webview', (event) => event.preventDefault());
  window.webContents.setWindowOpenHandler(({ url }) => {
    // A page that the next one replaces is not a failure.
    if (go(url)) window.loadURL(url).catch(() => undefined);
    return { action: 'deny' };
  });
  askBeforeLosing(window, words);
  // The title shows how the key is kept, so pages cannot change it.
  window.on('page-title-updated', (event) => event.preventDefault());
  window.once('ready-to-show', () => window.show());
  return window;
}

/**
 * A page with something that is not saved keeps its window open, and Electron shows no question for it. A page that loads again
 * keeps what was typed, so only closing the window asks.
 */
function askBeforeLosing(window: BrowserWindow, words: WindowOptions['words']): void {
  let isClosing = false;
  window.on('close', () => (isClosing = true));
  window.webContents.on('will-prevent-unload', (event) => {
    const { unsavedTitle, unsavedText, unsavedClose, unsavedKeep } = words();
    const loses = () =>
      dialog.showMessageBoxSync(window, {
        type: 'question',
        message: unsavedTitle,
        detail: unsavedText,
        buttons: [unsavedKeep, unsavedClose],
        defaultId: 0,
        cancelId: 0,
      }) === 1;
    // Prevented, the page is left.
    if (!isClosing || loses()) event.preventDefault();
    isClosing = false;
  });
}

/** Call it before the app is ready, so that nothing is opened earlier. */
export function denyByDefault(): void {
  app.on('session-created', (pages) => {
    pages.setPermissionRequestHandler((_contents, _permission, answer) => answer(false));
    pages.setPermissionCheckHandler(() => false);
    pages.setDevicePermissionHandler(() => false);
  });
  app.on('web-contents-created', (_event, contents) => {
    contents.setWindowOpenHandler(() => ({ action: 'deny' }));
    contents.on('will-attach-webview', (event) => event.preventDefault());
  });
}
