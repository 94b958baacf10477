/** A phone of the door team: its camera reads codes, says why it cannot, and a reply that is lost is asked for again. */
import { expect, type Page } from '@playwright/test';
import type { DoorTeam } from '../../server/contract/console/door-team.ts';
import { showCodes } from '../../testing/camera/browser/code-camera.ts';
import { outcome, trouble } from '../support/pages/elements.ts';
import { testOnOwnHost } from '../support/pages/hosted-page.ts';
import { newKiosk, type VenueKiosk } from '../support/pages/kiosk.ts';
import type { Gatehouse } from '../support/service/server.ts';
import { withOwnCompany } from '../support/service/shared-server.ts';
import { limitMs } from '../../testing/tier.ts';

const test = testOnOwnHost(() => gatehouse.baseUrl);
test.use({ viewport: { width: 390, height: 844 }, locale: 'en-GB', hasTouch: true });
test.describe.configure({ timeout: limitMs(45_000), mode: 'serial' });

const WAIT_MS = limitMs(15_000);

let gatehouse: Gatehouse;
let venue: VenueKiosk;
test.beforeAll(async ({ gatehouse: shared }) => {
  gatehouse = await withOwnCompany(shared);
  venue = await newKiosk(gatehouse, {
    partition: 'test',
    languages: ['en', 'es', 'fr', 'de'],
    tickets: 'Code;Name;Status\nADA-1;Ada Vale;unpaid\nBEN-2;Ben Cole;unpaid\n',
  });
});

/** Joins a shift with the code of the Door page. */
async function goOnDuty(page: Page, role: 'steward' | 'supervisor'): Promise<void> {
  const at = `/events/${venue.eventId}`;
  await venue.operator.ok(`${at}/shifts?partition=test`, { body: { role } });
  const team = await venue.operator.ok<DoorTeam>(`${at}/door-team?partition=test`);
  const code = team.shifts.findLast((shift) => shift.role === role)?.code ?? '';
  await page.goto(`${gatehouse.baseUrl}/scan#code=${code}`);
  await page.getByLabel('Your name').fill('Sam');
  await page.getByRole('button', { name: 'Start' }).click();
  await expect(page.getByText('Sam · ')).toBeVisible({ timeout: WAIT_MS });
}

const held = { left: 170, top: 90, side: 300 };

test('the camera reads a ticket, and a reply that is lost is no second entry', async ({ page }) => {
  await showCodes(page, [{ ...held, text: 'ADA-1' }]);
  await goOnDuty(page, 'supervisor');
  await expect(outcome(page, 'unpaid')).toBeVisible({ timeout: WAIT_MS });
  await page.getByLabel('Reason').fill('Paid in cash');
  const keys: (string | undefined)[] = [];
  await page.route('**/scan/{let-in,tickets}', async (route) => {
    keys.push(route.request().headers()['idempotency-key']);
    // The server commits; the wire dies before its reply arrives.
    await route.fetch();
    await route.abort('connectionreset');
  });
  await page.getByRole('button', { name: 'Let in' }).click();
  await expect(page.getByText('The server can’t be reached.')).toBeVisible({ timeout: WAIT_MS });
  await page.unroute('**/scan/{let-in,tickets}');
  await page.getByRole('button', { name: 'Let in' }).click();
  await expect(outcome(page, 'admit')).toBeVisible({ timeout: WAIT_MS });
  await expect(page.locator('[data-inside="1"]')).toBeVisible({ timeout: WAIT_MS });

  await page.getByRole('button', { name: 'Next ticket' }).click();
  await page.getByLabel('Out').check();
  let lost = 0;
  await page.route('**/scan/tickets', async (route) => {
    keys.push(route.request().headers()['idempotency-key']);
    lost += 1;
    if (lost > 1) {
      await route.continue();
      return;
    }
    await route.fetch();
    await route.abort('connectionreset');
  });
  // Another scan of the ticket in front of the camera: it has left once, whatever the wire did.
  await page.getByLabel('Ticket’s code').fill('ADA-1');
  await page.getByRole('button', { name: 'Check', exact: true }).click();
  await expect(page.getByText('The server can’t be reached.')).toBeVisible({ timeout: WAIT_MS });
  await page.getByLabel('Ticket’s code').fill('ADA-1');
  await page.getByRole('button', { name: 'Check', exact: true }).click();
  await expect(outcome(page, 'admit')).toBeVisible({ timeout: WAIT_MS });
  expect(keys.slice(-2)).toEqual([keys.at(-1), keys.at(-1)]);
  expect(new Set(keys).size).toBe(2);
});

test('a camera whose question nobody answered asks again', async ({ page }) => {
  await showCodes(page, [{ ...held, text: 'BEN-2', kind: 'azteccode' }]);
  const keys: (string | undefined)[] = [];
  await page.route('**/scan/tickets', async (route) => {
    keys.push(route.request().headers()['idempotency-key']);
    await (keys.length === 1 ? route.abort('connectionreset') : route.continue());
  });
  await goOnDuty(page, 'steward');
  await expect(outcome(page, 'unpaid')).toBeVisible({ timeout: WAIT_MS });
  expect(keys.length).toBeGreaterThan(1);
  expect(new Set(keys).size).toBe(1);
});

const refusals = [
  ['NotAllowedError', 'denied', 'The camera is blocked'],
  ['NotFoundError', 'absent', 'No camera found'],
  ['NotReadableError', 'in_use', 'The camera is busy'],
] as const;
for (const [name, said, title] of refusals)
  test(`the phone says of its camera: ${title}`, async ({ page }) => {
    await page.addInitScript((error) => {
      navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException('refused', error));
    }, name);
    await goOnDuty(page, 'steward');
    await expect(trouble(page, said)).toContainText(title, { timeout: WAIT_MS });
    await expect(page.getByLabel('Ticket’s code')).toBeVisible();
  });

test('the phone says that its camera sends no picture, and that a policy forbids it', async ({ page }) => {
  await page.addInitScript(() => {
    navigator.mediaDevices.getUserMedia = () => new Promise(() => undefined);
  });
  await goOnDuty(page, 'steward');
  await expect(trouble(page, 'silent')).toContainText('No picture', { timeout: WAIT_MS });
  await page.addInitScript(() => {
    const allowsFeature = () => false;
    for (const name of ['permissionsPolicy', 'featurePolicy'])
      Object.defineProperty(document, name, { value: { allowsFeature } });
    navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException('x', 'NotAllowedError'));
  });
  await page.reload();
  await expect(trouble(page, 'forbidden')).toContainText('switched the camera off', { timeout: WAIT_MS });
});

test('a scanner whose file does not load is no missing camera, and is tried again', async ({ page }) => {
  await showCodes(page, [{ ...held, text: 'BEN-2' }]);
  await page.route('**/scanner-*.js', (route) => route.abort());
  await goOnDuty(page, 'steward');
  await expect(trouble(page, 'not_loaded')).toContainText('The scanner did not load', { timeout: WAIT_MS });
  await page.unroute('**/scanner-*.js');
  await page.getByRole('button', { name: 'Try the camera again' }).click();
  await expect(outcome(page, 'unpaid')).toBeVisible({ timeout: WAIT_MS });
});
