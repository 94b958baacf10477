/** The admin's page of webhooks of v3, from none to a delivered test event. */
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from '@playwright/test';
import { Webhook } from 'standardwebhooks';
import { expectAccessible } from '../support/pages/accessible.ts';
import { type Operator, signIn } from '../support/pages/console.ts';
import { type Gatehouse, startGatehouse } from '../support/service/server.ts';
import { limitMs } from '../../testing/tier.ts';

const START_MS = limitMs(30_000);

let gatehouse: Gatehouse;
const received: { headers: IncomingHttpHeaders; body: string }[] = [];
const receiver = createServer((request, response) => {
  let body = '';
  request.on('data', (chunk: Buffer) => (body += chunk.toString()));
  request.on('end', () => {
    received.push({ headers: request.headers, body });
    response.writeHead(204).end();
  });
});
let admin: Operator;
test.beforeAll(async () => {
  test.setTimeout(START_MS);
  receiver.listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  gatehouse = await startGatehouse();
  admin = await signIn(gatehouse, 'admin');
});
test.afterAll(async () => {
  await gatehouse.stop();
  receiver.close();
});

test('an admin adds a webhook, shows its secret, sends a test event, changes and deletes it', async ({
  context,
  page,
}) => {
  test.setTimeout(START_MS);
  const [name = '', value = ''] = admin.cookie.split('=');
  await context.addCookies([{ name, value, url: gatehouse.consoleUrl }]);
  const button = (label: string) => page.getByRole('button', { name: label, exact: true });
  await page.goto(`${gatehouse.consoleUrl}/webhooks?kind=v3&partition=test`);
  await expect(page.getByRole('heading', { name: 'No webhook yet' })).toBeVisible();

  await button('Add webhook').click();
  const dialog = page.getByRole('dialog', { name: 'Add webhook' });
  await dialog
    .getByLabel('Destination')
    .fill(`http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hooks`);
  await dialog.getByLabel('The daily cap is reached').uncheck();
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Add webhook' }).click();
  await expect(page.getByRole('heading', { name: 'Signing secret' })).toBeVisible();
  await expect(page.getByLabel('The daily cap is reached')).not.toBeChecked();
  await expectAccessible(page);

  await button('Show').click();
  const secret =
    (await page
      .getByText(/^whsec_[A-Za-z0-9+/=]{44}$/)
      .first()
      .textContent()) ?? '';
  await button('Send a test event').click();
  await expect(page.getByText(/Queued: msg_/)).toBeVisible();
  await expect.poll(() => received.length, { timeout: limitMs(5_000) }).toBe(1);
  const [call] = received;
  expect(new Webhook(secret).verify(call?.body ?? '', call?.headers as Record<string, string>)).toMatchObject(
    { type: 'run.settled' },
  );

  await page.getByLabel('Note').fill('Till system');
  await button('Save').click();
  await expect(page.getByText('Saved', { exact: true })).toBeVisible();
  await page.getByText('Calls', { exact: true }).click();
  await expect(page.getByRole('cell', { name: 'A check has a result' })).toBeVisible();
  await page.locator('.table tbody tr').first().locator('.row-open').click();
  await expect(page.getByRole('dialog', { name: 'Call' }).getByText('HTTP 204')).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await page.getByText('Settings', { exact: true }).last().click();

  await button('Delete').click();
  const asked = page.getByRole('dialog', { name: /Delete the webhook to/ });
  await asked.getByLabel('Reason').fill('No longer needed');
  await asked.getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByRole('heading', { name: 'No webhook yet' })).toBeVisible();
});
