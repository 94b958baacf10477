/** WCAG 2.2 AA, checked with axe. */
import { expect, type Page } from '@playwright/test';
import axe, { type AxeResults, type RunOptions } from 'axe-core';

const WCAG: RunOptions = {
  runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'],
  // Describing what passes takes longer than finding violations.
  resultTypes: ['violations'],
  // Loading the style sheets and media again is only for sound that starts without being asked and for rules that axe
  // runs on request; no page plays sound.
  preload: false,
};

/** The page as it is shown now. */
export async function expectAccessible(page: Page): Promise<void> {
  await coloursSettle(page);
  expect(await violations(page)).toEqual([]);
}

/**
 * Like `expectAccessible` in the light theme; then the contrasts of the dark one, because nothing else depends on the
 * theme.
 */
export async function expectAccessibleInBothThemes(page: Page): Promise<void> {
  await page.emulateMedia({ colorScheme: 'light' });
  await expectAccessible(page);
  await page.emulateMedia({ colorScheme: 'dark' });
  await coloursSettle(page);
  expect(await violations(page, { runOnly: { type: 'rule', values: ['color-contrast'] } })).toEqual([]);
  await page.emulateMedia({ colorScheme: 'light' });
}

/** Waits for colour transitions to end. */
const coloursSettle = (page: Page) =>
  page.evaluate(() => Promise.allSettled(document.getAnimations().map(({ finished }) => finished)));

/** The elements that break a rule, after the name of the rule. `more` changes which rules are checked. */
export async function violations(page: Page, more: RunOptions = {}): Promise<string[][]> {
  // Once for each document: reading axe takes longer than most of its rules.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source);
  const found = await page.evaluate(
    async (options) => (await (window as unknown as AxeWindow).axe.run(document, options)).violations,
    { ...WCAG, ...more },
  );
  return found.map(({ id, nodes }) => [id, ...nodes.map(({ html }) => html)]);
}

type AxeWindow = { axe: { run(document: Document, options: RunOptions): Promise<AxeResults> } };
