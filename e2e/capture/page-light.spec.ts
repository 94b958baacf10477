/**
 * Strict mode in a real browser: the page's colours have to be visible on the face, at the fast pace and at the slow
 * one.
 */
import { expect, type Page } from '@playwright/test';
import { autoFollow, installScriptedCamera } from '../../testing/camera/browser/browser-camera.ts';
import type { Clips } from '../../testing/camera/clips.ts';
import { CHECK, NIGHTLY, limitMs } from '../../testing/tier.ts';
import {
  agree,
  mainButton,
  returned,
  screen,
  VENUE,
  watchForeignRequests,
} from '../support/pages/hosted-page.ts';
import { confirmation, initialize } from '../support/run.ts';
import { type Gatehouse, startGatehouse } from '../support/service/server.ts';
import { PHONE, test } from '../support/service/shared-server.ts';
import { newCompany, newVerification } from '../support/venue.ts';

test.use(PHONE);

/** Five steps, and in the slow case eight seconds of colours. */
const CAPTURE_MS = limitMs(22_500);
/** A phone at arm's length in a room that is not bright. */
const FACE_TAKES = 0.25;

/** Its own, because pictures that any check of the server has seen would be refused for that. */
let gatehouse: Gatehouse;
let person: Clips;
test.beforeAll(async ({ clips }) => {
  gatehouse = await startGatehouse();
  person = clips;
});
test.afterAll(() => gatehouse.stop());

/**
 * Starts the check of a strict venue with the person at the camera.
 * @returns the venue's secret key
 */
async function capture(page: Page, pageLight: number): Promise<string> {
  test.setTimeout(2 * CAPTURE_MS);
  await watchForeignRequests(page, gatehouse.baseUrl);
  await installScriptedCamera(page, person, { pageLight });
  await autoFollow(page);
  const company = await newCompany(gatehouse, 'Careful venue');
  const key = company.keys.sk_live;
  const verification_id = await newVerification(gatehouse, company, { liveness: { challenge: 'strict' } });
  const { url } = await initialize(gatehouse, key, { verification_id, redirect_url: VENUE });
  await page.goto(url);
  await agree(page);
  return key;
}

for (const { pace, reducedMotion, tag } of [
  { pace: 'quickly', reducedMotion: 'no-preference', tag: [CHECK] },
  {
    pace: 'slowly where less motion is wanted',
    reducedMotion: 'reduce',
    tag: [CHECK, NIGHTLY],
  },
] as const) {
  test(
    `a face that reflects the page’s colours passes; they change ${pace}`,
    { tag: [...tag] },
    async ({ page }) => {
      await page.emulateMedia({ reducedMotion });
      const key = await capture(page, FACE_TAKES);
      await expect(screen(page, 'result')).toBeVisible({ timeout: CAPTURE_MS });
      await mainButton(page).click();
      const { vyt } = await returned(page);
      expect(await confirmation(gatehouse, key, vyt)).toMatchObject({ verified: true, status: 'approved' });
    },
  );
}

test(
  'a face that reflects none of them, as on a film, does not pass',
  { tag: [CHECK, NIGHTLY] },
  async ({ page }) => {
    await capture(page, 0);
    await expect(screen(page, 'retry')).toBeVisible({ timeout: CAPTURE_MS });
  },
);
