/** The admin's pages for integrations: keys, webhooks, usage, verifications. */
import { expect, type Page } from '@playwright/test';
import { button } from '../support/pages/elements.ts';
import { expectAccessible } from '../support/pages/accessible.ts';
import { type Operator, signIn, test } from '../support/pages/console.ts';
import { send } from '../support/http.ts';
import { consentedRun } from '../support/run.ts';
import type { Gatehouse } from '../support/service/server.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../support/webhook-receiver.ts';
import { limitMs } from '../../testing/tier.ts';

const START_MS = limitMs(30_000);
const MARKUP = '<img src=x onerror="document.title=1">';

let gatehouse: Gatehouse;
let receiver: WebhookReceiver;
let admin: Operator;

test.use({ settings: { GATEHOUSE_WEBHOOK_ALLOW_HOSTS: '127.0.0.1' } });
test.beforeAll(async ({ gatehouse: shared }) => {
  receiver = await startWebhookReceiver();
  gatehouse = shared;
  admin = await signIn(gatehouse, 'admin');
});
test.afterAll(() => receiver.close());

test.beforeEach(async ({ context }) => {
  test.setTimeout(START_MS);
  const [name = '', value = ''] = admin.cookie.split('=');
  await context.addCookies([{ name, value, url: gatehouse.consoleUrl }]);
});

const at = (path: string): string => gatehouse.consoleUrl + path;
/** By its name, because a drawer that is still closing is also a dialog. */
const dialog = (page: Page, name: string | RegExp) => page.getByRole('dialog', { name });
const rows = (page: Page) => page.locator('.table tbody tr');

test('keys are issued, shown once and rolled, and the keyboard stays where it was', async ({ page }) => {
  await page.goto(at('/keys'));
  await expect(rows(page)).toHaveCount(2);
  await button(page, 'Issue keys').click();
  const issuing = dialog(page, 'Issue new keys');
  await issuing.getByLabel('Name').fill('Ticket shop');
  await issuing.getByLabel('Reason').fill(MARKUP);
  await issuing.getByRole('button', { name: 'Issue keys' }).click();
  const shown = dialog(page, 'Your new keys');
  const key = await shown.getByText(/^sk_live_\w{32}$/).innerText();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await shown.getByLabel('I have stored them safely').check();
  await shown.getByRole('button', { name: 'Done' }).click();
  await expect(rows(page)).toHaveCount(3);
  const tried = await send<{ valid: boolean }>(`${gatehouse.baseUrl}/v3/keys/test`, { method: 'POST', key });
  expect(tried.body.valid).toBe(true);

  await page.getByRole('button', { name: 'Ticket shop' }).click();
  await expect(dialog(page, 'Ticket shop')).toBeVisible();
  await button(page, 'Roll').click();
  const rolling = dialog(page, /^Roll/);
  // Escape closes the dialog, not the keys below it.
  await expect(rolling).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(rolling).toBeHidden();
  await button(page, 'Roll').click();
  await rolling.getByLabel('Reason').fill(MARKUP);
  await rolling.getByRole('button', { name: 'Roll' }).click();
  await shown.getByLabel('I have stored them safely').check();
  await shown.getByRole('button', { name: 'Done' }).click();
  await expect(page.getByRole('dialog').getByText(MARKUP).first()).toBeVisible();
  // The button that rolled left with its dialog, so the keyboard continues in the details.
  await expect(page.getByRole('dialog')).toBeFocused();
});

test('a destination is set and tested, and its call can be read', async ({ page }) => {
  await page.goto(at('/webhooks'));
  await button(page, 'The person passed').click();
  await page.getByLabel('Destination', { exact: true }).fill(receiver.url);
  await button(page, 'Set destination').click();
  await expect(page.getByText('Saved')).toBeVisible();
  await button(page, 'Send a test event').click();
  await expect(page.getByText('Queued for the user')).toBeVisible();
  await expect.poll(() => receiver.delivered.length, { timeout: limitMs(5_000) }).toBe(1);
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await page.getByText('Calls', { exact: true }).click();
  await expect(page).toHaveURL(/view=calls/);
  await rows(page).first().locator('.row-open').click();
  await expect(page.getByRole('dialog').getByText('HTTP 200')).toBeVisible();
  await expectAccessible(page);
});

test('a webhook of v3 is added in a dialog, and its settings are shown', async ({ page }) => {
  await page.goto(at('/webhooks?kind=v3&partition=test'));
  await button(page, 'Add webhook').click();
  const adding = dialog(page, 'Add webhook');
  await adding.getByLabel('Destination').fill(receiver.url);
  await adding.getByLabel('The daily cap is reached').uncheck();
  await expectAccessible(page);
  await adding.getByRole('button', { name: 'Add webhook' }).click();
  await expect(page.getByRole('heading', { name: 'Signing secret' })).toBeVisible();
  await expect(page.getByLabel('The daily cap is reached')).not.toBeChecked();
  await expectAccessible(page);
});

test('usage is compared with the cap, which is changed with a reason; the numbers are available as CSV', async ({
  page,
}) => {
  const run = await consentedRun(gatehouse, gatehouse.company.keys.sk_test, { group: MARKUP });
  await run.flow('/test-capture', { face: 'alice' });
  await page.goto(at('/usage'));
  await expect(page.getByText('No results for these days')).toBeVisible();
  await page.goto(at('/usage?partition=test&by=group'));
  const chart = page.getByRole('group', { name: 'Results over 90 days, by day' });
  await chart.press('End');
  await expect(chart.getByRole('status')).toContainText('Passed 1');
  await chart.press('Escape');
  await expect(chart.getByRole('status')).toBeEmpty();
  await expect(page.getByText('of 66,000 per day')).toBeVisible();
  await expect(page.getByText(MARKUP)).toBeVisible();
  await button(page, 'Show the table').click();
  await expect(page.getByRole('table', { name: 'Days' }).locator('tbody tr')).toHaveCount(90);
  await expectAccessible(page);

  await button(page, 'Change cap').click();
  const changing = dialog(page, 'Change cap');
  await changing.getByLabel('Checks per day').fill('1');
  await changing.getByLabel('Reason').fill('a very small night');
  await changing.getByRole('button', { name: 'Change cap' }).click();
  await expect(page.getByText('You have reached the cap')).toBeVisible();
  await expect(page.getByRole('table', { name: 'Changes to the cap' })).toContainText('a very small night');

  const downloading = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Export CSV' }).click();
  expect((await downloading).suggestedFilename()).toMatch(/^gatehouse-usage-test-.*\.csv$/);
  await admin.ok('/usage/cap', { method: 'PUT', body: { daily_limit: 66_000, reason: 'as before' } });
});

test('a verification is created, its hosted link opens, and it becomes the default', async ({ page }) => {
  await page.goto(at('/verifications'));
  await button(page, 'Add verification').click();
  const editor = dialog(page, 'New verification');
  await editor.getByLabel('Your ID', { exact: true }).fill(MARKUP);
  await editor.getByRole('textbox', { name: 'Origin', exact: true }).fill('tickets.example.org');
  await editor.getByLabel('How often may one person enter?').selectOption('month');
  await editor.getByLabel('Number of entries').fill('2');
  await expectAccessible(page);
  await button(page, 'Add').click();

  const detail = dialog(page, MARKUP);
  await expect(detail.getByRole('img', { name: 'QR code of the hosted link' })).toBeVisible();
  const link = await detail.getByText(/\/v\/[0-9a-f-]{36}$/).innerText();
  expect((await fetch(link, { redirect: 'manual' })).status).toBeLessThan(400);
  await expectAccessible(page);
  await button(page, 'Make default').click();
  await dialog(page, /^Make/).getByLabel('Reason').fill('the new season');
  await dialog(page, /^Make/).getByRole('button', { name: 'Make default' }).click();
  await expect(detail.getByText('Default').first()).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(rows(page).filter({ hasText: 'tickets.example.org' })).toContainText('Default');
});
