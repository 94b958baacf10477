/** Elements that pages of several surfaces have. */
import type { FrameLocator, Locator, Page } from '@playwright/test';

export const button = (place: Page | Locator | FrameLocator, name: string) =>
  place.getByRole('button', { name, exact: true });

/** The camera runs and says how to stand. */
export const coaching = (page: Page) => page.locator('[data-capture="coaching"]');

/** What is wrong with the camera or the connection. */
export const trouble = (page: Page, kind: string) => page.locator(`[data-trouble="${kind}"]`);

/** What came of a ticket, at a kiosk or on the door team's phone. */
export const outcome = (page: Page, name: string) => page.locator(`[data-ticket="${name}"]`);

/** IDs of the scripted cameras in the order in which the page opened them. */
export const openedCameras = (page: Page) => page.evaluate(() => window.__camera?.opened ?? []);
