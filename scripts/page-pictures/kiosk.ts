/**
 * Pictures of the kiosk's screens, to be looked at: `node scripts/page-pictures/kiosk.ts [name …]` after `npm run build`.
 * Writes to `screenshots/kiosk/`.
 */
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { chromium, type Browser, type Page } from '@playwright/test';
import { installScriptedCamera, type ScriptedCameraOptions } from '../../testing/camera/browser-camera.ts';
import { renderClips } from '../../testing/camera/clips.ts';
import { personA } from '../../testing/camera/people.ts';
import { chromiumOptions } from '../../testing/chromium.ts';
import { actAsDevice, newKiosk, pairDevice, startButton, touchToConsent } from '../../e2e/support/kiosk.ts';
import { startGatehouse } from '../../e2e/support/server.ts';

const OUT = path.join(import.meta.dirname, '../../screenshots/kiosk');
const SIZES = [
  { width: 1080, height: 1920 },
  { width: 1280, height: 800 },
] as const;
const SCHEMES = ['light', 'dark'] as const;
const SETTLE_MS = 600;

type Shot = {
  name: string;
  /** Something that is on the screen when it is there. */
  shows: string;
  device?: 'live' | 'test';
  camera?: ScriptedCameraOptions;
  act?: (page: Page) => Promise<unknown>;
};

const testFace = (face: string) => async (page: Page) => {
  await startButton(page).click();
  await page.locator('.button--main').click();
  await page.locator(`[data-face="${face}"]`).click();
};
const looking = async (page: Page) => {
  await touchToConsent(page, 'en');
  await page.locator('.button--main').click();
  await page.locator('[data-capture="coaching"]').waitFor({ timeout: 60_000 });
};

const SHOTS: readonly Shot[] = [
  { name: 'pairing', shows: '.kiosk[data-screen="pairing"]' },
  { name: 'attract', device: 'live', shows: '.attract__start' },
  {
    name: 'language',
    device: 'live',
    shows: '[data-language="de"]',
    act: (page) => startButton(page).click(),
  },
  {
    name: 'consent',
    device: 'live',
    shows: '.kiosk[data-screen="consent"]',
    act: (page) => touchToConsent(page, 'en'),
  },
  { name: 'capture', device: 'live', shows: '[data-step]', act: looking },
  {
    name: 'capture-dark',
    device: 'live',
    shows: '[data-hint]',
    act: async (page) => {
      await looking(page);
      await page.evaluate(() => window.__camera?.look('dark'));
    },
  },
  { name: 'passed', device: 'test', shows: '[data-result="passed"]', act: testFace('alice') },
  {
    name: 'ask-staff',
    device: 'test',
    shows: '.kiosk[data-screen="askStaff"], .kiosk button',
    act: async (page) => {
      await startButton(page).click();
      await page.getByRole('button', { name: 'Ask staff', exact: true }).click();
    },
  },
  {
    name: 'staff',
    device: 'live',
    shows: '[role="dialog"], .kiosk button',
    act: (page) => page.getByRole('button', { name: 'Staff', exact: true }).click(),
  },
  {
    name: 'camera-refused',
    device: 'live',
    shows: '[data-trouble="camera_refused"]',
    camera: { refuse: 'NotAllowedError' },
  },
];

const wanted = process.argv.slice(2);
const shots = SHOTS.filter(({ name }) => wanted.length === 0 || wanted.includes(name));
await mkdir(OUT, { recursive: true });
const gatehouse = await startGatehouse();
const clips = await renderClips(personA);
const browser = await chromium.launch(chromiumOptions());

type Look = { size: (typeof SIZES)[number]; scheme: (typeof SCHEMES)[number] };

async function picture(
  on: Browser,
  tokens: Record<'live' | 'test', string>,
  { name, shows, device, camera, act }: Shot,
  { size, scheme }: Look,
): Promise<void> {
  const suffix = `${size.width}-${scheme}`;
  const context = await on.newContext({ viewport: size, colorScheme: scheme, reducedMotion: 'reduce' });
  const page = await context.newPage();
  page.on('pageerror', (error) => console.error(`${name}: ${error.message}`));
  try {
    await installScriptedCamera(page, clips, camera);
    if (device) await actAsDevice(page, tokens[device]);
    await page.goto(`${gatehouse.baseUrl}/kiosk`);
    await act?.(page);
    await page.locator(shows).first().waitFor();
    await page.evaluate('document.fonts.ready.then(() => null)');
    await page.waitForTimeout(SETTLE_MS);
  } catch (error) {
    console.error(`${name}-${suffix}: ${String(error).split('\n')[0] ?? ''}`);
  }
  await page.screenshot({ path: path.join(OUT, `${name}-${suffix}.png`) });
  await context.close();
}

try {
  const live = await newKiosk(gatehouse, { languages: ['en', 'es', 'fr', 'de'] });
  const trial = await newKiosk(gatehouse, { languages: ['en'], partition: 'test' });
  const tokens = {
    live: await pairDevice(gatehouse, live.code),
    test: await pairDevice(gatehouse, trial.code),
  };
  for (const size of SIZES) {
    for (const scheme of SCHEMES) {
      for (const shot of shots) await picture(browser, tokens, shot, { size, scheme });
    }
  }
} finally {
  await browser.close();
  await gatehouse.stop();
}
