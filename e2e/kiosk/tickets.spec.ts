/** Tickets of another system at the kiosk: a scanner that types, the check, and what came of it. */
import { expect, type Page } from '@playwright/test';
import { type CodeKind, showCodes } from '../../testing/camera/browser/code-camera.ts';
import { outcome } from '../support/pages/elements.ts';
import { testOnOwnHost } from '../support/pages/hosted-page.ts';
import { openKiosk as openAt, passAs } from '../support/pages/ticket-kiosk.ts';
import {
  kioskScreen,
  newKiosk,
  pairDevice,
  scan,
  startButton,
  TABLET,
  type VenueKiosk,
} from '../support/pages/kiosk.ts';
import { expectFit, expectSizesEverywhere } from '../support/pages/kiosk-fit.ts';
import type { Gatehouse } from '../support/service/server.ts';
import { withOwnCompany } from '../support/service/shared-server.ts';
import { limitMs } from '../../testing/tier.ts';

const test = testOnOwnHost(() => gatehouse.baseUrl);
test.use(TABLET);
test.describe.configure({ timeout: limitMs(45_000), mode: 'serial' });

const LIST = `Code;Name;Ticket;Order;Status
=ADA-1;Ada Vale;Day ticket;;
BEN-2;Ben Cole;Day ticket;;unpaid
CY-3A;Cy Moss;Day ticket;ORDER-7;
CY-3B;Di Moss;Day ticket;ORDER-7;
`;

let gatehouse: Gatehouse;
let venue: VenueKiosk & { code: string };
let token: string;
test.beforeAll(async ({ gatehouse: shared }) => {
  gatehouse = await withOwnCompany(shared);
  venue = await newKiosk(gatehouse, {
    partition: 'test',
    languages: ['en', 'es', 'fr', 'de'],
    tickets: LIST,
  });
  token = await pairDevice(gatehouse, venue.code);
});

const openKiosk = (page: Page, device = token) => openAt(page, gatehouse, device);

test('a scanned ticket opens the check, and lets its guest in once', async ({ page }) => {
  await openKiosk(page);
  await scan(page, '=ADA-1');
  await passAs(page, 'alice');
  await expect(outcome(page, 'admit')).toBeVisible({ timeout: limitMs(7_500) });
  await expect(page.getByText('Ada Vale · Day ticket')).toBeVisible();
  await expect(startButton(page)).toBeVisible({ timeout: limitMs(7_500) });
  await scan(page, '=ADA-1');
  await expect(outcome(page, 'already_in')).toBeVisible({ timeout: limitMs(7_500) });
  await expect(page.locator('.screen--refused')).toBeVisible();
  await expectFit(page);
  await expectSizesEverywhere(page);
});

test('a kiosk at an exit counts out whom it recognises, and sends others to staff', async ({ page }) => {
  const { kioskId, code } = await venue.another();
  await venue.operator.ok(`/kiosks/${kioskId}`, { method: 'PATCH', body: { is_way_out: true } });
  await openKiosk(page, await pairDevice(gatehouse, code));
  await startButton(page).click();
  await passAs(page, 'alice');
  await expect(page.getByRole('heading', { name: 'Goodbye' })).toBeVisible({ timeout: limitMs(7_500) });
  await expect(page.locator('.screen--passed')).toContainText('Ada Vale');
  await expectFit(page);
  await expect(startButton(page)).toBeVisible({ timeout: limitMs(7_500) });
  await startButton(page).click();
  await passAs(page, 'bob');
  await expect(page.locator('[data-result="denied"]')).toBeVisible({ timeout: limitMs(7_500) });
});

test('each outcome says what staff can do', async ({ page }) => {
  await openKiosk(page);
  await scan(page, 'BEN-2');
  await expect(outcome(page, 'unpaid')).toBeVisible({ timeout: limitMs(7_500) });
  await expect(page.locator('.screen--look .ticket__staff')).toContainText('Take the payment');
  await page.getByRole('button', { name: 'Done' }).click();
  await scan(page, 'NOBODY-9');
  await expect(outcome(page, 'unknown')).toBeVisible({ timeout: limitMs(7_500) });
});

test('a party says who is here, and its guests follow each other', async ({ page }) => {
  await openKiosk(page);
  await scan(page, 'CY-3A');
  await expect(kioskScreen(page, 'party')).toBeVisible({ timeout: limitMs(7_500) });
  await expectFit(page);
  await page.getByLabel(/Di Moss/).check({ timeout: limitMs(7_500) });
  await page.getByRole('button', { name: 'Check 2 people' }).click();
  await passAs(page, 'bob');
  await expect(outcome(page, 'admit')).toBeVisible({ timeout: limitMs(7_500) });
  await expect(kioskScreen(page, 'consent')).toBeVisible({ timeout: limitMs(7_500) });
});

test('a guest who is checked first shows the ticket then', async ({ page }) => {
  const other = await newKiosk(gatehouse, { partition: 'test', languages: ['en'] });
  const path = `/events/${other.eventId}/ticket-sources?partition=test`;
  await other.operator.ok(path, { body: { kind: 'any', name: 'Anything' } });
  await openKiosk(page, await pairDevice(gatehouse, other.code));
  await startButton(page).click();
  await passAs(page, 'alice');
  await expect(kioskScreen(page, 'show_ticket')).toBeVisible({ timeout: limitMs(7_500) });
  await scan(page, 'BOARDING-PASS');
  await expect(outcome(page, 'admit')).toBeVisible({ timeout: limitMs(7_500) });
});

const wallet: readonly [kind: CodeKind, side: number][] = [
  ['qrcode', 300],
  ['azteccode', 260],
  ['pdf417', 420],
  ['code128', 420],
];
for (const [kind, side] of wallet)
  test(`the camera reads a wallet’s ${kind}`, async ({ page }) => {
    await showCodes(page, [{ text: 'BEN-2', kind, left: 90, top: 90, side }]);
    await openKiosk(page);
    await page.getByRole('button', { name: 'I have a QR code' }).click();
    await expect(outcome(page, 'unpaid')).toBeVisible({ timeout: limitMs(15_000) });
  });

test('a decoder of barcodes that does not arrive is said as such; QR codes are read meanwhile', async ({
  page,
}) => {
  const held = { text: 'BEN-2', kind: 'pdf417', left: 90, top: 90, side: 420 } as const;
  await showCodes(page, [held]);
  await page.route('**/zxing_reader.wasm', (route) => route.fulfill({ body: 'not the file' }));
  await openKiosk(page);
  await page.getByRole('button', { name: 'I have a QR code' }).click();
  await expect(page.locator('[data-sight="qrOnly"]')).toBeVisible({ timeout: limitMs(15_000) });
  await expect(page.locator('[data-trouble]')).toHaveCount(0);
  await expectFit(page);
  await page.unroute('**/zxing_reader.wasm');
  await expect(outcome(page, 'unpaid')).toBeVisible({ timeout: limitMs(15_000) });
});
