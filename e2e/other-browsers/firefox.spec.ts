/** Every surface in Firefox, with a scripted camera if a person is needed. */
import { test } from '@playwright/test';
import { type Clips, renderClips } from '../../testing/camera/clips.ts';
import { personA } from '../../testing/camera/people.ts';
import { CHECK, NIGHTLY, limitMs } from '../../testing/tier.ts';
import { type Firefox, openFirefox } from '../support/browsers/firefox.ts';
import { findFirefox } from '../../testing/browsers.ts';
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
import { prerequisite } from '../support/prerequisite.ts';
import { type Gatehouse, startGatehouse } from '../support/service/server.ts';

const START_MS = limitMs(75_000);

prerequisite(findFirefox() === undefined ? 'Firefox is not installed (apt-get install firefox-esr).' : null);

let gatehouse: Gatehouse;
let firefox: Firefox;
let companyId: string;
let person: Clips;
test.beforeAll(async () => {
  test.setTimeout(START_MS);
  person = await renderClips(personA);
  gatehouse = await startGatehouse();
  companyId = (await gatehouse.cli<{ company_id: string }>(['demo'])).company_id;
  firefox = await openFirefox();
  await firefox.standBefore(person);
});
test.afterEach(async () => {
  await firefox.tab.screenshot(test.info().outputPath('firefox.png'));
});
test.afterAll(async () => {
  await firefox.close();
  await gatehouse.stop();
});

test('Firefox: the console', () => consolePages(gatehouse, firefox.tab, companyId));
test('Firefox: the API reference', { tag: NIGHTLY }, () => docs(gatehouse, firefox.tab));
test('Firefox: the hosted page with a test face', { tag: NIGHTLY }, () =>
  hostedWithTestFace(gatehouse, firefox.tab),
);
test('Firefox: a person’s own page', { tag: NIGHTLY }, () => ownPage(gatehouse, firefox.tab));
test('Firefox: the SDK’s drawer', { tag: NIGHTLY }, () => sdkDrawer(gatehouse, firefox.tab));

test('Firefox: a person passes the hosted page with a camera', { tag: CHECK }, async () => {
  await hostedWithCamera(gatehouse, firefox.tab);
});

test('Firefox: a person passes the kiosk with a camera', { tag: [CHECK, NIGHTLY] }, async () => {
  await openKiosk(gatehouse, firefox.tab, 'live');
  await walkUp(firefox.tab);
  await kioskPassed(firefox.tab);
});
