/** A page mirrored as for a right-to-left language. */
import type { Page } from '@playwright/test';

export const DESK = { width: 1280, height: 800 };
const PHONE = { width: 390, height: 844 };

/**
 * How far anything extends beyond the page sideways, in words, at the width of a desktop and a phone; empty if nothing
 * does.
 */
export async function overflowRightToLeft(page: Page): Promise<string[]> {
  const found: string[] = [];
  const before = await page.evaluate(() => document.documentElement.dir);
  await page.evaluate(() => (document.documentElement.dir = 'rtl'));
  for (const size of [DESK, PHONE]) {
    await page.setViewportSize(size);
    const tooWide = await page.evaluate(() => {
      const { scrollWidth } = document.documentElement;
      return { px: scrollWidth - window.innerWidth, widest: outside() };

      /**
       * Elements that begin or end outside the window, except those that scroll, are clipped or are for screen
       * readers.
       */
      function outside(): string[] {
        return [...document.querySelectorAll<HTMLElement>('body *')]
          .filter((element) => element.checkVisibility({ visibilityProperty: true, opacityProperty: true }))
          .filter((element) => {
            const { left, right, width } = element.getBoundingClientRect();
            return width > 1 && (left < -1 || right > window.innerWidth + 1) && !isHeld(element);
          })
          .map((element) => `${element.tagName.toLowerCase()}.${element.getAttribute('class') ?? ''}`)
          .slice(0, 3);
      }
      function isHeld(element: HTMLElement): boolean {
        for (let up = element.parentElement; up !== null && up !== document.body; up = up.parentElement) {
          if (getComputedStyle(up).overflowX !== 'visible') return true;
        }
        return false;
      }
    });
    if (tooWide.px > 0) found.push(`${tooWide.px} px too wide at ${size.width}`);
    if (tooWide.widest.length > 0) found.push(`outside at ${size.width}: ${tooWide.widest.join(', ')}`);
  }
  await page.evaluate((dir) => (document.documentElement.dir = dir), before);
  return found;
}
