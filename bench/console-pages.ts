/**
 * The console's pages in a browser, with the demo's data: from a click in the navigation to the last change of the
 * page. Each page is opened once after a hover of 200 ms, as people do before they click, and once again later.
 */
import { chromium, type CDPSession, type Page } from '@playwright/test';
import { signInPage } from '../e2e/support/pages/console.ts';
import { startGatehouse } from '../e2e/support/service/server.ts';
import { chromiumOptions } from '../testing/browsers.ts';
import { percentile } from '../testing/figures.ts';
import type { BenchResult } from './support/report.ts';

const PAGES = [
  'door',
  'events',
  'reviews',
  'sessions',
  'people',
  'keys',
  'webhooks',
  'usage',
  'verifications',
  'settings',
  'operators',
  'audit',
] as const;
type PageName = (typeof PAGES)[number];

const ROUNDS = 3;
const MOST_MS = 500;
const HOVER_MS = 200;
/** A page that has not changed for this long has shown its content. */
const STILL_MS = 400;
/** A page that keeps changing, such as one with a clock. */
const GIVE_UP_MS = 5_000;
const HALF = 0.5;

type Visit = { contentMs: number; requests: number; processorMs: number };

export async function run(): Promise<BenchResult[]> {
  const gatehouse = await startGatehouse();
  const browser = await chromium.launch(chromiumOptions());
  try {
    const { company_id: company } = await gatehouse.cli<{ company_id: string }>(['demo']);
    const visits = new Map<string, Visit[]>();
    for (let round = 0; round < ROUNDS; round += 1) {
      // A new context has neither code nor data of the pages.
      const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
      const page = await context.newPage();
      await signInPage(page, gatehouse, 'admin', `/account?company=${company}`);
      const session = await context.newCDPSession(page);
      await session.send('Performance.enable');
      await page.locator('.session-list__row').first().waitFor();
      await stillness(page);
      for (const time of ['first', 'again'])
        for (const name of PAGES) {
          const key = `${name}, ${time}`;
          visits.set(key, [...(visits.get(key) ?? []), await visit(page, session, name)]);
        }
      await context.close();
    }
    return [...visits].map(([name, measured]) => resultOf(name, measured));
  } finally {
    await browser.close();
    await gatehouse.stop();
  }
}

async function visit(page: Page, session: CDPSession, name: PageName): Promise<Visit> {
  const link = page.locator(`.frame__nav a[href^="/${name}"]`);
  let requests = 0;
  const count = (request: { url: () => string }) => {
    if (/\/console\/api\//.test(request.url())) requests += 1;
  };
  page.on('request', count);
  const before = await processorMs(session);
  await link.hover();
  await page.waitForTimeout(HOVER_MS);
  await page.evaluate(() => {
    addEventListener('click', (event) => Object.assign(window, { clickedMs: event.timeStamp }), {
      once: true,
      capture: true,
    });
  });
  await link.click();
  const changedMs = await stillness(page);
  const clickedMs = await page.evaluate(() => (window as unknown as { clickedMs: number }).clickedMs);
  page.off('request', count);
  return {
    contentMs: Math.max(0, changedMs - clickedMs),
    requests,
    processorMs: (await processorMs(session)) - before,
  };
}

/** Waits until the page's content no longer changes. @returns when it last changed, in the page's time */
function stillness(page: Page): Promise<number> {
  return page.evaluate(
    ({ stillMs, mostMs }) =>
      new Promise<number>((resolve) => {
        const content = document.querySelector('#content') ?? document.body;
        let changedMs = performance.now();
        const endMs = changedMs + mostMs;
        const watcher = new MutationObserver(() => (changedMs = performance.now()));
        watcher.observe(content, { subtree: true, childList: true });
        const look = () => {
          if (performance.now() - changedMs < stillMs && performance.now() < endMs)
            return void setTimeout(look, stillMs / 4);
          watcher.disconnect();
          resolve(changedMs);
        };
        look();
      }),
    { stillMs: STILL_MS, mostMs: GIVE_UP_MS },
  );
}

/** Processor time of the page's main thread so far. */
async function processorMs(session: CDPSession): Promise<number> {
  const { metrics } = await session.send('Performance.getMetrics');
  return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0) * 1_000;
}

function resultOf(name: string, visits: readonly Visit[]): BenchResult {
  const medianOf = (part: keyof Visit): number =>
    percentile(
      visits.map((each): number => each[part]),
      HALF,
    );
  const value = medianOf('contentMs');
  const requests = medianOf('requests');
  return {
    name: `${name}: ${requests} requests, ${Math.round(medianOf('processorMs'))} ms of the page's thread`,
    value,
    baseline: MOST_MS,
    ratio: value / MOST_MS,
    unit: 'ms',
    hold: `≤ ${MOST_MS} ms`,
    ok: value <= MOST_MS,
  };
}
