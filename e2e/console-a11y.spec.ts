/** Axe on every page of the console with demo data, in both themes, on a desk and on a phone's width, and from right to left. */
import AxeBuilder from '@axe-core/playwright';
import { expect, test } from '@playwright/test';
import { addressIn, DEMO_PAGES } from './support/console-pages.ts';
import { signInPage } from './support/console.ts';
import { overflowRightToLeft } from './support/right-to-left.ts';
import { type Gatehouse, startGatehouse } from './support/server.ts';

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];
const WHOLE_MS = 1_200_000;
const NARROW = { width: 320, height: 720 };

let gatehouse: Gatehouse;
let companyId: string;

test.beforeAll(async () => {
  test.setTimeout(WHOLE_MS);
  gatehouse = await startGatehouse();
  companyId = (await gatehouse.cli<{ company_id: string }>(['demo'])).company_id;
});
test.afterAll(() => gatehouse.stop());

test('every page can be used by everybody, in both themes, and fits a narrow phone and a line that runs from right to left', async ({
  page,
}) => {
  test.setTimeout(WHOLE_MS);
  const desk = page.viewportSize() ?? { width: 1280, height: 800 };
  await signInPage(page, gatehouse, 'admin', '/account');
  const found: string[] = [];
  for (const shown of DEMO_PAGES) {
    await page.setViewportSize(desk);
    await page.goto(addressIn(gatehouse.consoleUrl, shown, companyId));
    await page.locator('main h1').waitFor();
    await shown.act?.(page);
    await page.locator(shown.shows).first().waitFor();
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await page.evaluate(() => Promise.allSettled(document.getAnimations().map(({ finished }) => finished)));
      const { violations } = await new AxeBuilder({ page }).withTags(TAGS).analyze();
      for (const { id, nodes } of violations) {
        found.push(`${shown.name}, ${colorScheme}: ${id} ${nodes.map(({ html }) => html).join(' ')}`);
      }
    }
    await page.setViewportSize(NARROW);
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    if (overflow > 0) found.push(`${shown.name}: ${overflow} px too wide at ${NARROW.width} px`);
    for (const fault of await overflowRightToLeft(page)) found.push(`${shown.name}, right to left: ${fault}`);
  }
  expect(found).toEqual([]);
});
