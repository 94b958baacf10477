import type { Browser } from '@playwright/test';

/**
 * For `afterEach` of tests that open pages beside their own: a kiosk with a camera, left open, takes a third of a processor
 * from every test that follows on the same browser.
 */
export async function closePages({ browser }: { browser: Browser }): Promise<void> {
  await Promise.all(browser.contexts().map((context) => context.close()));
}
