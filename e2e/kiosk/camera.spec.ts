/** The kiosk's camera: chosen, silent, mounted wrongly; and the codes that it reads. */
import { expect, type Page } from '@playwright/test';
import {
  installScriptedCamera,
  type ScriptedCameraOptions,
} from '../../testing/camera/browser/browser-camera.ts';
import { type HeldCode, showCodes } from '../../testing/camera/browser/code-camera.ts';
import type { Clips } from '../../testing/camera/clips.ts';
import { button, openedCameras } from '../support/pages/elements.ts';
import { testOnOwnHost } from '../support/pages/hosted-page.ts';
import {
  actAsDevice,
  kioskScreen,
  newKiosk,
  pairDevice,
  PIN,
  startButton,
  TABLET,
  touchToConsent,
  type VenueKiosk,
} from '../support/pages/kiosk.ts';
import { initialize } from '../support/run.ts';
import type { Gatehouse } from '../support/service/server.ts';
import { withOwnCompany } from '../support/service/shared-server.ts';
import { limitMs } from '../../testing/tier.ts';

const CAPTURE_MS = limitMs(15_000);
/** A camera without a picture is waited for so long. */
const SILENT_MS = 20_000;

const test = testOnOwnHost(() => gatehouse.baseUrl);
test.use(TABLET);
test.describe.configure({ timeout: limitMs(45_000) });

const BACK = { deviceId: 'back', label: 'camera2 0, facing back', facingMode: 'environment' } as const;
const FRONT = { deviceId: 'front', label: 'camera2 1, facing front', facingMode: 'user' } as const;
const CAMERA_KEY = 'gatehouse.kiosk.camera';

let gatehouse: Gatehouse;
let clips: Clips;
let venue: VenueKiosk & { code: string };
let token: string;
test.beforeAll(async ({ gatehouse: shared, clips: rendered }) => {
  gatehouse = await withOwnCompany(shared);
  clips = rendered;
  venue = await newKiosk(gatehouse, {});
  token = await pairDevice(gatehouse, venue.code);
});

async function openKiosk(page: Page, camera: ScriptedCameraOptions, chosen?: string): Promise<void> {
  await installScriptedCamera(page, clips, camera);
  await actAsDevice(page, token);
  if (chosen !== undefined)
    await page.addInitScript(([key, id]) => localStorage.setItem(key, id), [CAMERA_KEY, chosen] as const);
  await page.goto(`${gatehouse.baseUrl}/kiosk`);
}

async function testCamera(page: Page): Promise<void> {
  await button(page, 'Staff').click();
  for (const digit of PIN) await button(page, digit).click();
  await button(page, 'Test the camera').click();
}

test('staff’s camera test marks and keeps the camera whose picture is shown', async ({ page }) => {
  await openKiosk(page, { devices: [BACK, FRONT] });
  await testCamera(page);
  await expect(button(page, FRONT.label)).toHaveAttribute('aria-pressed', 'true');
  await expect(button(page, BACK.label)).toHaveAttribute('aria-pressed', 'false');
  await expect(page.locator('[data-verdict="good"]')).toBeVisible({ timeout: CAPTURE_MS });
  await button(page, 'Use this camera').click();
  expect(await page.evaluate((key) => localStorage.getItem(key), CAMERA_KEY)).toBe('front');
});

test('a camera that was chosen and is gone gives way to one that works', async ({ page }) => {
  await openKiosk(page, { devices: [FRONT] }, 'gone');
  await touchToConsent(page, 'en');
  expect((await openedCameras(page)).at(-1)).toBe('front');
});

test('a guest can switch away from the back camera that staff chose', async ({ page }) => {
  await openKiosk(page, { devices: [BACK, FRONT] }, 'back');
  await touchToConsent(page, 'en');
  await page.locator('.button--main').click();
  await button(page, 'Switch camera').click({ timeout: CAPTURE_MS });
  await expect.poll(async () => (await openedCameras(page)).at(-1)).toBe('front');
});

for (const silent of ['promise', 'frames'] as const) {
  test(`a camera that is silent (${silent}) closes the start screen, which the door sees, until it has a picture`, async ({
    page,
  }) => {
    const heartbeats: unknown[] = [];
    page.on('request', (request) => {
      if (request.url().endsWith('/kiosk/heartbeat')) heartbeats.push(request.postDataJSON());
    });
    await openKiosk(page, { silent });
    await expect(page.locator('[data-trouble="camera_silent"]')).toBeVisible({ timeout: SILENT_MS });
    await expect.poll(() => heartbeats.at(-1)).toMatchObject({ camera: 'silent', screen: 'trouble' });
    await page.evaluate(() => window.__camera?.wake());
    await expect(startButton(page)).toBeVisible({ timeout: 2 * SILENT_MS });
  });
}

test('the scan screen says that the camera has no picture', async ({ page }) => {
  await openKiosk(page, {});
  await expect(startButton(page)).toBeVisible();
  await page.evaluate(() => {
    navigator.mediaDevices.getUserMedia = () => new Promise(() => undefined);
  });
  await button(page, 'I have a QR code').click();
  await expect(page.locator('[data-sight="slow"]')).toBeVisible({ timeout: SILENT_MS });
  await expect(page.locator('[data-trouble="camera_silent"]')).toBeVisible({ timeout: SILENT_MS });
});

test('the scan screen says that the camera is covered', async ({ page }) => {
  await openKiosk(page, {});
  await button(page, 'I have a QR code').click();
  await page.evaluate(() => window.__camera?.cover(true));
  await expect(page.locator('[data-sight="covered"]')).toBeVisible();
  await page.evaluate(() => window.__camera?.cover(false));
  await expect(page.locator('[data-sight="seen"]')).toBeVisible();
});

test('a scanner whose file does not load says so, and is tried again', async ({ page }) => {
  await page.route('**/scanner-*.js', (route) => route.abort());
  await openKiosk(page, {});
  await button(page, 'I have a QR code').click();
  await expect(page.locator('[data-trouble="not_loaded"]')).toBeVisible();
  await page.unroute('**/scanner-*.js');
  await expect(page.locator('[data-trouble]')).toHaveCount(0, { timeout: CAPTURE_MS });
});

async function scanCodes(page: Page, codes: readonly HeldCode[]): Promise<void> {
  await showCodes(page, codes);
  await actAsDevice(page, token);
  await page.goto(`${gatehouse.baseUrl}/kiosk`);
  await button(page, 'I have a QR code').click();
}

test('foreign codes in view are passed over, with one remark, until the guest’s own appears', async ({
  page,
}) => {
  const { url } = await initialize(gatehouse, gatehouse.company.keys.sk_live);
  const asked: unknown[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/kiosk/scan')) asked.push(request.postDataJSON());
  });
  const poster = { text: 'https://bar.example/menu', left: 10, top: 10, side: 200 };
  await scanCodes(page, [poster, { text: 'WIFI:S:bar;;', left: 10, top: 250, side: 200 }]);
  await expect(page.locator('[data-remark="notOurs"]')).toBeVisible();
  await page.waitForTimeout(2_000);
  expect(asked).toEqual([{ text: poster.text }]);
  await page.evaluate((text) => window.__codes?.add({ text, left: 260, top: 60, side: 360 }), url);
  await expect(kioskScreen(page, 'consent')).toBeVisible({ timeout: CAPTURE_MS });
  await venue.command('reset');
});

test('a mirrored code is read', async ({ page }) => {
  const { url } = await initialize(gatehouse, gatehouse.company.keys.sk_live);
  await scanCodes(page, [{ text: url, left: 170, top: 90, side: 300, mirrored: true }]);
  await expect(kioskScreen(page, 'consent')).toBeVisible({ timeout: CAPTURE_MS });
  await venue.command('reset');
});

test('a browser kiosk keeps its screen on, also after the page was hidden', async ({ page }) => {
  await page.addInitScript(() => {
    const asked: string[] = [];
    const request = async (kind: string) => {
      asked.push(kind);
      return { release: async () => undefined };
    };
    Object.defineProperty(navigator, 'wakeLock', { value: { request } });
    Object.assign(window, { asked });
  });
  await openKiosk(page, {});
  await expect(startButton(page)).toBeVisible();
  expect(await page.evaluate('asked')).toEqual(['screen']);
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
  expect(await page.evaluate('asked')).toEqual(['screen', 'screen']);
});

test('a network that wants a sign-in is named, and the kiosk continues after it', async ({ page }) => {
  await openKiosk(page, {});
  await expect(startButton(page)).toBeVisible();
  await page.route('**/kiosk/{heartbeat,events}', (route) =>
    route.fulfill({ contentType: 'text/html', body: '<h1>Hotel Wi-Fi</h1>' }),
  );
  await expect(page.locator('[data-trouble="portal"]')).toBeVisible({ timeout: CAPTURE_MS });
  await page.unroute('**/kiosk/{heartbeat,events}');
  await expect(startButton(page)).toBeVisible({ timeout: CAPTURE_MS });
});
