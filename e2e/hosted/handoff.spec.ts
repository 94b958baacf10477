/** A computer hands its run to a phone: two browsers, and a third that photographed the code. */
import { devices, expect, type Browser, type Page } from '@playwright/test';
import { NIGHTLY } from '../../testing/tier.ts';
import { closePages } from '../support/pages/close-pages.ts';
import { expectAccessibleInBothThemes } from '../support/pages/accessible.ts';
import { confirmation, initialize } from '../support/run.ts';
import type { Gatehouse } from '../support/service/server.ts';
import { test, withOwnCompany } from '../support/service/shared-server.ts';

let gatehouse: Gatehouse;
test.afterEach(closePages);
test.beforeAll(async ({ gatehouse: shared }) => {
  gatehouse = await withOwnCompany(shared);
});

test('the person types the computer’s number; the phone does the check; the computer follows and returns', async ({
  page: desktop,
  browser,
}) => {
  const url = await offeredOn(desktop, '/done');
  const number = await matchCodeOn(desktop);
  expect(url).not.toContain(await tokenOn(desktop));

  const phone = await phoneOn(browser, url);
  await expect(phone.getByRole('heading', { name: 'Enter the number from your computer' })).toBeVisible();
  await expect(phone.getByText('Test venue asks you to complete a check on this phone.')).toBeVisible();
  await expect(phone.locator('body')).not.toContainText(number);
  expect(phone.url()).not.toContain('#');
  await expect(desktop.getByRole('heading', { name: 'Look at your phone' })).toBeVisible();
  expect(await matchCodeOn(desktop)).toBe(number);

  await enterOn(phone, number);
  await expect(desktop.getByRole('heading', { name: 'In progress on your phone' })).toBeVisible();
  await phone.getByRole('button', { name: 'Agree and start' }).click();
  await expect(desktop.getByText('Follow the instructions on your phone.')).toBeVisible();
  await phone.getByRole('button', { name: 'Alice', exact: true }).click();
  await expect(phone.getByRole('heading', { name: 'Done' })).toBeVisible();
  await expect(phone.getByText('Look at your computer.')).toBeVisible();
  await expect(phone.getByRole('link', { name: /^Back to/ })).toBeHidden();
  await phone.reload();
  await expect(phone.getByRole('heading', { name: 'Done' })).toBeVisible();

  await desktop.waitForURL(/\/done\?.*vyt=/);
  const vyt = new URL(desktop.url()).searchParams.get('vyt') ?? '';
  const { sk_test: key } = gatehouse.company.keys;
  expect(await confirmation(gatehouse, key, vyt)).toMatchObject({ verified: true });
  // Only the computer takes the result back.
  expect(phone.url()).toContain('/verification');
});

test('a computer whose link leads to itself says so, and can leave the check', async ({ page: desktop }) => {
  const { url } = await initialize(gatehouse, gatehouse.company.keys.sk_live);
  await desktop.goto(url);
  await expect(desktop.locator('[data-only-here]')).toContainText('Phones can’t open this link');
  await expectAccessibleInBothThemes(desktop);
  await desktop.getByRole('button', { name: 'No thanks' }).click();
  await desktop.getByRole('button', { name: 'Go back' }).click();
  await desktop.getByRole('button', { name: 'No thanks' }).click();
  await desktop.getByRole('button', { name: 'Leave' }).click();
  await expect(desktop.getByRole('heading', { name: 'No problem' })).toBeVisible();
});

test('three wrong numbers end the code: the phone says so, and the computer offers a new one', async ({
  page: desktop,
  browser,
}) => {
  const url = await offeredOn(desktop);
  const wrong = otherThan(await matchCodeOn(desktop));
  const phone = await phoneOn(browser, url);
  for (const left of ['You have 2 tries left.', 'You have one try left.']) {
    await enterOn(phone, wrong);
    await expect(phone.getByRole('alert')).toHaveText(`Wrong number. ${left}`);
    await expect(numberField(phone)).toHaveValue('');
    await expect(numberField(phone)).toBeFocused();
  }
  // Reloading gives no additional try.
  await phone.reload();
  await enterOn(phone, wrong);
  await expect(phone.locator('[data-dead-end="handoff_ended"]')).toBeVisible();
  await phone.context().close();

  await expect(desktop.getByRole('heading', { name: 'This code no longer works' })).toBeVisible();
  await expect(desktop.getByText('A wrong number was entered three times.')).toBeVisible();
  await desktop.getByRole('button', { name: 'New code' }).click();
  const second = await phoneOn(browser, await shownOn(desktop));
  await enterOn(second, await matchCodeOn(desktop));
  await expect(second.getByRole('button', { name: 'Agree and start' })).toBeVisible();
});

test('the number can be entered by keyboard alone, and the page has no accessibility findings', async ({
  page: desktop,
  browser,
}) => {
  const url = await offeredOn(desktop);
  const number = await matchCodeOn(desktop);
  const phone = await phoneOn(browser, url);
  const field = numberField(phone);
  await expect(field).toHaveAttribute('inputmode', 'numeric');
  await phone.keyboard.press('Tab');
  await expect(field).toBeFocused();
  await phone.keyboard.type(`${otherThan(number)[0]}x`);
  await phone.keyboard.press('Enter');
  // One digit is not a number, so nothing was sent.
  await expect(phone.getByRole('button', { name: 'Continue' })).toBeDisabled();
  await phone.keyboard.press('Backspace');
  await phone.keyboard.type(otherThan(number));
  await phone.keyboard.press('Enter');
  await expect(phone.getByRole('alert')).toHaveText('Wrong number. You have 2 tries left.');
  await expectAccessibleInBothThemes(phone);
  await expect(field).toBeFocused();
  await expect(field).toHaveValue('');
  await phone.keyboard.type(number);
  await phone.keyboard.press('Enter');
  await expect(phone.getByRole('button', { name: 'Agree and start' })).toBeVisible();
});

test(
  'a third device with a photo of the code is refused, before and after the number is confirmed',
  { tag: NIGHTLY },
  async ({ page: desktop, browser }) => {
    const url = await offeredOn(desktop);
    const number = await matchCodeOn(desktop);
    const phone = await phoneOn(browser, url);
    await expect(numberField(phone)).toBeVisible();

    for (const moment of ['before', 'after']) {
      const third = await phoneOn(browser, url);
      await expect(third.locator('[data-dead-end="handoff_used"]'), moment).toBeVisible();
      await third.context().close();
      if (moment === 'before') await enterOn(phone, number);
      await expect(phone.getByRole('button', { name: 'Agree and start' })).toBeVisible();
    }
    // The link without its code is the computer's own, and taken.
    const other = await phoneOn(browser, url.replace(/#.*/, ''));
    await expect(other.locator('[data-dead-end="claimed"]')).toBeVisible();
    await other.context().close();
  },
);

test('a computer that reloads while the phone waits shows the same number', async ({
  page: desktop,
  browser,
}) => {
  const phone = await phoneOn(browser, await offeredOn(desktop));
  await expect(numberField(phone)).toBeVisible();
  const number = await matchCodeOn(desktop);
  await desktop.reload();
  expect(await matchCodeOn(desktop)).toBe(number);
  await enterOn(phone, number);
  await expect(phone.getByRole('button', { name: 'Agree and start' })).toBeVisible();
});

test('a phone that reloads before and after confirming continues at the same step', async ({
  page: desktop,
  browser,
}) => {
  const phone = await phoneOn(browser, await offeredOn(desktop));
  await expect(numberField(phone)).toBeVisible();
  await phone.reload();
  await expect(phone.getByText('Test venue asks you to complete a check on this phone.')).toBeVisible();
  await enterOn(phone, await matchCodeOn(desktop));
  await expect(phone.getByRole('button', { name: 'Agree and start' })).toBeVisible();
  await phone.reload();
  await expect(phone.getByRole('button', { name: 'Agree and start' })).toBeVisible();
});

/** Opens a new run on a computer, which returns to a path of the server's own; returns the link that it shows. */
async function offeredOn(desktop: Page, returnPath = '/healthz'): Promise<string> {
  const redirect_url = `${gatehouse.baseUrl}${returnPath}`;
  const { url } = await initialize(gatehouse, gatehouse.company.keys.sk_test, { redirect_url });
  await desktop.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await desktop.goto(url);
  return shownOn(desktop);
}

/** The link behind the QR code, from the button next to it. */
async function shownOn(desktop: Page): Promise<string> {
  await expect(desktop.getByRole('img', { name: 'Code to scan with your phone' })).toBeVisible();
  await desktop.getByRole('button', { name: 'Copy the link instead' }).click();
  await expect(desktop.getByText('Copied.')).toBeVisible();
  return desktop.evaluate(() => navigator.clipboard.readText());
}

const numberField = (phone: Page) => phone.getByLabel('Number on your computer');

async function enterOn(phone: Page, number: string): Promise<void> {
  await numberField(phone).fill(number);
  await phone.getByRole('button', { name: 'Continue' }).click();
}

/** A number other than the computer's. */
const otherThan = (number: string): string => (number === '10' ? '11' : '10');

/** The number on the computer, once it is shown. */
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
