/** A person's check at the app as a kiosk. */
import { expect, test } from '@playwright/test';
import { autoFollow, installScriptedCamera } from '../../testing/camera/browser/browser-camera.ts';
import { renderClips } from '../../testing/camera/clips.ts';
import { personA } from '../../testing/camera/people.ts';
import { CHECK, limitMs } from '../../testing/tier.ts';
import { startButton, touchToConsent } from '../support/pages/kiosk.ts';
import { prerequisite } from '../support/prerequisite.ts';
import { type Desktop, openDesktop, whyNoDesktop } from './desktop.ts';
import { newKioskOf } from './own-kiosk.ts';

const START_MS = limitMs(60_000);
const CAPTURE_MS = limitMs(15_000);

prerequisite(whyNoDesktop());

let desktop: Desktop;
test.beforeAll(async () => {
  test.setTimeout(START_MS);
  desktop = await openDesktop();
});
test.afterAll(() => desktop.close());

test('a person walks up to a verdict', { tag: CHECK }, async () => {
  test.setTimeout(START_MS + CAPTURE_MS);
  const running = await desktop.start(['--kiosk']);
  const page = running.window;
  const { code } = await newKioskOf(desktop, running);
  await page.getByLabel('Pairing code').fill(code, { timeout: CAPTURE_MS });
  await page.getByRole('button', { name: 'Pair', exact: true }).click();
  await expect(startButton(page)).toBeVisible();
  await installScriptedCamera(page, await renderClips(personA));
  await autoFollow(page);
  await page.reload();
  await touchToConsent(page, 'en');
  await page.locator('.button--main').click();
  await expect(page.locator('[data-result="passed"]')).toBeVisible({ timeout: CAPTURE_MS });
  await expect(startButton(page)).toBeVisible();
});
