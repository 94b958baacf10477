/** A phone during its owner's check: it is turned, called, put away, slow, and on a poor network. */
import { expect, type Page } from '@playwright/test';
import {
  autoFollow,
  installScriptedCamera,
  installUnroutedCamera,
  type ScriptedCameraOptions,
} from '../../testing/camera/browser/browser-camera.ts';
import type { Clips } from '../../testing/camera/clips.ts';
import { CHECK, NIGHTLY, limitMs } from '../../testing/tier.ts';
import { coaching, openedCameras } from '../support/pages/elements.ts';
import { agree, screen, VENUE, watchForeignRequests } from '../support/pages/hosted-page.ts';
import { initialize } from '../support/run.ts';
import type { Gatehouse } from '../support/service/server.ts';
import { PHONE, test } from '../support/service/shared-server.ts';
import { newCompany } from '../support/venue.ts';

test.use({ ...PHONE });

const CAPTURE_MS = limitMs(22_500);
const SLOW_MS = limitMs(100_000);
/** A busy 3G cell: a round trip of 300 ms, 400 kbit/s each way. */
const POOR_NETWORK = {
  offline: false,
  latency: 300,
  downloadThroughput: 400_000 / 8,
  uploadThroughput: 400_000 / 8,
};
const SLOWDOWN = 6;
/** Interval between analysed frames on a slow phone. */
const LOOK_MS = 200;

let gatehouse: Gatehouse;
let clips: Clips;
test.beforeAll(({ gatehouse: server, clips: rendered }) => {
  gatehouse = server;
  clips = rendered;
});

/** A live link of a separate company, opened with the camera running. */
async function openLink(page: Page, camera: ScriptedCameraOptions = {}): Promise<void> {
  const { keys } = await newCompany(gatehouse, 'Venue');
  const { url } = await initialize(gatehouse, keys.sk_live, { redirect_url: `${VENUE}/back` });
  await watchForeignRequests(page, gatehouse.baseUrl);
  await installScriptedCamera(page, clips, camera);
  await page.goto(url);
}
async function openCamera(page: Page, camera: ScriptedCameraOptions = {}): Promise<void> {
  await openLink(page, camera);
  await agree(page);
}

const paused = (page: Page) => page.locator('[data-trouble="paused"]');
const asksForStep = (page: Page) => page.locator('.capture__instruction[data-step]');
const passed = (page: Page) => expect(screen(page, 'result')).toBeVisible({ timeout: CAPTURE_MS });
const camera = (page: Page, act: 'rotate' | 'mute' | 'unmute') =>
  page.evaluate((what) => {
    if (what === 'rotate') window.__camera?.rotate();
    else window.__camera?.mute(what === 'mute');
  }, act);
const running = (page: Page) =>
  page.evaluate(() => {
    const { srcObject } = document.querySelector('video') ?? {};
    return srcObject instanceof MediaStream && srcObject.active;
  });

test(
  'a phone turned during the check starts the capture again, and does not count as another camera',
  { tag: CHECK },
  async ({ page }) => {
    test.setTimeout(2 * CAPTURE_MS);
    const sent: string[] = [];
    page.on('websocket', (socket) =>
      socket.on('framesent', ({ payload }) => {
        if (typeof payload === 'string') sent.push(payload);
      }),
    );
    await autoFollow(page);
    await openCamera(page);
    await expect(asksForStep(page)).toBeVisible({ timeout: CAPTURE_MS });
    await camera(page, 'rotate');
    await expect(page.getByText('You turned your phone. Let’s start again.')).toBeVisible();
    await expect
      .poll(() => sent.map((text) => (JSON.parse(text) as { type: string }).type), { timeout: CAPTURE_MS })
      .toEqual(['hello', 'leave', 'hello']);
    await expect(asksForStep(page)).toBeVisible({ timeout: CAPTURE_MS });
    expect(sent.join()).not.toContain('"changed":true');
  },
);

test(
  'a call that takes the camera pauses the check, which continues afterwards',
  { tag: [CHECK, NIGHTLY] },
  async ({ page }) => {
    test.setTimeout(2 * CAPTURE_MS);
    await openCamera(page);
    await expect(coaching(page)).toBeVisible({ timeout: CAPTURE_MS });
    await camera(page, 'mute');
    await expect(paused(page)).toBeVisible();
    await camera(page, 'unmute');
    await autoFollowNow(page);
    await page.getByRole('button', { name: 'Continue' }).click();
    await passed(page);
  },
);

test('a page that is put away releases the camera, even if only pagehide fires', async ({ page }) => {
  await openCamera(page);
  await expect(coaching(page)).toBeVisible({ timeout: CAPTURE_MS });
  await page.evaluate(() => dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true })));
  await expect(paused(page)).toBeVisible();
  expect(await running(page)).toBe(false);
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(coaching(page)).toBeVisible({ timeout: CAPTURE_MS });
});

test('a page restored from the back-forward cache queries the state of the run', async ({
  page,
  context,
}) => {
  await openLink(page);
  await expect(screen(page, 'consent')).toBeVisible();
  // Meanwhile the person gives consent in another tab of the same browser.
  const tab = await context.newPage();
  await tab.goto(page.url());
  await agree(tab);
  await expect(screen(tab, 'capture')).toBeVisible();
  await tab.close();
  await page.evaluate(() => dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })));
  await expect(screen(page, 'capture')).toBeVisible();
});

test('a browser that blocks autoplay asks for a tap', { tag: [CHECK, NIGHTLY] }, async ({ page }) => {
  await page.addInitScript(() => {
    const play: () => Promise<void> = Reflect.get(HTMLMediaElement.prototype, 'play');
    let isRefused = false;
    HTMLMediaElement.prototype.play = async function (this: HTMLMediaElement) {
      if (isRefused) return Reflect.apply(play, this, []);
      isRefused = true;
      this.autoplay = false;
      this.pause();
      throw new DOMException('low power mode', 'NotAllowedError');
    };
  });
  await openCamera(page);
  await page.getByRole('button', { name: 'Start the camera' }).click({ timeout: CAPTURE_MS });
  await expect(coaching(page)).toBeVisible({ timeout: CAPTURE_MS });
});

test(
  'a phone that gives its back camera first is switched to the front one',
  { tag: [CHECK, NIGHTLY] },
  async ({ page }) => {
    await openCamera(page, {
      devices: [
        { deviceId: 'b0', label: 'camera2 0, facing back', facingMode: 'environment' },
        { deviceId: 'b2', label: 'camera2 2, facing back', facingMode: 'environment' },
        { deviceId: 'f1', label: 'camera2 1, facing front', facingMode: 'user' },
      ],
    });
    await expect(coaching(page)).toBeVisible({ timeout: CAPTURE_MS });
    expect((await openedCameras(page)).at(-1)).toBe('f1');
    await expect(page.getByRole('button', { name: 'Switch camera' })).toHaveCount(0);
  },
);

test(
  'if several cameras do not report which way they face, the person chooses',
  { tag: [CHECK, NIGHTLY] },
  async ({ page }) => {
    await openCamera(page, {
      devices: [
        { deviceId: 'one', label: 'Camera 1' },
        { deviceId: 'two', label: 'Camera 2' },
      ],
    });
    await expect(coaching(page)).toBeVisible({ timeout: CAPTURE_MS });
    await page.getByRole('button', { name: 'Switch camera' }).click();
    await expect(coaching(page)).toBeVisible({ timeout: CAPTURE_MS });
    await expect.poll(async () => (await openedCameras(page)).at(-1)).toBe('two');
  },
);

test(
  'the screen stays on while the camera runs, and no longer',
  { tag: [CHECK, NIGHTLY] },
  async ({ page }) => {
    await page.addInitScript(() => {
      const held: boolean[] = [];
      Object.defineProperty(window, '__held', { value: held });
      navigator.wakeLock.request = async () => {
        const index = held.push(true) - 1;
        const release = async () => void (held[index] = false);
        return Object.assign(new EventTarget(), { release }) as WakeLockSentinel;
      };
    });
    const held = () => page.evaluate(() => (window as unknown as { __held: boolean[] }).__held);
    await openCamera(page);
    await expect(coaching(page)).toBeVisible({ timeout: CAPTURE_MS });
    await expect.poll(async () => (await held()).includes(true)).toBe(true);
    await page.getByRole('button', { name: 'Stop' }).click();
    await expect.poll(async () => (await held()).includes(true)).toBe(false);
  },
);

test('a phone that manages five frames a second passes', { tag: [CHECK, NIGHTLY] }, async ({ page }) => {
  test.setTimeout(SLOW_MS);
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWDOWN });
  await page.addInitScript((lookMs) => {
    const postMessage = Reflect.get(Worker.prototype, 'postMessage') as () => void;
    // The worker runs at full speed under a slowed page.
    Worker.prototype.postMessage = function (this: Worker, message: unknown, transfer?: unknown) {
      const send = () => void Reflect.apply(postMessage, this, [message, transfer]);
      if ((message as { type?: string }).type === 'look') setTimeout(send, lookMs);
      else send();
    };
  }, LOOK_MS);
  await autoFollow(page);
  const startedAtMs = Date.now();
  await openCamera(page);
  await expect(screen(page, 'result')).toBeVisible({ timeout: SLOW_MS });
  test.info().annotations.push({ type: 'link to result', description: `${Date.now() - startedAtMs} ms` });
});

test(
  'a poor network shows the loading progress, and reaches the verdict',
  { tag: [CHECK, NIGHTLY] },
  async ({ page }) => {
    test.setTimeout(SLOW_MS);
    const session = await page.context().newCDPSession(page);
    await session.send('Network.enable');
    await session.send('Network.emulateNetworkConditions', POOR_NETWORK);
    await autoFollow(page);
    const { url } = await initialize(gatehouse, gatehouse.company.keys.sk_live);
    await installUnroutedCamera(page, clips);
    const startedAtMs = Date.now();
    await page.goto(url, { waitUntil: 'commit' });
    await expect(screen(page, 'consent')).toBeVisible({ timeout: CAPTURE_MS });
    await agree(page);
    const bar = page.getByRole('progressbar');
    await expect(bar).toBeVisible({ timeout: CAPTURE_MS });
    const loaded = () => bar.evaluate((element) => (element as HTMLProgressElement).value);
    const early = await loaded();
    await expect.poll(loaded, { timeout: CAPTURE_MS }).toBeGreaterThan(early + 10);
    await expect(screen(page, 'result')).toBeVisible({ timeout: SLOW_MS });
    test.info().annotations.push({ type: 'link to result', description: `${Date.now() - startedAtMs} ms` });
  },
);

test('a browser that blocks storage passes, using memory', { tag: [CHECK, NIGHTLY] }, async ({ page }) => {
  test.setTimeout(2 * CAPTURE_MS);
  await page.addInitScript(() => {
    for (const name of ['localStorage', 'sessionStorage', 'indexedDB']) {
      Object.defineProperty(window, name, {
        get: () => {
          throw new DOMException('blocked', 'SecurityError');
        },
      });
    }
  });
  await autoFollow(page);
  await openCamera(page);
  await passed(page);
});

/** Like `autoFollow`, in a page that is already open. */
async function autoFollowNow(page: Page): Promise<void> {
  await page.evaluate(() => {
    let last = '';
    setInterval(() => {
      const step = document.querySelector<HTMLElement>('[data-step]')?.dataset['step'] ?? '';
      if (step !== last && step !== '') setTimeout(() => void window.__camera?.play(step), 350);
      last = step;
    }, 50);
  });
}
