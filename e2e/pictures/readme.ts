/**
 * Takes the screenshots of README.md from a running server with sample data: `node e2e/pictures/readme.ts`
 * after `npm run build` and `npm run assets`. Writes to `docs/images/`.
 */
import { chromium } from '@playwright/test';
import { addressIn, DEMO_PAGES } from '../support/pages/console-pages.ts';
import { signInPage } from '../support/pages/console.ts';
import { actAsDevice, newKiosk, pairDevice, startButton } from '../support/pages/kiosk.ts';
import { type Gatehouse, startGatehouse } from '../support/service/server.ts';
import { A_CAMERA, DESKTOP, take } from './take.ts';
import { chromiumOptions } from '../../testing/browsers.ts';

async function hostedLink({ baseUrl, company }: Gatehouse): Promise<string> {
  const reply = await fetch(`${baseUrl}/v3/initialize`, {
    method: 'POST',
    headers: { authorization: `Bearer ${company.keys.sk_live}`, 'content-type': 'application/json' },
    body: JSON.stringify({ external_id: 'ticket-1042' }),
  });
  return ((await reply.json()) as { url: string }).url;
}

await using gatehouse = await startGatehouse();
const options = chromiumOptions();
await using browser = await chromium.launch({ ...options, args: [...options.args, ...A_CAMERA] });
const { company_id: demo } = await gatehouse.cli<{ company_id: string }>(['demo']);
const link = await hostedLink(gatehouse);
await take(browser, 'hosted', { viewport: { width: 390, height: 700 }, hasTouch: true }, async (page) => {
  await page.goto(link);
  await page.waitForSelector('.screen h1');
});
await take(browser, 'kiosk', DESKTOP, async (page) => {
  const { code } = await newKiosk(gatehouse);
  await actAsDevice(page, await pairDevice(gatehouse, code));
  await page.goto(`${gatehouse.baseUrl}/kiosk`);
  await startButton(page).waitFor();
});
const reviewCase = DEMO_PAGES.find(({ name }) => name === 'review');
if (!reviewCase) throw new Error('The console has no page of a review case.');
await take(browser, 'console-reviews', DESKTOP, async (page) => {
  await signInPage(page, gatehouse, 'admin');
  await page.goto(addressIn(gatehouse.consoleUrl, reviewCase, demo));
  await reviewCase.act?.(page);
  await page.waitForSelector(reviewCase.shows);
});
await take(browser, 'docs', DESKTOP, async (page) => {
  await page.goto(`${gatehouse.baseUrl}/docs/v3/initialize`);
  await page.waitForLoadState('networkidle');
});
