/**
 * Arrivals of a guest who comes back with their ticket: from the scan to the ticket's result, by the fast lane and, between them in the
 * same run, by the full check. `--claim --arrivals=200 --checks=20`. The time in which the guest reads the consent is left out.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { Page } from '@playwright/test';
import { forgetFrames, newFastLaneVenue, pairPage } from '../e2e/support/pages/fast-lane.ts';
import { startButton } from '../e2e/support/pages/kiosk.ts';
import { numberOption, percentile } from '../testing/figures.ts';
import {
  type Moments,
  NOTHING_YET,
  noteTimes,
  prepare,
  RETRY,
  SCREEN,
  type Venue,
} from './support/checked.ts';
import type { BenchResult } from './support/report.ts';

const DEFAULT_ARRIVALS = 200;
/** A guest who has read it before. The camera becomes warm meanwhile. */
const CONSENT_READ_MS = 1_000;
const TICKET = 'ADA-1';
const CLAIM_MS = { median: 3_000, p95: 4_000 } as const;
/** What a full check takes from the tap, and a second for its scan. */
const FULL_MS = { median: 5_800, p95: 6_500 } as const;
/** Tints and steps of the shorter check. */
const SHORT = 3;

type Arrival = { scanToConsent: number; tapToResult: number; isShort: boolean };

/** @param checks full checks, evenly between the arrivals */
export async function measureArrivals(venue: Venue, checks: number): Promise<BenchResult[]> {
  const arrivals = numberOption('arrivals', DEFAULT_ARRIVALS);
  const lane = await openLane(venue);
  const every = Math.ceil(arrivals / checks);
  const short: Arrival[] = [];
  const full: Arrival[] = [];
  // The first binds the ticket; after one more of each, compiled code and caches are warm.
  for (const isFast of [false, true]) await lane.arrive(isFast);
  while (short.length < arrivals) {
    if (short.length % every === 0) full.push(await lane.arrive(false));
    short.push(await lane.arrive(true));
  }
  return [
    ...rowsOf('fast lane', short, CLAIM_MS),
    {
      name: 'arrivals by the shorter check, the others had a doubt',
      value: short.filter(({ isShort }) => isShort).length,
      baseline: short.length,
      ratio: short.filter(({ isShort }) => isShort).length / short.length,
      unit: 'arrivals',
      ok: true,
    },
    ...rowsOf('full check', full, FULL_MS, false),
  ];
}

function rowsOf(
  name: string,
  taken: readonly Arrival[],
  budget: { median: number; p95: number },
  isHeld = true,
): BenchResult[] {
  const row = (
    what: string,
    values: number[],
    [share, limit]: [number, number],
    held: boolean,
  ): BenchResult => {
    const value = percentile(values, share);
    return {
      name: `${name}, ${what} of ${taken.length}`,
      value,
      baseline: limit,
      ratio: value / limit,
      unit: 'ms',
      ...(held && { hold: `≤ ${limit} ms` }),
      ok: !held || value <= limit,
    };
  };
  const totals = taken.map(({ scanToConsent, tapToResult }) => scanToConsent + tapToResult);
  const scans = taken.map(({ scanToConsent }) => scanToConsent);
  return [
    row('scan to result, median', totals, [0.5, budget.median], isHeld),
    row('scan to result, p95', totals, [0.95, budget.p95], isHeld),
    row('of which scan to consent, median', scans, [0.5, budget.median], false),
  ];
}

/** One kiosk at which one guest comes and goes. */
async function openLane({ gatehouse, database, browser, clips }: Venue) {
  const venue = await newFastLaneVenue(gatehouse, { fastLane: false });
  const page = await browser.newPage(SCREEN);
  const moments = await prepare(page, clips);
  await pairPage(page, gatehouse, venue.code);
  let isFastNow = false;
  let hasCome = false;
  return {
    async arrive(isFast: boolean): Promise<Arrival> {
      if (hasCome) await venue.leave(TICKET);
      if (isFast !== isFastNow) {
        const body = { fast_lane: isFast, reason: 'Measured beside the full check' };
        await venue.operator.ok(`/events/${venue.eventId}`, { method: 'PATCH', body });
        isFastNow = isFast;
      }
      await forgetFrames(database);
      const arrival = await arrived(page, moments);
      hasCome = true;
      await page.getByRole('button', { name: 'Done', exact: true }).click();
      await startButton(page).waitFor();
      return arrival;
    },
  };
}

const RESULT = '[data-ticket]';

/** @throws if the guest was not let in */
async function arrived(page: Page, moments: Moments): Promise<Arrival> {
  Object.assign(moments, NOTHING_YET);
  const scanToConsent = await page.evaluate(scanAndWait, TICKET);
  await delay(CONSENT_READ_MS);
  const noted = page.evaluate(noteTimes, `${RESULT}, ${RETRY}`);
  await page.locator('.screen__actions .button--main').click();
  const [tap, shown] = await noted;
  if (!(await page.locator(`[data-ticket="admit"]`).isVisible()))
    throw new Error(`An arrival did not end with an admission: ${JSON.stringify(moments)}`);
  return { scanToConsent, tapToResult: shown - tap, isShort: moments.tints + moments.steps <= SHORT };
}

/**
 * In the page: as a scanner types, and again as a guest would if nothing happened. A kiosk drops a scan if the server doesn't answer.
 * @returns milliseconds from the first scan until the consent is shown
 */
function scanAndWait(code: string): Promise<number> {
  const AGAIN_AFTER_MS = 10_000;
  const MOST_SCANS = 6;
  return new Promise((resolve, reject) => {
    const began = performance.now();
    let scans = 0;
    const look = () => {
      const waitedMs = performance.now() - began;
      if (document.querySelector('.kiosk[data-screen="consent"]')) {
        resolve(waitedMs);
        return;
      }
      if (waitedMs >= scans * AGAIN_AFTER_MS) {
        if (scans === MOST_SCANS) {
          reject(new Error(`${scans} scans led nowhere: ${document.body.innerText.slice(0, 200)}`));
          return;
        }
        scans += 1;
        for (const key of [...code.split(''), 'Enter'])
          document.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
      }
      requestAnimationFrame(look);
    };
    look();
  });
}
