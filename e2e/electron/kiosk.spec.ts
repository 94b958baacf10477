/** The app as a kiosk: how the screen is held, the permissions of its page, and how staff leave. */
import { readdirSync, readFileSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from '@playwright/test';
import type { KioskWithCode } from '../../server/contract/console/kiosks.ts';
import type { KioskBridge } from '../../electron/kiosk/channels.ts';
import { kioskScreen, PIN, startButton, type VenueKiosk } from '../support/pages/kiosk.ts';
import { prerequisite } from '../support/prerequisite.ts';
import { type Desktop, openDesktop, type Running, whyNoDesktop } from './desktop.ts';
import { newKioskOf } from './own-kiosk.ts';
import { limitMs } from '../../testing/tier.ts';

const FIRST_RENDER_MS = limitMs(60_000);
const LOADING_MS = limitMs(7_500);
type WithBridge = { gatehouseKiosk: KioskBridge };

prerequisite(whyNoDesktop());

let desktop: Desktop;
let running: Running;
let venue: VenueKiosk & { code: string };
test.beforeAll(async () => {
  test.setTimeout(FIRST_RENDER_MS);
  desktop = await openDesktop();
  running = await desktop.start(['--kiosk']);
  venue = await newKioskOf(desktop, running);
});
test.afterAll(() => desktop.close());

const page = () => running.window;
const button = (name: string) => page().getByRole('button', { name, exact: true });
/** State of the app's windows. */
const windows = () =>
  running.app.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows().map((window) => ({
      isKiosk: window.isKiosk(),
      isVisible: window.isVisible(),
      hasDevTools: window.webContents.isDevToolsOpened(),
      path: new URL(window.webContents.getURL()).pathname,
    })),
  );
const HELD = [{ isKiosk: true, isVisible: true, hasDevTools: false, path: '/kiosk' }];
/** Whether the window shows the first screen. */
const isAttracting = () =>
  running.app.evaluate(async ({ BrowserWindow }) => {
    const contents = BrowserWindow.getAllWindows()[0]?.webContents;
    if (!contents || contents.isCrashed() || contents.isLoading()) return false;
    // A query to a page whose process ends meanwhile is never answered.
    const unanswered = new Promise<boolean>((resolve) => setTimeout(resolve, 2_000, false));
    const shown = contents.executeJavaScript('document.querySelector(".attract__start") !== null');
    return Promise.race([shown as Promise<boolean>, unanswered]);
  });
const leave = (proof: unknown) =>
  page().evaluate(
    (given) =>
      (globalThis as unknown as WithBridge).gatehouseKiosk
        .leave(given as null)
        .catch(() => 'thrown' as const),
    proof,
  );

const unlock = async () => {
  await button('Staff').click();
  await expect(page().getByRole('textbox')).toBeFocused();
  await page().keyboard.type(PIN);
};

test('opens full-screen on the kiosk’s page, and is paired with a code', async () => {
  await expect(kioskScreen(page(), 'pairing')).toBeVisible({ timeout: LOADING_MS });
  await page().getByLabel('Pairing code').fill(venue.code);
  await button('Pair').click();
  await expect(startButton(page())).toBeVisible();
  await expect.poll(windows).toEqual(HELD);
});

test('leaving is refused without the PIN, with a wrong one, and with invalid arguments', async () => {
  const { operatorId } = venue.operator;
  expect(await leave(null)).toBe('refused');
  expect(await leave({ operatorId, pin: '000000' })).toBe('wrong_pin');
  expect(await leave({ operatorId, pin: 'anything' })).toBe('thrown');
  expect(await windows()).toEqual(HELD);
});

test('a held screen takes no other token unless the server knows it', async () => {
  const invented = await page().evaluate(
    (token) => (globalThis as unknown as WithBridge).gatehouseKiosk.lock(token),
    `kt_${'x'.repeat(43)}`,
  );
  expect(invented).toBe(false);
  expect(await leave(null)).toBe('refused');
  expect(await windows()).toEqual(HELD);
});

test('an error that nothing caught is logged, and shows no dialog: the kiosk stays', async () => {
  await running.app.evaluate(({ dialog }) => {
    const shown: string[] = [];
    Object.assign(globalThis, { shown });
    dialog.showErrorBox = (title) => void shown.push(title);
    setTimeout(() => {
      throw new Error('thrown in a listener');
    });
    void Promise.reject(new Error('awaited by nobody'));
  });
  const log = () => readFileSync(path.join(desktop.dataDir, 'logs/gatehouse.log'), 'utf8');
  await expect.poll(log).toMatch(/unexpected error: Error: thrown in a listener/);
  await expect.poll(log).toMatch(/unhandled rejection: Error: awaited by nobody/);
  expect(await running.app.evaluate(() => (globalThis as unknown as { shown: string[] }).shown)).toEqual([]);
  await expect.poll(windows).toEqual(HELD);
});

test('a log whose folder is gone never ends the app', async () => {
  const folder = path.join(desktop.dataDir, 'logs');
  await rm(folder, { recursive: true });
  await writeFile(folder, 'in its place');
  // Refused calls are logged.
  for (let n = 0; n < 3; n += 1) expect(await leave(null)).toBe('refused');
  await rm(folder);
  await expect(async () => {
    expect(await leave(null)).toBe('refused');
    expect(readdirSync(folder)).toContain('gatehouse.log');
  }).toPass({ timeout: LOADING_MS });
  await expect.poll(windows).toEqual(HELD);
});

test('its page can use the camera and nothing else, and nothing of Node.js', async () => {
  const found = await page().evaluate(async () => {
    const ask = (wish: MediaStreamConstraints) =>
      navigator.mediaDevices.getUserMedia(wish).then(
        (stream) => {
          for (const track of stream.getTracks()) track.stop();
          return 'given';
        },
        (error: unknown) => (error as Error).name,
      );
    return {
      camera: await ask({ video: true }),
      microphone: await ask({ audio: true }),
      both: await ask({ video: true, audio: true }),
      geolocation: (await navigator.permissions.query({ name: 'geolocation' })).state,
      node: ['require', 'process', 'module', 'Buffer'].filter((name) => name in globalThis),
      bridge: Object.keys((globalThis as unknown as WithBridge).gatehouseKiosk),
    };
  });
  expect(found).toEqual({
    camera: 'given',
    microphone: 'NotAllowedError',
    both: 'NotAllowedError',
    geolocation: 'denied',
    node: [],
    bridge: ['lock', 'leave', 'release', 'print'],
  });
});

test('a kiosk that staff unpair releases the screen until it is paired again', async () => {
  /** Whether the window would refuse to be closed. */
  const isHeld = () =>
    running.app.evaluate(({ BrowserWindow }) => {
      let isRefused = false;
      BrowserWindow.getAllWindows()[0]?.emit('close', { preventDefault: () => (isRefused = true) });
      return isRefused;
    });
  await expect.poll(isHeld).toBe(true);
  await unlock();
  await button('Unpair this kiosk').click();
  await button('Touch again to unpair').click();
  await expect(kioskScreen(page(), 'pairing')).toBeVisible();
  await expect(button('Leave kiosk mode')).toBeVisible();
  await expect.poll(isHeld).toBe(false);
  const { code } = await venue.operator.ok<KioskWithCode>(`/kiosks/${venue.kioskId}/code`, { body: {} });
  await page().getByLabel('Pairing code').fill(code);
  await button('Pair').click();
  await expect(startButton(page())).toBeVisible();
  await expect.poll(isHeld).toBe(true);
});

test('no key, no call and no address leads out', async () => {
  await running.app.evaluate(({ BrowserWindow }) => {
    const [window] = BrowserWindow.getAllWindows();
    const press = (keyCode: string, modifiers: ('control' | 'alt' | 'shift' | 'meta')[] = []) => {
      for (const type of ['keyDown', 'keyUp'] as const) {
        window?.webContents.sendInputEvent({ type, keyCode, modifiers });
      }
    };
    press('W', ['control']);
    press('Q', ['control']);
    press('R', ['control']);
    press('I', ['control', 'shift']);
    press('F4', ['alt']);
    press('F11');
    press('F12');
    window?.webContents.openDevTools();
    window?.close();
    window?.minimize();
  });
  // What a system menu, or its dock, would call.
  await running.app.evaluate(({ app }) => app.quit());
  await page().evaluate(() => {
    window.open('https://example.org/');
    const link = document.createElement('a');
    link.href = '/healthz';
    link.download = 'health.json';
    link.click();
    location.href = 'https://example.org/';
  });
  // Queries the app, because Playwright waits for navigations that were refused.
  await expect.poll(isAttracting).toBe(true);
  await expect.poll(windows).toEqual(HELD);
});

test('a page whose process crashes returns as the same kiosk, still held', async () => {
  const pageProcess = () =>
    running.app.evaluate(
      ({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.webContents.getOSProcessId() ?? 0,
    );
  const pid = await pageProcess();
  process.kill(pid, 'SIGKILL');
  await expect.poll(pageProcess, { timeout: LOADING_MS }).not.toBe(pid);
  await expect.poll(isAttracting, { timeout: LOADING_MS }).toBe(true);
  expect(await windows()).toEqual(HELD);
});

test.describe('after a restart', () => {
  test.beforeAll(async () => {
    test.setTimeout(FIRST_RENDER_MS);
    // A system signal ends it, held or not; Playwright has lost the page whose process crashed.
    running.app.process().kill('SIGTERM');
    expect(await running.ended).toBe(0);
    running = await desktop.start(['--kiosk']);
  });

  test('it is the same kiosk', async () => {
    await expect(startButton(page())).toBeVisible({ timeout: LOADING_MS });
  });

  test('while nobody has a PIN, everybody is offered to leave', async () => {
    const { operator } = venue;
    await operator.ok('/me/pin', { method: 'DELETE' });
    await button('Staff').click();
    await expect(page().getByText('No one has set a PIN yet.')).toBeVisible();
    await expect(button('Leave kiosk mode')).toBeVisible();
    await button('Back').click();
    await operator.ok('/me/pin', { method: 'PUT', body: { passphrase: operator.passphrase, pin: PIN } });
  });

  test('staff leave with their PIN, and the console opens', async () => {
    await unlock();
    const opened = running.app.waitForEvent('window');
    await button('Leave kiosk mode').click();
    const next = await opened;
    await next.waitForURL(/^http:\/\/127\.0\.0\.1:/, { timeout: LOADING_MS });
    const { consoleUrl } = await running.addresses();
    expect(new URL(next.url()).origin).toBe(new URL(consoleUrl).origin);
    await expect.poll(async () => (await windows()).map(({ isKiosk }) => isKiosk)).toEqual([false]);
  });
});
