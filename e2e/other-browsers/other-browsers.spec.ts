/** Every surface in Firefox and in WebKitGTK, which Playwright does not drive as Debian ships them. */
import { test } from '@playwright/test';
import { findFirefox, findWebKit } from '../../testing/browsers.ts';
import { type Clips, renderClips } from '../../testing/camera/clips.ts';
import { personA } from '../../testing/camera/people.ts';
import { CHECK, NIGHTLY, limitMs } from '../../testing/tier.ts';
import { openFirefox } from '../support/browsers/firefox.ts';
import {
  consolePages,
  docs,
  hostedWithCamera,
  hostedWithTestFace,
  kioskPassed,
  openKiosk,
  ownPage,
  sdkDrawer,
  walkUp,
} from '../support/browsers/journeys.ts';
import { click, type OtherBrowser, type Tab } from '../support/browsers/tab.ts';
import { openWebKit } from '../support/browsers/webkit.ts';
import { prerequisite } from '../support/prerequisite.ts';
import { type Gatehouse, startGatehouse } from '../support/service/server.ts';
import { newCompany } from '../support/venue.ts';

const START_MS = limitMs(75_000);

let gatehouse: Gatehouse;
let person: Clips;
test.beforeAll(async () => {
  test.setTimeout(START_MS);
  person = await renderClips(personA);
  gatehouse = await startGatehouse();
});
test.afterAll(() => gatehouse.stop());

/** Made when the first console needs it. */
let demo: Promise<{ company_id: string }> | undefined;
const demoId = async () => (await (demo ??= gatehouse.cli(['demo']))).company_id;

for (const { name, missing, open } of [
  {
    name: 'Firefox',
    missing: findFirefox() === undefined ? 'Firefox is not installed (apt-get install firefox-esr).' : null,
    open: openFirefox,
  },
  {
    name: 'WebKit',
    missing:
      findWebKit() === undefined ? 'WebKitGTK is not installed (apt-get install webkit2gtk-driver).' : null,
    open: openWebKit,
  },
] as const)
  test.describe(`${name}:`, () => {
    prerequisite(missing);

    let browser: OtherBrowser;
    let tab: Tab;
    /** With a company for each browser, because the same people pass in both. */
    let own: Gatehouse;
    test.beforeAll(async () => {
      test.setTimeout(START_MS);
      own = { ...gatehouse, company: await newCompany(gatehouse, 'Test venue') };
      browser = await open();
      ({ tab } = browser);
      if (name === 'Firefox') await browser.standBefore(person);
    });
    test.afterEach(() => tab.screenshot(test.info().outputPath(`${name}.png`)));
    test.afterAll(() => browser.close());

    test('the console', async () => consolePages(own, tab, await demoId()));
    test('the API reference', { tag: NIGHTLY }, () => docs(own, tab));
    test('the hosted page with a test face', { tag: NIGHTLY }, () => hostedWithTestFace(own, tab));
    test('a person’s own page', { tag: NIGHTLY }, () => ownPage(own, tab));
    test('the SDK’s drawer', { tag: NIGHTLY }, () => sdkDrawer(own, tab));

    test('a person passes the hosted page with a camera', { tag: CHECK }, () =>
      hostedWithCamera(own, tab, name === 'WebKit' ? () => browser.standBefore(person) : undefined),
    );

    if (name === 'Firefox')
      test('a person passes the kiosk with a camera', { tag: [CHECK, NIGHTLY] }, async () => {
        await openKiosk(own, tab, 'live');
        await walkUp(tab);
        await kioskPassed(tab);
      });
    else
      test('the kiosk with a test face', async () => {
        await openKiosk(own, tab, 'test');
        await walkUp(tab);
        await click(tab, { css: '[data-face="alice"]' });
        await kioskPassed(tab);
      });
  });
