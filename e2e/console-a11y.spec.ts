/** Every page of the console with demo data: accessible in both themes, on a narrow phone, and right-to-left. */
import { expect, test, type Page } from '@playwright/test';
import { expectAccessibleInBothThemes } from './support/accessible.ts';
import { addressIn, DEMO_PAGES } from './support/console-pages.ts';
import { signInPage } from './support/console.ts';
import { DESK, overflowRightToLeft } from './support/right-to-left.ts';
import { type Gatehouse, startGatehouse } from './support/server.ts';

const START_MS = 240_000;
const NARROW = { width: 320, height: 720 };

let gatehouse: Gatehouse;
let companyId: string;
/** One page for all tests, signed in once. */
let page: Page;

test.beforeAll(async ({ browser }) => {
  test.setTimeout(START_MS);
  gatehouse = await startGatehouse();
  companyId = (await gatehouse.cli<{ company_id: string }>(['demo'])).company_id;
  page = await browser.newPage({ reducedMotion: 'reduce' });
  await signInPage(page, gatehouse, 'admin', '/account');
});
test.afterAll(async () => {
  await page.close();
  await gatehouse.stop();
});

for (const shown of DEMO_PAGES) {
  test(`${shown.name}: everybody can use it, on every width and in both directions`, async () => {
    await page.setViewportSize(DESK);
    await page.goto(addressIn(gatehouse.consoleUrl, shown, companyId));
    await page.locator('main h1').waitFor();
    await shown.act?.(page);
    await page.locator(shown.shows).first().waitFor();
    // Content scrolled below the header is covered by it, which axe reports as a target that is too small.
    await page.evaluate(() => window.scrollTo(0, 0));
    await expectAccessibleInBothThemes(page);
    await page.setViewportSize(NARROW);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBe(0);
    expect(await overflowRightToLeft(page)).toEqual([]);
  });
}
