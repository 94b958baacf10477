/** A single machine: its owner opens the kiosk from the console, without typing a code. */
import { expect, test } from '@playwright/test';
import { kioskScreen } from '../support/pages/kiosk.ts';
import { prerequisite } from '../support/prerequisite.ts';
import { openDesktop, type Desktop, whyNoDesktop } from './desktop.ts';
import { ADMIN, fillFirstRun } from './first-run.ts';

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
  await app.evaluate(({ shell }) => {
    const asked: string[] = [];
    Object.assign(globalThis, { asked });
    shell.openExternal = async (url) => void asked.push(url);
  });
  const hosted = await window.evaluate(async () => {
    const lan = (await (await fetch('/console/api/settings/lan')).json()) as { origins: string[] };
    return `${lan.origins[0]}/verification?vys=vs_1`;
  });
  const asked = () => app.evaluate(() => (globalThis as unknown as { asked: string[] }).asked);
  // Links lead to the network's address from now on.
  await expect(async () => {
    await window.evaluate((target) => void globalThis.open(target), hosted);
    expect(await asked()).toContain(hosted);
  }).toPass();
  // The kiosk covers the screen, so its operator has a PIN first.
  const here = window.getByRole('link', { name: 'Use this computer' });
  await expect(here).toBeHidden();
  await window.getByRole('textbox', { name: 'PIN', exact: true }).fill('246810');
  await window.getByRole('textbox', { name: 'Current passphrase' }).fill(ADMIN.passphrase);
  await window.getByRole('button', { name: 'Set PIN' }).click();
  const opening = app.waitForEvent('window');
  await here.click();
  const kiosk = await opening;
  await expect(kioskScreen(kiosk, 'attract')).toBeVisible();
  expect(new URL(kiosk.url()).hash).toBe('');
  await expect(window.getByRole('status').filter({ hasText: 'The kiosk is connected.' })).toBeVisible();
  await window.getByRole('button', { name: 'Done' }).click();
  await expect(window.getByRole('heading', { level: 1, name: 'Door' })).toBeVisible();
});
