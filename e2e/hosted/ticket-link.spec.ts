/** The link of a ticket: on a phone at home, from the mail to the check, or to the sentence that says why there is none. */
import { expect, type Page } from '@playwright/test';
import { testOnOwnHost } from '../support/pages/hosted-page.ts';
import { expectAccessible } from '../support/pages/accessible.ts';
import { newKiosk, type VenueKiosk } from '../support/pages/kiosk.ts';
import type { Gatehouse } from '../support/service/server.ts';
import { withOwnCompany } from '../support/service/shared-server.ts';
import { limitMs } from '../../testing/tier.ts';

const test = testOnOwnHost(() => gatehouse.baseUrl);
test.use({ viewport: { width: 390, height: 844 }, locale: 'en-GB', hasTouch: true });
test.describe.configure({ timeout: limitMs(30_000), mode: 'serial' });

const WAIT = { timeout: limitMs(15_000) };

let gatehouse: Gatehouse;
let venue: VenueKiosk;
test.beforeAll(async ({ gatehouse: shared }) => {
  gatehouse = await withOwnCompany(shared);
  venue = await newKiosk(gatehouse, {
    partition: 'test',
    languages: ['en', 'es', 'fr', 'de'],
    // The check is then done only if its page has the key that only the page before could get.
    faces: 'ticket',
    tickets: 'Code;Name;Status\nADA/1;Ada Vale;\nBEN-2;Ben Cole;unpaid\n',
  });
});

const answer = (page: Page, name: string) => page.locator(`[data-answer="${name}"]`);

test('the link of a ticket leads to its check, and no request and no address has its code', async ({
  page,
}) => {
  const seen: string[] = [];
  page.on('request', (request) => seen.push(request.url(), JSON.stringify(request.headers())));
  await page.goto(`${gatehouse.baseUrl}/t/${venue.eventId}#ADA%2F1`);
  await expect(page.locator('.page[data-state="consent"]')).toBeVisible(WAIT);
  expect(page.url()).toContain('/verification?vys=');
  expect(seen.filter((text) => text.includes('ADA'))).toEqual([]);
  const kept = await page.evaluate(() =>
    Object.keys(localStorage).map((name) => localStorage.getItem(name) ?? ''),
  );
  const [key = '', ...more] = kept.flatMap((value) => /\.([\w-]{43})$/.exec(value)?.[1] ?? []);
  expect([key.length, more]).toEqual([43, []]);
  expect(seen.filter((text) => text.startsWith('http') && text.includes(key))).toEqual([]);
  await page.locator('.screen__actions .button--main').click();
  await page.locator('[data-face="alice"]').click(WAIT);
  await expect(page.locator('.mark--passed')).toBeVisible(WAIT);

  await page.goto(`${gatehouse.baseUrl}/t/${venue.eventId}#ADA%2F1`);
  await expect(answer(page, 'checked')).toBeVisible(WAIT);
  expect(page.url()).not.toContain('ADA');
});

test('without a code the page asks for it, and says in words what is wrong with a ticket', async ({
  page,
}) => {
  await page.goto(`${gatehouse.baseUrl}/t/${venue.eventId}`);
  const field = page.getByLabel('Code of your ticket');
  await field.fill(' NOBODY ');
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(answer(page, 'unknown')).toBeVisible(WAIT);
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Enter another code' }).click();
  await field.fill('BEN-2');
  await page.keyboard.press('Enter');
  await expect(answer(page, 'unpaid')).toBeVisible(WAIT);
  await page.getByLabel('Language').selectOption('de');
  await expect(page.getByRole('heading')).toHaveText('Dieses Ticket ist noch nicht bezahlt');
});
