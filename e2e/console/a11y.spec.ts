/**
 * Every page of the console with demo data: accessible in both themes, on a narrow phone, and right-to-left; and what it
 * asks of the server.
 */
import { expect, test, type Page } from '@playwright/test';
import { expectAccessibleInBothThemes } from '../support/pages/accessible.ts';
import { addressIn, DEMO_PAGES } from '../support/pages/console-pages.ts';
import { signInPage } from '../support/pages/console.ts';
import { DESK, overflowRightToLeft } from '../support/pages/right-to-left.ts';
import { type Gatehouse, startGatehouse } from '../support/service/server.ts';
import { sqliteOnly } from '../support/sqlite-only.ts';
import { limitMs } from '../../testing/tier.ts';

const START_MS = limitMs(60_000);
const NARROW = { width: 320, height: 720 };

/**
 * What each page reads on its first visit, in the order of the visits. Saved filters are read once for all pages. The door is last,
 * because it reads codes every five seconds until another page is shown.
 */
const READS: Readonly<Record<string, readonly string[]>> = {
  events: ['/events'],
  reviews: ['/reviews', '/reviews/agreement', '/reviews/undoable', '/reviews/…/frames/0', '/saved-filters'],
  sessions: ['/sessions', '/sessions/verifications'],
  people: ['/people', '/people/blocks', '/people/metadata-keys', '/people/twins'],
  keys: ['/keys'],
  webhooks: ['/webhooks/lines', '/webhooks/lines/…', '/webhooks/receivers', '/webhooks/v3'],
  usage: ['/usage/cap/changes', '/usage/days', '/usage/parts', '/usage/today'],
  verifications: ['/verifications'],
  settings: ['/settings/clean-up', '/settings/retention'],
  operators: ['/operators'],
  // And the operators' names, unless their page has just read them.
  audit: ['/audit'],
  door: ['/door', '/door/codes', '/door/first-steps', '/events/…/door-team'],
};
/**
 * Read while their page is open, not ahead: codes to read out leave the memory with the page, and guests' pictures are asked
 * for only where they are shown; which event the door shows is known only then.
 */
const NOT_AHEAD: readonly string[] = [
  '/door/codes',
  '/events/…/door-team',
  '/reviews/…/frames/0',
  '/saved-filters',
];
/** Of the frame around the pages, which asks again at intervals. */
const OF_FRAME = /\/(live|maintenance|health|companies|me|session|reviews\/figures)\b/;

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
    if (shown.name === 'settings-backups') sqliteOnly('It makes a backup, which is a file.');
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

/** The paths that the page has asked for since `forget`, sorted, with `…` for IDs. */
function watchReads(): { seen: () => string[]; forget: () => void } {
  const paths = new Set<string>();
  page.on('request', (request) => {
    const path = new URL(request.url()).pathname.split('/console/api')[1];
    if (path !== undefined && !OF_FRAME.test(path)) paths.add(path.replaceAll(/[0-9a-f-]{36}/g, '…'));
  });
  return { seen: () => [...paths].sort(), forget: () => paths.clear() };
}

const isOf = (name: string) => (path: string) => path !== '/operators' || name !== 'audit';
const linkTo = (name: string) => page.locator(`.frame__nav a[href^="/${name}"]`);
const shownBy = (name: string) => DEMO_PAGES.find(({ path }) => path.startsWith(`/${name}`))!.shows;

test('each page asks for what it shows, and for nothing more', async () => {
  await page.setViewportSize(DESK);
  await page.goto(
    addressIn(gatehouse.consoleUrl, { name: 'account', path: '/account', shows: '' }, companyId),
  );
  await page.locator('.session-list__row').first().waitFor();
  const { seen, forget } = watchReads();
  for (const [name, reads] of Object.entries(READS)) {
    forget();
    // Neither hovers nor focuses, which would read ahead.
    await linkTo(name).evaluate((link: HTMLElement) => link.click());
    await page.locator(shownBy(name)).first().waitFor();
    await expect.poll(() => seen().filter(isOf(name)), { message: name }).toEqual(reads);
  }
});

test('a page is read ahead when its link is hovered or focused, and shown without asking again', async () => {
  await page.goto(
    addressIn(gatehouse.consoleUrl, { name: 'account', path: '/account', shows: '' }, companyId),
  );
  await page.locator('.session-list__row').first().waitFor();
  const { seen, forget } = watchReads();
  for (const [place, [name, reads]] of Object.entries(READS).entries()) {
    forget();
    await (place % 2 === 0 ? linkTo(name).hover() : linkTo(name).focus());
    const ahead = reads.filter((path) => !NOT_AHEAD.includes(path));
    await expect.poll(() => seen().filter(isOf(name)), { message: name }).toEqual(ahead);
    forget();
    await linkTo(name).evaluate((link: HTMLElement) => link.click());
    await page.locator(shownBy(name)).first().waitFor();
    expect(
      seen().filter((path) => !NOT_AHEAD.includes(path)),
      name,
    ).toEqual([]);
  }
});
