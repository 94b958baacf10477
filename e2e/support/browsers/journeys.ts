/**
 * The actions of a guest, an operator and a developer on each surface, for browsers that Playwright does not drive.
 */
import { expect } from '@playwright/test';
import { limitMs, sized } from '../../../testing/tier.ts';
import { newOperator } from '../pages/console.ts';
import { addressIn, DEMO_PAGES } from '../pages/console-pages.ts';
import { newKiosk, pairDevice } from '../pages/kiosk.ts';
import { send } from '../http.ts';
import { confirmation, initialize } from '../run.ts';
import type { Gatehouse } from '../service/server.ts';
import { click, shown, type Place, type Tab, type, textOf } from './tab.ts';

/** A capture by the page: the camera, the models, three steps, the verdict. */
const CAPTURE_MS = limitMs(22_500);
const DESK = [1280, 860] as const;
const PHONE_SIZE = [480, 860] as const;
/** Another one for each company, because a person's own page shows all that know their number. */
const numberOf = ({ company }: Gatehouse): string =>
  `+99901${`${Number.parseInt(company.company_id.slice(-5), 16) % 1_000_000}`.padStart(6, '0')}`;
const CODE = '234567';

const screen = (name: string) => ({ css: `.page[data-state="${name}"]` });
const kioskScreen = (name: string) => ({ css: `.kiosk[data-screen="${name}"]` });
const MAIN = { css: '.button--main' };
const SIDE = { css: '.button--side' };

/**
 * Opens a test run's link on a computer, up to the choice between the camera and the test faces.
 * @param opened called when the page is open, before the consent that turns a camera on
 */
async function openTestRun(
  gatehouse: Gatehouse,
  tab: Tab,
  { phone, opened }: { phone?: string; opened?: () => Promise<void> } = {},
): Promise<{ vyt: () => Promise<string> }> {
  const { url } = await initialize(gatehouse, gatehouse.company.keys.sk_test, {
    redirect_url: `${gatehouse.baseUrl}/healthz`,
    // Of the person whose own page is shown; nobody else may claim it.
    ...(phone !== undefined && { phone }),
  });
  await tab.setSize(...PHONE_SIZE);
  await tab.goto(url);
  await opened?.();
  await agreeOnComputer(tab);
  return {
    vyt: async () => {
      const back = () => tab.evaluate(() => location.href);
      await click(tab, MAIN);
      await expect.poll(() => back().catch(() => ''), { timeout: limitMs(20_000) }).toContain('vyt=');
      return new URL(await back()).searchParams.get('vyt') ?? '';
    },
  };
}

async function agreeOnComputer(place: Place): Promise<void> {
  await shown(place, screen('desktop'));
  await click(place, SIDE);
  await shown(place, screen('consent'));
  await click(place, MAIN);
  await shown(place, screen('testChoice'));
}

/** The hosted page with a test face, back to the organiser, confirmed by the backend. */
export async function hostedWithTestFace(gatehouse: Gatehouse, tab: Tab): Promise<void> {
  const { vyt } = await openTestRun(gatehouse, tab, { phone: numberOf(gatehouse) });
  await click(tab, { css: '[data-face="alice"]' });
  await shown(tab, screen('result'));
  await expectVerified(gatehouse, await vyt());
}

/**
 * The hosted page with a camera.
 * @param installCamera if the tab has none before the page loads
 */
export async function hostedWithCamera(
  gatehouse: Gatehouse,
  tab: Tab,
  installCamera?: () => Promise<void>,
): Promise<void> {
  const { vyt } = await openTestRun(gatehouse, tab, { ...(installCamera && { opened: installCamera }) });
  await click(tab, MAIN);
  // A slow machine may draw its camera so rarely that a try fails; a guest then tries again.
  const over = { css: `${screen('result').css}, ${screen('retry').css}` };
  for (;;) {
    await shown(tab, over, CAPTURE_MS);
    if (await tab.isShown(screen('result'))) break;
    await click(tab, MAIN);
    await expect.poll(() => tab.isShown(screen('retry'))).toBe(false);
  }
  const { sk_test: key } = gatehouse.company.keys;
  const { status, body } = await send(`${gatehouse.baseUrl}/v3/confirmations/${await vyt()}`, { key });
  // A capture that takes very long is left to a reviewer; the page has done its part then, too.
  expect(body).toMatchObject(status === 200 ? { verified: true } : { state: 'in_review' });
}

async function expectVerified(gatehouse: Gatehouse, vyt: string): Promise<void> {
  const { sk_test: key } = gatehouse.company.keys;
  expect(await confirmation(gatehouse, key, vyt)).toMatchObject({ verified: true });
}

/** The kiosk's page as a paired device of a running event, before its first screen. */
export async function openKiosk(gatehouse: Gatehouse, tab: Tab, partition: 'live' | 'test') {
  const venue = await newKiosk(gatehouse, { partition });
  await tab.setSize(...DESK);
  const token = await pairDevice(gatehouse, venue.code);
  await tab.goto(`${gatehouse.baseUrl}/kiosk`);
  await tab.evaluate((kept) => localStorage.setItem('gatehouse.kiosk.token', kept), token);
  await tab.goto(`${gatehouse.baseUrl}/kiosk`);
  return venue;
}

/** From the first screen to the screen after the consent. */
export async function walkUp(tab: Tab): Promise<void> {
  await click(tab, { css: '.attract__start' });
  await shown(tab, kioskScreen('consent'));
  await click(tab, MAIN);
}

export const kioskPassed = (tab: Tab): Promise<void> =>
  shown(tab, { css: '[data-result="passed"]' }, CAPTURE_MS);

/** The SDK's drawer in its demo page, with a test face. */
export async function sdkDrawer(gatehouse: Gatehouse, tab: Tab): Promise<void> {
  await tab.setSize(...DESK);
  await tab.goto(`${gatehouse.baseUrl}/sdk/demo`);
  await type(tab, { css: 'input[name="key"]' }, gatehouse.company.keys.pk_test);
  await click(tab, { css: 'button[type="submit"]' });
  await expect
    .poll(
      () =>
        tab.frame('vy_embed=1').then(
          () => true,
          () => false,
        ),
      { timeout: limitMs(20_000) },
    )
    .toBe(true);
  const check = await tab.frame('vy_embed=1');
  await agreeOnComputer(check);
  await click(check, { css: '[data-face="bob"]' });
  await shown(check, screen('result'));
  await expect.poll(() => textOf(tab, '#outcome')).toContain('"vyt": "vyt_');
  const { vyt } = JSON.parse(await textOf(tab, '#outcome')) as { vyt: string };
  await expectVerified(gatehouse, vyt);
}

/** A person who passed sees who knows their number. */
export async function ownPage(gatehouse: Gatehouse, tab: Tab): Promise<void> {
  await tab.goto(`${gatehouse.baseUrl}/my`);
  await type(tab, { css: 'input[type="tel"]' }, numberOf(gatehouse));
  await click(tab, MAIN);
  await shown(tab, screen('myCode'));
  await type(tab, { css: '.page[data-state="myCode"] input' }, CODE);
  await shown(tab, { css: '.connection[data-connected="true"]' });
}

/** A page of the reference, with its operation tried out. */
export async function docs(gatehouse: Gatehouse, tab: Tab): Promise<void> {
  await tab.goto(`${gatehouse.baseUrl}/docs/v3/test-key`);
  await click(tab, { css: '.try summary' });
  await type(tab, { css: '#key' }, gatehouse.company.keys.sk_test);
  await click(tab, { css: '.try button' });
  await expect.poll(() => textOf(tab, '.result__status')).toContain('200 OK');
}

/** Signs in through the form, then opens each page of the console. */
export async function consolePages(gatehouse: Gatehouse, tab: Tab, companyId: string): Promise<void> {
  const { name, passphrase } = await newOperator(gatehouse, 'admin');
  await tab.setSize(...DESK);
  await tab.goto(gatehouse.consoleUrl);
  await type(tab, { css: 'input[autocomplete="username"]' }, name);
  await type(tab, { css: 'input[autocomplete="current-password"]' }, passphrase);
  await click(tab, { css: 'button[type="submit"]' });
  await shown(tab, { css: 'nav a' });
  for (const page of DEMO_PAGES.slice(0, sized(6, DEMO_PAGES.length))) {
    if (page.name === 'settings-backups' || page.name === 'event-tickets') continue;
    await tab.goto(addressIn(gatehouse.consoleUrl, page, companyId));
    await shown(tab, { css: 'main h1' });
    if (page.act !== undefined) await click(tab, { css: '.row-open' });
    await shown(tab, { css: page.shows });
  }
}
