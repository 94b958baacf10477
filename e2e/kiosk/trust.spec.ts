/** `capture.trust: kiosk` from pairing to verdict: only the kiosk's own page passes. */
import { expect, test } from '@playwright/test';
import { KIOSK_TOKEN_HEADER, type KioskSessionResponse } from '../../server/contract/kiosk.ts';
import { autoFollow, installScriptedCamera } from '../../testing/camera/browser/browser-camera.ts';
import { renderClips, type Clips } from '../../testing/camera/clips.ts';
import { personA } from '../../testing/camera/people.ts';
import { sendOk } from '../support/http.ts';
import { newKiosk, startButton, touchToConsent, type VenueKiosk } from '../support/pages/kiosk.ts';
import { attempt, initialize, runOf } from '../support/run.ts';
import { startGatehouse, type Gatehouse } from '../support/service/server.ts';
import { newVerification } from '../support/venue.ts';
import { CHECK, limitMs } from '../../testing/tier.ts';

const FIRST_RENDER_MS = limitMs(60_000);
const CAPTURE_MS = limitMs(22_500);

test.use({ contextOptions: { reducedMotion: 'reduce' } });

let gatehouse: Gatehouse;
let clips: Clips;
let venue: VenueKiosk & { code: string };
let verificationId: string;
test.beforeAll(async () => {
  test.setTimeout(FIRST_RENDER_MS);
  clips = await renderClips(personA);
  gatehouse = await startGatehouse();
  verificationId = await newVerification(gatehouse, gatehouse.company, { capture: { trust: 'kiosk' } });
  venue = await newKiosk(gatehouse, { verificationId });
});
test.afterAll(async () => {
  await gatehouse.stop();
});

test(
  'a kiosk paired with its key passes; a script with its copied token, and a phone, do not',
  { tag: CHECK },
  async ({ page, browser }) => {
    test.setTimeout(4 * CAPTURE_MS);
    await installScriptedCamera(page, clips);
    await autoFollow(page);
    await page.goto(`${gatehouse.baseUrl}/kiosk`);
    await page.getByLabel('Pairing code').fill(venue.code);
    await page.getByRole('button', { name: 'Pair', exact: true }).click();
    await startButton(page).waitFor();
    const token = await page.evaluate(() => localStorage.getItem('gatehouse.kiosk.token'));

    const stolen = await sendOk<KioskSessionResponse>(`${gatehouse.baseUrl}/kiosk/sessions`, {
      method: 'POST',
      headers: { [KIOSK_TOKEN_HEADER]: token ?? '' },
    });
    const { session_id: sessionId } = stolen.snapshot;
    const script = runOf(gatehouse, { sessionId, url: '', flowToken: stolen.flow_token });
    await script.flow('/consent', { accepted: true });
    const { attempts_left: attempts } = await script.snapshot();
    expect(await attempt(script, clips)).toMatchObject({ state: 'open', attempts_left: attempts - 1 });

    await touchToConsent(page, 'en');
    await page.locator('.button--main').click();
    await expect(page.locator('[data-result="passed"]')).toBeVisible({ timeout: CAPTURE_MS });

    const { url } = await initialize(gatehouse, gatehouse.company.keys.sk_live, {
      verification_id: verificationId,
    });
    const phone = await browser.newPage();
    await phone.goto(url);
    await expect(phone.getByRole('heading', { name: 'Please go to the entrance' })).toBeVisible();
    await phone.close();
  },
);
