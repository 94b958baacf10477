/** Every surface in WebKitGTK, with a scripted camera on the hosted page and test faces elsewhere. */
import { test } from '@playwright/test';
import { renderClips } from '../../testing/camera/clips.ts';
import { personA } from '../../testing/camera/people.ts';
import { CHECK, NIGHTLY, limitMs } from '../../testing/tier.ts';
import { findWebKit } from '../../testing/browsers.ts';
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
import { click } from '../support/browsers/tab.ts';
import { openWebKit, type WebKit } from '../support/browsers/webkit.ts';
import { prerequisite } from '../support/prerequisite.ts';
import { type Gatehouse, startGatehouse } from '../support/service/server.ts';

const START_MS = limitMs(75_000);

prerequisite(
  findWebKit() === undefined ? 'WebKitGTK is not installed (apt-get install webkit2gtk-driver).' : null,
);

let gatehouse: Gatehouse;
let webkit: WebKit;
let companyId: string;
test.beforeAll(async () => {
  test.setTimeout(START_MS);
  gatehouse = await startGatehouse();
  companyId = (await gatehouse.cli<{ company_id: string }>(['demo'])).company_id;
  webkit = await openWebKit();
});
test.afterEach(async () => {
  await webkit.tab.screenshot(test.info().outputPath('webkit.png'));
});
test.afterAll(async () => {
  await webkit.close();
  await gatehouse.stop();
});

test('WebKit: the console', () => consolePages(gatehouse, webkit.tab, companyId));
test('WebKit: the API reference', { tag: NIGHTLY }, () => docs(gatehouse, webkit.tab));
test('WebKit: the hosted page with a test face', { tag: NIGHTLY }, () =>
  hostedWithTestFace(gatehouse, webkit.tab),
);
test('WebKit: a person passes the hosted page with a camera', { tag: CHECK }, async () => {
  const person = await renderClips(personA);
  await hostedWithCamera(gatehouse, webkit.tab, () => webkit.standBefore(person));
});
test('WebKit: a person’s own page', { tag: NIGHTLY }, () => ownPage(gatehouse, webkit.tab));
test('WebKit: the SDK’s drawer', { tag: NIGHTLY }, () => sdkDrawer(gatehouse, webkit.tab));

test('WebKit: the kiosk with a test face', async () => {
  await openKiosk(gatehouse, webkit.tab, 'test');
  await walkUp(webkit.tab);
  await click(webkit.tab, { css: '[data-face="alice"]' });
  await kioskPassed(webkit.tab);
});
