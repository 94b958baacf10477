/**
 * Takes the pictures of steps in the tutorial and the guides: `node e2e/pictures/steps.ts [NAME…]` after `npm run build`
 * and `npm run assets`. Writes all, or those that are named, to `docs/images/`.
 */
import { chromium, type Page } from '@playwright/test';
import { button } from '../support/pages/elements.ts';
import { addressIn, DEMO_PAGES } from '../support/pages/console-pages.ts';
import { signInPage } from '../support/pages/console.ts';
import { actAsDevice, kioskScreen, newKiosk, pairDevice, startButton } from '../support/pages/kiosk.ts';
import { type Gatehouse, startGatehouse } from '../support/service/server.ts';
import { chromiumOptions } from '../../testing/browsers.ts';
import { A_CAMERA, take } from './take.ts';

const WINDOW = { viewport: { width: 1024, height: 720 } };
const TABLET = { viewport: { width: 1024, height: 680 }, hasTouch: true };

type ParametersOfTake = [Parameters<typeof take>[2], Parameters<typeof take>[3]];

async function asPaired(page: Page, gatehouse: Gatehouse, options: Parameters<typeof newKiosk>[1] = {}) {
  const kiosk = await newKiosk(gatehouse, options);
  await actAsDevice(page, await pairDevice(gatehouse, kiosk.code));
  return kiosk;
}

const options = chromiumOptions();
await using browser = await chromium.launch({ ...options, args: [...options.args, ...A_CAMERA] });

const wanted = process.argv.slice(2);
const picture = async (name: string, ...how: ParametersOfTake) => {
  if (wanted.length === 0 || wanted.includes(name)) await take(browser, name, ...how);
};

/** The first start has its own empty installation. */
async function firstStart(): Promise<void> {
  await using empty = await startGatehouse();
  await picture('first-start', WINDOW, async (page) => {
    await page.goto(empty.consoleUrl);
    await page.getByLabel('Company').fill('City Hall');
    await page.getByLabel('Your name').fill('Ana Ruiz');
    await page.getByLabel('First event').fill('Night of Museums');
    await page.getByRole('textbox', { name: 'Passphrase' }).fill('copper lantern river moss');
  });
  await picture('first-kiosk', WINDOW, async (page) => {
    await page.goto(empty.consoleUrl);
    await page.getByLabel('Your name').fill('Ana Ruiz');
    await page.getByRole('textbox', { name: 'Passphrase' }).fill('copper lantern river moss');
    await button(page, 'Create').click();
    await page.getByRole('dialog').waitFor();
  });
}

async function steps(gatehouse: Gatehouse): Promise<void> {
  const { company_id: demo } = await gatehouse.cli<{ company_id: string }>(['demo']);
  const consolePage = async (page: Page, name: string) => {
    const found = DEMO_PAGES.find((one) => one.name === name);
    if (!found) throw new Error(`The console has no page ${name}.`);
    await signInPage(page, gatehouse, 'admin');
    await page.goto(addressIn(gatehouse.consoleUrl, found, demo));
    await found.act?.(page);
    await page.waitForSelector(found.shows);
  };

  await picture('kiosk-code', TABLET, async (page) => {
    await page.goto(`${gatehouse.baseUrl}/kiosk`);
    await kioskScreen(page, 'pairing').waitFor();
  });
  await picture('kiosk-passed', TABLET, async (page) => {
    await asPaired(page, gatehouse, { partition: 'test' });
    await page.goto(`${gatehouse.baseUrl}/kiosk`);
    await startButton(page).click();
    await page.locator('.button--main').click();
    await page.locator('[data-face="alice"]').click();
    await page.locator('[data-result="passed"]').waitFor();
  });
  await picture('door', WINDOW, (page) => consolePage(page, 'door'));
  await picture('review-list', WINDOW, (page) => consolePage(page, 'reviews'));
  await picture('review-decide', { viewport: { width: 1024, height: 860 } }, async (page) => {
    await consolePage(page, 'review');
    await page.keyboard.press('c');
    await page.locator('.decision input').waitFor();
    await page.keyboard.press('1');
    await page.keyboard.press('4');
    await page.mouse.move(0, 0);
  });
  await picture('event-form', { viewport: { width: 1024, height: 1180 } }, async (page) => {
    await consolePage(page, 'events');
    await button(page, 'New event').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill('Night of Museums');
  });
  await picture('event-kiosk', TABLET, async (page) => {
    const { operator, eventId } = await asPaired(page, gatehouse, {
      words: { en: { welcome: 'Entrance A, from 18:00' }, de: { welcome: 'Eingang A, ab 18 Uhr' } },
    });
    await operator.ok(`/events/${eventId}`, {
      method: 'PATCH',
      body: { colour: '#8a1c4a', reason: 'the colour of the house' },
    });
    await page.goto(`${gatehouse.baseUrl}/kiosk`);
    await startButton(page).waitFor();
  });
}

await using gatehouse = await startGatehouse();
await firstStart();
await steps(gatehouse);
