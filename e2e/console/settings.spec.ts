/** Settings and planned maintenance from an admin's view; the server also refuses them to other roles. */
import { expect, test, type Page } from '@playwright/test';
import type { ConsoleCompanies } from '../../server/contract/console/access.ts';
import type {
  BackupState,
  DemoCompany,
  MaintenanceState,
  RecoveryPhrase,
} from '../../server/contract/console/settings.ts';
import { button } from '../support/pages/elements.ts';
import { closePages } from '../support/pages/close-pages.ts';
import { expectAccessible } from '../support/pages/accessible.ts';
import { MINUTE_MS, testClock, type TestClock } from '../support/service/clock.ts';
import { signIn, signInPage } from '../support/pages/console.ts';
import { send } from '../support/http.ts';
import {
  actAsDevice,
  kioskScreen,
  newKiosk,
  pairDevice,
  startButton,
  touchToConsent,
} from '../support/pages/kiosk.ts';
import { initialize } from '../support/run.ts';
import { type Gatehouse, startGatehouse } from '../support/service/server.ts';
import { sqliteOnly } from '../support/sqlite-only.ts';
import { limitMs } from '../../testing/tier.ts';

const START_MS = limitMs(30_000);
const SOON = { timeout: limitMs(7_500) };
/** Time until planned maintenance begins, and its duration: less than a session's idle limit. */
const LEAD_MS = 5 * MINUTE_MS;
let clock: TestClock;
let gatehouse: Gatehouse;

test.beforeAll(async () => {
  test.setTimeout(START_MS);
  clock = await testClock();
  gatehouse = await startGatehouse({ env: clock.env });
  await gatehouse.cli(['company', 'create', '--name', 'Arena']);
});
test.afterEach(closePages);
test.afterAll(async () => {
  await gatehouse.stop();
  clock.remove();
});

const panel = (page: Page, title: string) => page.getByRole('region', { name: title });

test('an admin changes the settings in every section', async ({ page }) => {
  test.setTimeout(START_MS);
  await signInPage(page, gatehouse, 'admin', '/settings');
  await page.goto(`${gatehouse.consoleUrl}/settings?section=retention`);
  const frames = page.getByLabel('Pictures of a case, after the decision');
  await frames.fill('400');
  await button(page, 'Save').click();
  await expect(page.getByRole('alert')).toContainText('0 to 365');
  await frames.fill('14');
  await button(page, 'Save').click();
  await expect(page.getByText('Saved.')).toBeVisible();
  await page.reload();
  await expect(frames).toHaveValue('14 days');

  await page.getByRole('tab', { name: 'Matching' }).click();
  await expect(page.getByText('not a certified presentation attack detector')).toBeVisible();
  await page.getByRole('textbox', { name: 'Margin' }).fill('0.03');
  await button(page, 'Change margin').click();
  await page.getByLabel('Reason').fill('Many relatives come');
  await page.getByRole('dialog').getByRole('button', { name: 'Change margin' }).click();
  await expect(page.getByText('from 0.58')).toBeVisible();

  await page.getByRole('tab', { name: 'Network' }).click();
  await page.getByLabel('Hosts, one per line').fill('box-office.local');
  await panel(page, 'Webhooks to your own network').getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Saved.')).toBeVisible();

  await page.getByRole('tab', { name: 'Phone codes' }).click();
  await page.getByLabel('Send codes with').selectOption('http');
  await page.getByLabel('Gateway address').fill('http://127.0.0.1:9/?k=hush&to={to}&t={text}');
  await panel(page, 'Phone codes').getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('127.0.0.1:9')).toBeVisible();
  expect(await page.content()).not.toContain('hush');
  await page.getByLabel('Number', { exact: true }).fill('+4915112345678');
  await button(page, 'Send test').click();
  await expect(page.getByRole('alert')).toContainText('Not sent');
  await page.reload();
  await expect(page.getByLabel('Number', { exact: true })).toHaveValue('+4915112345678');

  await page.keyboard.press('ControlOrMeta+K');
  await page.getByRole('textbox', { name: 'Search pages' }).fill('nodes');
  await page.getByRole('button', { name: 'System: database and nodes' }).click();
  await expect(panel(page, 'Database').getByText(/^(SQLite 3|PostgreSQL 1)/)).toBeVisible();
  await expect(panel(page, 'Nodes').getByText('Leader: runs background jobs')).toBeVisible();
  await expect(panel(page, 'Nodes').getByText(new URL(gatehouse.consoleUrl).host)).toBeVisible();
});

/** What is typed is not lost unasked (decisions §8.2). */
test('an ended session and a reload give the text back, and signing out forgets it', async ({ page }) => {
  const dialog = page.getByRole('dialog', { name: 'New event' });
  const nameOf = dialog.getByRole('textbox', { name: 'Name', exact: true });
  const fillEvent = async (event: string) => {
    await button(page, 'New event').first().click();
    await nameOf.fill(event);
  };
  const { name, passphrase } = await signInPage(page, gatehouse, 'admin', '/events');
  await fillEvent('Winter gala');
  await page.context().clearCookies();
  await page.evaluate(() => fetch('/console/api/me').then(() => undefined));
  // The page's next call finds the session ended, this one unless another was earlier.
  await page.keyboard.press('Enter');
  await page.getByLabel('Name', { exact: true }).fill(name);
  await page.getByLabel('Passphrase').fill(passphrase);
  await button(page, 'Sign in').click();
  await expect(nameOf).toHaveValue('Winter gala');
  await expect(dialog).toContainText('What you entered before is back');
  page.once('dialog', (asked) => void asked.accept());
  await page.reload();
  await expect(nameOf).toHaveValue('Winter gala');
  await dialog.getByRole('button', { name: 'Create event' }).click();
  await expect(page.getByRole('heading', { name: 'Winter gala' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('heading', { name: 'Winter gala' })).toBeHidden();
  await fillEvent('Another');
  await page.keyboard.press('Escape');
  await button(page, 'Keep editing').click();
  await page.evaluate(() => document.querySelector<HTMLElement>('.operator')?.click());
  await page.getByRole('menuitem', { name: 'Sign out' }).click({ force: true });
  await button(page, 'Discard').click();
  await expect(page.getByLabel('Passphrase')).toBeVisible();
  expect(await page.evaluate(() => JSON.stringify(sessionStorage))).not.toContain('Another');
});

test('a backup is made with its phrase, which is shown once', async ({ page }) => {
  sqliteOnly('Its backups are files.');
  await signInPage(page, gatehouse, 'admin', '/settings?section=system');
  await expect(page.getByText('The database key is in a file')).toBeVisible();
  await page.goto(`${gatehouse.consoleUrl}/settings?section=backups`);
  await button(page, 'Create recovery phrase').click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByRole('listitem')).toHaveCount(24);
  await page.keyboard.press('Escape');
  await expect(dialog).toBeVisible();
  await dialog.getByLabel('I have written them down').check();
  await dialog.getByRole('button', { name: 'Done' }).click();
  await button(page, 'Back up now').press('Enter');
  await expect(page.getByRole('list', { name: 'Backups' }).getByText(/^by-hand-/)).toBeVisible();
  // It waited for the backup, and kept the keyboard's focus.
  await expect(button(page, 'Back up now')).toBeEnabled();
  await expect(button(page, 'Back up now')).toBeFocused();
});

test('a backup is restored from the page: the server stops, and its next start uses that data', async ({
  page,
}) => {
  sqliteOnly('Its backups are files.');
  test.setTimeout(2 * START_MS);
  const admin = await signIn(gatehouse, 'admin');
  const { phrase } = await admin.ok<RecoveryPhrase>('/settings/recovery-phrase', { method: 'POST' });
  const backups = () => admin.ok<BackupState>('/settings/backups');
  await admin.ok('/settings/backups', { method: 'POST' });
  await expect.poll(async () => (await backups()).running, SOON).toBeNull();
  await gatehouse.cli(['company', 'create', '--name', 'Made later']);

  await signInPage(page, gatehouse, 'admin', '/settings?section=backups');
  const words = page.getByRole('textbox', { name: 'Recovery phrase' });
  const begin = async () => {
    await button(page, 'Restore…').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Restore', exact: true }).click();
  };
  await words.fill('twelve monkeys');
  await begin();
  await expect(page.getByRole('dialog').getByRole('alert')).toContainText('24 words');
  await page.keyboard.press('Escape');
  await words.fill(phrase);
  await begin();
  const said = page.getByRole('status').filter({ hasText: 'Restored. Start Gatehouse again' });
  await expect(said).toBeVisible();
  expect(await gatehouse.ended()).toBe(75);
  // It stays right while nothing answers.
  await expect(said).toContainText('serve --data-dir');
  await gatehouse.restart();
  expect((await admin.api('/me')).status).toBe(401);
  const again = await signIn(gatehouse, 'admin');
  const { items } = await again.ok<ConsoleCompanies>('/companies');
  expect(items.map(({ name }) => name)).toContain('Arena');
  expect(items.map(({ name }) => name)).not.toContain('Made later');
  await signInPage(page, gatehouse, 'admin', '/settings?section=backups');
  const replaced = page.getByRole('list', { name: 'Data that a restore replaced' });
  await expect(replaced.getByText(/before-restore-.*MB/s)).toBeVisible();
});

test('pages that stay open during a restore follow it: kiosks return to their first screen or to pairing, people sign in again', async ({
  page,
  browser,
}) => {
  sqliteOnly('Its backups are files.');
  test.setTimeout(2 * START_MS);
  const venue = await newKiosk(gatehouse, { partition: 'test' });
  const open = async (code: string) => {
    const kiosk = await (await browser.newContext()).newPage();
    await actAsDevice(kiosk, await pairDevice(gatehouse, code));
    await kiosk.goto(`${gatehouse.baseUrl}/kiosk`);
    await expect(startButton(kiosk)).toBeVisible();
    return kiosk;
  };
  const idle = await open(venue.code);
  const busy = await open((await venue.another()).code);
  const admin = await signIn(gatehouse, 'admin');
  await admin.ok('/settings/backups', { method: 'POST' });
  const backups = () => admin.ok<BackupState>('/settings/backups');
  await expect.poll(async () => (await backups()).running, SOON).toBeNull();
  const [made] = (await backups()).files.toSorted((a, b) => b.made_at.localeCompare(a.made_at));
  const added = await open((await venue.another()).code);
  await touchToConsent(busy, 'en');
  await signInPage(page, gatehouse, 'staff', '/account');

  await admin.ok('/settings/backups/restore', { body: { name: made!.name, phrase: null } });
  expect(await gatehouse.ended()).toBe(75);
  await expect(idle.locator('[data-trouble="offline"]')).toBeVisible();
  await gatehouse.restart();
  await expect(startButton(idle)).toBeVisible(SOON);
  await expect(kioskScreen(added, 'pairing')).toBeVisible(SOON);
  await busy.locator('.button--main').click();
  await expect(startButton(busy)).toBeVisible(SOON);
  await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible(SOON);
});

test('planned maintenance is announced to staff, stops checks at its time and ends automatically', async ({
  page,
}) => {
  const admin = await signIn(gatehouse, 'admin');
  const live = page.waitForResponse('**/console/api/live?*');
  await signInPage(page, gatehouse, 'staff', '/account');
  // Windows planned before the page listens are found only by its next poll.
  await live;
  const begins = Date.now() + LEAD_MS;
  const window = {
    starts_at: new Date(begins).toISOString(),
    ends_at: new Date(begins + LEAD_MS).toISOString(),
    notice: 'New server',
  };
  await admin.ok('/maintenance/windows', { body: window });
  await expect(page.getByText(/planned.*New server/)).toBeVisible();
  const health = () => send(`${gatehouse.baseUrl}/v3/keys/test`, { body: { key: 'x' } });
  await clock.advance(LEAD_MS);
  await expect.poll(async () => (await health()).status, SOON).toBe(503);
  await clock.advance(LEAD_MS);
  await expect.poll(async () => (await health()).status, SOON).not.toBe(503);
  expect((await admin.ok<MaintenanceState>('/maintenance')).planned).toEqual([]);

  await admin.ok('/maintenance/now', { method: 'PUT', body: { on: true } });
  await expect(page.getByText('Maintenance is on. No checks are accepted.')).toBeVisible();
  await admin.ok('/maintenance/now', { method: 'PUT', body: { on: false } });
});

test('a removed language is no longer offered to anyone, not even at an open kiosk', async ({
  page,
  browser,
}) => {
  const save = panel(page, 'Languages').getByRole('button', { name: 'Save' });
  test.setTimeout(START_MS);
  const { code } = await newKiosk(gatehouse, { languages: ['en', 'fr', 'de'], partition: 'test' });
  const guests = await browser.newContext({ locale: 'de-AT' });
  const kiosk = await guests.newPage();
  await actAsDevice(kiosk, await pairDevice(gatehouse, code));
  await kiosk.goto(`${gatehouse.baseUrl}/kiosk`);
  await expect(kiosk.locator('.attract__languages [data-language]')).toHaveCount(2);

  await signInPage(page, gatehouse, 'admin', '/settings?section=languages');
  await page.getByLabel('Deutsch').press('Space');
  await page.getByLabel('English').uncheck();
  await expect(page.getByText('This language isn’t offered.')).toBeVisible();
  await expect(save).toBeDisabled();
  await expectAccessible(page);
  await page.getByLabel('Default').selectOption('fr');
  await page.getByLabel('English').check();
  await save.click();
  await expect(page.getByText('Saved.')).toBeVisible();

  await expect(kiosk.locator('html')).toHaveAttribute('lang', 'fr');
  await expect(startButton(kiosk)).toHaveAttribute('data-language', 'fr');
  await expect(kiosk.locator('.attract__languages [data-language]')).toHaveText(['English']);

  const person = await guests.newPage();
  const { url } = await initialize(gatehouse, gatehouse.company.keys.sk_test);
  for (const address of [url, `${gatehouse.baseUrl}/my`]) {
    await person.goto(address);
    await expect(person.locator('html')).toHaveAttribute('lang', 'fr');
    await expect(person.locator('.language option')).toHaveText(['English', 'Español', 'Français']);
  }
  await guests.close();
});

test('an admin removes the sample by its name; the page returns to the own company', async ({ page }) => {
  test.setTimeout(START_MS);
  const { company_id, company_name } = await gatehouse.cli<DemoCompany>(['demo']);
  await signInPage(page, gatehouse, 'admin', `/settings?section=venue&company=${company_id}`);
  const sample = panel(page, 'Sample festival');
  await sample.getByRole('button', { name: 'Remove the sample' }).click();
  const dialog = page.getByRole('dialog', { name: `Remove ${company_name}` });
  await expect(dialog.getByLabel('Reason')).toBeFocused();
  await dialog.getByLabel('Reason').fill('the season begins');
  const confirm = dialog.getByRole('button', { name: 'Remove the sample' });
  await expect(confirm).toBeDisabled();
  await dialog.getByLabel('to continue').fill(company_name);
  await expectAccessible(page);
  await confirm.click();
  await expect(page.getByText(`${company_name} is removed.`)).toBeVisible(SOON);
  await expect(sample).toBeHidden();
  await expect(panel(page, 'Company').getByLabel('Name')).toHaveValue('Test venue');
  await page.goto(`${gatehouse.consoleUrl}/audit`);
  await expect(page.getByText(`removed the company ${company_name} with all its data`)).toBeVisible();
  const left = await gatehouse.cli<{ name: string }[]>(['company', 'list']);
  expect(left.map(({ name }) => name)).not.toContain(company_name);
});
