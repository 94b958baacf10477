/** The console's shell from an operator's view: signing in, navigating, and a lost server. */
import { expect, type Page } from '@playwright/test';
import { button } from '../support/pages/elements.ts';
import { expectAccessible } from '../support/pages/accessible.ts';
import { test } from '../support/pages/console.ts';
import { type Gatehouse, startGatehouse } from '../support/service/server.ts';
import { limitMs } from '../../testing/tier.ts';

const ADMIN = { name: 'Ana Ruiz', passphrase: 'copper lantern river moss' };
const STAFF = { name: 'Ben Okafor', passphrase: 'violet anchor paper stone' };
const START_MS = limitMs(30_000);

let gatehouse: Gatehouse;

test.beforeAll(async () => {
  test.setTimeout(START_MS);
  gatehouse = await startGatehouse();
});
test.afterAll(() => gatehouse.stop());

const at = (path: string): string => gatehouse.consoleUrl + path;
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name });

/** Leaves the page signed in as the first admin, created by the first test unless it runs alone. */
async function setUp(page: Page): Promise<void> {
  const signedIn = await page.request.post(at('/console/api/sign-in'), { data: ADMIN });
  if (signedIn.ok()) return;
  const made = await page.request.post(at('/console/api/setup'), {
    data: { ...ADMIN, company_name: 'Test venue' },
  });
  expect(made.status()).toBe(200);
}

let isAdded = false;
async function addStaff(page: Page): Promise<void> {
  if (isAdded) return;
  const me = (await (await page.request.get(at('/console/api/me'))).json()) as { csrf_token: string };
  const reply = await page.request.post(at('/console/api/operators'), {
    headers: { 'x-csrf-token': me.csrf_token },
    data: { ...STAFF, role: 'staff' },
  });
  expect(reply.ok()).toBe(true);
  isAdded = true;
}

async function signIn(page: Page, { name, passphrase }: typeof ADMIN): Promise<void> {
  await page.getByLabel('Name', { exact: true }).fill(name);
  await page.getByRole('textbox', { name: 'Passphrase' }).fill(passphrase);
  await page.keyboard.press('Enter');
}

test('the first start creates an admin and an event, and opens the console', async ({ page }) => {
  await page.goto(at('/'));
  await expect(heading(page, 'Welcome to Gatehouse')).toBeVisible();
  await expectAccessible(page);
  await page.getByLabel('Your name').fill(ADMIN.name);
  await page.getByRole('textbox', { name: 'Passphrase' }).fill(ADMIN.passphrase);
  await button(page, 'Create').click();

  await button(page, 'Done').click();
  await expect(page.locator('.frame')).toBeVisible();
  await page.reload();
  await expect(page.locator('.frame')).toBeVisible();
});

test('a deep link asks to sign in and then opens its target', async ({ page }) => {
  await setUp(page);
  await page.context().clearCookies();
  await page.goto(at('/audit?action=operator.create&partition=test'));
  await expect(page.getByLabel('Name', { exact: true })).toBeFocused();
  await signIn(page, { ...ADMIN, passphrase: 'not the right one' });
  await expect(page.getByRole('alert')).toContainText('Wrong name or passphrase');
  await expectAccessible(page);
  await signIn(page, ADMIN);
  await expect(heading(page, 'Audit')).toBeVisible();
  await expect(page.getByLabel('Action')).toHaveValue('operator.create');
  await expect(page.locator('.frame')).toHaveAttribute('data-partition', 'test');
  await expect(page.getByText('It doesn’t count at the door')).toBeVisible();

  await expect(page.getByRole('table')).toContainText('added the operator');
  await page.locator('.row-open').first().click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await expect(page).toHaveURL(/open=\d+/);
  await page.goBack();
  await expect(page.getByRole('dialog')).toBeHidden();
  await expect(page).toHaveURL(/action=operator\.create/);
});

test('everything can be used by keyboard: palette, rows, drawer, help', async ({ page }) => {
  await setUp(page);
  await addStaff(page);
  await page.goto(at('/account'));
  await expect(heading(page, 'Your account')).toBeVisible();
  await page.keyboard.press('Control+k');
  await page.getByRole('textbox', { name: 'Search pages, actions, people and tickets…' }).fill('operat');
  await expect(page.locator('[data-selected]')).toContainText('Operators');
  await page.keyboard.press('Enter');
  await expect(heading(page, 'Operators')).toBeVisible();
  await expect(page.locator('#content')).toBeFocused();

  await page.locator('.row-open').first().focus();
  await page.keyboard.press('ArrowDown');
  await expect(page.locator('.row-open').nth(1)).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog')).toContainText('Staff');
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toBeHidden();

  await page.keyboard.press('?');
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible();
});

test('theme and language can be chosen and are kept', async ({ page }) => {
  await setUp(page);
  await page.goto(at('/operators'));
  await button(page, 'Menu for Ana Ruiz').click();
  await page.getByRole('menuitem', { name: 'Dark' }).click();
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark');
  await button(page, 'Menu for Ana Ruiz').click();
  await page.getByRole('menuitem', { name: 'Deutsch' }).click();
  await expect(heading(page, 'Bediener')).toBeVisible();
  await page.reload();
  await expect(heading(page, 'Bediener')).toBeVisible();
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark');
  await expect(page.locator('html')).toHaveAttribute('lang', 'de');
  await button(page, 'Menü für Ana Ruiz').click();
  await page.getByRole('menuitem', { name: 'Abmelden' }).click();
  await expect(heading(page, 'Anmelden')).toBeVisible();
});

test('the console shows that the server is gone, and recovers when it is back', async ({ page }) => {
  await setUp(page);
  await page.goto(at('/operators'));
  await expect(button(page, 'Ana Ruiz (you)')).toBeVisible();
  await gatehouse.kill9();
  await expect(page.getByText('Can’t reach Gatehouse')).toBeVisible();
  await gatehouse.restart();
  await expect(page.getByText('Can’t reach Gatehouse')).toBeHidden({ timeout: limitMs(7_500) });
  await expect(button(page, 'Ana Ruiz (you)')).toBeVisible();
});

test('someone who signs out while the server is gone stays signed out when it is back', async ({ page }) => {
  await setUp(page);
  await page.goto(at('/operators'));
  await expect(button(page, 'Ana Ruiz (you)')).toBeVisible();
  await gatehouse.kill9();
  await page.getByRole('button', { name: 'Menu for Ana Ruiz' }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await expect(heading(page, 'Sign in')).toBeVisible();
  await gatehouse.restart();
  await expect(page.getByText('Can’t reach Gatehouse')).toBeHidden({ timeout: limitMs(7_500) });
  await expect.poll(async () => (await page.request.get(at('/console/api/me'))).status()).toBe(401);
  await expect(heading(page, 'Sign in')).toBeVisible();
});

test('the console works in more tabs than a browser has connections, also in those without a stream', async ({
  page,
  context,
}) => {
  await setUp(page);
  let last = page;
  for (let tabs = 0; tabs < 8; tabs++) {
    last = await context.newPage();
    await last.goto(at('/usage'));
    await expect(button(last, 'Change cap')).toBeVisible();
  }
  const [company] = await gatehouse.cli<{ company_id: string }[]>(['company', 'list']);
  await gatehouse.cli(['limit', 'set', '--company', company?.company_id ?? '', '--daily', '4321']);
  await expect(last.getByText('4,321').first()).toBeVisible({ timeout: limitMs(5_000) });
});

test('works right-to-left: nothing is off screen', async ({ page }) => {
  await setUp(page);
  await page.route(at('/operators'), async (route) => {
    const reply = await route.fetch();
    const body = (await reply.text()).replace('<html lang="en"', '<html lang="en" dir="rtl"');
    await route.fulfill({ response: reply, body });
  });
  await page.goto(at('/operators'));
  await expect(heading(page, 'Operators')).toBeVisible();
  const navigation = await page.getByRole('navigation', { name: 'Pages' }).boundingBox();
  const title = await heading(page, 'Operators').boundingBox();
  expect(navigation!.x).toBeGreaterThan(title!.x);
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0);
});

test('on a phone the navigation opens over the page, and closes after a choice', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await setUp(page);
  await page.goto(at('/operators'));
  await button(page, 'Open navigation').click();
  await page.getByRole('dialog').getByRole('link', { name: 'Audit' }).click();
  await expect(heading(page, 'Audit')).toBeVisible();
  await expect(page.getByRole('dialog')).toBeHidden();
});

test('on a phone the palette opens by its icon, and no button names a key', async ({ browser }) => {
  const context = await browser.newContext({
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
  });
  const page = await context.newPage();
  await setUp(page);
  await page.goto(at('/reviews'));
  await expect(button(page, 'Take the next case')).toBeVisible();
  expect(await page.locator('kbd').count()).toBe(0);
  await button(page, 'Find').click();
  await expect(
    page.getByRole('textbox', { name: 'Search pages, actions, people and tickets…' }),
  ).toBeFocused();
  await context.close();
});

test('a deep link shows the shape of its page while the code of the page is on the way', async ({ page }) => {
  await setUp(page);
  const { promise: isSeen, resolve: seen } = Promise.withResolvers<undefined>();
  await page.route('**/AuditPage-*.js', async (route) => {
    await isSeen;
    await route.continue();
  });
  await page.goto(at('/audit'), { waitUntil: 'commit' });
  await expect(page.locator('main .page-skeleton')).toBeVisible();
  seen(undefined);
  await expect(heading(page, 'Audit')).toBeVisible();
  await expect(page.locator('.page-skeleton')).toHaveCount(0);
});

test('a console whose first data did not arrive tries again automatically, or when asked', async ({
  page,
}) => {
  await setUp(page);
  const companies = '**/console/api/companies*';
  await page.route(companies, (route) => route.abort());
  await page.goto(at('/account'));
  await expect(page.getByText('Couldn’t load this page')).toBeVisible();
  await page.unroute(companies);
  await expect(heading(page, 'Account')).toBeVisible();

  await page.route(companies, (route) => route.fulfill({ status: 500, json: { code: 'server_error' } }));
  await page.reload();
  await expect(page.getByText('Couldn’t load this page')).toBeVisible();
  await page.unroute(companies);
  await button(page, 'Try again').click();
  await expect(heading(page, 'Account')).toBeVisible();
});
