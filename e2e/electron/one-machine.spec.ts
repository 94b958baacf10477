/** A single machine: its owner opens the kiosk from the console, without typing a code. */
import { expect, test } from '@playwright/test';
import { kioskScreen } from '../support/kiosk.ts';
import { prerequisite } from '../support/prerequisite.ts';
import { openDesktop, type Desktop, whyNoDesktop } from './desktop.ts';
import { fillFirstRun } from './first-run.ts';

prerequisite(whyNoDesktop());

let desktop: Desktop;
test.beforeAll(async () => {
  desktop = await openDesktop();
});
test.afterAll(() => desktop.close());

test('the kiosk opens in a separate window, paired, and the console stays, also in network mode', async () => {
  const running = await desktop.start();
  await running.consoleShown();
  const { app, window } = running;
  await fillFirstRun(window);
  // The kiosk's address for other devices needs a certificate, which no window of the app trusts.
  await window.getByRole('button', { name: 'Turn on network mode' }).click();
  await window.getByRole('button', { name: 'Turn on', exact: true }).click();
  await expect(window.getByRole('img', { name: 'QR code that opens the kiosk' })).toBeVisible();
  const opening = app.waitForEvent('window');
  await window.getByRole('link', { name: 'Use this computer' }).click();
  const kiosk = await opening;
  await expect(kioskScreen(kiosk, 'attract')).toBeVisible();
  expect(new URL(kiosk.url()).hash).toBe('');
  await expect(window.getByRole('status').filter({ hasText: 'The kiosk is connected.' })).toBeVisible();
  await window.getByRole('button', { name: 'Done' }).click();
  await expect(window.getByRole('heading', { level: 1, name: 'Door' })).toBeVisible();
});
