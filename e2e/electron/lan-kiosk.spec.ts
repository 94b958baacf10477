/**
 * The app as a kiosk of another machine: over https with a certificate that no system trusts, identified by its
 * fingerprint.
 */
import { expect, test } from '@playwright/test';
import type { LanSettings } from '../../server/contract/console/settings.ts';
import { signIn } from '../support/pages/console.ts';
import { kioskScreen, newKiosk, PIN, startButton } from '../support/pages/kiosk.ts';
import { type Gatehouse, startGatehouse } from '../support/service/server.ts';
import { prerequisite } from '../support/prerequisite.ts';
import { type Desktop, openDesktop, type Running, whyNoDesktop } from './desktop.ts';
import { limitMs } from '../../testing/tier.ts';

const START_MS = limitMs(60_000);
const LOADING_MS = limitMs(7_500);

prerequisite(whyNoDesktop());
test.describe.configure({ timeout: START_MS });

let gatehouse: Gatehouse;
let desktop: Desktop;
test.beforeAll(async () => {
  test.setTimeout(START_MS);
  gatehouse = await startGatehouse();
  desktop = await openDesktop();
});
test.afterAll(async () => {
  await desktop.close();
  await gatehouse.stop();
});

/** Chromium's code for an untrusted authority. */
const CERT_AUTHORITY_INVALID = -202;

/** Why the page did not load; it is retried every few seconds. */
const failure = ({ app }: Running) =>
  app.evaluate(
    ({ BrowserWindow }) =>
      new Promise<number>((resolve) => {
        const contents = BrowserWindow.getAllWindows()[0]?.webContents;
        contents?.once('did-fail-load', (_event, code) => resolve(code));
      }),
  );

test('its authority’s fingerprint is sufficient, another one is not, and leaving asks that server', async () => {
  const venue = await newKiosk(gatehouse, { languages: ['en'] });
  const admin = await signIn(gatehouse, 'admin');
  const lan = await admin.ok<LanSettings>('/settings/lan', {
    method: 'PUT',
    body: { is_on: true, is_console_open: false },
  });
  expect(lan).toMatchObject({ is_on: true, failure: null });
  const { port } = new URL(lan.origins[0] ?? '');
  const words = (fingerprint: string | null) => [
    '--kiosk',
    `--kiosk-server=https://127.0.0.1:${port}`,
    `--kiosk-fingerprint=${fingerprint ?? ''}`,
  ];
  const stranger = await desktop.start(words('AB:'.repeat(31) + 'AB'));
  expect(await failure(stranger)).toBe(CERT_AUTHORITY_INVALID);
  await stranger.app.close();

  const { app, window } = await desktop.start(words(lan.fingerprint));
  await expect(kioskScreen(window, 'pairing')).toBeVisible({ timeout: LOADING_MS });
  await window.getByLabel('Pairing code').fill(venue.code);
  await window.getByRole('button', { name: 'Pair', exact: true }).click();
  await expect(startButton(window)).toBeVisible();

  await window.getByRole('button', { name: 'Staff', exact: true }).click();
  await expect(window.getByRole('textbox')).toBeFocused();
  await window.keyboard.type(PIN);
  const opened = app.waitForEvent('window');
  await window.getByRole('button', { name: 'Leave kiosk mode' }).click();
  await opened;
});
