/** `capture.trust: kiosk` from pairing to verdict: only the kiosk's own page passes. */
import { expect } from '@playwright/test';
import { KIOSK_TOKEN_HEADER, type KioskSessionResponse } from '../../server/contract/kiosk.ts';
import { autoFollow, installScriptedCamera } from '../../testing/camera/browser/browser-camera.ts';
import { sendOk } from '../support/http.ts';
import { newKiosk, startButton, touchToConsent } from '../support/pages/kiosk.ts';
import { attempt, initialize, runOf } from '../support/run.ts';
import { startGatehouse } from '../support/service/server.ts';
import { test } from '../support/service/shared-server.ts';
import { newVerification } from '../support/venue.ts';
import { CHECK, limitMs } from '../../testing/tier.ts';

const CAPTURE_MS = limitMs(22_500);

test.use({ contextOptions: { reducedMotion: 'reduce' } });

test(
  'a kiosk paired with its key passes; a script with its copied token, and a phone, do not',
  { tag: CHECK },
  async ({ page, browser, clips }) => {
    test.setTimeout(4 * CAPTURE_MS);
    // Its own, because pictures that any check of the server has seen would be refused for that.
    await using gatehouse = await startGatehouse();
    const trusting = { capture: { trust: 'kiosk' } } as const;
    const verificationId = await newVerification(gatehouse, gatehouse.company, trusting);
    const { code } = await newKiosk(gatehouse, { verificationId });
    await installScriptedCamera(page, clips);
    await autoFollow(page);
    await page.goto(`${gatehouse.baseUrl}/kiosk`);
    await page.getByLabel('Pairing code').fill(code);
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
