/** The door team's phones: a code from the Door page, a scanner that types, a supervisor's word, calls. */
import { expect, type Page } from '@playwright/test';
import type { DoorTeam } from '../../server/contract/console/door-team.ts';
import { outcome } from '../support/pages/elements.ts';
import { newKiosk, scan, type VenueKiosk } from '../support/pages/kiosk.ts';
import { test, withOwnCompany } from '../support/service/shared-server.ts';
import { limitMs } from '../../testing/tier.ts';

test.use({ viewport: { width: 390, height: 844 }, locale: 'en-GB', colorScheme: 'dark' });
test.describe.configure({ timeout: limitMs(45_000), mode: 'serial' });

const WAIT = { timeout: limitMs(7_500) };
const LIST = `Code;Name;Ticket;Order;Status
=ADA-1;Ada Vale;Day ticket;;
BEN-2;Ben Cole;Day ticket;;unpaid
`;

let venue: VenueKiosk;
let path: string;
test.beforeAll(async ({ gatehouse }) => {
  venue = await newKiosk(await withOwnCompany(gatehouse), {
    partition: 'test',
    languages: ['en', 'de'],
    tickets: LIST,
  });
  path = `/events/${venue.eventId}`;
});

const team = () => venue.operator.ok<DoorTeam>(`${path}/door-team?partition=test`);

async function join(page: Page, role: 'steward' | 'supervisor', name: string): Promise<string> {
  await venue.operator.ok(`${path}/shifts?partition=test`, { body: { role } });
  const shift = (await team()).shifts.findLast((made) => made.role === role);
  await page.goto(shift?.join_url ?? '');
  await page.getByLabel('Your name').fill(name, WAIT);
  await page.getByRole('button', { name: 'Start' }).click();
  await expect(page.getByRole('heading', { name: 'Scan a ticket' })).toBeVisible(WAIT);
  expect(page.url()).not.toContain('#');
  return shift?.shift_id ?? '';
}

async function expectNarrow(page: Page): Promise<void> {
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
}

test('a supervisor scans, finds a guest by name, and lets them in with a reason', async ({ page }) => {
  await join(page, 'supervisor', 'Sol');
  await expectNarrow(page);
  await scan(page, '=ADA-1');
  await expect(outcome(page, 'check')).toBeVisible(WAIT);
  await expect(page.getByText('Ada Vale · Day ticket')).toBeVisible();
  await page.getByRole('button', { name: 'Next ticket' }).click();
  await page.getByLabel('Name on the ticket').fill('ben');
  await page.getByRole('button', { name: 'Find' }).click();
  await page.getByRole('button', { name: /Ben Cole/ }).click(WAIT);
  await expect(outcome(page, 'unpaid')).toBeVisible(WAIT);
  await expectNarrow(page);
  await page.getByLabel('Reason').fill('Paid at the door');
  await page.getByRole('button', { name: 'Let in' }).click();
  await expect(outcome(page, 'admit')).toBeVisible(WAIT);
  await expect(page.locator('[data-inside="1"]')).toBeVisible(WAIT);
});

test('a steward calls, and a code that ends takes the scanner away', async ({ page }) => {
  const shift = await join(page, 'steward', 'Sam');
  await expect(page.getByLabel('Name on the ticket')).toBeHidden();
  await page.getByRole('button', { name: 'Call a supervisor' }).click();
  await expect(page.getByText('A supervisor has been called.')).toBeVisible(WAIT);
  expect((await team()).calls).toMatchObject([{ name: 'Sam' }]);
  await page.getByLabel('Ticket’s code').fill('NOBODY-9');
  await page.keyboard.press('Enter');
  await expect(outcome(page, 'unknown')).toBeVisible(WAIT);
  await venue.operator.ok(`${path}/shifts/${shift}?partition=test`, { method: 'DELETE' });
  await expect(page.getByText('This phone’s code has ended.')).toBeVisible(WAIT);
});
