/** The desktop app: one window with the console of a server that it starts, monitors and drains. */
import { homedir, userInfo } from 'node:os';
import path from 'node:path';
import { app, Menu, screen, type BrowserWindow } from 'electron';
import type { KeyStorage } from './channels.ts';
import { dataFolderOf } from './data-folder.ts';
import { answerPages } from './ipc.ts';
import { createFaultRule, faultLine, restartArguments, restartsIn } from './faults.ts';
import { denyByDefault, createWindow } from './window.ts';
import { createKioskMode } from './kiosk/kiosk-mode.ts';
import { kioskOptionsOf, type KioskOptions } from './kiosk/options.ts';
import { findKey, KeychainError } from './key-store.ts';
import { systemKeychain } from './keychain.ts';
import { launchServer } from './service/launch.ts';
import { shellLanguage, shellMessages } from './messages.ts';
import { appPaths } from './app-paths.ts';
import { watchPower } from './service/power.ts';
import type { ServerAddresses } from './service/ready-line.ts';
import { openRotatingLog } from './service/rotating-log.ts';
import { chooseRuntime } from './service/runtime.ts';
import { statusPage } from './status-page.ts';
import { isRecovery, ownEnvironment, refusedSwitch } from './switches.ts';
import { createSupervisor, type ServerProcess, type ServerState } from './service/supervisor.ts';
import { recoverWindow } from './recovery.ts';

const paths = appPaths({
  isPackaged: app.isPackaged,
  appPath: app.getAppPath(),
  resourcesPath: process.resourcesPath,
});
const dataFolder = dataFolderOf({
  env: process.env,
  platform: process.platform,
  home: homedir() || userInfo().homedir,
});
const logFolder = path.join(dataFolder, 'logs');
/** A checkout's command line uses the same data and reads the key file; an installed app has the data to itself. */
const usesKeychain = app.isPackaged || process.env['GATEHOUSE_KEYCHAIN'] === '1';

let window: BrowserWindow | undefined;
let state: ServerState = { kind: 'starting' };
let keyStorage: KeyStorage = 'file';
let key: string | null = null;
/** Until the first service is ready: one that restarts later does not recover again. */
let recovers = isRecovery(process.argv);
let writeLog: ((line: string) => void) | null = null;
/** The first window was asked for: from then on, an error is not one of the start. */
let isStarted = false;
let drained = false;
/** The system ends the app: it shuts down, or sends a signal. */
let isEnding = false;

const addresses = (): ServerAddresses | null => (state.kind === 'ready' ? state.addresses : null);

function log(line: string): void {
  process.stderr.write(`${line}\n`);
  writeLog?.(line);
}
const note = (message: string) => log(`${new Date().toISOString()} desktop: ${message}`);

/** Set once the app is ready; no window is opened before. */
const language = () => shellLanguage(app.getPreferredSystemLanguages());

const windowTitle = () => shellMessages(language()).title.console;

const kiosk = createKioskMode({
  icon: paths.icon,
  preload: paths.kioskPreload,
  server: () => state,
  language,
  log: (words) => note(words),
  left() {
    if (window) window.focus();
    else openWindow();
    // A kiosk that uses another machine's server needs no server here.
    if (state.kind === 'starting') void startServer();
  },
});

const supervisor = createSupervisor({
  launch,
  changed(next) {
    // The pages that are open stay when only the base URL has changed.
    const isMoved = state.kind === 'ready' && next.kind === 'ready';
    state = next;
    if (isMoved) return;
    if (state.kind === 'ready') {
      recovers = false;
      announce(state.addresses);
    }
    if (state.kind === 'restarting') note(`the service stopped (${state.reason ?? 'no reason given'})`);
    show();
  },
});

function launch(): ServerProcess {
  return launchServer({
    runtime: chooseRuntime(process.versions, paths.serverNode),
    entry: paths.serverEntry,
    env: {
      ...ownEnvironment(process.env, app.isPackaged),
      ...paths.serverEnv,
      GATEHOUSE_DATA_DIR: dataFolder,
    },
    key,
    isInstalled: app.isPackaged,
    recovers,
    log,
  });
}

/** Finds the key, then starts the server. If the keychain does not return it, the window says so. */
async function startServer(): Promise<void> {
  try {
    const found = await findKey(dataFolder, usesKeychain ? systemKeychain : null);
    keyStorage = found.storage;
    key = found.key;
    supervisor.start();
  } catch (error) {
    // A key file that cannot be read, for example: the window says so, too, and offers another try.
    note(error instanceof KeychainError ? error.message : faultLine('the service was not started', error));
    state = { kind: 'failed', reason: error instanceof Error ? error.message : String(error) };
    show();
  }
}

/** The same line that the server prints, for a user who started the app from a terminal. */
function announce({ baseUrl, connectUrl, consoleUrl }: ServerAddresses): void {
  const line = { event: 'ready', base_url: baseUrl, connect_url: connectUrl, console_url: consoleUrl };
  process.stdout.write(`${JSON.stringify(line)}\n`);
}

function show(): void {
  kiosk.serverChanged();
  const url = state.kind === 'ready' ? state.addresses.consoleUrl : statusPage(state, language());
  load(url);
}

function load(url: string): void {
  // A page that the next one replaces is not a failure.
  window?.loadURL(url).catch(() => undefined);
}

/** The action of the page's retry link: restarts the server, or reloads a page that kept crashing. */
function retry(): void {
  if (state.kind === 'ready') show();
  else void startServer();
}

/** On a screen without the console, if there is one, so that the console stays visible. */
function openKiosk(code: string): void {
  const own = window && screen.getDisplayMatching(window.getBounds());
  const other = screen.getAllDisplays().findIndex(({ id }) => id !== own?.id);
  kiosk.open(
    { display: other === -1 ? null : other + 1, server: null, fingerprint: null, printer: null },
    code,
  );
}

function openWindow(): void {
  const { icon, preload } = paths;
  const words = () => shellMessages(language());
  const opened = createWindow({ icon, preload, title: windowTitle(), addresses, retry, words, openKiosk });
  window = opened;
  recoverWindow(opened, {
    reload: show,
    giveUp: () =>
      load(statusPage({ kind: 'failed', reason: shellMessages(language()).pageEnded }, language())),
    log: note,
  });
  opened.once('closed', () => (window = undefined));
  show();
}

/** The kiosk options of the command line; invalid ones are logged, and the app opens as usual. */
function wantedKiosk(argv: readonly string[]): KioskOptions | null {
  try {
    return kioskOptionsOf(argv);
  } catch (error) {
    note((error as Error).message);
    return null;
  }
}

function bringToFront(argv: readonly string[] = []): void {
  const wanted = wantedKiosk(argv);
  if (wanted || kiosk.isOpen()) {
    // A held kiosk covers everything else that the app shows.
    kiosk.open(wanted ?? { display: null, server: null, fingerprint: null, printer: null });
    return;
  }
  if (!window) {
    openWindow();
    return;
  }
  if (window.isMinimized()) window.restore();
  window.focus();
}

function endWithSystem(): void {
  isEnding = true;
  app.quit();
}

/** The server drains first; a quit that hangs is cut off. */
const RESTART_WITHIN_MS = 15_000;

/** Errors that nothing caught: Electron would show a dialog over the kiosk. */
function handleFaults(): void {
  const rule = createFaultRule(restartsIn(process.argv));
  const take = (kind: string) => (error: unknown) => {
    const { isLogged, act } = rule();
    if (!isStarted) openLog();
    if (isLogged) note(faultLine(kind, error));
    // There is nothing to keep, and the exit code tells the system that started the app.
    if (!isStarted) app.exit(1);
    else if (act === 'restart') restart();
    else if (!window && !kiosk.isOpen() && !isEnding && !drained) openWindow();
  };
  process.on('uncaughtException', take('unexpected error'));
  process.on('unhandledRejection', take('unhandled rejection'));
  // The terminal is gone, or the disk that its output goes to is full.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
  app.on('child-process-gone', (_event, { type, name = '', reason, exitCode }) => {
    if (reason !== 'clean-exit') note(`a process is gone (${type} ${name}: ${reason}, ${exitCode})`);
  });
}

function restart(): void {
  note('repeated errors: the app is restarted');
  app.relaunch({
    args: restartArguments(process.argv.slice(1), { shown: kiosk.arguments(), nowMs: Date.now() }),
  });
  setTimeout(() => app.exit(1), RESTART_WITHIN_MS);
  endWithSystem();
}

function openLog(): void {
  if (writeLog !== null) return;
  const file = openRotatingLog({ folder: logFolder });
  writeLog = (line) => file.write(line);
  app.once('quit', () => file.close());
}

function ready(): void {
  openLog();
  note(`started, version ${app.getVersion()}`);
  if (process.platform !== 'darwin') Menu.setApplicationMenu(null);
  answerPages({ addresses, window: () => window, keyStorage: () => keyStorage, logFolder, log: note });
  watchPower({
    addresses,
    onDead() {
      note('the service does not respond after sleep and is restarted');
      supervisor.replace();
    },
    quit: endWithSystem,
    log: note,
  });
  // Not earlier: Chromium's own handlers, which quit like a menu, are set up while the app gets ready.
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, endWithSystem);
  const wanted = wantedKiosk(process.argv);
  if (wanted) kiosk.open(wanted);
  else openWindow();
  isStarted = true;
  if ((wanted?.server ?? null) === null) void startServer();
}

// Two installations on one machine, each with its own data, are two apps.
if (process.env['GATEHOUSE_DATA_DIR']) app.setPath('userData', path.join(dataFolder, 'desktop'));
// Sandboxes every page of the app, regardless of a window’s options. Chromium has no sandbox under root, and enabling
// it would override the switch that root had to pass.
if (!app.commandLine.hasSwitch('no-sandbox')) app.enableSandbox();

denyByDefault();
handleFaults();

const refused = refusedSwitch({
  isPackaged: app.isPackaged,
  hasSwitch: (name) => app.commandLine.hasSwitch(name),
  argv: process.argv,
});

if (refused !== null) {
  // Before anything is shown, and before Chromium opens what was asked for.
  process.stderr.write(`gatehouse: --${refused} is refused; start the app without it\n`);
  app.exit(1);
} else if (app.requestSingleInstanceLock()) {
  app.on('second-instance', (_event, argv) => bringToFront(argv));
  app.on('activate', () => bringToFront());
  app.on('window-all-closed', () => app.quit());
  app.on('before-quit', (event) => {
    if (drained) return;
    event.preventDefault();
    if (kiosk.isHeld() && !isEnding) return;
    void supervisor.stop().then(() => {
      drained = true;
      kiosk.shut();
      app.quit();
    });
  });
  void app.whenReady().then(ready);
} else {
  const quitFirst = isRecovery(process.argv) ? '; quit it first, then start it with --recover' : '';
  process.stderr.write(`gatehouse: already running; its window is now in front${quitFirst}\n`);
  app.quit();
}
