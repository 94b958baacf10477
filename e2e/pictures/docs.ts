/**
 * Screenshots of `/docs`: `node e2e/pictures/docs.ts [name …]` after `npm run build`. `--width 390` and `--scheme dark` narrow what is
 * taken. Writes to `screenshots/docs/`.
 */
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { chromium, type Page } from '@playwright/test';
import { chromiumOptions } from '../../testing/browsers.ts';
import { startGatehouse } from '../support/service/server.ts';
import { CONSOLE_SIZES, shoot, wantedViews } from './views.ts';

const OUT = path.join(import.meta.dirname, '../../screenshots/docs');

type Shot = { name: string; at?: string; act?: (page: Page, key: string) => Promise<unknown> };

const SHOTS: readonly Shot[] = [
  { name: 'home', at: '' },
  { name: 'embed' },
  { name: 'samples-of-the-original' },
  { name: 'errors' },
  { name: 'options' },
  { name: 'operation', at: 'v3/initialize' },
  {
    name: 'tried',
    at: 'v3/test-key',
    async act(page, key) {
      await page.locator('.try summary').click();
      await page.getByLabel('Test key').fill(key);
      await page.getByRole('button', { name: 'Send' }).click();
      await page.locator('[data-outcome="passed"]').waitFor();
    },
  },
  {
    name: 'refused',
    at: 'v3/settle-test-pass',
    async act(page) {
      await page.locator('.try summary').click();
      await page.getByLabel('Test key').fill('sk_live_never');
      await page.getByRole('button', { name: 'Send' }).click();
      await page.getByRole('alert').filter({ hasText: 'live key' }).waitFor();
    },
  },
  {
    name: 'search',
    at: '',
    async act(page) {
      await page.locator('#search').fill('signature');
      await page.locator('#results a').first().waitFor();
    },
  },
  {
    name: 'contents',
    at: '',
    async act(page) {
      const toggle = page.locator('#toggle');
      if (await toggle.isVisible()) await toggle.click();
    },
  },
];

const { views, isWanted } = wantedViews(CONSOLE_SIZES);
await using gatehouse = await startGatehouse();
await using browser = await chromium.launch(chromiumOptions());
await mkdir(OUT, { recursive: true });
for (const { size, scheme } of views) {
  for (const { name, at = name, act } of SHOTS.filter(isWanted)) {
    const context = await browser.newContext({
      viewport: size,
      colorScheme: scheme,
      reducedMotion: 'reduce',
    });
    const page = await context.newPage();
    await page.goto(`${gatehouse.baseUrl}/docs${at && `/${at}`}`);
    await act?.(page, gatehouse.company.keys.sk_test);
    await shoot(page, path.join(OUT, `${name}-${size.width}-${scheme}.png`));
    await context.close();
  }
}
