/** Nothing that a page of the console shows moves while a slow server answers. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type BrowserContext, expect, test, type Page, type Route } from '@playwright/test';
import { sized, limitMs } from '../../testing/tier.ts';
import { addressIn, type DemoPage, DEMO_PAGES } from '../support/pages/console-pages.ts';
import { signInAs, signInPage } from '../support/pages/console.ts';
import { DESK } from '../support/pages/right-to-left.ts';
import { type Gatehouse, startGatehouse } from '../support/service/server.ts';
import { isOnPostgres } from '../support/sqlite-only.ts';

const START_MS = limitMs(60_000);
/** Between two replies. Longer than a page waits before it shows a placeholder. */
const APART_MS = 350;
/** Pages that load at once: each waits for its replies most of the time. */
const AT_ONCE = 4;
/** Cumulative, as the browser counts it. The usual bound of a good page is 0.1. */
const MOST_SHIFT = 0.02;

/** Every page, and more of them while they load; a backup that is made on the page shows its progress instead. */
const PAGES: readonly DemoPage[] = [
  ...DEMO_PAGES.filter(({ name }) => name !== 'settings-backups'),
  // Backups of PostgreSQL are made with its own tools.
  ...(isOnPostgres
    ? []
    : [{ name: 'settings-backups', path: '/settings?section=backups', shows: '.panel form' }]),
  { name: 'webhooks-calls', path: '/webhooks?view=calls', shows: '.filters' },
  {
    name: 'report',
    path: '/events',
    shows: 'main .stat',
    act: async (page) => {
      await page.locator('.row-open').first().click();
      const address = await page.locator('a[href*="/report"]').first().getAttribute('href');
      await page.goto(new URL(address ?? '', page.url()).href);
    },
  },
];
/** The lists under which filters are saved: so many that they take a line of their own. */
const SAVED_FOR = ['reviews', 'sessions', 'people', 'keys', 'usage', 'audit', 'erasures', 'webhook-calls'];
const SAVED_PER_LIST = 6;
/** Which of the waiting replies comes next. */
const ORDERS = sized<readonly ('first' | 'last')[]>(['first'], ['first', 'last']);

/** A shift that no click caused, with the largest thing that moved. */
type Shift = { value: number; moved: string };

let gatehouse: Gatehouse;
let companyId: string;
let pages: readonly Page[];

test.beforeAll(async ({ browser }) => {
  test.setTimeout(START_MS);
  gatehouse = await startGatehouse();
  companyId = (await gatehouse.cli<{ company_id: string }>(['demo'])).company_id;
  const signedIn = await browser.newContext();
  const credentials = await signInPage(await signedIn.newPage(), gatehouse, 'admin', '/account');
  const storageState = await signedIn.storageState();
  await signedIn.close();
  const newContext = () => browser.newContext({ storageState, reducedMotion: 'reduce', viewport: DESK });
  pages = await Promise.all(Array.from({ length: AT_ONCE }, async () => watched(await newContext())));
  const operator = await signInAs(gatehouse, credentials);
  for (const list of SAVED_FOR)
    for (let n = 1; n <= SAVED_PER_LIST; n++)
      await operator.ok('/saved-filters', {
        body: { page: list, name: `Everything from day ${n}`, query: `from=2026-11-0${n}` },
      });
});
test.afterAll(async () => {
  for (const page of pages) await page.context().close();
  await gatehouse.stop();
});

/** A page that notes what moves in it. */
async function watched(context: BrowserContext): Promise<Page> {
  await context.addInitScript(() => {
    const shifts: Shift[] = [];
    Object.assign(window, { shifts });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & {
        value: number;
        hadRecentInput: boolean;
        sources: readonly {
          node: Node | null;
          previousRect: DOMRectReadOnly;
          currentRect: DOMRectReadOnly;
        }[];
      })[]) {
        if (entry.hadRecentInput) continue;
        const moved = entry.sources.map(({ node, previousRect, currentRect }) => {
          const element = node instanceof Element ? node : node?.parentElement;
          const place = ({ x, y, height }: DOMRectReadOnly) => [x, y, height].map(Math.round).join(',');
          return `${element?.tagName ?? '?'}.${element?.className ?? ''} ${place(previousRect)} → ${place(currentRect)}`;
        });
        shifts.push({ value: entry.value, moved: moved.join(' | ') });
      }
    }).observe({ type: 'layout-shift', buffered: true });
  });
  return context.newPage();
}

/** Replies come one by one: in the order of their requests, or the last one first. */
async function slowDown(page: Page, order: 'first' | 'last'): Promise<{ idle: () => Promise<void> }> {
  const waiting: Route[] = [];
  const ending = new AbortController();
  // A machine that is busy with other tests may answer so late that the page says so, in a line above everything.
  await page.route('**/healthz', (route) => route.fulfill({ status: 200 }));
  await page.route(/\/console\/api\/(?!live)/, (route) => void waiting.push(route));
  const answering = (async () => {
    for (let quiet = 0; !ending.signal.aborted || quiet < 2;) {
      await sleep(APART_MS);
      const next = order === 'first' ? waiting.shift() : waiting.pop();
      quiet = next === undefined ? quiet + 1 : 0;
      await next?.continue();
    }
  })();
  return {
    async idle() {
      ending.abort();
      await answering;
      await page.unrouteAll({ behavior: 'wait' });
    },
  };
}

/** Elements that moved too far while their page loaded. */
async function movedOn(page: Page, shown: DemoPage, order: 'first' | 'last'): Promise<string[]> {
  const { idle } = await slowDown(page, order);
  await page.goto(addressIn(gatehouse.consoleUrl, shown, companyId));
  await page.locator('main h1').waitFor({ timeout: limitMs(7_500) });
  await shown.act?.(page);
  await page
    .locator(shown.shows)
    .first()
    .waitFor({ timeout: limitMs(7_500) });
  await idle();
  const shifts = await page.evaluate(() => (window as unknown as { shifts: Shift[] }).shifts);
  const total = shifts.reduce((sum, { value }) => sum + value, 0);
  return total < MOST_SHIFT ? [] : [`${shown.name}: ${JSON.stringify(shifts)}`];
}

for (let from = 0; from < PAGES.length; from += AT_ONCE) {
  const group = PAGES.slice(from, from + AT_ONCE);
  const names = group.map(({ name }) => name).join(', ');
  for (const order of ORDERS) {
    test(`${names}: nothing moves while replies come one by one, the ${order} one first`, async () => {
      test.setTimeout(limitMs(15_000));
      const moved = await Promise.all(group.map((shown, place) => movedOn(pages[place]!, shown, order)));
      expect(moved.flat()).toEqual([]);
    });
  }
}
