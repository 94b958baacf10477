/** What guests with tickets do at a kiosk's page. */
import { expect, type Page } from '@playwright/test';
import type { Gatehouse } from '../service/server.ts';
import { actAsDevice, kioskScreen, startButton } from './kiosk.ts';
import { limitMs } from '../../../testing/tier.ts';

export async function openKiosk(
  page: Page,
  { baseUrl }: Pick<Gatehouse, 'baseUrl'>,
  device: string,
): Promise<void> {
  await actAsDevice(page, device);
  await page.goto(`${baseUrl}/kiosk`);
  await expect(startButton(page)).toBeVisible({ timeout: limitMs(7_500) });
}

/** Agrees, and passes as a test face. */
export async function passAs(page: Page, face: string): Promise<void> {
  await expect(kioskScreen(page, 'consent')).toBeVisible({ timeout: limitMs(7_500) });
  await page.locator('.screen__actions .button--main').click();
  await page.locator(`[data-face="${face}"]`).click({ timeout: limitMs(7_500) });
}
