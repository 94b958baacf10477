/**
 * Screenshots of every page of the console, from a real server with operators and a history: `node
 * e2e/pictures/console-pictures.ts [name …]` after `npm run build`. `--width 390`, `--scheme dark` and `--language
 * de` narrow or change what is taken. Writes to `screenshots/console/`.
 */
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { chromium, type Browser, type BrowserContext, type Page } from '@playwright/test';
import { chromiumOptions } from '../../testing/browsers.ts';
import { makePeople } from '../support/people.ts';
import { startGatehouse } from '../support/service/server.ts';
import { openReviews } from './console-reviews.ts';
import { CONSOLE_SHOTS, type ConsoleShot } from './console-shots.ts';
import { openDoor } from './door-data.ts';
import { CONSOLE_SIZES, shoot, type View, wantedViews } from './views.ts';

const OUT = path.join(import.meta.dirname, '../../screenshots/console');
const ADMIN = { name: 'Ana Ruiz', passphrase: 'copper lantern river moss' };
const OTHERS = [
  ['Maximilian von Hohenstein-Ludwigsburg', 'reviewer'],
  ['Ben Okafor', 'staff'],
  ['Chloé Martin', 'staff'],
] as const;

/**
 * Runs the wizard as the first admin, taking screenshots.
 * @returns the signed-in browser's cookies
 */
async function setUp(browser: Browser, origin: string): Promise<BrowserContext> {
  const context = await browser.newContext({ viewport: CONSOLE_SIZES[0] });
  const page = await context.newPage();
  await page.goto(origin);
  await page.fill('input[autocomplete=username]', ADMIN.name);
  await page.fill('input[type=password]', ADMIN.passphrase);
  await picture(page, 'first-run-1280-light');
  await page.click('button[type=submit]');
  await page.getByRole('button', { name: 'Done' }).click();
  await page.waitForSelector('.frame');
  await context.request.get(`${origin}/console/api/me`).then(async (reply) => {
    const { csrf_token } = (await reply.json()) as { csrf_token: string };
    for (const [name, role] of OTHERS) {
      await context.request.post(`${origin}/console/api/operators`, {
        headers: { 'x-csrf-token': csrf_token },
        data: { name, role },
      });
    }
  });
  return context;
}

const picture = (page: Page, name: string) => shoot(page, path.join(OUT, `${name}.png`));

async function take(
  browser: Browser,
  signedIn: BrowserContext,
  origin: string,
  shot: ConsoleShot,
  view: View,
) {
  const context = await browser.newContext({
    viewport: view.size,
    colorScheme: view.scheme,
    locale: language,
    ...(shot.signedOut ? {} : { storageState: { cookies: await signedIn.cookies(), origins: [] } }),
  });
  const page = await context.newPage();
  page.on('pageerror', (error) => console.error(`${shot.name}: ${error.message}`));
  page.on('console', (message) => {
    if (message.type() === 'error' && !message.text().includes('status of')) {
      console.error(`${shot.name}: ${message.text()}`);
    }
  });
  try {
    await page.goto(origin + shot.path);
    if (!shot.signedOut) await page.waitForSelector('main h1, main .state');
    for (const selector of shot.click ?? []) await page.click(selector);
    if (shot.press !== undefined) await page.keyboard.press(shot.press);
    await shot.act?.(page);
    await page.waitForSelector(shot.shows);
    await picture(page, `${shot.name}-${language}-${view.size.width}-${view.scheme}`);
  } finally {
    await context.close();
  }
}

const { language, views, isWanted } = wantedViews(CONSOLE_SIZES);
const shots = CONSOLE_SHOTS.filter(isWanted);
await mkdir(OUT, { recursive: true });
await using gatehouse = await startGatehouse();
await using browser = await chromium.launch(chromiumOptions());
const signedIn = await setUp(browser, gatehouse.consoleUrl);
if (shots.some(({ name }) => name.startsWith('review'))) await openReviews(gatehouse);
if (shots.some(({ path }) => /^\/(door|events)/.test(path))) await openDoor(gatehouse);
if (shots.some(({ path }) => /^\/(people|sessions)/.test(path))) await makePeople(gatehouse);
for (const view of views) {
  for (const shot of shots) {
    await take(browser, signedIn, gatehouse.consoleUrl, shot, view).catch((error: unknown) =>
      console.error(`${shot.name}: ${String(error)}`),
    );
  }
}
