/** Takes one picture of the documentation: light theme, English, in few colours, so that the file stays small. */
import path from 'node:path';
import type { Browser, BrowserContextOptions, Page } from '@playwright/test';
import sharp from 'sharp';

const OUT = path.join(import.meta.dirname, '../../docs/images');
export const DESKTOP = { viewport: { width: 1280, height: 800 } };
const SETTLE_MS = 800;
/** Chromium's own test picture, because the kiosk needs a camera on its first screen. */
export const A_CAMERA = ['--use-fake-ui-for-media-stream', '--use-fake-device-for-media-stream'];

/** @param open leads to the state that is shown */
export async function take(
  browser: Browser,
  name: string,
  options: BrowserContextOptions,
  open: (page: Page) => Promise<unknown>,
): Promise<void> {
  const context = await browser.newContext({
    locale: 'en',
    colorScheme: 'light',
    timezoneId: 'Europe/Berlin',
    reducedMotion: 'reduce',
    ...options,
  });
  const page = await context.newPage();
  await open(page);
  await page.evaluate('document.fonts.ready.then(() => null)');
  await page.waitForTimeout(SETTLE_MS);
  await sharp(await page.screenshot())
    .png({ palette: true, colours: 64, effort: 10 })
    .toFile(path.join(OUT, `${name}.png`));
  await context.close();
}
