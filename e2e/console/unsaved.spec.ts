/** What is typed is not lost unasked, and what others changed is not reverted (decisions §8.2). */
import { expect, type Page, test } from '@playwright/test';
import type { ConsoleCompanies } from '../../server/contract/console/access.ts';
import type { EventRecord } from '../../server/contract/console/events.ts';
import type { KioskRecord, KioskWithCode } from '../../server/contract/console/kiosks.ts';
import { type Operator, signIn, signInPage } from '../support/pages/console.ts';
import { type Gatehouse, startGatehouse } from '../support/service/server.ts';

let gatehouse: Gatehouse;
let ben: Operator;

test.beforeAll(async () => {
  test.setTimeout(120_000);
  gatehouse = await startGatehouse();
  await gatehouse.cli(['company', 'create', '--name', 'Arena']);
  ben = await signIn(gatehouse, 'admin');
});
test.afterAll(async () => gatehouse.stop());

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const question = (page: Page) => page.getByRole('dialog', { name: 'Discard your changes?' });
const nameOf = (page: Page) => dialog(page).getByRole('textbox', { name: 'Name', exact: true });
const dialog = (page: Page) => page.getByRole('dialog', { name: 'New event' });

async function fillEvent(page: Page, name: string): Promise<void> {
  await button(page, 'New event').first().click();
  await nameOf(page).fill(name);
}

test('renaming a kiosk leaves it at the event to which somebody else has moved it', async ({ page }) => {
  const { items } = await ben.ok<ConsoleCompanies>('/companies');
  const query = `?company_id=${items[0]!.company_id}`;
  const times = { starts_at: '2030-01-01T18:00Z', ends_at: '2030-01-02T02:00Z' };
  const [one, two] = await Promise.all(
    ['One', 'Two'].map((name) => ben.ok<EventRecord>(`/events${query}`, { body: { name, ...times } })),
  );
  const body = { name: 'Gate', event_id: one!.event_id };
  const { kiosk } = await ben.ok<KioskWithCode>(`/kiosks${query}`, { body });
  await signInPage(page, gatehouse, 'admin', '/door');
  await button(page, 'Actions for Gate').click();
  await page.getByRole('menuitem', { name: 'Rename or change event' }).click();
  await page.getByLabel('Name of the kiosk').fill('North gate');
  const place = `/kiosks/${kiosk.kiosk_id}${query}`;
  await ben.ok(place, { method: 'PATCH', body: { event_id: two!.event_id } });
  await button(page, 'Save').click();
  await expect(page.getByText('North gate')).toBeVisible();
  const { items: kiosks } = await ben.ok<{ items: KioskRecord[] }>(`/kiosks${query}`);
  expect(kiosks[0]).toMatchObject({ name: 'North gate', event_id: two!.event_id });
});

test('a link and “back” ask; what was discarded does not come back', async ({ page }) => {
  await signInPage(page, gatehouse, 'admin', '/settings?section=backups');
  await page.getByLabel('Folder').fill('/srv/backups');
  await page.getByRole('link', { name: 'Events' }).click();
  await expect(question(page)).toBeVisible();
  await button(page, 'Keep editing').click();
  await expect(page).toHaveURL(/settings/);
  await page.getByRole('tab', { name: 'Retention' }).click();
  await button(page, 'Discard').click();
  await page.getByRole('tab', { name: 'Backups' }).click();
  await expect(page.getByLabel('Folder')).toHaveValue('');
});

test('an ended session and a reload give the text back, and signing out forgets it', async ({ page }) => {
  const { name, passphrase } = await signInPage(page, gatehouse, 'admin', '/events');
  await fillEvent(page, 'Winter gala');
  await page.context().clearCookies();
  await page.evaluate(() => fetch('/console/api/me').then(() => undefined));
  // The next call of the page finds the session ended.
  await dialog(page).getByRole('button', { name: 'Create event' }).click();
  await page.getByLabel('Name', { exact: true }).fill(name);
  await page.getByLabel('Passphrase').fill(passphrase);
  await button(page, 'Sign in').click();
  await expect(nameOf(page)).toHaveValue('Winter gala');
  await expect(dialog(page)).toContainText('What you entered before is back');
  page.once('dialog', (asked) => void asked.accept());
  await page.reload();
  await expect(nameOf(page)).toHaveValue('Winter gala');
  await dialog(page).getByRole('button', { name: 'Create event' }).click();
  await expect(page.getByRole('heading', { name: 'Winter gala' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('heading', { name: 'Winter gala' })).toBeHidden();
  await fillEvent(page, 'Another');
  await page.keyboard.press('Escape');
  await button(page, 'Keep editing').click();
  await page.evaluate(() => document.querySelector<HTMLElement>('.operator')?.click());
  await page.getByRole('menuitem', { name: 'Sign out' }).click({ force: true });
  await button(page, 'Discard').click();
  await expect(page.getByLabel('Passphrase')).toBeVisible();
  expect(await page.evaluate(() => JSON.stringify(sessionStorage))).not.toContain('Another');
});

test('a typed confirmation outlives a reload, and its button says what is missing', async ({ page }) => {
  await signInPage(page, gatehouse, 'admin', '/settings?section=retention');
  await button(page, 'Clear test data').click();
  const clearing = page.getByRole('dialog', { name: /^Clear the test data/ });
  const typed = clearing.getByLabel('to continue');
  const clear = clearing.getByRole('button', { name: 'Clear test data' });
  await expect(clearing.getByLabel('Reason')).toBeFocused();
  await expect(clear).toHaveAccessibleDescription('Give a reason first.');
  await clearing.getByLabel('Reason').fill('before the event');
  await expect(clear).toHaveAccessibleDescription('Type the name first.');
  await typed.fill('Test ven');
  page.once('dialog', (asked) => void asked.accept());
  await page.reload();
  await button(page, 'Clear test data').click();
  await expect(typed).toHaveValue('Test ven');
  await typed.fill('Test venue');
  await expect(clear).toBeEnabled();
});
