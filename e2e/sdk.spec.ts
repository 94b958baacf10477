/**
 * The browser SDK in a page of another origin, against a real server: its demo page is the organiser's page here. Each
 * origin is a port: the organiser's, the service's, and a foreign one.
 */
import { gzipSync } from 'node:zlib';
import { expect, type Page } from '@playwright/test';
import type { InitializeRequest } from '../server/contract/v3.ts';
import type * as Sdk from '../renderer/apps/sdk/gatehouse.d.ts';
import { pressEscapeIn } from './support/pages/embedding-page.ts';
import { passWithTestFace } from './support/pages/sdk-page.ts';
import { initialize } from './support/run.ts';
import type { Gatehouse } from './support/service/server.ts';
import { test, withOwnCompany } from './support/service/shared-server.ts';
import { serveSite, type Site } from './support/site.ts';

/** Maximum gzipped size of an SDK file that an organiser's page has to load. */
const MAX_SDK_BYTES = 8_000;

let gatehouse: Gatehouse;
let shop: Site;
let stranger: Site;

test.beforeAll(async ({ gatehouse: shared }) => {
  gatehouse = await withOwnCompany(shared);
  const demo = await (await fetch(`${gatehouse.baseUrl}/sdk/demo`)).text();
  shop = await serveSite({
    '/cart': demo.replace('<head>', `<head><base href="${gatehouse.baseUrl}/sdk/">`),
  });
  stranger = await serveSite({
    '/listener': `<script>
      window.heard = [];
      addEventListener('message', (event) => window.heard.push(event.data));
      window.forge = (vyt) => parent.postMessage({ type: 'vy:complete', vyt, vyc: '1', redirect_url: null }, '*');
    </script>`,
    '/thief': `<script>
      window.heard = [];
      addEventListener('message', (event) => window.heard.push(event.data));
    </script>`,
  });
});
test.afterAll(async () => {
  await shop.stop();
  await stranger.stop();
});

test('both files are small, and any page may load them', async () => {
  for (const file of ['gatehouse.js', 'gatehouse.iife.js']) {
    const reply = await fetch(`${gatehouse.baseUrl}/sdk/${file}`);
    expect(reply.status).toBe(200);
    expect(reply.headers.get('access-control-allow-origin')).toBe('*');
    expect(reply.headers.get('cross-origin-resource-policy')).toBe('cross-origin');
    expect(gzipSync(await reply.text()).length).toBeLessThan(MAX_SDK_BYTES);
  }
  const types = await fetch(`${gatehouse.baseUrl}/sdk/gatehouse.d.ts`);
  expect([types.status, types.headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8']);
});

test('the SDK’s address leads to its overview, with and without a slash', async ({ page }) => {
  for (const address of ['/sdk/', '/sdk']) {
    await page.goto(gatehouse.baseUrl + address);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Gatehouse browser SDK');
    await expect(page.getByRole('link', { name: 'Demo' })).toHaveAttribute('href', '/sdk/demo');
  }
});

test('a drawer from another origin: completed with a test face, confirmed by the backend, closed automatically', async ({
  page,
}) => {
  await openShop(page, 'drawer');
  const heard = await listenAsStranger(page);
  await page.getByRole('button', { name: 'Start the check' }).click();
  const dialog = page.getByRole('dialog', { name: 'Face check' });
  await expect(dialog).toHaveAttribute('aria-modal', 'true');
  await passWithTestFace(page.frameLocator('dialog iframe'), 'drawer-person');

  const { token, verified, vyc } = await outcomeOf(page);
  expect([verified, vyc]).toEqual([true, '1']);
  expect(await confirm(token)).toMatchObject({ verified: true, status: 'approved' });
  await page.frameLocator('dialog iframe').getByRole('button', { name: 'Close', exact: true }).click();
  await expect(dialog).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Start the check' })).toBeFocused();
  expect(await heard()).toEqual([]);
});

test('inline from another origin: as high as its content, and gone afterwards', async ({ page }) => {
  await openShop(page, 'inline');
  await page.getByRole('button', { name: 'Start the check' }).click();
  const iframe = page.locator('#place iframe');
  const frame = page.frameLocator('#place iframe');
  await expect(frame.getByRole('heading', { level: 1 })).toBeVisible();
  await expect
    .poll(async () => {
      const shown = (await iframe.boundingBox())?.height;
      const wanted = await frame
        .locator('.page')
        .evaluate((content) => content.getBoundingClientRect().height);
      return shown === Math.ceil(wanted);
    })
    .toBe(true);
  await passWithTestFace(frame, 'inline-person');
  const { token } = await outcomeOf(page);
  expect(await confirm(token)).toMatchObject({ verified: true });
  await frame.getByRole('button', { name: 'Close', exact: true }).click();
  await expect(iframe).toHaveCount(0);
});

test('forged messages are ignored, from every sender', async ({ page }) => {
  await openShop(page, 'drawer');
  await listenAsStranger(page);
  await page.getByRole('button', { name: 'Start the check' }).click();
  await expect(page.frameLocator('dialog iframe').getByRole('heading', { level: 1 })).toBeVisible();
  await strangerFrame(page)!.evaluate(() => (window as unknown as Listener).forge('forged'));
  await page.evaluate(() =>
    window.postMessage({ type: 'vy:complete', vyt: 'forged', vyc: '1', redirect_url: null }, '*'),
  );
  // Messages arrive in order: once this one is answered, the others were received.
  await page.evaluate(
    () =>
      new Promise((resolve) => {
        addEventListener('message', (event) => event.data === 'end' && resolve(null));
        window.postMessage('end', '*');
      }),
  );
  await expect(page.locator('#outcome')).toHaveText('The check is open.');
  await page.frameLocator('dialog iframe').getByRole('button', { name: 'Close the check' }).click();
  await expect(page.locator('#outcome')).toContainText('"token": null');
});

test('Escape closes the drawer, from the page and from within the check', async ({ page }) => {
  for (const inside of [false, true]) {
    await openShop(page, 'drawer');
    await page.getByRole('button', { name: 'Start the check' }).click();
    const heading = page.frameLocator('dialog iframe').getByRole('heading', { level: 1 });
    await expect(heading).toBeVisible();
    if (inside) await pressEscapeIn(page, heading);
    else await page.getByRole('dialog').press('Escape');
    await expect(page.locator('#outcome')).toContainText('"token": null');
  }
});

test('a foreign page that frames the check gets no message', async ({ page }) => {
  const session = await newSession();
  await page.goto(`${stranger.origin}/thief`);
  const link = new URL(`${gatehouse.baseUrl}/verification`);
  link.search = new URLSearchParams({ vys: session, vy_embed: '1', vy_origin: shop.origin }).toString();
  await page.evaluate((src) => {
    const frame = document.createElement('iframe');
    frame.src = src;
    frame.style.cssText = 'width:460px;height:700px';
    document.body.append(frame);
  }, link.href);
  const frame = page.frameLocator('iframe');
  await passWithTestFace(frame, 'framed-person');
  await frame.getByRole('button', { name: 'Close', exact: true }).click();
  expect(await page.evaluate(() => (window as unknown as Listener).heard)).toEqual([]);
});

test('a session created with a return address goes there, with its result', async ({ page }) => {
  const session = await newSession({ redirect_url: `${shop.origin}/cart?order=7` });
  await openShop(page, 'drawer', session);
  await page.getByRole('button', { name: 'Start the check' }).click();
  const frame = page.frameLocator('dialog iframe');
  await passWithTestFace(frame, 'returning-person');
  await frame.getByRole('button', { name: 'Close', exact: true }).click();
  await page.waitForURL((url) => url.searchParams.get('order') === '7');
  const { token } = await outcomeOf(page);
  expect(await confirm(token)).toMatchObject({ verified: true });
  expect(page.url()).toBe(`${shop.origin}/cart?order=7`);
});

test('a redirect leaves the page and returns with the result', async ({ page }) => {
  await openShop(page, 'redirect');
  await page.getByRole('button', { name: 'Start the check' }).click();
  await page.waitForURL(`${gatehouse.baseUrl}/verification?*`);
  await passWithTestFace(page.mainFrame(), 'redirected-person');
  await page.getByRole('link', { name: `Back to ${new URL(shop.origin).host}` }).click();
  await page.waitForURL(`${shop.origin}/cart`);
  const { token } = await outcomeOf(page);
  expect(await confirm(token)).toMatchObject({ verified: true });
});

test('the script tag gives the same functions under one name; close() resolves with nulls', async ({
  page,
}) => {
  await page.goto(`${stranger.origin}/thief`);
  await page.addScriptTag({ url: `${gatehouse.baseUrl}/sdk/gatehouse.iife.js` });
  const session = await newSession();
  const closed = await page.evaluate(async (id) => {
    const { Gatehouse: sdk } = window as unknown as { Gatehouse: typeof Sdk };
    let closes = 0;
    const check = sdk.vycheck({ session: id, mode: 'iframe', onClose: () => (closes += 1) });
    check.close();
    check.close();
    return {
      result: await check,
      closes,
      left: document.querySelectorAll('iframe').length,
      last: sdk.vyget(),
    };
  }, session);
  const nothing = { token: null, vyt: null, verified: false, vyc: null };
  expect(closed).toEqual({ result: nothing, closes: 1, left: 0, last: nothing });
});

type Listener = { heard: unknown[]; forge: (vyt: string) => void };

async function openShop(page: Page, as: 'drawer' | 'inline' | 'redirect', session?: string): Promise<void> {
  await page.goto(`${shop.origin}/cart`);
  await page.getByRole('textbox').fill(session ?? gatehouse.company.keys.pk_test);
  await page.locator(`input[value=${as}]`).check();
}

/** Adds a frame of a third origin to the page; returns the messages it received. */
async function listenAsStranger(page: Page): Promise<() => Promise<unknown[]>> {
  await page.evaluate((src) => {
    const frame = document.createElement('iframe');
    frame.src = src;
    document.body.append(frame);
  }, `${stranger.origin}/listener`);
  await expect.poll(() => strangerFrame(page)?.evaluate(() => 'heard' in window)).toBe(true);
  return async () => strangerFrame(page)!.evaluate(() => (window as unknown as Listener).heard);
}

const strangerFrame = (page: Page) => page.frames().find((frame) => frame.url().startsWith(stranger.origin));

async function outcomeOf(page: Page): Promise<Sdk.CheckResult> {
  await expect(page.locator('#outcome')).toContainText('"token": "vyt');
  return JSON.parse((await page.locator('#outcome').textContent()) ?? '') as Sdk.CheckResult;
}

async function confirm(token: string | null): Promise<unknown> {
  const reply = await fetch(`${gatehouse.baseUrl}/v3/confirmations/${token}`, {
    headers: { authorization: `Bearer ${gatehouse.company.keys.sk_test}` },
  });
  return reply.json();
}

async function newSession(request: InitializeRequest = {}): Promise<string> {
  return (await initialize(gatehouse, gatehouse.company.keys.sk_test, request)).session_id;
}
