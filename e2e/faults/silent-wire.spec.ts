/**
 * A wire that swallows bytes while its sockets stay open: the page says so within seconds, never waits longer than 15 s, and
 * continues within 5 s of the wire's return.
 */
import { connect } from 'node:net';
import { expect, type Locator, type Page } from '@playwright/test';
import { autoFollow, installScriptedCamera } from '../../testing/camera/browser/browser-camera.ts';
import { mainButton, screen } from '../support/pages/hosted-page.ts';
import { initialize } from '../support/run.ts';
import { PHONE, test } from '../support/service/shared-server.ts';
import { startWire, type Wire } from '../../testing/wire.ts';
import { newCompany } from '../support/venue.ts';
import { CHECK, limitMs } from '../../testing/tier.ts';

test.use({ ...PHONE });

const CAPTURE_MS = limitMs(22_500);
/** With a second for the test's own machine. */
const SAID_WITHIN_MS = limitMs(7_000);
const BACK_WITHIN_MS = limitMs(6_000);
/** How long the wire stays cut. */
const CUT_MS = 12_000;

let wire: Wire;
let direct: string;
test.beforeEach(async ({ gatehouse }) => {
  test.setTimeout(2 * CAPTURE_MS);
  direct = gatehouse.baseUrl;
  const { hostname, port } = new URL(direct);
  wire = await startWire(() => connect(Number(port), hostname));
});
test.afterEach(() => wire.close());

const waitingNotice = (page: Page) => page.locator('[data-waiting="offline"]');

/** Opens a check through the wire. */
async function open(page: Page, url: string): Promise<void> {
  await page.goto(url.replace(direct, `http://127.0.0.1:${wire.port}`));
  await expect(screen(page, 'consent')).toBeVisible();
}

/** Cuts the wire, sees the page say so, restores it, and sees the page continue. */
async function cutAndRestore(what: string, said: Locator, back: Locator): Promise<void> {
  const cutAtMs = Date.now();
  wire.die();
  await expect(said).toBeVisible({ timeout: SAID_WITHIN_MS });
  const saidMs = Date.now() - cutAtMs;
  await new Promise((resolve) => setTimeout(resolve, Math.max(0, CUT_MS - saidMs)));
  const backAtMs = Date.now();
  wire.heal();
  await expect(back).toBeVisible({ timeout: BACK_WITHIN_MS });
  const figures = `said after ${saidMs} ms, back after ${Date.now() - backAtMs} ms`;
  test.info().annotations.push({ type: what, description: figures });
  process.stdout.write(`${what}: ${figures}\n`);
}

test('cut while the guest reads the consent', async ({ page, gatehouse }) => {
  const { keys } = await newCompany(gatehouse, 'Venue');
  await open(page, (await initialize(gatehouse, keys.sk_test)).url);
  await cutAndRestore('at consent', waitingNotice(page), page.locator('.page:not([data-waiting])'));
  await mainButton(page).click();
  await expect(screen(page, 'testChoice')).toBeVisible();
});

test('cut while files hang on every connection that the browser keeps to a server', async ({
  page,
  gatehouse,
}) => {
  const { keys } = await newCompany(gatehouse, 'Venue');
  await open(page, (await initialize(gatehouse, keys.sk_test)).url);
  wire.die();
  await page.evaluate(() => {
    const CONNECTIONS = 6;
    for (let n = 0; n < CONNECTIONS; n += 1) import(`/assets/hosted/floor.js?${n}`).catch(() => undefined);
  });
  await cutAndRestore('with all held', waitingNotice(page), page.locator('.page:not([data-waiting])'));
  await mainButton(page).click();
  await expect(screen(page, 'testChoice')).toBeVisible();
});

test('cut just before the guest agrees: the answer arrives once it is back', async ({ page, gatehouse }) => {
  const { keys } = await newCompany(gatehouse, 'Venue');
  await open(page, (await initialize(gatehouse, keys.sk_test)).url);
  wire.die();
  await mainButton(page).click();
  await cutAndRestore('agreeing', waitingNotice(page), screen(page, 'testChoice'));
  const face = page.locator('[data-face="alice"]');
  await expect(face).toBeVisible();
  wire.die();
  await face.click();
  await cutAndRestore('a test face', page.getByText('No connection'), screen(page, 'result'));
});

test('cut for a moment while the guest agrees', async ({ page, gatehouse }) => {
  const { keys } = await newCompany(gatehouse, 'Venue');
  await open(page, (await initialize(gatehouse, keys.sk_test)).url);
  wire.die();
  await mainButton(page).click();
  await page.waitForTimeout(1_000);
  wire.heal();
  await expect(screen(page, 'testChoice')).toBeVisible({ timeout: limitMs(3_750) });
});

test('cut at the phone step', async ({ page, gatehouse }) => {
  const { keys } = await newCompany(gatehouse, 'Venue');
  const request = { config: { phone: { required: true } } };
  await open(page, (await initialize(gatehouse, keys.sk_test, request)).url);
  await mainButton(page).click();
  await expect(screen(page, 'phone')).toBeVisible();
  await page.getByRole('textbox').fill('+999011234567');
  wire.die();
  await mainButton(page).click();
  await cutAndRestore('sending a number', waitingNotice(page), page.getByText('••'));
});

test(
  'cut in mid-capture, and again after the last still',
  { tag: CHECK },
  async ({ page, gatehouse, clips }) => {
    const { keys } = await newCompany(gatehouse, 'Venue');
    await installScriptedCamera(page, clips);
    await autoFollow(page);
    await open(page, (await initialize(gatehouse, keys.sk_live)).url);
    await mainButton(page).click();
    await expect(page.locator('[data-step]')).toBeVisible({ timeout: CAPTURE_MS });
    const lost = page.locator('[data-connection="lost"]');
    await cutAndRestore('in mid-capture', lost, page.locator('[data-capture]:not([data-connection])'));
    const result = screen(page, 'result');
    // The verdict may be there before anybody looks, or before the cut.
    await expect(page.getByText('One moment').or(result)).toBeVisible({ timeout: CAPTURE_MS });
    await cutAndRestore('after the last still', page.getByText('No connection').or(result), result);
    await expect(page.locator('.mark--passed')).toBeVisible();
  },
);

test(
  'cut in mid-capture where WebSockets are blocked',
  { tag: CHECK },
  async ({ page, gatehouse, clips }) => {
    const { keys } = await newCompany(gatehouse, 'Venue');
    await page.routeWebSocket(/\/flow\/sessions\/[^/]+\/capture$/, (route) => route.close());
    await installScriptedCamera(page, clips);
    await autoFollow(page);
    await open(page, (await initialize(gatehouse, keys.sk_live)).url);
    await mainButton(page).click();
    await expect(page.locator('[data-step]')).toBeVisible({ timeout: CAPTURE_MS });
    const lost = page.locator('[data-connection="lost"]');
    await cutAndRestore('over POSTs', lost, page.locator('[data-capture]:not([data-connection])'));
    // The light of a capture on two machines' worth of load may be doubtful.
    await expect(screen(page, 'result')).toBeVisible({ timeout: CAPTURE_MS });
  },
);

test('cut while a reviewer decides', async ({ page, gatehouse }) => {
  const { keys } = await newCompany(gatehouse, 'Venue');
  const config = { collision: { action: 'review' } };
  const pass = async (external_id: string) => {
    const { url } = await initialize(gatehouse, keys.sk_test, { config, external_id });
    await open(page, url);
    await mainButton(page).click();
    await page.locator('[data-face="alice"]').click();
    await expect(screen(page, 'result')).toBeVisible();
  };
  await pass('one');
  await pass('two');
  await cutAndRestore('in review', waitingNotice(page), page.locator('.page:not([data-waiting])'));
});
