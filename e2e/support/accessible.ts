/** WCAG 2.2 AA, checked with axe. */
import AxeBuilder from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];
/**
 * Describing what passes takes longer than finding violations. Loading the style sheets and media again is only for
 * sound that starts without being asked and for rules that axe runs on request; no page plays sound.
 */
export const AXE_OPTIONS: Parameters<AxeBuilder['options']>[0] = {
  resultTypes: ['violations'],
  preload: false,
};

/** The page as it is shown now. */
export async function expectAccessible(page: Page): Promise<void> {
  expect(await violations(page, (axe) => axe.withTags(TAGS))).toEqual([]);
}

/**
 * Like `expectAccessible` in the light theme; then the contrasts of the dark one, because nothing else depends on the
 * theme.
 */
export async function expectAccessibleInBothThemes(page: Page): Promise<void> {
  await page.emulateMedia({ colorScheme: 'light' });
  await expectAccessible(page);
  await page.emulateMedia({ colorScheme: 'dark' });
  expect(await violations(page, (axe) => axe.withRules(['color-contrast']))).toEqual([]);
  await page.emulateMedia({ colorScheme: 'light' });
}

async function violations(page: Page, choose: (axe: AxeBuilder) => AxeBuilder): Promise<string[][]> {
  // Waits for colour transitions to end.
  await page.evaluate(() => Promise.allSettled(document.getAnimations().map(({ finished }) => finished)));
  // The legacy mode checks the page without opening another one for the summary.
  const axe = new AxeBuilder({ page }).setLegacyMode().options(AXE_OPTIONS);
  const { violations: found } = await choose(axe).analyze();
  return found.map(({ id, nodes }) => [id, ...nodes.map(({ html }) => html)]);
}
