/**
 * Screenshots of every page of the console with demo data: `node e2e/pictures/console-demo.ts [name …]` after `npm run
 * build`. `--width 390`, `--scheme dark` and `--language de` narrow or change what is taken. Writes to
 * `screenshots/console-demo/`.
 */
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { chromium, type BrowserContext } from '@playwright/test';
import { chromiumOptions } from '../../testing/browsers.ts';
import { addressIn, DEMO_PAGES, type DemoPage } from '../support/pages/console-pages.ts';
import { newOperator, signInPage } from '../support/pages/console.ts';
import { type Gatehouse, startGatehouse } from '../support/service/server.ts';
import { CONSOLE_SIZES, shoot, wantedViews } from './views.ts';

const OUT = path.join(import.meta.dirname, '../../screenshots/console-demo');

async function picture(
  context: BrowserContext,
  gatehouse: Gatehouse,
  shot: DemoPage,
  { companyId, suffix }: { companyId: string; suffix: string },
): Promise<void> {
  const page = await context.newPage();
  page.on('pageerror', (error) => console.error(`${shot.name}: ${error.message}`));
  try {
    await page.goto(addressIn(gatehouse.consoleUrl, shot, companyId));
    await page.waitForSelector('main h1, main .state');
    await shot.act?.(page);
    await page.waitForSelector(shot.shows, { timeout: 20_000 });
  } catch (error) {
    console.error(`${shot.name}-${suffix}: ${String(error).split('\n')[0] ?? ''}`);
  }
  await shoot(page, path.join(OUT, `${shot.name}-${suffix}.png`));
  await page.close();
}

const { language, views, isWanted } = wantedViews(CONSOLE_SIZES);
const shots = DEMO_PAGES.filter(isWanted);
await mkdir(OUT, { recursive: true });
await using gatehouse = await startGatehouse();
await using browser = await chromium.launch(chromiumOptions());
const { company_id: companyId } = await gatehouse.cli<{ company_id: string }>(['demo']);
await newOperator(gatehouse, 'reviewer', { name: 'Maximilian von Hohenstein-Ludwigsburg' });
for (const { size, scheme } of views) {
  const context = await browser.newContext({ viewport: size, colorScheme: scheme, locale: language });
  const first = await context.newPage();
  await signInPage(first, gatehouse, 'admin');
  await first.close();
  const suffix = `${size.width}-${scheme}-${language}`;
  for (const shot of shots) await picture(context, gatehouse, shot, { companyId, suffix });
  await context.close();
}
