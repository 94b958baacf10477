/** Cameras that are forbidden, silent, mirrored or turned: the person is told which, and what to do. */
import { expect, type Page } from '@playwright/test';
import {
  installScriptedCamera,
  type ScriptedCameraOptions,
} from '../../testing/camera/browser/browser-camera.ts';
import type { Clips } from '../../testing/camera/clips.ts';
import { agree, returned, screen, VENUE, watchForeignRequests } from '../support/pages/hosted-page.ts';
import { initialize } from '../support/run.ts';
import type { Gatehouse } from '../support/service/server.ts';
import { PHONE, test } from '../support/service/shared-server.ts';
import { serveSite } from '../support/site.ts';
import { newCompany } from '../support/venue.ts';
import { CHECK, limitMs } from '../../testing/tier.ts';

test.use({ ...PHONE });

const CAPTURE_MS = limitMs(22_500);

let gatehouse: Gatehouse;
let clips: Clips;
test.beforeAll(({ gatehouse: server, clips: rendered }) => {
  gatehouse = server;
  clips = rendered;
});

async function newLink(target: object = { redirect_url: `${VENUE}/back` }): Promise<string> {
  const { keys } = await newCompany(gatehouse, 'Venue');
  return (await initialize(gatehouse, keys.sk_live, target)).url;
}
async function openCamera(page: Page, camera: ScriptedCameraOptions): Promise<void> {
  await watchForeignRequests(page, gatehouse.baseUrl);
  await installScriptedCamera(page, clips, camera);
  await page.goto(await newLink());
  await agree(page);
}

const instruction = (page: Page) => page.locator('.capture__instruction');
const help = (page: Page) => page.locator('.capture__help');

test('a page around the check that forbids the camera is not the person’s refusal, and the check continues in a tab of its own', async ({
  page,
  context,
}) => {
  const shop = await serveSite({ '/': '<!doctype html><title>Shop</title><body>' });
  const url = await newLink({ origin: shop.origin });
  await page.goto(shop.origin);
  await page.evaluate((link) => {
    const address = new URL(link);
    address.searchParams.set('vy_embed', '1');
    address.searchParams.set('vy_origin', location.origin);
    const frame = document.createElement('iframe');
    frame.style.cssText = 'width:100%;height:720px';
    frame.src = address.href;
    document.body.append(frame);
  }, url);
  const frame = page.frameLocator('iframe');
  await frame.getByRole('button', { name: 'Agree and start' }).click();
  await expect(frame.locator('[data-trouble="framed"]')).toBeVisible({ timeout: CAPTURE_MS });
  const tab = context.waitForEvent('page');
  await frame.getByRole('link', { name: 'Open the check' }).click();
  await expect(screen(await tab, 'capture')).toBeVisible();
  await shop.stop();
});

test('a site whose own policy forbids the camera says so', async ({ page }) => {
  await page.route('**/verification?*', async (route) => {
    const reply = await route.fetch();
    await route.fulfill({
      response: reply,
      headers: { ...reply.headers(), 'permissions-policy': 'camera=()' },
    });
  });
  await page.goto(await newLink());
  await agree(page);
  await expect(page.locator('[data-trouble="forbidden"]')).toBeVisible({ timeout: CAPTURE_MS });
});

for (const silent of ['promise', 'frames'] as const) {
  const name = silent === 'promise' ? 'a camera that never opens' : 'a camera without frames';
  test(`${name} says more after 5 s, offers the ways on after 10 s, and is tried again`, async ({ page }) => {
    await openCamera(page, { silent });
    const more = silent === 'promise' ? 'Your browser may ask' : 'Your camera takes longer than usual.';
    await expect(help(page)).toContainText(more, { timeout: CAPTURE_MS });
    await expect(instruction(page)).toHaveText('The camera shows nothing yet', { timeout: CAPTURE_MS });
    await expect(page.getByRole('button', { name: 'Use another device' })).toBeVisible();
    await page.evaluate(() => window.__camera?.wake());
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect(page.locator('[data-capture="coaching"]')).toBeVisible({ timeout: CAPTURE_MS });
  });
}

test(
  'in a mirrored picture, a turn asks for the other side, and the person passes',
  { tag: CHECK },
  async ({ page }) => {
    test.setTimeout(2 * CAPTURE_MS);
    let wasHinted = false;
    await page.exposeFunction('__hinted', () => void (wasHinted = true));
    await page.addInitScript(() => {
      const other: Record<string, string> = { turn_left: 'turn_right', turn_right: 'turn_left' };
      const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
      const place = () => document.querySelector<HTMLElement>('.capture__instruction');
      const hinted = () => {
        if (place()?.textContent !== 'The other side') return false;
        (window as unknown as { __hinted: () => void }).__hinted();
        return true;
      };
      /** Holds a gesture until the page asks for something else, or says that it is the wrong side. */
      const follow = async (clip: string, isOver: () => boolean) => {
        const over = window.__camera?.hold(clip);
        const sinceMs = performance.now();
        while (!isOver() && performance.now() - sinceMs < 4_000) await pause(30);
        window.__camera?.release();
        await over;
      };
      void (async () => {
        for (;;) {
          await pause(350);
          const step = place()?.dataset['step'];
          if (step === undefined) continue;
          const isChanged = () => place()?.dataset['step'] !== step;
          await follow(step, () => isChanged() || hinted());
          if (!isChanged() && other[step] !== undefined) await follow(other[step], isChanged);
        }
      })();
    });
    await openCamera(page, { mirrored: true });
    await page.waitForURL(`${VENUE}/**`, { timeout: CAPTURE_MS });
    expect((await returned(page)).vyc).toBe('1');
    expect(wasHinted).toBe(true);
  },
);

for (const turnedDeg of [90, 180]) {
  test(`a picture turned by ${turnedDeg}° says that it is turned`, async ({ page }) => {
    await openCamera(page, { turnedDeg });
    await expect(instruction(page)).toHaveText('Your camera is turned', { timeout: CAPTURE_MS });
    await expect(help(page)).toContainText('Turn your device until');
  });
}
