/** The guests’ pages in a pseudo-locale that is 40 % longer, and right-to-left. */
import { expect, type Page } from '@playwright/test';
import { mainButton, screen } from './support/pages/hosted-page.ts';
import { actAsDevice, kioskScreen, newKiosk, pairDevice, startButton } from './support/pages/kiosk.ts';
import { TRUST_STYLE, trustPage } from '../server/routes/trust/page.ts';
import { LANGUAGE_NAMES, LANGUAGES } from '../server/contract/languages.ts';
import { pseudoCatalogue, speakPseudo, unbracketed } from './support/pages/pseudo-locale.ts';
import { overflowRightToLeft } from './support/pages/right-to-left.ts';
import { initialize } from './support/run.ts';
import type { Gatehouse } from './support/service/server.ts';
import { PHONE, test, withOwnCompany } from './support/service/shared-server.ts';
import { limitMs } from '../testing/tier.ts';

test.use(PHONE);

/** The capture loads the landmarker first. */
const LOADING_MS = limitMs(15_000);

let gatehouse: Gatehouse;
test.beforeAll(async ({ gatehouse: shared }) => {
  gatehouse = await withOwnCompany(shared);
});

/** A camera that shows a grey wall: nobody is checked here. */
async function withCamera(page: Page): Promise<void> {
  await page.context().grantPermissions(['camera']);
  await page.addInitScript(() => {
    const { mediaDevices } = navigator;
    const camera = { deviceId: 'one', groupId: '', kind: 'videoinput', label: 'Camera', toJSON: () => ({}) };
    mediaDevices.enumerateDevices = () => Promise.resolve([camera as MediaDeviceInfo]);
    mediaDevices.getUserMedia = () => {
      const canvas = document.createElement('canvas');
      const brush = canvas.getContext('2d');
      let shade = 120;
      // A canvas that does not change has no new frame.
      setInterval(() => {
        shade = shade === 120 ? 121 : 120;
        if (brush) brush.fillStyle = `rgb(${shade} ${shade} ${shade})`;
        brush?.fillRect(0, 0, canvas.width, canvas.height);
      }, 100);
      return Promise.resolve(canvas.captureStream(10));
    };
  });
}

/** The names of organisers, events and test faces are data. */
const DATA = [/Test venue|Night of Museums|Gatehouse|^Kiosk \w+$|North gate/];

/** Every text comes from a catalogue, and nothing is cut off or too wide when it is longer or right-to-left. */
async function expectTranslatable(page: Page): Promise<void> {
  expect(await unbracketed(page, DATA)).toEqual([]);
  expect(await overflowRightToLeft(page)).toEqual([]);
}

test('the hosted page fits everything, from the consent to the result', async ({ page }) => {
  await speakPseudo(page);
  const { url } = await initialize(gatehouse, gatehouse.company.keys.sk_test);
  await page.goto(url);
  await page.locator('summary').click();
  await expectTranslatable(page);
  await mainButton(page).click();
  await expect(screen(page, 'testChoice')).toBeVisible();
  await expectTranslatable(page);
  await page.locator('[data-face="alice"]').click();
  await expect(screen(page, 'result')).toBeVisible();
  await expectTranslatable(page);
  await page.goto(`${gatehouse.baseUrl}/my`);
  await expect(mainButton(page)).toBeVisible();
  await expectTranslatable(page);
});

test('the kiosk fits everything, from the first screen to the camera and its advice', async ({ page }) => {
  test.setTimeout(2 * LOADING_MS);
  await speakPseudo(page);
  const { code } = await newKiosk(gatehouse);
  await withCamera(page);
  await actAsDevice(page, await pairDevice(gatehouse, code));
  await page.goto(`${gatehouse.baseUrl}/kiosk`);
  await expect(startButton(page)).toBeVisible();
  await expectTranslatable(page);
  await page.locator('[data-language="de"]').click();
  await expect(kioskScreen(page, 'consent')).toBeVisible();
  await expectTranslatable(page);
  await mainButton(page).click();
  await expect(page.locator('.hint-panel')).toBeVisible({ timeout: LOADING_MS });
  await expectTranslatable(page);
});

test('the camera’s screen fits everything, including its advice', async ({ page }) => {
  test.setTimeout(2 * LOADING_MS);
  await speakPseudo(page);
  await withCamera(page);
  const { url } = await initialize(gatehouse, gatehouse.company.keys.sk_live);
  await page.goto(url);
  await mainButton(page).click();
  await expect(page.locator('[data-capture="coaching"]')).toBeVisible({ timeout: LOADING_MS });
  await expectTranslatable(page);
});

test('the trust page fits everything', async ({ page }) => {
  const html = trustPage(
    {
      language: 'en',
      offered: LANGUAGES,
      fingerprint: '0A:1B '.repeat(32),
      origins: ['https://gatehouse.venue.example:8443'],
    },
    pseudoCatalogue('trust'),
  );
  await page.setContent(html.replace('</head>', `<style>${TRUST_STYLE}</style></head>`));
  for (const summary of await page.locator('summary').all()) await summary.click();
  const names = new RegExp(`^(${Object.values(LANGUAGE_NAMES).join('|')}|https://.*)$`);
  expect(await unbracketed(page, [names])).toEqual([]);
  expect(await overflowRightToLeft(page)).toEqual([]);
});
