/** "My verifications": a person verifies a number, sees who knows them, disconnects, erases. */
import { expect, type Page } from '@playwright/test';
import { button } from '../support/pages/elements.ts';
import { expectAccessibleInBothThemes } from '../support/pages/accessible.ts';
import { mainButton, screen, VENUE, watchForeignRequests } from '../support/pages/hosted-page.ts';
import { confirmation, initialize } from '../support/run.ts';
import type { Gatehouse } from '../support/service/server.ts';
import { PHONE, test, withOwnCompany } from '../support/service/shared-server.ts';

test.use(PHONE);

/** A test number, used in no other file, because its page lists every organiser; and its code, which is never sent. */
const NUMBER = '+999015550166';
const CODE = '550166';
const WRONG_CODE = '000000';

let gatehouse: Gatehouse;
test.beforeAll(async ({ gatehouse: shared }) => {
  gatehouse = await withOwnCompany(shared);
});

/** Alice passes with her number. @returns the result token */
async function passAsAlice(page: Page): Promise<string> {
  const { url } = await initialize(gatehouse, gatehouse.company.keys.sk_test, {
    phone: NUMBER,
    redirect_url: `${VENUE}/back`,
  });
  await page.goto(url);
  await page.locator('summary').click();
  // Before the result, nothing on this device could prove whose data it is.
  await expect(page.getByText('To see or erase your data, ask Test venue.')).toBeVisible();
  await mainButton(page).click();
  await page.locator('[data-face="alice"]').click();
  await expect(screen(page, 'result')).toBeVisible();
  await expect(page.getByRole('link', { name: 'See or erase your data' })).toBeVisible();
  const back = (await mainButton(page).getAttribute('href')) ?? '';
  return new URL(back).searchParams.get('vyt') ?? '';
}

async function enterNumber(page: Page): Promise<void> {
  await page.goto(`${gatehouse.baseUrl}/my`);
  await page.getByLabel('Mobile number').fill(NUMBER);
  await page.getByLabel('Mobile number').press('Enter');
  await expect(screen(page, 'myCode')).toBeVisible();
}

const said = (page: Page, kind: string) => page.locator(`[data-said="${kind}"]`);

test('a person verifies their number, disconnects, then erases', async ({ page }) => {
  const foreign = await watchForeignRequests(page, gatehouse.baseUrl);
  const vyt = await passAsAlice(page);
  const keys = gatehouse.company.keys;
  expect(await confirmation(gatehouse, keys.sk_test, vyt)).toMatchObject({ verified: true });

  await page.goto(`${gatehouse.baseUrl}/my`);
  await expect(screen(page, 'myNumber')).toBeVisible();
  await expectAccessibleInBothThemes(page);
  await enterNumber(page);
  await expectAccessibleInBothThemes(page);
  await expect(page.getByText(`Ask staff for the code for ${NUMBER}.`)).toBeVisible();
  await expect(page.getByText('No message?')).toBeHidden();
  const code = page.getByLabel('Code', { exact: true });
  await code.fill(WRONG_CODE);
  await expect(page.locator('[data-phone-trouble="wrong_code"]')).toBeVisible();
  await code.fill(CODE);

  await expect(page.getByRole('heading', { name: 'Organisers that hold your data' })).toBeFocused();
  const venue = page.locator('.connection');
  await expect(venue).toContainText(['Test venue']);
  await expect(venue).toHaveAttribute('data-connected', 'true');
  await expectAccessibleInBothThemes(page);

  await button(page, 'Disconnect').click();
  await expect(page.getByRole('heading', { name: 'Disconnect from Test venue?' })).toBeFocused();
  await expectAccessibleInBothThemes(page);
  await button(page, 'Disconnect').click();
  await expect(said(page, 'disconnected')).toHaveText('You are disconnected from Test venue.');
  await expect(venue).toHaveAttribute('data-connected', 'false');
  expect(await confirmation(gatehouse, keys.sk_test, vyt)).toMatchObject({ verified: false });
  await expectAccessibleInBothThemes(page);

  await button(page, 'Erase my data').click();
  await expect(page.getByText('This cannot be undone.')).toBeVisible();
  await expectAccessibleInBothThemes(page);
  await button(page, 'Erase my data').click();
  await expect(said(page, 'erased')).toHaveText('Your data at Test venue has been erased.');
  await expect(page.getByRole('heading', { name: 'No data found for this number' })).toBeVisible();
  await expectAccessibleInBothThemes(page);

  await mainButton(page).click();
  await expect(said(page, 'closed')).toBeVisible();
  await expect(page.getByLabel('Mobile number')).toHaveValue('');
  expect(foreign).toEqual([]);
});
