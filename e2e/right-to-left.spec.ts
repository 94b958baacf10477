/** The guests’ pages in a pseudo-locale that is 40 % longer, and written from right to left. */
import { devices, expect, test, type Page } from '@playwright/test';
import { mainButton, screen } from './support/hosted-page.ts';
import { actAsDevice, kioskScreen, newKiosk, pairDevice, startButton } from './support/kiosk.ts';
import { speakPseudo, unbracketed } from './support/pseudo-locale.ts';
import { overflowRightToLeft } from './support/right-to-left.ts';
import { initialize } from './support/run.ts';
import { type Gatehouse, startGatehouse } from './support/server.ts';

test.use({ ...devices['Pixel 7'] });

const START_MS = 120_000;

let gatehouse: Gatehouse;
test.beforeAll(async () => {
  test.setTimeout(START_MS);
  gatehouse = await startGatehouse();
});
test.afterAll(() => gatehouse.stop());

/** A camera that shows nothing: nobody is checked here. */
async function withCamera(page: Page): Promise<void> {
  await page.context().grantPermissions(['camera']);
  await page.addInitScript(() => {
    const { mediaDevices } = navigator;
    const camera = { deviceId: 'one', groupId: '', kind: 'videoinput', label: 'Camera', toJSON: () => ({}) };
    mediaDevices.enumerateDevices = () => Promise.resolve([camera as MediaDeviceInfo]);
    mediaDevices.getUserMedia = () => Promise.resolve(document.createElement('canvas').captureStream(1));
  });
}

/** The names of organisers, events and test faces are data. */
const DATA = [/Test venue|Night of Museums|Gatehouse|^Kiosk \w+$|North gate/];

/** Every text comes from a catalogue, and nothing is cut off or too wide when it is longer or runs the other way. */
async function expectTranslatable(page: Page): Promise<void> {
  expect(await unbracketed(page, DATA)).toEqual([]);
  expect(await overflowRightToLeft(page)).toEqual([]);
}

test('the hosted page holds everything, from the consent to the result', async ({ page }) => {
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

test('the kiosk holds everything, from the first screen to the consent', async ({ page }) => {
  await speakPseudo(page);
  const { code } = await newKiosk(gatehouse);
  await withCamera(page);
  await actAsDevice(page, await pairDevice(gatehouse, code));
  await page.goto(`${gatehouse.baseUrl}/kiosk`);
  await expect(startButton(page)).toBeVisible();
  await expectTranslatable(page);
  await startButton(page).click();
  await expect(page.locator('[data-language="de"]')).toBeVisible();
  await expectTranslatable(page);
  await page.locator('[data-language="de"]').click();
  await expect(kioskScreen(page, 'consent')).toBeVisible();
  await expectTranslatable(page);
});
