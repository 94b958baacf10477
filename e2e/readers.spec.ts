/**
 * A screen reader's walk through the kiosk, the hosted page, the door and a review, with the keyboard alone: the focus
 * after each step, how it is read, and the announcements. The guest and the door take the way without a face.
 */
import { type Browser, expect, type Locator, type Page } from '@playwright/test';
import { showCode } from '../testing/camera/browser/code-camera.ts';
import { closePages } from './support/pages/close-pages.ts';
import { newOperator, signIn, signInPage } from './support/pages/console.ts';
import { type ConsoleCall, newEvent, pairDevice, TEST } from './support/door.ts';
import { actAsDevice } from './support/pages/kiosk.ts';
import { openTestCases, sendToReview } from './support/reviews.ts';
import { initialize } from './support/run.ts';
import type { Gatehouse } from './support/service/server.ts';
import { PHONE, test, withOwnCompany } from './support/service/shared-server.ts';
import { limitMs } from '../testing/tier.ts';

const LIMIT_MS = limitMs(15_000);
/** More controls than any of these pages has. */
const MOST_TABS = 60;

test.describe.configure({ mode: 'serial', timeout: 3 * LIMIT_MS });

let gatehouse: Gatehouse;
let admin: ConsoleCall;
/** The own company's test data, in an address. */
let scope: string;
test.afterEach(closePages);
test.beforeAll(async ({ gatehouse: shared }) => {
  gatehouse = await withOwnCompany(shared);
  const { company_id: company } = gatehouse.company;
  scope = `${TEST}&company=${company}`;
  const operator = await signIn(gatehouse, 'admin');
  admin = { ok: (path, call) => operator.ok(`${path}&company_id=${company}`, call) };
});

/** A page in a browser of its own that records what its live regions announce. */
async function listening(browser: Browser, options: object = {}): Promise<Page> {
  const context = await browser.newContext({ reducedMotion: 'reduce', locale: 'en-GB', ...options });
  await context.addInitScript(() => {
    const heard: string[] = [];
    Object.assign(window, { heard });
    const last = new WeakMap<Element, string>();
    new MutationObserver(() => {
      for (const region of document.querySelectorAll('[aria-live=polite], [role=status], [role=alert]')) {
        const text = region.textContent.replace(/\s+/g, ' ').trim();
        if (text !== '' && last.get(region) !== text) heard.push(text);
        last.set(region, text);
      }
    }).observe(document, { subtree: true, childList: true, characterData: true });
  });
  return context.newPage();
}

const heard = (page: Page): Promise<string> =>
  page.evaluate(() => (window as unknown as { heard: string[] }).heard.join(' | '));

const focused = (page: Page): Locator => page.locator(':focus');

/** The screen's heading has the focus, and the sentence below it is read with it. */
async function expectRead(page: Page, name: string, description: string): Promise<void> {
  const heading = page.getByRole('heading', { level: 1, name, exact: true });
  await expect(heading).toBeFocused({ timeout: LIMIT_MS });
  await expect(heading).toHaveAccessibleDescription(description);
}

/** Moves to a control with Tab and presses Enter. */
async function press(page: Page, name: string | RegExp, within: Page | Locator = page): Promise<void> {
  const button = within.getByRole('button', { name, ...(typeof name === 'string' && { exact: true }) });
  await expect(button).toBeEnabled({ timeout: LIMIT_MS });
  await stepTo(page, button, 'Tab');
  await page.keyboard.press('Enter');
}

/** Moves to a field with Tab and types. */
async function type(page: Page, label: string, text: string): Promise<void> {
  const field = page.getByLabel(label, { exact: true });
  await stepTo(page, field, 'Tab');
  await page.keyboard.type(text);
}

/** Moves through an open menu with the arrow keys and presses Enter. */
async function chooseFromMenu(page: Page, name: string): Promise<void> {
  const item = page.getByRole('menuitem', { name, exact: true });
  await expect(item).toBeVisible();
  await stepTo(page, item, 'ArrowDown');
  await page.keyboard.press('Enter');
}

/** Presses a key until the element has the focus. */
async function stepTo(page: Page, element: Locator, key: string): Promise<void> {
  for (let steps = 0; steps < MOST_TABS; steps += 1) {
    if (await element.evaluate((found) => found === document.activeElement)) break;
    await page.keyboard.press(key);
  }
  await expect(element).toBeFocused();
}

test('kiosk and door: a guest without a face is let in by staff, by ear and by keyboard', async ({
  browser,
}) => {
  const event = await newEvent(admin, { name: 'Night of Museums', languages: ['en', 'de'] });
  const { code } = await admin.ok<{ code: string }>(`/kiosks?${TEST}`, {
    body: { name: 'North gate', event_id: event.event_id },
  });
  const device = await pairDevice(gatehouse.baseUrl, code);
  const kiosk = await listening(browser, { viewport: { width: 800, height: 1280 } });
  await showCode(kiosk, 'nothing');
  await actAsDevice(kiosk, device.token);
  await kiosk.goto(`${gatehouse.baseUrl}/kiosk`);
  await expectRead(kiosk, 'Night of Museums', '');
  await expect(kiosk.locator('body')).toMatchAriaSnapshot(`
    - main:
      - heading "Night of Museums" [level=1]
      - button "Touch to start"
      - button "Deutsch"
      - button "I have a QR code"
    - contentinfo:
      - button "Calm view"
      - button "Staff"
  `);
  expect(await heard(kiosk)).not.toContain('Your check is opening');

  const door = await listening(browser);
  await signInPage(door, gatehouse, 'reviewer', `/door?${scope}&event=${event.event_id}`);
  await expect(door.getByRole('heading', { name: 'No results yet' })).toBeVisible({ timeout: LIMIT_MS });

  await press(kiosk, 'Touch to start');
  await expectRead(kiosk, 'A quick face check', '');
  await expect(kiosk.getByRole('main')).toMatchAriaSnapshot(`
    - term: Without a camera?
    - definition: Staff can check you in without one.
    - group: More
    - button "Agree and start"
    - button "Ask staff"
  `);
  await press(kiosk, 'Ask staff');
  await expectRead(kiosk, 'Please see staff', 'They can check you in without the camera.');
  await press(kiosk, 'Finish here');
  await expectRead(kiosk, 'No problem', 'Please see staff. They can check you in without the camera.');
  // The result ends automatically.
  await press(kiosk, 'Done');
  await expectRead(kiosk, 'Night of Museums', '');

  await expect
    .poll(() => heard(door), { timeout: LIMIT_MS })
    .toMatch(/Declined\s*Walk-up guest No\. \d{3} · North gate/);
  await expect(door.getByRole('group', { name: 'Actions for Walk-up guest' })).toMatchAriaSnapshot(`
    - button "Let in"
    - button "Ask a reviewer"
    - button "Check again"
  `);
  await press(door, 'Let in');
  const dialog = door.getByRole('dialog', { name: /^Let in Walk-up guest \(No\. \d{3}\)\?$/ });
  await expect(dialog).toHaveAccessibleDescription(/The result changes to passed\./);
  await expect(dialog.getByRole('button', { name: 'Was already inside' })).toBeFocused();
  // Leaving the dialog returns to the button that opened it.
  await door.keyboard.press('Escape');
  await expect(door.getByRole('button', { name: 'Let in' })).toBeFocused();
  await door.keyboard.press('Enter');
  await press(door, 'Papers checked', dialog);
  await expect
    .poll(() => heard(door), { timeout: LIMIT_MS })
    .toMatch(/Let in by .+: Papers checked\s*Walk-up guest/);
  // The button is gone, so the page has the focus.
  await expect(dialog).toBeHidden();
  await expect(door.getByRole('main')).toBeFocused();

  for (const page of [kiosk, door]) await page.context().close();
});

test('hosted page: each screen is read by its heading, and leaving is explained', async ({ browser }) => {
  const page = await listening(browser, PHONE);
  const link = async () => (await initialize(gatehouse, gatehouse.company.keys.sk_test)).url;
  await page.goto(await link());
  await expectRead(page, 'A quick face check', '');
  expect(await heard(page)).toContain('Opening your check…');
  await press(page, 'Agree and start');
  await expectRead(
    page,
    'Camera or test face?',
    'This is a test session. You can use a test face instead of the camera.',
  );
  await press(page, 'Alice');
  await expectRead(page, 'You’re verified', 'You’ve passed the check. Thank you.');
  expect(await heard(page)).toMatch(/Checking\s*This takes a few seconds\./);

  await page.goto(await link());
  await expectRead(page, 'A quick face check', '');
  await press(page, 'No thanks');
  await expectRead(
    page,
    'Leave the check?',
    'Your link will stop working. Ask Test venue about another way to take part.',
  );
  await press(page, 'Leave');
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
  await expect(focused(page)).toHaveAccessibleDescription(/./);
  await page.context().close();
});

test('review: a case is read, decided and undone by keyboard, and each change is announced', async ({
  browser,
}) => {
  await sendToReview(gatehouse);
  await openTestCases(gatehouse, 'reader', ['ticket 1', 'ticket 2']);
  const page = await listening(browser);
  await signInPage(page, gatehouse, 'reviewer', `/door?${scope}`);
  await expect(page.getByRole('heading', { level: 1, name: 'Door' })).toBeVisible({ timeout: LIMIT_MS });
  const link = page.getByRole('link', { name: /^Reviews/ });
  await link.focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('row', { name: /ticket 1/ })).toBeVisible({ timeout: LIMIT_MS });
  expect(await heard(page)).toMatch(/\| Reviews( \||$)/);
  await press(page, /^Take the next case/);
  const heading = (name: string) => page.getByRole('heading', { level: 1, name });
  await expect(heading('Case: ticket 1')).toBeFocused({ timeout: LIMIT_MS });
  await expect(page.getByRole('article', { name: 'Case: ticket 1' })).toMatchAriaSnapshot(`
    - heading "Finding" [level=2]
    - list:
      - listitem: This face looks like one that already passed, with another account.
  `);
  await page.keyboard.press('1');
  await page.keyboard.press('4');
  await expect(page.getByRole('group', { name: 'Reason' }).getByRole('radio').first()).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(heading('Case: ticket 2')).toBeFocused({ timeout: LIMIT_MS });
  expect(await heard(page)).toContain('ticket 1: Denied: same person.');
  await page.keyboard.press('u');
  await expect(heading('Case: ticket 1')).toBeFocused({ timeout: LIMIT_MS });
  await page.keyboard.press('?');
  const keys = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await expect(keys.getByRole('button', { name: 'Close' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(heading('Case: ticket 1')).toBeFocused();
  await page.context().close();
});

// Last, because it leaves a case for reviewers.
test('door: a staff member’s evening by keyboard alone, from signing in to signing out', async ({
  browser,
}) => {
  const event = await newEvent(admin, { name: 'Late night' });
  const { name, passphrase } = await newOperator(gatehouse, 'staff');
  const page = await listening(browser);
  await page.goto(`${gatehouse.consoleUrl}/door?${scope}&event=${event.event_id}`);
  await type(page, 'Name', name);
  await type(page, 'Passphrase', passphrase);
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog');

  await press(page, 'Pair a kiosk');
  await type(page, 'Name of the kiosk', 'South gate');
  await press(page, 'Next', dialog);
  const opens = await page.getByRole('link', { name: 'Use this computer' }).getAttribute('href');
  const kiosk = await pairDevice(gatehouse.baseUrl, new URL(opens ?? '').hash.replace('#code=', ''));
  await kiosk.heartbeat('attract');
  await press(page, 'Done', dialog);
  await expect(dialog).toBeHidden();

  await press(page, 'Start a walk-up');
  await chooseFromMenu(page, 'South gate');
  await expect
    .poll(async () => (await kiosk.heartbeat('attract')).command?.kind, { timeout: LIMIT_MS })
    .toBe('walk_up');

  await kiosk.pass('dora');
  await kiosk.pass('dora');
  await press(page, 'Ask a reviewer');
  await expect(dialog.getByRole('textbox')).toBeFocused();
  await page.keyboard.type('Twin of a guest inside');
  await press(page, 'Ask a reviewer', dialog);
  await expect(page.locator('.latest')).toContainText('Waiting for a reviewer');
  await expect(dialog).toBeHidden();

  await kiosk.start();
  await press(page, 'Release');
  await expect(dialog.getByRole('textbox')).toBeFocused();
  await page.keyboard.type('The tablet froze');
  await press(page, 'Release', dialog);
  await expect(dialog).toBeHidden();

  await press(page, 'Actions for South gate');
  await chooseFromMenu(page, 'Back to the start screen');
  const reset = page.getByRole('dialog', { name: 'Reset South gate to the start screen' });
  await expect(reset).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(reset).toBeHidden();
  await press(page, new RegExp(name));
  await chooseFromMenu(page, 'Sign out');
  await expect(page.getByLabel('Passphrase')).toBeVisible();
  await page.context().close();
});
