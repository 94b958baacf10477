/** The desktop app: one window on the console of a server that it starts, keeps alive and drains. */
import path from 'node:path';
import { app, type BrowserWindow, Menu } from 'electron';
import { launchServer } from './launch.ts';
import { placesOf } from './places.ts';
import { chooseRuntime } from './runtime.ts';
import type { ServerAddresses } from './ready-line.ts';
import { statusPage } from './status-page.ts';
import { createSupervisor, type ServerState } from './supervisor.ts';
import { createWindow } from './window.ts';

const places = placesOf({
  isPackaged: app.isPackaged,
  appPath: app.getAppPath(),
  resourcesPath: process.resourcesPath,
});

let window: BrowserWindow | undefined;
let state: ServerState = { kind: 'starting' };
let drained = false;

const addresses = (): ServerAddresses | null => (state.kind === 'ready' ? state.addresses : null);

const supervisor = createSupervisor({
  launch: () =>
    launchServer({
      // A package brings an Electron that is new enough; another Node is for checkouts.
      runtime: chooseRuntime(
        process.versions,
        app.isPackaged ? undefined : process.env['GATEHOUSE_SERVER_NODE'],
      ),
      entry: places.serverEntry,
      env: { ...process.env, ...places.serverEnv },
    }),
  changed(next) {
    state = next;
    if (state.kind === 'ready') announce(state.addresses);
    show();
  },
});

/** The same line as the server's own, for whoever started the app from a terminal. */
function announce({ baseUrl, connectUrl, consoleUrl }: ServerAddresses): void {
  const line = { event: 'ready', base_url: baseUrl, connect_url: connectUrl, console_url: consoleUrl };
  process.stdout.write(`${JSON.stringify(line)}\n`);
}

function show(): void {
  const url = state.kind === 'ready' ? state.addresses.consoleUrl : statusPage(state);
  // A page that is overtaken by the next one is no failure.
  window?.loadURL(url).catch(() => undefined);
}

function openWindow(): void {
  window = createWindow({ icon: places.icon, addresses, retry: () => supervisor.start() });
  window.once('closed', () => (window = undefined));
  show();
}

function bringToFront(): void {
  if (!window) {
    openWindow();
    return;
  }
  if (window.isMinimized()) window.restore();
  window.focus();
}

// Two installations on one machine, each with its own data, are two apps.
const dataDir = process.env['GATEHOUSE_DATA_DIR'];
if (dataDir) app.setPath('userData', path.join(dataDir, 'desktop'));

if (app.requestSingleInstanceLock()) {
  app.on('second-instance', bringToFront);
  app.on('activate', bringToFront);
  app.on('window-all-closed', () => app.quit());
  app.on('before-quit', (event) => {
    if (drained) return;
    event.preventDefault();
    void supervisor.stop().then(() => {
      drained = true;
      app.quit();
    });
  });
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => app.quit());
  void app.whenReady().then(() => {
    if (process.platform !== 'darwin') Menu.setApplicationMenu(null);
    openWindow();
    supervisor.start();
  });
} else {
  process.stderr.write('gatehouse: It is running already; its window has been brought to the front.\n');
  app.quit();
}
