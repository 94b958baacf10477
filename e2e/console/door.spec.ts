/** The door and the events as staff and admins use them, with kiosks that are paired and guests who walk up. */
import { expect, type Browser, type Page } from '@playwright/test';
import sharp from 'sharp';
import type { KioskConfig } from '../../server/contract/kiosk.ts';
import type { KioskList } from '../../server/contract/console/kiosks.ts';
import type { EventPage } from '../../server/contract/console/events.ts';
import type { Role } from '../../server/contract/console/common.ts';
import { button } from '../support/pages/elements.ts';
import { closePages } from '../support/pages/close-pages.ts';
import { expectAccessibleInBothThemes } from '../support/pages/accessible.ts';
import { signIn, signInPage, type Operator } from '../support/pages/console.ts';
import { newEvent, newKiosk, pairDevice, TEST, type PairedKiosk } from '../support/door.ts';
import { newVerification } from '../support/venue.ts';
import type { Gatehouse } from '../support/service/server.ts';
import { test, withOwnCompany } from '../support/service/shared-server.ts';
import { guestNumber } from '../../server/contract/guest-number.ts';
import { MARKUP } from '../support/people.ts';

let gatehouse: Gatehouse;
let admin: Operator;
let staff: Operator;
/** Its operators see no other company. */
let own: { companyId: string };

test.describe.configure({ mode: 'serial' });
test.beforeAll(async ({ gatehouse: shared }) => {
  gatehouse = await withOwnCompany(shared);
  own = { companyId: gatehouse.company.company_id };
  admin = await signIn(gatehouse, 'admin', own);
  staff = await signIn(gatehouse, 'staff', own);
});
test.afterEach(closePages);

const panel = (page: Page, name: string) => page.getByRole('region', { name, exact: true });

/** Open, and notified of changes from here on. */
async function opened(browser: Browser, role: Role, path: string): Promise<Page> {
  const page = await (await browser.newContext()).newPage();
  const listening = page.waitForResponse((response) => response.url().includes('/console/api/live'));
  await signInPage(page, gatehouse, role, path, own);
  await listening;
  return page;
}

/** The page is never wider than its window. */
async function expectFits(page: Page): Promise<void> {
  for (const width of [320, 390, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    await expect
      .poll(() => page.evaluate(() => document.documentElement.scrollWidth - innerWidth))
      .toBeLessThanOrEqual(0);
  }
}

test('an admin creates an event with texts and a logo; its kiosk shows them', async ({ browser }) => {
  const page = await opened(browser, 'admin', `/events?${TEST}`);
  await expect(page.getByText('No events yet')).toBeVisible();
  await button(page, 'New event').click();
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill(MARKUP);
  const starts = page.getByLabel('Starts');
  await starts.fill('2020-01-01T18:00');
  await page.getByLabel('Ends').fill('2020-01-01T17:00');
  await expect(button(page, 'Create event')).toBeDisabled();
  await page.getByLabel('Ends').fill('2020-06-01T17:00');
  await page.getByLabel('What faces are for').selectOption('The guest’s ticket only');
  await page.getByLabel('Below the name').fill('Welcome in');
  // As long as the interface allows; fill ignores the limit of a field, typing does not.
  const instructions = 'For a check without the camera, see the desk on the left. '.repeat(5).slice(0, 240);
  const declined = page.getByLabel('For guests who decline the camera');
  await declined.focus();
  await page.keyboard.insertText(`${instructions}!`);
  await expect(declined).toHaveValue(instructions);
  await button(page, 'Create event').click();

  const drawer = page.getByRole('dialog', { name: MARKUP });
  await expect(drawer).toBeVisible();
  await expect(drawer.getByText('Ended')).toBeVisible();
  await expect(drawer.getByText('Welcome in')).toBeVisible();
  await expect(drawer.getByText('One person can hold several tickets.')).toBeVisible();
  const picture = await sharp({ create: { width: 60, height: 40, channels: 3, background: 'teal' } })
    .png()
    .toBuffer();
  const file = { mimeType: 'image/png', name: 'logo.png', buffer: picture };
  const fileOf = (region: string) => drawer.getByRole('region', { name: region }).locator('input[type=file]');
  await fileOf('Logo').setInputFiles(file);
  const logo = drawer.getByRole('img', { name: `Logo of ${MARKUP}` });
  await expect(logo).toBeVisible();
  await expect.poll(() => logo.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(60);
  await fileOf('Logo').setInputFiles({ ...file, buffer: Buffer.from('<svg/>') });
  await expect(drawer.getByRole('alert')).toContainText('can’t be read');
  await fileOf('Picture of the venue').setInputFiles(file);
  const backdrop = drawer.getByRole('img', { name: `Picture of the venue for ${MARKUP}` });
  await expect(backdrop).toBeVisible();
  // A deleted file is gone, so it is confirmed.
  await drawer.getByRole('button', { name: 'Remove the picture' }).click();
  const asked = page.getByRole('dialog', { name: 'Remove the picture' });
  await button(asked, 'Cancel').click();
  await expect(drawer.getByRole('button', { name: 'Remove the picture' })).toBeFocused();
  await expect(backdrop).toBeVisible();
  await drawer.getByRole('button', { name: 'Remove the picture' }).click();
  await button(asked, 'Remove').click();
  await expect(backdrop).toHaveCount(0);
  await fileOf('Picture of the venue').setInputFiles(file);
  await expect(backdrop).toBeVisible();

  await drawer.getByRole('button', { name: 'Change', exact: true }).click();
  const later = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
  await page.getByLabel('Starts').fill(`${later}T08:00`);
  await page.getByLabel('Ends').fill(`${later}T20:00`);
  await expect(button(page, 'Save')).toBeDisabled();
  await page.getByLabel('Reason').fill('moved to tomorrow');
  await expectAccessibleInBothThemes(page);
  await button(page, 'Save').click();
  await expect(drawer.getByText('Upcoming')).toBeVisible();
  await expect(page.getByLabel('Reason')).toBeHidden();
  await page.keyboard.press('Escape');
  await expect(drawer).toBeHidden();
  await expectFits(page);

  const { items } = await admin.ok<EventPage>(`/events?${TEST}`);
  const id = items[0]?.event_id ?? '';
  // The found record replaces the entries that the ID alone gives, and is selected then.
  await page.keyboard.press('Control+k');
  await page.getByPlaceholder('Search pages, actions, people and tickets…').fill(id);
  await expect(page.locator('[data-selected]')).toContainText(MARKUP);
  await page.keyboard.press('Enter');
  await expect(drawer).toBeVisible();
  await page.context().close();

  const kiosk = await newKiosk(staff, gatehouse.baseUrl, 'Desk', id);
  const { body } = await kiosk.call<KioskConfig>('/config');
  expect(body.event?.words).toEqual({ en: { welcome: 'Welcome in', ask_staff: instructions } });
  expect(body.event?.picture?.darkest).toMatch(/^#/);
  for (const path of [body.event?.logo_url, body.event?.picture?.url]) {
    const shown = await fetch(gatehouse.baseUrl + (path ?? ''));
    expect([shown.status, shown.headers.get('content-type')]).toEqual([200, 'image/webp']);
  }
  expect((await kiosk.call('/sessions', {})).body).toEqual({ detail: 'event_not_started' });
});

test('staff pair a kiosk, send a guest to it, and read the result from a distance', async ({ browser }) => {
  const verification = await newVerification(gatehouse, gatehouse.company, {
    collision: { action: 'review' },
  });
  const event = await newEvent(admin, { verification_id: verification });
  const north = await newKiosk(staff, gatehouse.baseUrl, 'North gate', event.event_id);
  await north.heartbeat('attract');
  const page = await opened(browser, 'staff', `/door?${TEST}`);
  await expect(page.getByText('No results yet')).toBeVisible();

  await button(page, 'Pair a kiosk').click();
  await page.getByLabel('Name of the kiosk').fill('South gate');
  await button(page, 'Next').click();
  const opens = await page.getByRole('link', { name: 'Use this computer' }).getAttribute('href');
  const code = new URL(opens ?? '').hash.replace('#code=', '');
  const south = await pairDevice(gatehouse.baseUrl, code.toLowerCase());
  await button(page, 'Done').click();
  const kiosks = panel(page, 'Kiosks');
  await south.heartbeat('attract', 'covered');
  await expect(kiosks.getByRole('listitem').filter({ hasText: 'South gate' })).toContainText(
    'Camera covered',
  );

  await button(page, 'Start a walk-up').click();
  await page.getByRole('menuitem', { name: 'North gate' }).click();
  await expect.poll(async () => (await north.heartbeat('attract')).command?.kind).toBe('walk_up');

  await north.pass('alice');
  const latest = page.locator('.latest');
  await expect(latest).toContainText('Passed');
  await north.pass('alice');
  await expect(latest).toContainText(/Already checked in at .+ at North gate/);
  const size = await latest
    .locator('.latest__headline')
    .evaluate((text) => parseFloat(getComputedStyle(text).fontSize));
  expect(size).toBeGreaterThanOrEqual(48);
  await south.pass('near:alice');
  await expect(latest).toContainText('Needs review');
  await expect(page.getByLabel('Figures')).toContainText(/Let in1.*Turned away1.*Needs review1/);
  await expectAccessibleInBothThemes(page);

  await kiosks.getByRole('button', { name: 'Actions for South gate' }).click();
  await page.getByRole('menuitem', { name: 'Revoke' }).click();
  await page.getByLabel('Reason').fill('went missing');
  await button(page, 'Revoke').click();
  await expect(kiosks.getByText('South gate')).toHaveCount(0);
  expect((await south.call('/config')).body).toEqual({ detail: 'invalid_kiosk_token' });
  await page.context().close();
});

test('a pairing code that no longer works is replaced by one button, and nothing moves', async ({
  browser,
}) => {
  const page = await opened(browser, 'staff', `/door?${TEST}`);
  await button(page, 'Pair a kiosk').click();
  await page.getByLabel('Name of the kiosk').fill('Roof');
  await button(page, 'Next').click();
  const dialog = page.getByRole('dialog', { name: 'Open the kiosk “Roof”' });
  const state = dialog.getByRole('status');
  await expect(state).toHaveText('Waiting for a device…');
  const here = dialog.getByRole('link', { name: 'Use this computer' });
  const oldLink = await here.getAttribute('href');
  const place = () => button(page, 'Done').boundingBox();
  const before = await place();

  // Another code for the kiosk ends this one just like its ten minutes.
  const { items } = await staff.ok<KioskList>(`/kiosks?${TEST}`);
  const roof = items.find(({ name }) => name === 'Roof')?.kiosk_id ?? '';
  await staff.ok(`/kiosks/${roof}/code?${TEST}`, { body: {} });
  await expect(state).toHaveText('The code has expired.');
  await expect(here).toBeHidden();
  expect(await place()).toEqual(before);
  await expectAccessibleInBothThemes(page);

  await button(page, 'Get a new code').click();
  await expect(state).toHaveText('Waiting for a device…');
  expect(await place()).toEqual(before);
  const newLink = (await here.getAttribute('href')) ?? '';
  expect(newLink).not.toBe(oldLink);
  await pairDevice(gatehouse.baseUrl, new URL(newLink).hash.replace('#code=', ''));
  await expect(state).toHaveText('The kiosk is connected.');
  await page.context().close();
});

test('staff ask a reviewer about a denied guest, who is then let in, and check another one again', async ({
  browser,
}) => {
  const event = await newEvent(admin, { name: 'Second try' });
  const kiosk = await newKiosk(staff, gatehouse.baseUrl, 'Side door', event.event_id);
  await kiosk.pass('dora');
  await kiosk.pass('dora');
  const path = `/door?${TEST}&event=${event.event_id}`;
  const page = await opened(browser, 'staff', path);
  const latest = page.locator('.latest');
  await expect(latest.getByRole('button')).toHaveText(['Ask a reviewer']);
  const confirm = async (at: Page, name: string) => {
    const dialog = at.getByRole('dialog');
    await dialog.getByLabel('Reason').fill('Twin of a guest inside');
    await expectAccessibleInBothThemes(at);
    await button(at, name).last().click();
  };
  await button(page, 'Ask a reviewer').click();
  await confirm(page, 'Ask a reviewer');
  await expect(latest).toContainText('Waiting for a reviewer');

  const reviewer = await opened(browser, 'reviewer', path);
  await reviewer.getByRole('link', { name: 'Open the case' }).click();
  await expect(reviewer.getByText('Twin of a guest inside').first()).toBeVisible();
  await reviewer.goBack();
  await button(reviewer, 'Let in').click();
  await expectAccessibleInBothThemes(reviewer);
  await button(reviewer, 'Known to staff').click();
  await expect(latest).toContainText(/Let in by .+: Known to staff/);
  await expect(latest.getByRole('group')).toHaveCount(0);

  const run = await kiosk.start();
  await run.flow('/decline', {});
  await latest.getByRole('button', { name: 'Check again' }).click();
  await confirm(page, 'Check again');
  await expect(page.getByRole('img', { name: 'QR code of the new check' })).toBeVisible();
  await expectAccessibleInBothThemes(page);
  for (const each of [page, reviewer]) await each.context().close();
});

test('a guest who asks for staff at a kiosk is on the door within seconds, and is let in with two touches', async ({
  browser,
}) => {
  const event = await newEvent(admin, { name: 'Without a camera' });
  const kiosk = await newKiosk(staff, gatehouse.baseUrl, 'Garden door', event.event_id);
  const page = await opened(browser, 'reviewer', `/door?${TEST}&event=${event.event_id}`);
  await expect(page.getByText('1 kiosk is free')).toHaveCount(0);
  const run = await kiosk.start();
  const onScreen = { session_id: run.sessionId };
  await kiosk.heartbeat('ask_staff', 'ready', onScreen);
  const asking = page.locator('.latest', { hasText: 'Asks for staff' });
  await expect(asking).toContainText(`No. ${guestNumber(run.sessionId)}`);
  await expect(asking).toHaveAttribute('data-tone', 'look');
  await expectAccessibleInBothThemes(page);
  await button(page, 'Let in').click();
  await button(page, 'Can’t use the camera').click();
  await expect(asking).toHaveCount(0);
  await expect(page.locator('.latest')).toContainText(/Let in by .+: Can’t use the camera/);
  expect((await run.snapshot()).result).toMatchObject({ verified: true });

  // A guest's name opens their check beside the door.
  await page.locator('.latest').getByRole('link').click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await expect(page).toHaveURL(/\/door\?/);
  await expectAccessibleInBothThemes(page);
  await page.context().close();
});

test('the report follows the event, and is available as page, table and print', async ({ browser }) => {
  const event = await newEvent(admin, { name: '=Gala' });
  const kiosk: PairedKiosk = await newKiosk(staff, gatehouse.baseUrl, 'West gate', event.event_id);
  await kiosk.pass('carla');
  const page = await opened(browser, 'staff', `/events/${event.event_id}/report?${TEST}`);
  await expect(page.getByRole('heading', { name: 'Report: =Gala' })).toBeVisible();
  const totals = page.getByLabel('Totals');
  await expect(totals).toContainText('Let in1');
  await kiosk.pass('carla');
  await expect(totals).toContainText('Turned away1');
  await expect(page.getByRole('table', { name: 'Reasons for turning guests away' })).toContainText(
    'No entries left1100%',
  );
  await expect(page.getByRole('table', { name: 'By kiosk' })).toContainText('West gate2');
  await expectAccessibleInBothThemes(page);
  await expectFits(page);
  await page.emulateMedia({ media: 'print' });
  await expect(page.getByRole('navigation', { name: 'Pages' })).toBeHidden();
  await expect(page.getByText('West gate')).toBeVisible();
  await page.emulateMedia({ media: 'screen' });
  const loading = page.waitForEvent('download');
  await page.getByRole('link', { name: 'CSV' }).click();
  expect((await loading).suggestedFilename()).toBe(`gatehouse-event-${event.event_id.slice(-8)}.csv`);
  expect((await staff.api(`/events/%0Aabsent/report.csv?${TEST}`)).status).toBe(404);
  const { body } = await staff.api<string>(`/events/${event.event_id}/report.csv?${TEST}`);
  expect(body).toContain("Event,,Name,'=Gala,event.name");
  const { body: spanish } = await staff.api<string>(
    `/events/${event.event_id}/report.csv?${TEST}&language=es`,
  );
  expect(spanish).toContain('Evento,,Nombre,');
  await page.context().close();
});
