/** A link opened inside an app whose browser has no camera: the run moves to the phone's own browser. */
import { devices, expect, type Browser, type Page } from '@playwright/test';
import { expectAccessibleInBothThemes } from '../support/pages/accessible.ts';
import { deadEnd, screen } from '../support/pages/hosted-page.ts';
import { consentedRun, initialize, runOf } from '../support/run.ts';
import type { Gatehouse } from '../support/service/server.ts';
import { test, withOwnCompany } from '../support/service/shared-server.ts';

const APPS = {
  android:
    'Mozilla/5.0 (Linux; Android 14; Pixel 7 Build/UQ1A; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/130.0.0.0 Mobile Safari/537.36 [FB_IAB/FB4A;FBAV/490.0.0.0;]',
  ios: 'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 Instagram 340.0.0.0',
} as const;

let gatehouse: Gatehouse;
test.beforeAll(async ({ gatehouse: shared }) => {
  gatehouse = await withOwnCompany(shared);
});

type App = { page: Page; url: string; close(): Promise<void> };

/**
 * A live link in an app's browser.
 * @param refuses the browser offers cameras, but refuses each
 */
async function openInApp(browser: Browser, system: keyof typeof APPS, refuses = false): Promise<App> {
  const { url } = await initialize(gatehouse, gatehouse.company.keys.sk_live);
  const context = await browser.newContext({
    ...devices['Pixel 7'],
    userAgent: APPS[system],
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  const page = await context.newPage();
  await page.addInitScript((isRefused) => {
    if (isRefused) {
      navigator.mediaDevices.getUserMedia = async () => {
        throw new DOMException('denied', 'NotAllowedError');
      };
    } else Object.defineProperty(Navigator.prototype, 'mediaDevices', { value: undefined });
  }, refuses);
  await page.goto(url);
  return { page, url, close: () => context.close() };
}

async function openBrowser(browser: Browser, url: string): Promise<App> {
  const context = await browser.newContext({ ...devices['Pixel 7'] });
  const page = await context.newPage();
  await page.goto(url);
  return { page, url, close: () => context.close() };
}

async function copiedLink(page: Page): Promise<string> {
  await page.getByRole('button', { name: 'Copy link' }).click();
  await expect(page.getByRole('status').filter({ hasText: 'copied' })).toBeVisible();
  return page.evaluate(() => navigator.clipboard.readText());
}

test('the copied link continues the run in another browser, and the app’s page says so', async ({
  browser,
}) => {
  const app = await openInApp(browser, 'android');
  await expect(screen(app.page, 'elsewhere')).toBeVisible();
  const link = await copiedLink(app.page);
  expect(new URL(link).search).toBe(new URL(app.url).search);

  const phone = await openBrowser(browser, link);
  await expect(screen(phone.page, 'consent')).toBeVisible();
  expect(phone.page.url()).not.toContain('#');
  await expect(deadEnd(app.page, 'continued')).toBeVisible();
  await app.page.reload();
  await expect(deadEnd(app.page, 'continued')).toBeVisible();

  const stranger = await openBrowser(browser, link);
  await expect(deadEnd(stranger.page, 'continuation_used')).toBeVisible();
  // The app's page no longer has a link to copy.
  await expect(stranger.page.locator('.lead')).toHaveText(
    /^Each link works once\. Continue where you opened it/,
  );
  await phone.page.reload();
  await expect(screen(phone.page, 'consent')).toBeVisible();
  for (const opened of [app, phone, stranger]) await opened.close();
});

test('a screen whose file does not load at once is shown when the connection is back', async ({
  browser,
}) => {
  const { url } = await initialize(gatehouse, gatehouse.company.keys.sk_live);
  const context = await browser.newContext({ ...devices['Pixel 7'], userAgent: APPS.android });
  const page = await context.newPage();
  await page.addInitScript(() =>
    Object.defineProperty(Navigator.prototype, 'mediaDevices', { value: undefined }),
  );
  const asked = page.waitForRequest(/\/Elsewhere-.*\.js$/);
  await page.route(/\/Elsewhere-.*\.js$|\/healthz$/, (route) => route.abort('internetdisconnected'));
  await page.goto(url);
  await asked;
  await page.waitForRequest(/\/healthz$/);
  await page.unrouteAll();
  await expect(screen(page, 'elsewhere').getByRole('button', { name: 'Copy link' })).toBeVisible();
  await context.close();
});

test('the app’s own “Open in browser” continues the run, because it passes on the displayed address', async ({
  browser,
}) => {
  const app = await openInApp(browser, 'ios');
  await expect(screen(app.page, 'elsewhere')).toBeVisible();
  await expect(app.page.locator('[data-elsewhere="ios"]')).toBeVisible();
  await expect.poll(() => app.page.url()).toContain('#c=');
  const phone = await openBrowser(browser, app.page.url());
  await expect(screen(phone.page, 'consent')).toBeVisible();
  await expect(deadEnd(app.page, 'continued')).toBeVisible();
  expect(app.page.url()).not.toContain('#');
  for (const opened of [app, phone]) await opened.close();
});

test('on Android a button opens the phone’s browser', async ({ browser }) => {
  const app = await openInApp(browser, 'android');
  const href = await app.page.getByRole('link', { name: 'Open in browser' }).getAttribute('href');
  expect(href).toMatch(/^intent:\/\/127\.0\.0\.1:\d+\/verification\?vys=[^#]+#c=\w+#Intent;scheme=http;/);
  await app.close();
});

test('the page reloaded in the app keeps the run', async ({ browser }) => {
  const app = await openInApp(browser, 'android');
  await expect.poll(() => app.page.url()).toContain('#c=');
  await app.page.reload();
  await expect(screen(app.page, 'elsewhere')).toBeVisible();
  await app.close();
});

test('if an app refuses the camera without asking, the page appears after the consent, which is kept', async ({
  browser,
}) => {
  const app = await openInApp(browser, 'android', true);
  await app.page.locator('.button--main').click();
  await expect(screen(app.page, 'elsewhere')).toBeVisible();
  const phone = await openBrowser(browser, await copiedLink(app.page));
  await expect(screen(phone.page, 'capture')).toBeVisible();
  for (const opened of [app, phone]) await opened.close();
});

test('axe finds nothing on the page, and it fits a narrow phone', async ({ browser }) => {
  const app = await openInApp(browser, 'android');
  await app.page.setViewportSize({ width: 320, height: 640 });
  await expect(app.page.getByRole('link', { name: 'Open in browser' })).toBeVisible();
  await expectAccessibleInBothThemes(app.page);
  expect(await app.page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
  await app.close();
});

test('with the browser’s text at twice its size, the text grows, and German fits a narrow phone', async ({
  browser,
}) => {
  const context = await browser.newContext({
    userAgent: APPS.android,
    viewport: { width: 320, height: 640 },
    locale: 'de-DE',
  });
  const page = await context.newPage();
  await page.goto(`${gatehouse.baseUrl}/verification?vys=nonsense`);
  await expect(deadEnd(page, 'unknown')).toBeVisible();
  const lettersPx = () =>
    page.locator('.lead').evaluate((lead) => Number.parseFloat(getComputedStyle(lead).fontSize));
  const usualPx = await lettersPx();
  const devtools = await context.newCDPSession(page);
  await devtools.send('Page.setFontSizes', { fontSizes: { standard: 32 } });
  await expect.poll(lettersPx).toBeCloseTo(2 * usualPx);
  // The longest words of a heading, which no narrow phone has room for at that size.
  await page.locator('h1').evaluate((heading) => heading.append(' Gesichtsprüfung zurückgezogen'));
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
  await context.close();
});

test('with the browser’s text at three times its size, a missing camera leaves the organiser’s name its place', async ({
  browser,
}) => {
  const { url } = await initialize(gatehouse, gatehouse.company.keys.sk_live);
  const context = await browser.newContext({ ...devices['Pixel 7'], viewport: { width: 320, height: 640 } });
  const page = await context.newPage();
  const devtools = await context.newCDPSession(page);
  await devtools.send('Page.setFontSizes', { fontSizes: { standard: 48 } });
  await page.goto(url);
  await page.locator('.button--main').click();
  await expect(page.locator('[data-trouble="absent"]')).toBeVisible();
  const isInside = await page.locator('.page__head').evaluate((head) => {
    const [place, name] = [head, head.querySelector('.page__organiser')].map((box) =>
      box?.getBoundingClientRect(),
    );
    return name !== undefined && place !== undefined && name.top >= place.top && name.bottom <= place.bottom;
  });
  expect(isInside).toBe(true);
  await context.close();
});

test('on a small phone, a guest who agrees without a connection sees why nothing happens', async ({
  browser,
}) => {
  const { url } = await initialize(gatehouse, gatehouse.company.keys.sk_live);
  const context = await browser.newContext({ ...devices['Pixel 7'], viewport: { width: 320, height: 568 } });
  const page = await context.newPage();
  await page.goto(url);
  await page.route('**/consent', (route) => route.abort('internetdisconnected'));
  await page.locator('.button--main').click();
  await expect(page.locator('.notice')).toBeInViewport({ ratio: 1 });
  await context.close();
});

test('of browsers that open one link at the same time, one gets the run', async () => {
  const run = await consentedRun(gatehouse, gatehouse.company.keys.sk_live);
  const { body } = await run.flow<{ url: string }>('/continuation', {});
  const code = new URL(body.url).hash.slice('#c='.length);
  const open = async () => {
    const reply = await fetch(`${gatehouse.baseUrl}/flow/continuation/open`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ session_id: run.sessionId, code, device: 'mobile' }),
    });
    return { status: reply.status, body: (await reply.json()) as { flow_token: string; detail: string } };
  };
  const replies = await Promise.all(Array.from({ length: 8 }, open));
  expect(replies.map(({ status }) => status).sort()).toEqual([200, ...Array<number>(7).fill(409)]);
  const taken = replies.find(({ status }) => status === 200);
  const moved = runOf(gatehouse, { ...run, flowToken: taken?.body.flow_token ?? '' });
  expect(await moved.snapshot()).toMatchObject({ state: 'open', step: 'capture' });
  expect(await run.flow('/capture/messages', { type: 'poll' })).toMatchObject({
    status: 409,
    body: { detail: 'session_continued' },
  });
});
