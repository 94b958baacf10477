/** The admin's pages for integrations: keys, webhooks, usage, verifications. */
import { expect, test, type BrowserContext, type Page } from '@playwright/test';
import type { KeyPage } from '../../server/contract/console/keys.ts';
import type { WebhookLinePage } from '../../server/contract/console/webhooks.ts';
import { WEBHOOK_TYPES } from '../../server/contract/webhook-types.ts';
import { expectAccessible } from '../support/pages/accessible.ts';
import { type Operator, signIn } from '../support/pages/console.ts';
import { send } from '../support/http.ts';
import { consentedRun } from '../support/run.ts';
import { type Gatehouse, startGatehouse } from '../support/service/server.ts';
import { isSigned, ok, startWebhookReceiver, type WebhookReceiver } from '../support/webhook-receiver.ts';
import { limitMs } from '../../testing/tier.ts';

const START_MS = limitMs(30_000);
const MARKUP = '<img src=x onerror="document.title=1">';

let gatehouse: Gatehouse;
let receiver: WebhookReceiver;
let admin: Operator;

test.beforeAll(async () => {
  test.setTimeout(START_MS);
  receiver = await startWebhookReceiver();
  gatehouse = await startGatehouse({ env: { GATEHOUSE_WEBHOOK_ALLOW_HOSTS: '127.0.0.1' } });
  admin = await signIn(gatehouse, 'admin');
});
test.afterAll(async () => {
  await gatehouse.stop();
  await receiver.close();
});

const refusedByPolicy: string[] = [];
test.beforeEach(async ({ context, page }) => {
  test.setTimeout(START_MS);
  await useCookie(context, admin);
  refusedByPolicy.length = 0;
  page.on('console', (message) => {
    if (/Content Security Policy/i.test(message.text())) refusedByPolicy.push(message.text());
  });
});
test.afterEach(() => expect(refusedByPolicy).toEqual([]));

async function useCookie(context: BrowserContext, { cookie }: Operator): Promise<void> {
  const [name = '', value = ''] = cookie.split('=');
  await context.addCookies([{ name, value, url: gatehouse.consoleUrl }]);
}

const at = (path: string): string => gatehouse.consoleUrl + path;
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
/** By its name, because a drawer that is still closing is also a dialog. */
const dialog = (page: Page, name: string | RegExp) => page.getByRole('dialog', { name });
const rows = (page: Page) => page.locator('.table tbody tr');

async function works(key: string): Promise<boolean> {
  const { body } = await send<{ valid: boolean }>(`${gatehouse.baseUrl}/v3/keys/test`, {
    method: 'POST',
    key,
  });
  return body.valid;
}

test('keys are issued and shown once, rolled with a visible end, and revoked', async ({ page }) => {
  await page.goto(at('/keys'));
  await expect(rows(page)).toHaveCount(2);
  await button(page, 'Issue keys').click();
  const issuing = dialog(page, 'Issue new keys');
  await expect(issuing.getByLabel('Name')).toBeFocused();
  await issuing.getByLabel('Name').fill('Ticket shop');
  await issuing.getByLabel('Reason').fill(MARKUP);
  await issuing.getByRole('button', { name: 'Issue keys' }).click();
  const shown = dialog(page, 'Your new keys');
  const first = await shown.getByText(/^sk_live_\w{32}$/).innerText();
  expect(await works(first)).toBe(true);
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await shown.getByLabel('I have stored them safely').check();
  await shown.getByRole('button', { name: 'Done' }).click();
  await expect(rows(page)).toHaveCount(3);
  await expect(page.locator('body')).not.toContainText(first);

  const name = new RegExp(first.slice(-4));
  await page.getByRole('button', { name }).click();
  await expect(dialog(page, 'Ticket shop')).toBeVisible();
  await button(page, 'Change name').click();
  const renaming = dialog(page, 'Change name');
  await renaming.getByLabel('Name').fill('Box office');
  await expectAccessible(page);
  await renaming.getByRole('button', { name: 'Change name' }).click();
  await expect(dialog(page, 'Box office')).toBeVisible();
  await expect(rows(page).filter({ hasText: 'Box office' })).toHaveCount(1);
  await button(page, 'Roll').click();
  const rolling = dialog(page, /^Roll/);
  // Escape closes the dialog, not the keys below it.
  await expect(rolling).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(rolling).toBeHidden();
  await button(page, 'Roll').click();
  await rolling.getByLabel('In 1 hour').check();
  await rolling.getByLabel('Reason').fill(MARKUP);
  await rolling.getByRole('button', { name: 'Roll' }).click();
  const second = await shown.getByText(/^sk_live_\w{32}$/).innerText();
  await expect(shown.getByRole('timer')).toContainText(/5\d min/);
  await shown.getByLabel('I have stored them safely').check();
  await shown.getByRole('button', { name: 'Done' }).click();
  await expect(page.getByRole('dialog').getByText(MARKUP).first()).toBeVisible();
  // The button that rolled left with its dialog, so the keyboard continues in the details.
  await expect(page.getByRole('dialog')).toBeFocused();
  await expect(page.getByRole('dialog').getByRole('timer').first()).toContainText('min');
  expect([await works(first), await works(second)]).toEqual([true, true]);

  await button(page, 'Revoke both').click();
  const revoking = dialog(page, /^Revoke/);
  await expect(revoking.getByRole('button', { name: 'Revoke' })).toBeDisabled();
  await revoking.getByLabel('Reason').fill('no longer in use');
  await revoking.getByRole('button', { name: 'Revoke' }).click();
  await expect(page.getByRole('dialog').getByText('Revoked').first()).toBeVisible();
  expect([await works(first), await works(second)]).toEqual([false, true]);
  await page.goto(at('/keys?list=gone'));
  await expect(rows(page)).toHaveCount(1);
  const { items } = await admin.ok<KeyPage>('/keys?list=gone');
  expect(items[0]?.keys.every(({ state }) => state === 'revoked')).toBe(true);
});

test('a destination is set, tested, signed, rotated and deleted', async ({ page }) => {
  await page.goto(at('/webhooks'));
  await button(page, 'The person passed').click();
  const destination = page.getByLabel('Destination', { exact: true });
  await destination.fill('https://192.168.7.7/hook');
  await button(page, 'Set destination').click();
  await expect(page.getByRole('dialog').getByRole('alert')).toBeVisible();
  await destination.fill(receiver.url);
  await button(page, 'Set destination').click();
  await expect(page.getByText('Saved')).toBeVisible();
  await button(page, 'Send a test event').click();
  await expect(page.getByText('Queued for the user')).toBeVisible();
  await expect.poll(() => receiver.delivered.length).toBe(1);
  await expectAccessible(page);
  await page.keyboard.press('Escape');

  await button(page, 'Show').click();
  const secret = await page.getByText(/^whsec_\w{43}$/).innerText();
  expect(isSigned(receiver.delivered[0]!, secret)).toBe(true);
  await button(page, 'New secret').click();
  const rotating = dialog(page, /^New signing secret/);
  await rotating.getByLabel('Reason').fill('the old one was in a ticket');
  await rotating.getByRole('button', { name: 'New secret' }).click();
  await expect(page.getByRole('timer')).toContainText('24 hr');
  await expect(page.getByText(/^whsec_\w{43}$/)).toHaveCount(2);

  await page.getByText('Calls', { exact: true }).click();
  await expect(page).toHaveURL(/view=calls/);
  await rows(page).first().locator('.row-open').click();
  await expect(page.getByRole('dialog').getByText('HTTP 200')).toBeVisible();
  await expectAccessible(page);
  await button(page, 'Send again').click();
  await expect(page.getByText('Queued with a new ID:')).toBeVisible();
  await expect.poll(() => receiver.delivered.length).toBe(2);
  const [before, after] = receiver.delivered;
  expect(after!.transactionId).not.toBe(before!.transactionId);
  expect(isSigned(after!, secret)).toBe(false);
  await page.keyboard.press('Escape');

  await button(page, 'Send failed calls again').click();
  await dialog(page, 'Send failed calls again').getByRole('button', { name: 'Send again' }).click();
  await expect(page.getByText('0 calls are being sent.')).toBeVisible();
  await page.keyboard.press('Escape');

  const { items } = await admin.ok<WebhookLinePage>('/webhooks/lines');
  expect(items[0]?.destinations).toBe(1);
  await page.goto(at('/webhooks?open=USER_VERIFICATION_COMPLETED'));
  await button(page, 'Delete').click();
  const removing = dialog(page, /^Delete the destination/);
  await expect(removing).toContainText(receiver.url);
  await removing.getByLabel('Reason').fill('the shop has closed');
  await removing.getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByRole('dialog').getByRole('button', { name: 'Set destination' })).toBeVisible();
});

test('one address is set for all events with one tick', async ({ page }) => {
  await page.goto(at('/webhooks?open=USER_VERIFICATION_REVOKED'));
  await page.getByLabel('Destination', { exact: true }).fill(receiver.url);
  await page.getByLabel('Use it for all events').check();
  await button(page, 'Set destination').click();
  await expect(page.getByText('Saved')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(rows(page).getByText(receiver.url)).toHaveCount(WEBHOOK_TYPES.length);

  const [line] = (await admin.ok<WebhookLinePage>('/webhooks/lines')).items;
  for (const type of WEBHOOK_TYPES)
    await admin.ok(`/webhooks/lines/${line!.lineage_id}/destinations/${type}`, {
      method: 'DELETE',
      body: { reason: 'the next test sets its own' },
    });
});

test('a receiver that fails is shown, paused and resumed', async ({ page }) => {
  const [line] = (await admin.ok<WebhookLinePage>('/webhooks/lines')).items;
  const path = `/webhooks/lines/${line!.lineage_id}/destinations/USER_VERIFICATION_DENIED`;
  receiver.answerWith(({ response }) => void response.writeHead(500).end(MARKUP));
  await admin.ok(path, { method: 'PUT', body: { destination_url: receiver.url } });
  await admin.ok(`${path}/test`, { method: 'POST' });
  const { origin } = new URL(receiver.url);
  await page.goto(at('/webhooks'));
  await expect(page.getByText(`${origin} is failing: 1 call waits.`)).toBeVisible();
  await button(page, 'Pause receiver').click();
  const pausing = dialog(page, `Pause ${origin}`);
  await pausing.getByLabel('Reason').fill('they move house');
  await pausing.getByRole('button', { name: 'Pause receiver' }).click();
  await expect(page.getByText(`${origin} is paused: 1 call waits.`)).toBeVisible();
  await page.goto(at('/webhooks?view=calls&status=PENDING'));
  await rows(page).first().locator('.row-open').click();
  await expect(page.getByRole('dialog').getByText(MARKUP)).toBeVisible();
  await page.keyboard.press('Escape');
  await button(page, 'Resume').click();
  const resuming = dialog(page, `Resume ${origin}`);
  await resuming.getByLabel('Reason').fill('they are back');
  await resuming.getByRole('button', { name: 'Resume' }).click();
  await expect(page.getByText(`${origin} is paused`)).toBeHidden();
  // Paused on purpose, with no waiting call: no alarm.
  const quiet = await startWebhookReceiver();
  await admin.ok(path, { method: 'PUT', body: { destination_url: quiet.url } });
  const { origin: quietOrigin } = new URL(quiet.url);
  const body = { origin: quietOrigin, reason: 'not yet open' };
  await admin.ok('/webhooks/receivers/pause', { body });
  await page.reload();
  const note = page.locator('.receiver-note', { hasText: `${quietOrigin} is paused. No calls wait.` });
  await expect(note).toHaveAttribute('data-tone', 'quiet');
  await admin.ok('/webhooks/receivers/resume', { body });
  await quiet.close();
  // The waiting call is tried again after a minute, and a second failure would show in later tests.
  receiver.answerWith(ok);
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

test('a verification is created, its options judged as by the interface, and becomes the default', async ({
  page,
}) => {
  await page.goto(at('/verifications'));
  await button(page, 'Add verification').click();
  const editor = dialog(page, 'New verification');
  await editor.getByLabel('Your ID', { exact: true }).fill(MARKUP);
  await editor.getByRole('textbox', { name: 'Origin', exact: true }).fill('tickets.example.org');
  await editor.getByLabel('How often may one person enter?').selectOption('month');
  await editor.getByLabel('Number of entries').fill('2');
  await expectAccessible(page);
  await editor.getByText('API (JSON)', { exact: true }).click();
  const json = editor.getByLabel('Options as JSON');
  await expect(json).toHaveValue(/"max": 2/);
  await json.fill('{"limit": {"kind": "month", "max": 2}, "colour": "red"}');
  await button(page, 'Add').click();
  await expect(editor.getByRole('alert')).toContainText('These options don’t exist: colour');
  await json.fill('{"limit": {"kind": "month", "max": 2}}');
  await button(page, 'Add').click();

  const detail = dialog(page, MARKUP);
  await expect(detail.getByRole('img', { name: 'QR code of the hosted link' })).toBeVisible();
  await expect(detail.getByText('https://tickets.example.org')).toBeVisible();
  await expect(detail.getByText('Not known yet: 0 of 20 captures')).toBeVisible();
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
