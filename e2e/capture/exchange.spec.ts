/** Interruptions of a capture: each ends in a verdict, or says how to continue. */
import { expect, type Page, type WebSocketRoute } from '@playwright/test';
import { autoFollow, installScriptedCamera } from '../../testing/camera/browser/browser-camera.ts';
import type { Clips } from '../../testing/camera/clips.ts';
import { CHECK, NIGHTLY, limitMs } from '../../testing/tier.ts';
import { agree, mainButton, screen } from '../support/pages/hosted-page.ts';
import { initialize } from '../support/run.ts';
import type { Gatehouse } from '../support/service/server.ts';
import { PHONE, test } from '../support/service/shared-server.ts';
import { newCompany } from '../support/venue.ts';

test.use({ ...PHONE });

const CAPTURE_MS = limitMs(22_500);
const CAPTURE = /\/flow\/sessions\/[^/]+\/capture$/;
const MESSAGES = /\/capture\/messages$/;

let gatehouse: Gatehouse;
let clips: Clips;
test.beforeAll(({ gatehouse: server, clips: rendered }) => {
  gatehouse = server;
  clips = rendered;
});
test.beforeEach(() => test.setTimeout(2 * CAPTURE_MS));

/** A live link of a separate company, ready for the camera. */
async function openLink(page: Page): Promise<void> {
  const { keys } = await newCompany(gatehouse, 'Venue');
  const { url } = await initialize(gatehouse, keys.sk_live);
  await installScriptedCamera(page, clips);
  await autoFollow(page);
  await page.goto(url);
  await expect(screen(page, 'consent')).toBeVisible();
}
const asksForStep = (page: Page) => expect(page.locator('[data-step]')).toBeVisible({ timeout: CAPTURE_MS });
const passes = async (page: Page) => {
  await expect(screen(page, 'result')).toBeVisible({ timeout: CAPTURE_MS });
  await expect(page.locator('.mark--passed')).toBeVisible();
};

test(
  'a connection that is lost midway is reopened, and the capture continues',
  { tag: [CHECK, NIGHTLY] },
  async ({ page }) => {
    const lines: { route: WebSocketRoute; first: string }[] = [];
    await page.routeWebSocket(CAPTURE, (route) => {
      const line = { route, first: '' };
      lines.push(line);
      const server = route.connectToServer();
      route.onMessage((message) => {
        line.first ||= String(message);
        server.send(message);
      });
    });
    await openLink(page);
    await agree(page);
    await asksForStep(page);
    await lines[0]?.route.close();
    await passes(page);
    expect(lines).toHaveLength(2);
    expect(lines[1]?.first).toContain('resume_key');
  },
);

test('a network that blocks WebSockets gets the same capture over POSTs', async ({ page }) => {
  await page.routeWebSocket(CAPTURE, (route) => route.close());
  const posted = page.waitForRequest(MESSAGES);
  await openLink(page);
  await agree(page);
  await posted;
  // The server requests a step once it has the stills before it.
  await asksForStep(page);
});

test(
  'after a server restart midway the page is told, and the capture starts again and reaches its verdict',
  { tag: CHECK },
  async ({ page }) => {
    await openLink(page);
    await agree(page);
    await asksForStep(page);
    await gatehouse.kill9();
    await expect(page.locator('[data-connection="lost"]')).toBeVisible({ timeout: CAPTURE_MS });
    await expect(page.getByText('No connection')).toBeVisible();
    await gatehouse.restart();
    await passes(page);
  },
);

test('a second tab takes the capture over, and the first offers to continue there', async ({
  page,
  context,
}) => {
  await openLink(page);
  await agree(page);
  await expect(page.locator('[data-capture="coaching"]')).toBeVisible({ timeout: CAPTURE_MS });
  const tab = await context.newPage();
  await installScriptedCamera(tab, clips);
  await tab.goto(page.url());
  await expect(page.locator('[data-trouble="takenOver"]')).toBeVisible({ timeout: CAPTURE_MS });
  await mainButton(page).click();
  await expect(tab.locator('[data-trouble="takenOver"]')).toBeVisible({ timeout: CAPTURE_MS });
  await tab.close();
  await expect(page.locator('[data-capture="coaching"]')).toBeVisible();
});

test(
  'the page asks for an unplugged camera, and the capture passes once it is back',
  { tag: [CHECK, NIGHTLY] },
  async ({ page }) => {
    await openLink(page);
    await agree(page);
    await asksForStep(page);
    await page.evaluate(() => window.__camera?.unplug());
    await expect(page.locator('[data-trouble="lost"]')).toBeVisible();
    await page.evaluate(() => window.__camera?.plugIn());
    await mainButton(page).click();
    await passes(page);
  },
);

test(
  'a tab that was hidden continues the same capture when the person returns',
  { tag: [CHECK, NIGHTLY] },
  async ({ page }) => {
    await openLink(page);
    await agree(page);
    await asksForStep(page);
    await page.evaluate(() => dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true })));
    await expect(page.locator('[data-trouble="paused"]')).toBeVisible();
    await mainButton(page).click();
    await passes(page);
  },
);
