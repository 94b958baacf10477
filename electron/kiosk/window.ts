/** The kiosk's window: one page on a whole screen, with no manual exit. */
import { BrowserWindow, type Certificate, screen, session } from 'electron';
import { KIOSK_PATH } from '../addresses.ts';
import { isFocusTakenBack, isKeyHeard, isKioskPermissionAllowed } from './window-rules.ts';
import { verdictOn } from './pinned.ts';

type KioskWindowOptions = {
  title: string;
  icon: string;
  preload: string;
  /** Counted from 1; null for the main screen. */
  display: number | null;
  /** Current origin of the kiosk's page; null without a server. */
  origin: () => string | null;
  /** Fingerprint of the only authority for another machine's certificate; null for those that the system trusts. */
  fingerprint: string | null;
  /** Whether the screen is held: a device that is not paired yet can be closed like any window. */
  isHeld: () => boolean;
};

/** The device's token and camera permission are kept here, apart from the console's cookies. */
const PARTITION = 'persist:kiosk';

/** Sends a request like the kiosk's page, with the same trust in certificates. */
export const kioskFetch: typeof fetch = (input, init) =>
  session.fromPartition(PARTITION).fetch(input instanceof URL ? input.href : input, init);

function guardSession({ origin, fingerprint }: Pick<KioskWindowOptions, 'origin' | 'fingerprint'>): void {
  const pages = session.fromPartition(PARTITION);
  if (fingerprint === null) pages.setCertificateVerifyProc(null);
  else {
    pages.setCertificateVerifyProc(({ hostname, certificate, errorCode }, decide) => {
      const { data, issuerCert } = certificate;
      // Electron's types promise an issuer; a certificate without a chain has none.
      const issuer = (issuerCert as Certificate | undefined)?.data ?? null;
      const shown = { hostname, certificate: data, issuer };
      decide(verdictOn(shown, { fingerprint, errorCode, nowMs: Date.now() }));
    });
  }
  pages.setPermissionRequestHandler((_contents, permission, answer, details) => {
    const media = 'mediaTypes' in details ? (details.mediaTypes ?? []) : [];
    answer(isKioskPermissionAllowed({ permission, url: details.requestingUrl, media }, origin()));
  });
  pages.setPermissionCheckHandler((_contents, permission, url, { mediaType }) =>
    isKioskPermissionAllowed({ permission, url, media: [mediaType] }, origin()),
  );
  pages.setDevicePermissionHandler(() => false);
  pages.on('will-download', (event) => event.preventDefault());
}

const displayOf = (window: BrowserWindow): number => screen.getDisplayMatching(window.getBounds()).id;

export function createKioskWindow(options: KioskWindowOptions): BrowserWindow {
  const { title, icon, preload, display, origin, isHeld } = options;
  guardSession(options);
  const displays = screen.getAllDisplays();
  const { bounds } = (display === null ? undefined : displays[display - 1]) ?? screen.getPrimaryDisplay();
  const window = new BrowserWindow({
    ...bounds,
    title,
    icon,
    show: false,
    frame: false,
    kiosk: true,
    fullscreen: true,
    autoHideMenuBar: true,
    webPreferences: {
      partition: PARTITION,
      preload,
      contextIsolation: true,
      sandbox: true,
      nodeIntegration: false,
      webviewTag: false,
      spellcheck: false,
      devTools: false,
      disableDialogs: true,
      // The camera stays on while another window briefly covers this one.
      backgroundThrottling: false,
    },
  });
  const { webContents } = window;
  window.removeMenu();
  webContents.setIgnoreMenuShortcuts(true);
  const isOwnPage = (url: string) => {
    const from = origin();
    return from !== null && URL.canParse(url) && url.split(/[?#]/)[0] === `${from}${KIOSK_PATH}`;
  };
  const stay = (event: Electron.Event<{ url: string }>) => {
    if (!isOwnPage(event.url)) event.preventDefault();
  };
  webContents.on('will-navigate', stay);
  webContents.on('will-redirect', stay);
  webContents.on('will-frame-navigate', stay);
  webContents.setWindowOpenHandler(() => ({ action: 'deny' }));
  webContents.on('will-attach-webview', (event) => event.preventDefault());
  webContents.on('before-input-event', (event, input) => {
    if (isHeld() && !isKeyHeard(input)) event.preventDefault();
  });
  webContents.on('did-finish-load', () => {
    webContents.setVisualZoomLevelLimits(1, 1).catch(() => undefined);
  });
  webContents.on('zoom-changed', () => webContents.setZoomLevel(0));
  webContents.on('context-menu', (event) => event.preventDefault());

  window.on('close', (event) => {
    if (isHeld()) event.preventDefault();
  });
  const hold = () => {
    if (!isHeld() || window.isDestroyed()) return;
    if (window.isMinimized()) window.restore();
    window.setKiosk(true);
    window.moveTop();
    const others = BrowserWindow.getAllWindows().filter((other) => other !== window && other.isVisible());
    if (isFocusTakenBack(displayOf(window), others.map(displayOf))) window.focus();
  };
  window.on('minimize', hold);
  window.on('leave-full-screen', hold);
  window.on('blur', hold);
  window.on('page-title-updated', (event) => event.preventDefault());
  window.once('ready-to-show', () => window.show());
  return window;
}
