/** The desktop shell from its user's view: the first start, restrictions of its pages, crash recovery, shutdown. */
import { execFileSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@playwright/test';
import type { DesktopBridge } from '../../electron/channels.ts';
import { prerequisite } from '../support/prerequisite.ts';
import { type Desktop, openDesktop, type Running, whyNoDesktop } from './desktop.ts';
import { ADMIN, firstRun, signIn } from './first-run.ts';
import { CLI } from '../support/service/command-line.ts';

type WithBridge = { gatehouseDesktop: DesktopBridge };

prerequisite(whyNoDesktop());

// One app for all tests: most of a start is the service's own, which other tests cover.
let desktop: Desktop;
let running: Running;
test.beforeAll(async () => {
  desktop = await openDesktop();
  running = await desktop.start();
});
test.afterAll(() => desktop.close());

const logText = (): string => readFileSync(path.join(desktop.dataDir, 'logs/gatehouse.log'), 'utf8');

test('the first start creates an admin in the app’s own window, and the console can be used', async () => {
  await running.consoleShown();
  const { window } = running;
  await firstRun(window);
  await window.getByRole('link', { name: 'Operators' }).click();
  await expect(window.getByRole('heading', { level: 1, name: 'Operators' })).toBeVisible();
  await expect(window.getByRole('cell', { name: ADMIN.name })).toBeVisible();
  expect(desktop.serverPids()).toHaveLength(1);
});

test('keeps the database’s key for its owner alone, and leaves the warning to the health in Settings', async () => {
  await running.consoleShown();
  const status = await running.window.evaluate(() =>
    (globalThis as unknown as WithBridge).gatehouseDesktop.status(),
  );
  expect(status).toMatchObject({ keyStorage: 'file' });
  const title = await running.app.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows()[0]?.getTitle(),
  );
  expect(title).toBe('Gatehouse');
  expect(statSync(path.join(desktop.dataDir, 'gatehouse.key')).mode & 0o777).toBe(0o600);
});

test('keeps a log that only its owner can read', () => {
  expect(logText()).toContain('desktop: started');
  expect(statSync(path.join(desktop.dataDir, 'logs/gatehouse.log')).mode & 0o777).toBe(0o600);
});

test('navigates nowhere else: foreign addresses, new windows and files are refused', async () => {
  const { window, app } = running;
  const { origin } = await running.consoleShown();
  for (const address of ['https://example.org/', 'file:///etc/passwd', 'data:text/html,hello']) {
    await window
      .evaluate((target) => {
        location.href = target;
      }, address)
      .catch(() => undefined);
    const opened = await window.evaluate((target) => globalThis.open(target) !== null, address);
    expect([address, opened]).toEqual([address, false]);
  }
  expect(new URL(window.url()).origin).toBe(origin);
  expect(app.windows()).toHaveLength(1);
});

test('a hosted page opens in the system’s browser and never in the shell', async () => {
  const { window, app } = running;
  await app.evaluate(({ shell }) => {
    const asked: string[] = [];
    Object.assign(globalThis, { asked });
    shell.openExternal = async (url) => void asked.push(url);
  });
  const { origin } = await running.consoleShown();
  const hosted = `${(await running.addresses()).connectUrl}/verification?vys=vs_1`;
  await window.evaluate((target) => globalThis.open(target), hosted);
  const asked = () => app.evaluate(() => (globalThis as unknown as { asked: string[] }).asked);
  await expect.poll(asked).toEqual([hosted]);
  expect(new URL(window.url()).origin).toBe(origin);
});

test('pages can use nothing of the machine, not even an existing camera, and nothing of Node.js', async () => {
  await running.consoleShown();
  const found = await running.window.evaluate(async () => {
    const ask = (wish: MediaStreamConstraints) =>
      navigator.mediaDevices.getUserMedia(wish).then(
        () => 'given',
        (error: unknown) => (error as Error).name,
      );
    const devices = await navigator.mediaDevices.enumerateDevices();
    return {
      cameras: devices.filter(({ kind }) => kind === 'videoinput').length,
      camera: await ask({ video: true }),
      microphone: await ask({ audio: true }),
      geolocation: (await navigator.permissions.query({ name: 'geolocation' })).state,
      notifications: await Notification.requestPermission(),
      node: ['require', 'process', 'module', 'Buffer'].filter((name) => name in globalThis),
    };
  });
  expect(found).toEqual({
    cameras: 1,
    camera: 'NotAllowedError',
    microphone: 'NotAllowedError',
    geolocation: 'denied',
    notifications: 'denied',
    node: [],
  });
});

test('additional windows have nothing: no permission, no window, no shell', async () => {
  const { origin } = await running.consoleShown();
  const found = await running.app.evaluate(async ({ BrowserWindow }, url) => {
    const other = new BrowserWindow({ show: false, webPreferences: { partition: 'other' } });
    try {
      await other.loadURL(url);
      return (await other.webContents.executeJavaScript(`(async () => ({
        camera: await navigator.mediaDevices.getUserMedia({ video: true }).then(() => 'given', (error) => error.name),
        copy: (await navigator.permissions.query({ name: 'clipboard-write' })).state,
        opened: window.open(location.href) !== null,
        bridge: 'gatehouseDesktop' in window,
      }))()`)) as unknown;
    } finally {
      other.destroy();
    }
  }, origin);
  expect(found).toEqual({ camera: 'NotAllowedError', copy: 'denied', opened: false, bridge: false });
});

test('a call with wrong arguments for its channel is refused, and logged', async () => {
  await running.consoleShown();
  const answer = await running.window.evaluate(() =>
    (globalThis as unknown as WithBridge).gatehouseDesktop.chooseFolder('anything' as 'backups').then(
      () => 'answered',
      (error: unknown) => (error as Error).message,
    ),
  );
  expect(answer).toContain('refused');
  expect(logText()).toContain('call of gatehouse:choose-folder refused');
});

test('a second start brings the first window to the front and ends', async () => {
  await running.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.minimize());
  const isShown = () =>
    running.app.evaluate(({ BrowserWindow }) => {
      const [window] = BrowserWindow.getAllWindows();
      return { isMinimized: window?.isMinimized(), isFocused: window?.isFocused() };
    });
  await expect.poll(isShown).toMatchObject({ isMinimized: true });
  expect(await desktop.startBeside()).toBe(0);
  await expect.poll(isShown).toEqual({ isMinimized: false, isFocused: true });
  expect(desktop.serverPids()).toHaveLength(1);
  expect(running.app.windows()).toHaveLength(1);
});

test('after sleep and waking, a service that answers is not restarted', async () => {
  const before = desktop.serverPids();
  await running.app.evaluate(({ powerMonitor }) => {
    powerMonitor.emit('suspend');
    powerMonitor.emit('resume');
  });
  await expect.poll(logText).toContain('the service responds after sleep');
  expect(desktop.serverPids()).toEqual(before);
});

test('a killed server is restarted, and the window returns', async () => {
  const [pid = 0] = desktop.serverPids();
  // A page in the address itself, which a quick restart replaces within a second.
  const told = running.window.waitForURL(/^data:.*(Restarting|Starting)%20Gatehouse/, {
    waitUntil: 'commit',
  });
  process.kill(pid, 'SIGKILL');
  await told;
  await running.consoleShown();
  const [next = 0] = desktop.serverPids();
  expect(next).not.toBe(pid);
});

test('a page whose process is killed is reloaded', async () => {
  const { origin } = await running.consoleShown();
  const contents = () =>
    running.app.evaluate(({ BrowserWindow }) => {
      const found = BrowserWindow.getAllWindows()[0]?.webContents;
      return {
        isDead: found?.isCrashed(),
        isLoading: found?.isLoading(),
        origin: new URL(found?.getURL() ?? 'none:').origin,
        pid: found?.getOSProcessId(),
      };
    });
  const { pid = 0 } = await contents();
  process.kill(pid, 'SIGKILL');
  await expect
    .poll(async () => {
      const found = await contents();
      return { ...found, pid: found.pid === pid };
    })
    .toEqual({ isDead: false, isLoading: false, origin, pid: false });
});

test('a killed app starts again on its data: its operator signs in as before', async () => {
  running.app.process().kill('SIGKILL');
  await running.ended;
  running = await desktop.start();
  await running.consoleShown();
  await signIn(running.window);
  await expect(running.window.getByRole('link', { name: 'Operators' })).toBeVisible();
});

test('the app restarts the server on a restored backup', async () => {
  const { window } = running;
  const cli = (...words: string[]): unknown => {
    const args = [CLI, ...words, '--data-dir', desktop.dataDir, '--json'];
    return JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' }));
  };
  const button = (name: string) => window.getByRole('button', { name, exact: true });
  await window.goto(new URL('/settings?section=backups', window.url()).href);
  await button('Create recovery phrase').click();
  const dialog = window.getByRole('dialog');
  await expect(dialog.getByRole('listitem')).toHaveCount(24);
  const words = await dialog.getByRole('listitem').allInnerTexts();
  await dialog.getByLabel('I have written them down').check();
  await dialog.getByRole('button', { name: 'Done' }).click();
  await button('Back up now').click();
  await expect(window.getByRole('list', { name: 'Backups' }).getByText(/^by-hand-/)).toBeVisible();
  cli('company', 'create', '--name', 'Made later');

  // The server of the killed app may still be ending its threads.
  await expect.poll(() => desktop.serverPids()).toHaveLength(1);
  const [before = 0] = desktop.serverPids();
  await window.getByRole('textbox', { name: 'Recovery phrase' }).fill(words.join(' '));
  await button('Restore…').click();
  await dialog.getByRole('button', { name: 'Restore', exact: true }).click();
  await expect.poll(() => desktop.serverPids().filter((pid) => pid !== before)).toHaveLength(1);
  await running.consoleShown();
  await signIn(window);
  await expect(window.getByRole('link', { name: 'Settings' })).toBeVisible();
  expect(JSON.stringify(cli('company', 'list'))).not.toContain('Made later');
});

test('quits cleanly: the server drains, and the database is intact', async () => {
  await running.consoleShown();
  await running.app.evaluate(({ app }) => app.quit()).catch(() => undefined);
  expect(await running.ended).toBe(0);
  expect(desktop.serverPids()).toEqual([]);
  const args = [CLI, 'audit', 'verify', '--data-dir', desktop.dataDir, '--json'];
  expect(JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' }))).toMatchObject({
    intact: true,
  });
});
