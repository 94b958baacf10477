/**
 * `node e2e/soak/kiosk.ts [walk-ups]`: people walk up to one kiosk page in turn (200 by default), with the
 * scripted camera, each to a verdict. Prints the memory of page and server along the way and how long people waited, and
 * exits with 1 if the page's memory, nodes or listeners grew by more than a tenth after the first twenty, or if the heap
 * contains anything about a person. Ctrl-C ends it after the current person, with the same figures for those so far.
 */
import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { chromium, type Browser, type Page } from '@playwright/test';
import { autoFollow, installScriptedCamera } from '../../testing/camera/browser/browser-camera.ts';
import { renderClips } from '../../testing/camera/clips.ts';
import { personA } from '../../testing/camera/people.ts';
import { SERVER_MEMORY_ENV, SERVER_NODE_ARGS } from '../../electron/service/runtime.ts';
import { chromiumOptions } from '../../testing/browsers.ts';
import { type Held, heldInMemory } from '../support/pages/heap.ts';
import { actAsDevice, newKiosk, pairDevice, startButton, touchToConsent } from '../support/pages/kiosk.ts';
import { startGatehouse } from '../support/service/server.ts';
import type { ServerMessage } from '../../server/contract/capture.ts';
import { openDatabase } from '../../server/data/folder.ts';

const walkUps = Number(process.argv[2] ?? 200);
/** Caches and compiled code have stabilised by then. */
const SETTLED_AFTER = Math.min(20, Math.ceil(walkUps / 2));
const MAX_GROWTH = 1.1;
const MEASURE_EVERY = 5;
const PATIENCE_MS = 180_000;
/** On a machine under other load. */
const READY_TIMEOUT_MS = 300_000;
/** The previous person's worker is ended, and the next one created, while nobody is there. */
const SETTLE_MS = 2_000;
const MOST_LOOKS = 10;
const BYTES_A_PAGE = 4096;
const MB = 1024 * 1024;
/** The browser's picture objects. The scripted camera has a constant number of its own frames. */
const HOLDERS_OF_FRAMES = ['VideoFrame', 'ImageBitmap', 'ImageData', 'Blob'] as const;

type Memory = {
  heapMb: number;
  processMb: number;
  /** Elements and texts of the page's documents, attached or not. */
  nodes: number;
  listeners: number;
  serverMb: number;
};
/** Everything that identifies a person's run: sessions, tokens and the keys of their captures. */
type Traces = Set<string>;

let isStopping = false;
process.once('SIGINT', () => (isStopping = true));
const startedAtMs = Date.now();
const gatehouse = await startGatehouse({
  readyTimeoutMs: READY_TIMEOUT_MS,
  // As `npm start` and the desktop app run it.
  env: { ...SERVER_MEMORY_ENV, NODE_OPTIONS: SERVER_NODE_ARGS.join(' ') },
});
const database = await openDatabase(gatehouse.dataDir);
const browser = await chromium.launch({
  ...chromiumOptions(),
  // Ctrl-C is handled above; the driver would end the browser at once.
  handleSIGINT: false,
});
try {
  process.exitCode = await soak(browser);
} finally {
  await browser.close();
  await database.close();
  await gatehouse.stop();
}

async function soak(browser: Browser): Promise<number> {
  const { code } = await newKiosk(gatehouse);
  // Without animation, which takes most of the processor time without a graphics device.
  const page = await browser.newPage({ viewport: { width: 800, height: 1280 }, reducedMotion: 'reduce' });
  page.setDefaultTimeout(PATIENCE_MS);
  const traces: Traces = collectTraces(page);
  const results: Record<string, number> = {};
  await installScriptedCamera(page, await renderClips(personA));
  await autoFollow(page);
  await actAsDevice(page, await pairDevice(gatehouse, code));
  await page.goto(`${gatehouse.baseUrl}/kiosk`);

  let settled: Memory | null = null;
  /** Up to then. The attract screen has more elements at one moment than at another. */
  const most = { nodes: 0, listeners: 0 };
  let heldSettled: Held = { texts: [], objects: {}, dataBytes: 0 };
  let last: Memory = await memoryOf(browser, page);
  const tapToResultMs: number[] = [];
  for (let count = 1; count <= walkUps && !isStopping; count++) {
    const tappedAtMs = Date.now();
    const result = await walkUp(page);
    tapToResultMs.push(Date.now() - tappedAtMs);
    results[result] = (results[result] ?? 0) + 1;
    await page.getByRole('button', { name: 'Done', exact: true }).click();
    await startButton(page).waitFor();
    await forgetFrames();
    if (count % MEASURE_EVERY === 0 || count === SETTLED_AFTER || count === walkUps) {
      await delay(SETTLE_MS);
      last = await memoryOf(browser, page);
      if (count <= SETTLED_AFTER) {
        most.nodes = Math.max(most.nodes, last.nodes);
        most.listeners = Math.max(most.listeners, last.listeners);
      }
      print({ walk_ups: count, ...last, after_s: Math.round((Date.now() - startedAtMs) / 1000) });
    }
    if (count === SETTLED_AFTER) {
      settled = last;
      heldSettled = await heldInMemory(page, { texts: [], classes: HOLDERS_OF_FRAMES });
    }
  }
  last = await memoryOf(browser, page);
  const { texts, objects, dataBytes } = await heldAtEnd(page, traces);
  const heapGrowth = settled === null ? 1 : last.heapMb / settled.heapMb;
  const processGrowth = settled === null ? 1 : last.processMb / settled.processMb;
  const areCountsLevel =
    settled === null ||
    (last.nodes <= MAX_GROWTH * most.nodes && last.listeners <= MAX_GROWTH * most.listeners);
  const dataGrowth = settled === null ? 1 : dataBytes / heldSettled.dataBytes;
  const framesSettled = heldSettled.objects;
  const moreFrames = HOLDERS_OF_FRAMES.filter((name) => (objects[name] ?? 0) > (framesSettled[name] ?? 0));
  print({
    walk_ups: tapToResultMs.length,
    results,
    heap_growth: round(heapGrowth, 3),
    data_growth: round(dataGrowth, 3),
    process_growth: round(processGrowth, 3),
    searched: traces.size,
    found: texts,
    frames_settled: framesSettled,
    frames_at_end: objects,
    tap_to_result_s: {
      median: round(quantile(tapToResultMs, 0.5) / 1000, 1),
      p95: round(quantile(tapToResultMs, 0.95) / 1000, 1),
      longest: round(quantile(tapToResultMs, 1) / 1000, 1),
    },
  });
  // Of the heap without compiled code, which also grows in the process.
  const isLevel = dataGrowth <= MAX_GROWTH && processGrowth <= MAX_GROWTH && areCountsLevel;
  return isLevel && texts.length === 0 && moreFrames.length === 0 ? 0 : 1;
}

/** The browser releases the last request shortly after its person has left; anything held longer is a leak. */
async function heldAtEnd(page: Page, traces: Traces): Promise<Held> {
  for (let tries = 1; ; tries += 1) {
    const held = await heldInMemory(page, { texts: [...traces, 'data:image/'], classes: HOLDERS_OF_FRAMES });
    if (held.texts.length === 0 || tries === MOST_LOOKS) return held;
    await delay(SETTLE_MS);
  }
}

/** The scripted camera has few frames, and soon repeats one, which the server rightly refuses as a replay. */
async function forgetFrames(): Promise<void> {
  await database.tx(async (tx) => {
    for (const table of ['seen_frames', 'seen_signatures']) await tx.run(`DELETE FROM ${table}`);
  });
}

/** Records the messages between the page and the server. */
function collectTraces(page: Page): Traces {
  const traces: Traces = new Set();
  page.on('request', (request) => {
    const token = request.headers()['x-flow-token'];
    const session = /\/flow\/sessions\/([^/]+)/.exec(request.url())?.[1];
    if (token !== undefined) traces.add(token);
    if (session !== undefined) traces.add(session);
  });
  page.on('websocket', (socket) => {
    socket.on('framereceived', ({ payload }) => {
      const message = JSON.parse(payload.toString()) as ServerMessage;
      if (message.type === 'welcome') traces.add(message.resume_key);
    });
  });
  return traces;
}

/** One person from the touch to the last screen; returns that screen. */
async function walkUp(page: Page): Promise<string> {
  await touchToConsent(page, 'en');
  await page.locator('.button--main').click();
  const result = page.locator('[data-result], [data-dead-end]');
  const again = page.locator('.kiosk[data-screen="retry"] .button--main');
  for (;;) {
    await result.or(again).first().waitFor();
    if (await result.isVisible()) break;
    await again.click();
  }
  return (await result.getAttribute('data-result')) ?? (await result.getAttribute('data-dead-end')) ?? 'none';
}

/** After a garbage collection: the page's own heap, and all memory of its process. */
async function memoryOf(browser: Browser, page: Page): Promise<Memory> {
  const client = await page.context().newCDPSession(page);
  await client.send('HeapProfiler.collectGarbage');
  const { usedSize } = await client.send('Runtime.getHeapUsage');
  const { nodes, jsEventListeners: listeners } = await client.send('Memory.getDOMCounters');
  await client.detach();
  const whole = await browser.newBrowserCDPSession();
  const { processInfo } = await whole.send('SystemInfo.getProcessInfo');
  await whole.detach();
  const pages = processInfo.filter(({ type }) => type === 'renderer').map(({ id }) => residentBytes(id));
  return {
    heapMb: round(usedSize / MB, 1),
    processMb: round(Math.max(0, ...pages) / MB, 1),
    nodes,
    listeners,
    serverMb: round(residentBytes(gatehouse.pid) / MB, 1),
  };
}

/** Linux only; 0 elsewhere. */
function residentBytes(pid: number): number {
  try {
    return Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1]) * BYTES_A_PAGE;
  } catch {
    return 0;
  }
}

/** The smallest value that at least this share of them does not exceed. */
function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0;
}

function round(value: number, digits: number): number {
  return Number(value.toFixed(digits));
}

function print(line: object): void {
  console.log(JSON.stringify(line));
}
