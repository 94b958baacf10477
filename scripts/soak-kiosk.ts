/**
 * `node scripts/soak-kiosk.ts [walk-ups]`: people walk up to one kiosk page one after the other (200 by default), with
 * the scripted camera, each to a verdict. Prints the page's memory as it goes, and ends with 1 where it grew by more
 * than a tenth after the first twenty, or where a token of anybody is found in the heap.
 */
import { readFileSync } from 'node:fs';
import { chromium, type Browser, type Page } from '@playwright/test';
import { autoFollow, installScriptedCamera } from '../e2e/support/camera/browser-camera.ts';
import { renderClips } from '../e2e/support/camera/clips.ts';
import { personA } from '../e2e/support/camera/people.ts';
import { findChromium } from '../e2e/support/chromium.ts';
import { heldInMemory } from '../e2e/support/heap.ts';
import { actAsDevice, newKiosk, pairDevice, startButton, touchToConsent } from '../e2e/support/kiosk.ts';
import { startGatehouse } from '../e2e/support/server.ts';

const walkUps = Number(process.argv[2] ?? 200);
/** Caches and compiled code have settled by then. */
const SETTLED_AFTER = Math.min(20, Math.ceil(walkUps / 2));
const MAX_GROWTH = 1.1;
const MEASURE_EVERY = 5;
const PATIENCE_MS = 180_000;
const BYTES_A_PAGE = 4096;
const MB = 1024 * 1024;

type Memory = { heapMb: number; processMb: number };

const startedAtMs = Date.now();
const gatehouse = await startGatehouse();
const executablePath = findChromium();
const browser = await chromium.launch({
  ...(executablePath === undefined ? {} : { executablePath }),
  args: ['--no-sandbox', '--disable-background-networking'],
});
try {
  process.exitCode = await soak(browser);
} finally {
  await browser.close();
  await gatehouse.stop();
}

async function soak(browser: Browser): Promise<number> {
  const { code } = await newKiosk(gatehouse);
  const page = await browser.newPage({ viewport: { width: 1080, height: 1620 } });
  page.setDefaultTimeout(PATIENCE_MS);
  const tokens = new Set<string>();
  const results: Record<string, number> = {};
  page.on('request', (request) => {
    const token = request.headers()['x-flow-token'];
    if (token !== undefined) tokens.add(token);
  });
  await installScriptedCamera(page, await renderClips(personA));
  await autoFollow(page);
  await actAsDevice(page, await pairDevice(gatehouse, code));
  await page.goto(`${gatehouse.baseUrl}/kiosk`);

  let settled: Memory | null = null;
  let last: Memory = await memoryOf(browser, page);
  const tapToResultMs: number[] = [];
  for (let count = 1; count <= walkUps; count++) {
    const tappedAtMs = Date.now();
    const result = await walkUp(page);
    tapToResultMs.push(Date.now() - tappedAtMs);
    results[result] = (results[result] ?? 0) + 1;
    await startButton(page).waitFor();
    if (count % MEASURE_EVERY === 0 || count === SETTLED_AFTER || count === walkUps) {
      last = await memoryOf(browser, page);
      console.log(
        JSON.stringify({ walk_ups: count, ...last, after_s: Math.round((Date.now() - startedAtMs) / 1000) }),
      );
    }
    if (count === SETTLED_AFTER) settled = last;
  }
  const { texts } = await heldInMemory(page, { texts: [...tokens], classes: [] });
  const growth = settled === null ? 1 : last.heapMb / settled.heapMb;
  tapToResultMs.sort((a, b) => a - b);
  console.log(
    JSON.stringify({
      walk_ups: walkUps,
      results,
      heap_growth: Number(growth.toFixed(3)),
      process_growth: settled === null ? 1 : Number((last.processMb / settled.processMb).toFixed(3)),
      tokens_left: texts.length,
      median_tap_to_result_s: Number(
        ((tapToResultMs[Math.floor(tapToResultMs.length / 2)] ?? 0) / 1000).toFixed(1),
      ),
    }),
  );
  return growth <= MAX_GROWTH && texts.length === 0 ? 0 : 1;
}

/** One person from the touch to the screen's last word, which is returned. */
async function walkUp(page: Page): Promise<string> {
  await touchToConsent(page, 'en');
  await page.locator('.button--main').click();
  const result = page.locator('[data-result]');
  const again = page.locator('.kiosk[data-screen="retry"] .button--main');
  for (;;) {
    await result.or(again).first().waitFor();
    if (await result.isVisible()) break;
    await again.click();
  }
  const shown = (await result.getAttribute('data-result')) ?? 'none';
  await page.getByRole('button', { name: 'Done', exact: true }).click();
  return shown;
}

/** After a garbage collection: the page's own heap, and all memory of its process. */
async function memoryOf(browser: Browser, page: Page): Promise<Memory> {
  const client = await page.context().newCDPSession(page);
  await client.send('HeapProfiler.collectGarbage');
  const { usedSize } = await client.send('Runtime.getHeapUsage');
  await client.detach();
  const whole = await browser.newBrowserCDPSession();
  const { processInfo } = await whole.send('SystemInfo.getProcessInfo');
  await whole.detach();
  const pages = processInfo.filter(({ type }) => type === 'renderer').map(({ id }) => residentBytes(id));
  return { heapMb: round(usedSize / MB), processMb: round(Math.max(0, ...pages) / MB) };
}

/** Linux only; 0 elsewhere. */
function residentBytes(pid: number): number {
  try {
    return Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1]) * BYTES_A_PAGE;
  } catch {
    return 0;
  }
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
