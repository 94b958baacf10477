/** Whether everyone can read and use a screen of the kiosk, on each kind of screen that a venue has. */
import { expect, type Page } from '@playwright/test';
import { violations } from './accessible.ts';

/** For people in front of it, at an arm's length. */
const LEAST = { leastTargetPx: 88, leastLetterPx: 28 };

/** A portrait screen, a tablet on a stand, and a landscape one on a counter: the lowest that is sold as a kiosk. */
const SIZES = [
  { width: 1080, height: 1920 },
  { width: 768, height: 1024 },
  { width: 1280, height: 720 },
];

/** Like `expectFit` while the test controls the clock, with its sizes on each screen that a venue has. */
export async function expectFitEverywhere(page: Page): Promise<void> {
  await expectFit(page, true);
  await expectSizesEverywhere(page);
}

/** The sizes of text and targets on each screen that a venue has, and nothing below its edge. */
export async function expectSizesEverywhere(page: Page): Promise<void> {
  const before = page.viewportSize();
  for (const size of SIZES) {
    await page.setViewportSize(size);
    await expectSizes(page);
  }
  if (before !== null) await page.setViewportSize(before);
}

/** Nothing to read is below the buttons on a phone that is used as a kiosk. */
export async function expectNoScrollingOnPhone(page: Page): Promise<void> {
  const before = page.viewportSize();
  await page.setViewportSize({ width: 390, height: 844 });
  const body = page.locator('.screen__body');
  await expect
    .poll(() => body.evaluate(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight))
    .toBeLessThanOrEqual(1);
  if (before !== null) await page.setViewportSize(before);
}

/** WCAG 2.2 AA and 7 : 1; minimum sizes of text and targets on a kiosk; nothing cut off. */
export async function expectFit(page: Page, isClockHeld = false): Promise<void> {
  // Waits for colour transitions, but not for endless animations.
  await page.evaluate(() => {
    const ending = document
      .getAnimations()
      .filter(({ effect }) => effect?.getComputedTiming().iterations !== Infinity);
    return Promise.allSettled(ending.map(({ finished }) => finished));
  });
  const found = violations(page, { rules: { 'color-contrast-enhanced': { enabled: true } } });
  expect(await withTimers(page, isClockHeld, found)).toEqual([]);
  await expectSizes(page);
}

/** Axe waits for timers, so a clock that the test controls advances by milliseconds while axe runs. */
async function withTimers<T>(page: Page, isClockHeld: boolean, work: Promise<T>): Promise<T> {
  let isDone = !isClockHeld;
  const over = () => void (isDone = true);
  work.then(over, over);
  while (!isDone) await page.clock.runFor(1);
  return work;
}

/** Left-to-right, and mirrored as for a right-to-left language. */
async function expectSizes(page: Page): Promise<void> {
  expect(await misfitsIn(page, 'ltr')).toEqual([]);
  expect(await misfitsIn(page, 'rtl')).toEqual([]);
}

const misfitsIn = (page: Page, direction: 'ltr' | 'rtl'): Promise<string[]> =>
  page.evaluate(
    ({ leastTargetPx, leastLetterPx, dir }) => {
      const root = document.documentElement;
      const before = root.dir;
      root.dir = dir;
      const found: string[] = [];
      for (const element of document.querySelectorAll<HTMLElement>('.kiosk button, .kiosk summary')) {
        const { height, width } = element.getBoundingClientRect();
        if (height < leastTargetPx || width < leastTargetPx) found.push(`small: ${element.textContent}`);
      }
      for (const element of document.querySelectorAll<HTMLElement>('.kiosk *')) {
        const hasText = [...element.childNodes].some(({ nodeType, data }: ChildNode & { data?: string }) =>
          nodeType === Node.TEXT_NODE ? data?.trim() !== '' : false,
        );
        if (hasText && parseFloat(getComputedStyle(element).fontSize) < leastLetterPx) {
          found.push(`fine print: ${element.textContent}`);
        }
      }
      const { scrollWidth, clientWidth } = root;
      if (scrollWidth > clientWidth) found.push('wider than the screen');
      for (const element of root.querySelectorAll('.kiosk__main, .screen__body')) {
        if (element.scrollWidth > element.clientWidth + 1) found.push(`${element.className} is cut off`);
      }
      // Guests don't look for text below the buttons, unless they opened it.
      for (const { scrollHeight, clientHeight, className } of root.querySelectorAll(
        '.kiosk__main:not(:has(details[open])), .screen__body:not(:has(details[open]))',
      )) {
        if (scrollHeight > clientHeight + 1) found.push(`${className} scrolls`);
      }
      for (const element of document.querySelectorAll<HTMLElement>('.kiosk button, [role="dialog"] button')) {
        const { right, bottom, left, top } = element.getBoundingClientRect();
        if (left < 0 || top < 0 || right > innerWidth || bottom > innerHeight) {
          found.push(`beyond the screen: ${element.textContent}`);
        }
      }
      root.dir = before;
      return found;
    },
    { ...LEAST, dir: direction },
  );
