/** A computer hands its run to a phone: two browsers, and a third that photographed the code. */
import { devices, expect, test, type Browser, type Page } from '@playwright/test';
import { type Gatehouse, startGatehouse } from './support/server.ts';

let gatehouse: Gatehouse;
test.beforeAll(async () => {
  gatehouse = await startGatehouse();
});
test.afterAll(async () => {
  await gatehouse.stop();
});

test('both screens show one number; the phone does the check; the computer follows and returns', async ({
  page: desktop,
  browser,
}) => {
  const url = await offeredOn(desktop, '/done');
  const number = await matchCodeOn(desktop);
  expect(url).not.toContain(await tokenOn(desktop));

  const phone = await phoneOn(browser, url);
  await expect(phone.getByRole('heading', { name: 'Is this the number on your computer?' })).toBeVisible();
  expect(await matchCodeOn(phone)).toBe(number);
  expect(phone.url()).not.toContain('#');
  await expect(desktop.getByRole('heading', { name: 'Look at your phone' })).toBeVisible();

  await phone.getByRole('button', { name: 'Yes, it is' }).click();
  await expect(desktop.getByRole('heading', { name: 'Your phone has it now' })).toBeVisible();
  await phone.getByRole('button', { name: 'Agree and start' }).click();
  await expect(desktop.getByText('Follow the instructions there.')).toBeVisible();
  await phone.getByRole('button', { name: 'Alice', exact: true }).click();
  await expect(phone.getByRole('heading', { name: 'You’re through' })).toBeVisible();

  await desktop.waitForURL(/\/done\?.*vyt=/);
  const vyt = new URL(desktop.url()).searchParams.get('vyt');
  const reply = await fetch(`${gatehouse.baseUrl}/v3/confirmations/${vyt}`, { headers: authorization() });
  expect(await reply.json()).toMatchObject({ verified: true });
  await phone.context().close();
});

test('a third device with a photo of the code is refused, before and after the number is confirmed', async ({
  page: desktop,
  browser,
}) => {
  const url = await offeredOn(desktop);
  const phone = await phoneOn(browser, url);
  await expect(phone.getByRole('button', { name: 'Yes, it is' })).toBeVisible();

  for (const moment of ['before', 'after']) {
    const third = await phoneOn(browser, url);
    await expect(third.locator('[data-dead-end="handoff_used"]'), moment).toBeVisible();
    await third.context().close();
    if (moment === 'before') await phone.getByRole('button', { name: 'Yes, it is' }).click();
    await expect(phone.getByRole('button', { name: 'Agree and start' })).toBeVisible();
  }
  // The link without its code is the computer's own, and taken.
  const other = await phoneOn(browser, url.replace(/#.*/, ''));
  await expect(other.locator('[data-dead-end="claimed"]')).toBeVisible();
  await other.context().close();
  await phone.context().close();
});

test('a number that is not the computer’s ends it on that phone, and the computer goes on', async ({
  page: desktop,
  browser,
}) => {
  const phone = await phoneOn(browser, await offeredOn(desktop));
  await phone.getByRole('button', { name: 'No', exact: true }).click();
  await expect(phone.locator('[data-dead-end="handoff_refused"]')).toBeVisible();
  await phone.context().close();

  // A new code is shown without being asked for.
  const second = await phoneOn(browser, await shownOn(desktop));
  await second.getByRole('button', { name: 'Yes, it is' }).click();
  await expect(second.getByRole('button', { name: 'Agree and start' })).toBeVisible();
  await second.context().close();
});

test('a phone that reloads before and after confirming goes on where it was', async ({
  page: desktop,
  browser,
}) => {
  const phone = await phoneOn(browser, await offeredOn(desktop));
  const number = await matchCodeOn(phone);
  await phone.reload();
  expect(await matchCodeOn(phone)).toBe(number);
  await phone.getByRole('button', { name: 'Yes, it is' }).click();
  await expect(phone.getByRole('button', { name: 'Agree and start' })).toBeVisible();
  await phone.reload();
  await expect(phone.getByRole('button', { name: 'Agree and start' })).toBeVisible();
  await phone.context().close();
});

const authorization = () => ({ authorization: `Bearer ${gatehouse.company.keys.sk_test}` });

/** Opens a new run on a computer, which returns to a path of the server's own; answers the link that it shows. */
async function offeredOn(desktop: Page, returnPath = '/healthz'): Promise<string> {
  const reply = await fetch(`${gatehouse.baseUrl}/v3/initialize`, {
    method: 'POST',
    headers: { ...authorization(), 'content-type': 'application/json' },
    body: JSON.stringify({ redirect_url: `${gatehouse.baseUrl}${returnPath}` }),
  });
  const { url } = (await reply.json()) as { url: string };
  await desktop.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await desktop.goto(url);
  return shownOn(desktop);
}

/** The link behind the QR code, by the button beside it. */
async function shownOn(desktop: Page): Promise<string> {
  await expect(desktop.getByRole('img', { name: 'Code to scan with your phone' })).toBeVisible();
  await desktop.getByRole('button', { name: 'Copy the link instead' }).click();
  await expect(desktop.getByText('Copied.')).toBeVisible();
  return desktop.evaluate(() => navigator.clipboard.readText());
}

/** The number that a screen shows, once it does. */
async function matchCodeOn(page: Page): Promise<string> {
  const code = page.locator('[data-match-code]');
  await expect(code).toHaveText(/^\d\d$/);
  return (await code.textContent()) ?? '';
}

const tokenOn = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const key = Object.keys(localStorage).find((name) => name.endsWith('.token'));
    return (key && localStorage.getItem(key)) ?? 'no token';
  });

async function phoneOn(browser: Browser, url: string): Promise<Page> {
  const context = await browser.newContext({ ...devices['Pixel 7'], locale: 'en' });
  const page = await context.newPage();
  await page.goto(url);
  return page;
}
