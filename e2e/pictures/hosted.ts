/**
 * Takes a screenshot of every screen of the hosted page, in its sizes and colours: `node e2e/pictures/hosted.ts [name
 * …]` after `npm run build` and `npm run assets`. `--width 390`, `--scheme dark` and `--language de` narrow or change
 * what is taken. Writes to `screenshots/hosted/`.
 */
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { chromium, type Browser, type Page } from '@playwright/test';
import { LIVENESS_STEPS } from '../../server/contract/flow.ts';
import { autoFollow, installScriptedCamera } from '../../testing/camera/browser/browser-camera.ts';
import { renderClips } from '../../testing/camera/clips.ts';
import { personA } from '../../testing/camera/people.ts';
import { chromiumOptions } from '../../testing/browsers.ts';
import { createFlowFake } from './flow-fake.ts';
import { startHostedServer } from './hosted-server.ts';
import { shoot, type View, wantedViews } from './views.ts';

const OUT = path.join(import.meta.dirname, '../../screenshots/hosted');
const SIZES = [
  { width: 390, height: 844 },
  { width: 320, height: 640 },
  { width: 844, height: 390 },
  { width: 1280, height: 800 },
] as const;
const PHONE =
  'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36';

type Refusal = 'NotAllowedError' | 'NotFoundError' | 'NotReadableError';
type Shot = {
  name: string;
  session: string;
  /** An element that shows that the screen has loaded. */
  shows: string;
  fragment?: string;
  desktop?: boolean;
  camera?: 'head' | Refusal;
  act?: (page: Page) => Promise<unknown>;
};

const click = (selector: string) => (page: Page) => page.click(selector);
const trouble = (camera: Refusal): Shot => ({
  name: `camera-${camera}`,
  session: 'capture',
  camera,
  shows: '[data-trouble]',
});
const SCREENS = '.screen h1';

const SHOTS: readonly Shot[] = [
  ...[
    'consent',
    'consent-photo',
    'consent-event',
    'consent-ticket',
    'consent-event-photo',
    'consent-test',
    'consent-long-name',
    'test-faces',
    'checking',
  ].map(plain),
  ...['retry-dark', 'retry-many', 'retry-last'].map(plain),
  ...['approved', 'approved-stay', 'approved-on-phone', 'denied', 'declined', 'pending'].map(plain),
  ...['expired', 'unknown', 'claimed', 'settled', 'cancelled', 'server-error'].map(plain),
  { ...plain('busy'), shows: '[data-waiting]' },
  { ...plain('maintenance'), shows: '[data-waiting]' },
  { name: 'consent-more', session: 'consent', shows: '.more[open]', act: click('.more summary') },
  { name: 'consent-event-more', session: 'consent-event', shows: '.more[open]', act: click('.more summary') },
  { name: 'leave', session: 'consent', shows: '.button--side', act: click('.button--quiet') },
  ...['phone', 'phone-locked', 'phone-code', 'phone-read-out', 'pending-test'].map(plain),
  ...['invite-revoked', 'invite-redeemed', 'handoff-used', 'handoff-expired'].map(plain),
  { name: 'handoff-number', session: 'handoff-number', fragment: '#h=code', shows: 'input[name="number"]' },
  handoffEntry('handoff-wrong', '41', '[data-tries-left]'),
  handoffEntry('handoff-ended', '99', '[data-dead-end]'),
  {
    name: 'phone-wrong-code',
    session: 'phone-code',
    shows: '[data-phone-trouble]',
    act: (page) => page.fill('input.code', '123456'),
  },
  { name: 'desktop-loopback', session: 'desktop-loopback', desktop: true, shows: '[data-only-here]' },
  { name: 'desktop', session: 'consent', desktop: true, shows: '.qr__modules' },
  { name: 'desktop-test', session: 'consent-test', desktop: true, shows: '.qr__modules' },
  ...['desktop-opened', 'desktop-ended', 'desktop-following'].map((name) => ({
    ...plain(name),
    desktop: true,
  })),
  trouble('NotAllowedError'),
  trouble('NotFoundError'),
  trouble('NotReadableError'),
  ...LIVENESS_STEPS.filter((step) => step !== 'turn_right').map((step): Shot => ({
    name: `coach-${step}`,
    session: 'capture-all',
    camera: 'head',
    shows: `[data-step="${step}"]`,
  })),
  { name: 'coach-again', session: 'capture-again', camera: 'head', shows: '[data-step="turn_left"]' },
  {
    name: 'coach-covered',
    session: 'capture',
    camera: 'head',
    shows: '.oval--look',
    act: async (page) => {
      await page.waitForSelector('[data-capture="coaching"]');
      await page.evaluate('__camera.cover(true)');
    },
  },
  { name: 'captured', session: 'capture', camera: 'head', shows: '.mark--passed' },
];

function handoffEntry(name: string, number: string, shows: string): Shot {
  return {
    name,
    session: 'handoff-number',
    fragment: '#h=code',
    shows,
    act: async (page) => {
      await page.fill('input[name="number"]', number);
      await page.keyboard.press('Enter');
    },
  };
}

function plain(session: string): Shot {
  return { name: session, session, shows: SCREENS };
}

async function take(browser: Browser, origin: string, shot: Shot, { size, scheme }: View) {
  const context = await browser.newContext({
    viewport: size,
    colorScheme: scheme,
    locale: language,
    ...(shot.desktop ? {} : { userAgent: PHONE, hasTouch: true }),
  });
  const page = await context.newPage();
  page.on('pageerror', (error) => console.error(`${shot.name}: ${error.message}`));
  page.on('console', (message) => {
    if (message.type() === 'error' && !/status of|TensorFlow Lite|WebSocket/.test(message.text())) {
      console.error(`${shot.name}: ${message.text()}`);
    }
  });
  if (shot.camera === 'head') {
    await installScriptedCamera(page, await renderClips(personA));
    await autoFollow(page);
  } else if (shot.camera !== undefined) {
    await installScriptedCamera(page, await renderClips(personA), { refuse: shot.camera });
  }
  await page.goto(`${origin}/verification?vys=${shot.session}${shot.fragment ?? ''}`);
  await shot.act?.(page);
  await page.waitForSelector(shot.shows, { timeout: 60_000 });
  await shoot(page, path.join(OUT, `${shot.name}-${language}-${size.width}-${scheme}.png`), true);
  await context.close();
}

const { language, views, isWanted } = wantedViews(SIZES);
await mkdir(OUT, { recursive: true });
const browser = await chromium.launch(chromiumOptions());
try {
  for (const view of views) {
    for (const shot of SHOTS.filter(isWanted)) {
      const server = await startHostedServer(createFlowFake());
      try {
        await take(browser, server.origin, shot, view);
      } catch (error) {
        console.error(`${shot.name}: ${String(error)}`);
      } finally {
        await server.stop();
      }
    }
  }
} finally {
  await browser.close();
}
