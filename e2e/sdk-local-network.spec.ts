/**
 * A public shop and a service in the venue: Chromium asks the visitor before a public page may reach the local network.
 * Its switch makes the shop's address a public one; without windows it refuses for the visitor.
 */
import { readFile } from 'node:fs/promises';
import { type Browser, chromium, expect, type Page } from '@playwright/test';
import { chromiumOptions } from '../testing/browsers.ts';
import type { InitializeRequest } from '../server/contract/v3.ts';
import { closePages } from './support/pages/close-pages.ts';
import { passWithTestFace, settled, type Shop, start } from './support/pages/sdk-page.ts';
import { initialize } from './support/run.ts';
import type { Gatehouse } from './support/service/server.ts';
import { test, withOwnCompany } from './support/service/shared-server.ts';
import { serveSite, type Site } from './support/site.ts';

let gatehouse: Gatehouse;
let shop: Site;
let browser: Browser;

test.beforeAll(async ({ gatehouse: shared }) => {
  gatehouse = await withOwnCompany(shared);
  // A public shop has the SDK's file itself: the browser would ask for that, too.
  const sdk = await readFile('dist/sdk/gatehouse.iife.js', 'utf8');
  const reach = await readFile('dist/sdk/reach.html', 'utf8');
  shop = await serveSite({
    '/reach.html': reach.replace('<!doctype html>', ''),
    '/': `<title>Shop</title><body><div id="place"></div><script>${sdk}</script><script>
      Gatehouse.init({ baseUrl: '${gatehouse.baseUrl}', mode: 'iframe' });
      window.start = (options) => {
        window.settled = null;
        window.check = Gatehouse.vycheck(options);
        window.check.then(
          (result) => { window.settled = { result }; },
          ({ code, detail }) => { window.settled = { code, detail }; },
        );
      };
    </script>`,
  });
  const options = chromiumOptions();
  const isPublic = `--ip-address-space-overrides=${new URL(shop.origin).host}=public`;
  browser = await chromium.launch({ ...options, args: [...options.args, isPublic] });
});
test.afterAll(async () => {
  await browser.close();
  await shop.stop();
});

test.afterEach(() => closePages({ browser }));

async function openShop({ isAllowed }: { isAllowed: boolean }): Promise<Page> {
  const context = await browser.newContext({ locale: 'en' });
  if (isAllowed) await context.grantPermissions(['local-network-access'], { origin: shop.origin });
  const page = await context.newPage();
  await page.goto(shop.origin);
  return page;
}

test('the visitor allows it: drawer and inline show the check, also from a publishable key', async () => {
  const page = await openShop({ isAllowed: true });
  await start(page, { publishableKey: gatehouse.company.keys.pk_test });
  await passWithTestFace(page.frameLocator('dialog iframe'), 'allowed-drawer');
  await expect.poll(() => settled(page)).toMatchObject({ result: { verified: true } });
  await page.evaluate(() => (window as unknown as Shop).check.close());
  await start(page, { session: await newSession(), display: 'inline', container: '#place' });
  await passWithTestFace(page.frameLocator('#place iframe'), 'allowed-inline');
  await expect.poll(() => settled(page)).toMatchObject({ result: { verified: true } });
});

for (const [display, place] of [
  ['drawer', 'dialog'],
  ['inline', '#place'],
] as const) {
  test(`the visitor refuses it, ${display}: the same session continues by redirect, and its result comes back`, async () => {
    const page = await openShop({ isAllowed: false });
    const session = await newSession({ redirect_url: `${shop.origin}/?order=7` });
    await start(page, { session, display, container: '#place' });
    const offer = page.locator(place);
    await expect(offer.getByRole('alert')).toContainText('Open the check on its own page');
    expect(await settled(page)).toBeNull();
    await expect(offer.locator('iframe')).toHaveCount(0);
    await offer.getByRole('link', { name: 'Open the check' }).click();
    await page.waitForURL(`${gatehouse.baseUrl}/verification?vys=${session}`);
    await passWithTestFace(page.mainFrame(), `refused-${display}`);
    await page.getByRole('link', { name: /^Back to / }).click();
    await page.waitForURL((url) => url.origin === shop.origin);
    const result = await page.evaluate(() => (window as unknown as Shop).Gatehouse.vyget());
    expect(result).toMatchObject({ verified: true, vyc: '1' });
  });
}

test('the visitor refuses it and closes the offer: the promise resolves with nulls', async () => {
  const page = await openShop({ isAllowed: false });
  await start(page, { session: await newSession() });
  await expect(page.getByRole('alert')).toBeVisible();
  await page.getByRole('button', { name: 'Close' }).click();
  await expect.poll(() => settled(page)).toMatchObject({ result: { token: null, vyc: null } });
});

test('the visitor refuses it before there is a session: the reason names it', async () => {
  const page = await openShop({ isAllowed: false });
  await start(page, { publishableKey: gatehouse.company.keys.pk_test });
  await expect
    .poll(() => settled(page))
    .toEqual({ code: 'unreachable', detail: `${gatehouse.baseUrl} (local network access)` });
});

for (const isAllowed of [true, false]) {
  test(`“Can my shop reach it?” on the shop, ${isAllowed ? 'allowed' : 'refused'}`, async () => {
    const page = await openShop({ isAllowed });
    await page.goto(`${shop.origin}/reach.html?base=${gatehouse.baseUrl}`);
    await page.getByRole('button', { name: 'Try it' }).click();
    const expected = isAllowed
      ? 'Drawer, inline and redirect work from here.'
      : 'Redirect works, a frame does not. The browser keeps this site from the network';
    await expect(page.getByRole('status')).toContainText(expected);
    await expect(page.locator('iframe')).toHaveCount(0);
  });
}

test('“Can my shop reach it?” on Gatehouse itself says where to put it; an address without a service is said', async () => {
  const page = await openShop({ isAllowed: true });
  await page.goto(`${gatehouse.baseUrl}/sdk/reach`);
  await expect(page.getByRole('link', { name: 'Save this page' })).toBeVisible();
  await expect(page.getByText(`?base=${gatehouse.baseUrl}`)).toBeVisible();
  await page.getByRole('button', { name: 'Try it' }).click();
  await expect(page.getByText('Drawer, inline and redirect work')).toBeVisible();
  await page.getByLabel('Address of Gatehouse').fill('http://127.0.0.1:9');
  await page.getByRole('button', { name: 'Try it' }).click();
  await expect(page.getByText('No answer.')).toBeVisible();
  await page.getByLabel('Address of Gatehouse').fill('nowhere');
  await page.getByRole('button', { name: 'Try it' }).click();
  await expect(page.getByText('This is not a web address.')).toBeVisible();
});

async function newSession(request: InitializeRequest = {}): Promise<string> {
  return (await initialize(gatehouse, gatehouse.company.keys.sk_test, request)).session_id;
}
