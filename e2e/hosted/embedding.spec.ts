/** Who may embed a check, and the messages to the embedding page (decisions §6, "Embedded" and "Who may embed"). */
import { devices, expect, type Browser, type FrameLocator, type Page } from '@playwright/test';
import type * as Sdk from '../../renderer/apps/sdk/gatehouse.d.ts';
import { send } from '../support/http.ts';
import { closePages } from '../support/pages/close-pages.ts';
import {
  dropFrame,
  EMBEDDING_PAGE,
  heardBy,
  heardUntilNow,
  openFrame,
  pressEscapeIn,
} from '../support/pages/embedding-page.ts';
import type { Gatehouse } from '../support/service/server.ts';
import { test, withOwnCompany } from '../support/service/shared-server.ts';
import { serveSite, type Site } from '../support/site.ts';

let gatehouse: Gatehouse;
let shop: Site;
let partner: Site;
let stranger: Site;

test.beforeAll(async ({ gatehouse: shared }) => {
  gatehouse = await withOwnCompany(shared);
  shop = await serveSite({ '/': EMBEDDING_PAGE });
  partner = await serveSite({ '/': EMBEDDING_PAGE });
  stranger = await serveSite({ '/': EMBEDDING_PAGE });
  await gatehouse.cli([
    ...['verification', 'update', '--company', gatehouse.company.company_id],
    ...['--verification', gatehouse.company.default_verification_id],
    ...['--origin', shop.origin, '--embed-origin', partner.origin, '--embed-origin', 'https://app.example'],
  ]);
});
test.afterAll(async () => {
  await shop.stop();
  await partner.stop();
  await stranger.stop();
});

test('a foreign page cannot frame a live run that it started with the publishable key', async ({
  browser,
}) => {
  const { url } = await initialize('pk_live');
  const page = await phonePage(browser, stranger);
  await openFrame(page, url, shop.origin);
  await expect.poll(() => page.frames()[1]?.url()).toMatch(/^chrome-error:/);
  await openFrame(page, url);
  await expect(heading(page, 'Open this check in a new tab')).toBeVisible();
  expect(await heardUntilNow(page)).toEqual([]);
});

test('a site outside the list gets a page that names the setting and opens the check in a tab, and no message', async ({
  browser,
}) => {
  const { url } = await initialize('sk_live');
  const page = await phonePage(browser, stranger);
  await openFrame(page, url);
  const frame = page.frameLocator('iframe');
  await frame.getByText('Do you run this website?').click();
  await expect(
    frame.getByText(`Add ${stranger.origin} to the verification’s “Embedding origins”`),
  ).toBeVisible();
  const [tab] = await Promise.all([
    page.context().waitForEvent('page'),
    frame.getByRole('link', { name: 'Open the check' }).click(),
  ]);
  await expect(tab.getByRole('heading', { name: 'A quick face check' })).toBeVisible();
  expect(tab.url()).toBe(url);
  await page.keyboard.press('Escape');
  expect(await heardUntilNow(page)).toEqual([]);
});

test('a live run can be framed only by the origins of its return target and of its verification’s list', async () => {
  const asked = 'https://asked.example';
  const own = [shop.origin, partner.origin, 'https://app.example'];
  const bySecret = await initialize('sk_live', { redirect_url: `${asked}/done`, origin: 'from.example' });
  expect(await framersOf(bySecret.url)).toEqual([asked, 'https://from.example', ...own]);
  expect(await framersOf((await initialize('sk_live')).url)).toEqual(own);
  expect(await framersOf(`${gatehouse.baseUrl}/v/${gatehouse.company.default_verification_id}`)).toEqual(own);
  const { url: invite } = await initialize('sk_live', { email: 'a@b.example', expire_in_days: 3 });
  expect(await framersOf(invite)).toEqual(own);
});

test('with a publishable key, only by the verification’s origins', async () => {
  const own = [shop.origin, partner.origin, 'https://app.example'];
  // Another verification has saved this origin with a path, so the run goes to the default one.
  await gatehouse.cli(['verification', 'create'], {
    company: gatehouse.company.company_id,
    origin: 'https://elsewhere.example',
    'start-path': '/shop',
  });
  const { url } = await initialize('pk_live', { origin: 'https://elsewhere.example' });
  expect(await framersOf(url)).toEqual(own);
});

test('a publishable key can start a live run from a further origin, and not from an unknown one', async () => {
  expect(await framersOf((await initialize('pk_live', { origin: partner.origin })).url)).toContain(
    partner.origin,
  );
  expect(await initialize('pk_live', { origin: stranger.origin })).toEqual({
    detail: 'no_matching_verification',
  });
});

test('the framing decision and the page apply to the same run, however the link is written', async () => {
  const { session_id: live } = await initialize('sk_live');
  const { session_id: trial } = await initialize('sk_test');
  const base = `${gatehouse.baseUrl}/verification`;
  expect(await framersOf(`${base}?vys=${live}&vys=${trial}`)).toContain(shop.origin);
  expect(await framersOf(`${base}/?%76ys=${live}&vys=${trial}`)).toContain(shop.origin);
  expect(await framersOf(`${gatehouse.baseUrl}/connect?vys=${trial}&session_id=${live}`)).toContain(
    shop.origin,
  );
});

test('a test run can be embedded anywhere', async () => {
  // No directive: `*` would leave out files and sandboxed frames.
  const reply = await fetch((await initialize('pk_test')).url);
  expect(reply.headers.get('content-security-policy')).not.toContain('frame-ancestors');
});

test('pages without a run are never framed', async () => {
  const pages = ['/my', '/kiosk', '/docs', '/sdk/', '/sdk/demo', '/sdk/reach'].map(
    (path) => gatehouse.baseUrl + path,
  );
  for (const page of [...pages, gatehouse.consoleUrl]) expect(await framersOf(page)).toEqual(["'none'"]);
});

test('a site on the list gets the result of a live run, with vyc as a string', async ({ browser }) => {
  const { url } = await initialize('pk_live', { origin: partner.origin });
  const page = await phonePage(browser, partner);
  await openFrame(page, url);
  await leaveTheCheck(page.frameLocator('iframe'));
  await expect
    .poll(() => heardBy(page))
    .toMatchObject([{ type: 'vy:complete', vyc: '0', redirect_url: null }]);
});

test('approved and denied runs are reported with "1" and "0"', async ({ browser }) => {
  const page = await phonePage(browser, stranger);
  for (const [face, vyc] of [
    ['typed-person', '1'],
    ['spoof', '0'],
  ] as const) {
    const told = await heardBy(page);
    await openFrame(page, (await initialize('sk_test')).url);
    await passWithTestFace(page.frameLocator('iframe'), face);
    await expect
      .poll(async () => (await heardBy(page)).slice(told.length))
      .toMatchObject([{ type: 'vy:complete', vyc }]);
  }
});

for (const how of ['the ×', 'Escape']) {
  test(`${how} posts vy:close without a result: the same session is opened again and finished`, async ({
    browser,
  }) => {
    const { url } = await initialize('sk_test');
    const page = await phonePage(browser, stranger);
    await openFrame(page, url);
    await dismissWith(page, how);
    await expect.poll(() => heardBy(page)).toEqual([{ type: 'vy:close' }]);

    await openFrame(page, url);
    await passWithTestFace(page.frameLocator('iframe'), `again-${how}`);
    await expect
      .poll(() => heardBy(page))
      .toMatchObject([{ type: 'vy:close' }, { type: 'vy:complete', vyc: '1' }]);
  });
}

test('without third-party storage, any client can open a dismissed session again', async ({ browser }) => {
  const { url } = await initialize('sk_test');
  const page = await phonePage(browser, stranger, { storage: false });
  await openFrame(page, url);
  await page.frameLocator('iframe').getByRole('button', { name: 'Agree and start' }).click();
  await expect(heading(page, 'Camera or test face?')).toBeVisible();
  await dropFrame(page);
  await openFrame(page, url);
  // The next person to open it may be someone else, so they are asked for their own consent.
  await passWithTestFace(page.frameLocator('iframe'), 'without-storage');
  await expect.poll(() => heardBy(page)).toMatchObject([{ type: 'vy:complete', vyc: '1' }]);
});

test('without third-party storage, our SDK continues a dismissed session where it stopped', async ({
  browser,
}) => {
  const { session_id: session } = await initialize('sk_test');
  const page = await phonePage(browser, stranger, { storage: false });
  await page.addScriptTag({ url: `${gatehouse.baseUrl}/sdk/gatehouse.iife.js` });
  const start = () =>
    page.evaluate((id) => {
      const { Gatehouse: sdk } = window as unknown as { Gatehouse: typeof Sdk };
      Object.assign(window, { check: sdk.vycheck({ session: id, mode: 'iframe' }) });
    }, session);
  const result = () => page.evaluate(() => (window as unknown as { check: Sdk.CheckHandle }).check);

  await start();
  await page.frameLocator('iframe').getByRole('button', { name: 'Agree and start' }).click();
  await expect(heading(page, 'Camera or test face?')).toBeVisible();
  const dismiss = page.frameLocator('iframe').getByRole('button', { name: 'Close the check' });
  // The click removes the frame, and a real one can wait for the removed frame's answer for ever.
  await dismiss.evaluate((button: HTMLElement) => void setTimeout(() => button.click()));
  expect(await result()).toEqual({ token: null, vyt: null, verified: false, vyc: null });
  expect(await openedElsewhere(session)).toBe('session_claimed');

  await start();
  await expect(heading(page, 'Camera or test face?')).toBeVisible();
  await useTestFace(page.frameLocator('iframe'), 'resumed-by-sdk');
  expect(await result()).toMatchObject({ verified: true, vyc: '1' });
});

// An open page would keep polling.
test.afterEach(closePages);

/** @param storage false: scripts in frames have no storage, as if the browser blocks it for third parties */
async function phonePage(browser: Browser, site: Site, { storage = true } = {}): Promise<Page> {
  const context = await browser.newContext({ ...devices['Pixel 7'] });
  if (!storage) {
    await context.addInitScript(() => {
      if (window.parent === window) return;
      Object.defineProperty(window, 'localStorage', {
        get: () => {
          throw new DOMException('Blocked', 'SecurityError');
        },
      });
    });
  }
  const page = await context.newPage();
  await page.goto(site.origin);
  return page;
}

const heading = (page: Page, name: string) => page.frameLocator('iframe').getByRole('heading', { name });

async function dismissWith(page: Page, how: string): Promise<void> {
  const frame = page.frameLocator('iframe');
  const title = frame.getByRole('heading', { name: 'A quick face check' });
  await expect(title).toBeVisible();
  if (how === 'Escape') await pressEscapeIn(page, title);
  else await frame.getByRole('button', { name: 'Close the check' }).click();
}

/** The answer to a device without data of the session. */
async function openedElsewhere(session: string): Promise<string> {
  const url = `${gatehouse.baseUrl}/flow/sessions/${session}/open`;
  return (await send<{ detail: string }>(url, { body: { device: 'mobile' } })).body.detail;
}

/** To a result without a camera. */
async function leaveTheCheck(frame: FrameLocator): Promise<void> {
  await frame.getByRole('button', { name: 'No thanks' }).click();
  await frame.getByRole('button', { name: 'Leave', exact: true }).click();
}

async function passWithTestFace(frame: FrameLocator, face: string): Promise<void> {
  await frame.getByRole('button', { name: 'Agree and start' }).click();
  await useTestFace(frame, face);
}

/** A failing face uses up its three attempts. */
async function useTestFace(frame: FrameLocator, face: string): Promise<void> {
  const attempts = face === 'spoof' ? 3 : 1;
  for (let attempt = 1; attempt <= attempts; attempt += 1) {
    if (attempt > 1) await frame.getByRole('button', { name: 'Try again' }).click();
    await frame.getByLabel('Another name').fill(face);
    await frame.getByRole('button', { name: 'Use', exact: true }).click();
  }
}

/** The origins in a page's policy. */
async function framersOf(url: string): Promise<string[]> {
  const policy = (await fetch(url)).headers.get('content-security-policy') ?? '';
  return /frame-ancestors ([^;]*)/.exec(policy)?.[1]?.split(' ') ?? [];
}

type Session = { url: string; session_id: string };

async function initialize(key: keyof Gatehouse['company']['keys'], body: object = {}): Promise<Session> {
  const url = `${gatehouse.baseUrl}/v3/initialize`;
  return (await send<Session>(url, { key: gatehouse.company.keys[key], body })).body;
}
