/**
 * Screenshots of the kiosk: `node e2e/pictures/kiosk.ts [name …]` after `npm run build`. `--size 1280`,
 * `--scheme dark`, `--language de` and `--motion` select or change them. Writes to `screenshots/kiosk/`.
 */
import { readFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { chromium, type Browser, type Page } from '@playwright/test';
import {
  autoFollow,
  installScriptedCamera,
  type ScriptedCameraOptions,
} from '../../testing/camera/browser/browser-camera.ts';
import { renderClips } from '../../testing/camera/clips.ts';
import { personA } from '../../testing/camera/people.ts';
import { chromiumOptions } from '../../testing/browsers.ts';
import { LANGUAGES } from '../../server/contract/languages.ts';
import {
  actAsDevice,
  newKiosk,
  pairDevice,
  PIN,
  startButton,
  touchToConsent,
} from '../support/pages/kiosk.ts';
import { startGatehouse } from '../support/service/server.ts';
import { newVerification } from '../support/venue.ts';
import { SCHEMES, shoot } from './views.ts';

const OUT = path.join(import.meta.dirname, '../../screenshots/kiosk');
const SIZES = [
  { width: 1280, height: 720 },
  { width: 1080, height: 1920 },
  { width: 390, height: 844 },
] as const;
const LOADING_MS = 60_000;

const { values: options, positionals: wanted } = parseArgs({
  allowPositionals: true,
  options: {
    size: { type: 'string' },
    scheme: { type: 'string' },
    language: { type: 'string', default: 'en' },
    motion: { type: 'boolean', default: false },
  },
});
const { language } = options;
const words = JSON.parse(
  readFileSync(path.join(import.meta.dirname, '../../locales', language, 'kiosk.json'), 'utf8'),
) as { 'menu.camera': string };

/**
 * A guest of `photo` agrees to one kept photo, and gives a phone number; one of `organiser` to a face kept across events, of
 * `ticket` to one that is sealed with the ticket.
 */
type Device = 'live' | 'test' | 'photo' | 'organiser' | 'ticket';

type Shot = {
  name: string;
  /** An element that shows that the screen has loaded. */
  shows: string;
  device?: Device;
  camera?: ScriptedCameraOptions;
  /** The camera's picture answers each step. */
  follows?: boolean;
  act?: (page: Page) => Promise<unknown>;
};

const CONSENT = '.kiosk[data-screen="consent"]';
const toConsent = (page: Page) => touchToConsent(page, language);
const toPhone = async (page: Page) => {
  await toConsent(page);
  await page.locator('.button--main').click();
};
const testFace = (face: string) => async (page: Page) => {
  await toPhone(page);
  await page.locator(`[data-face="${face}"]`).click();
};
const looking = async (page: Page) => {
  await toPhone(page);
  await page.locator('[data-capture="coaching"]').waitFor({ timeout: LOADING_MS });
};
const seeing = (scene: 'dark' | 'far') => async (page: Page) => {
  await looking(page);
  await page.evaluate((what) => window.__camera?.look(what), scene);
};
const openStaff = (page: Page) => page.locator('.kiosk__staff').click();
const unlock = async (page: Page) => {
  await openStaff(page);
  await page.locator('.field').fill(PIN);
};

const afterCapture = (change: (snapshot: { result: object | null }) => object) => async (page: Page) => {
  await page.route('**/test-capture', async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: change((await response.json()) as { result: object | null }) });
  });
  await testFace('alice')(page);
};

/** The screen of a result, whatever the server decided. */
const result = (view: string, end: object): Shot => ({
  name: view,
  device: 'test',
  shows: `[data-result="${view}"]`,
  act: afterCapture((snapshot) => ({ ...snapshot, result: { ...snapshot.result, ...end } })),
});

const SHOTS: readonly Shot[] = [
  { name: 'pairing', shows: '.kiosk[data-screen="pairing"]' },
  { name: 'attract', device: 'live', shows: '.attract__start' },
  { name: 'consent', device: 'live', shows: CONSENT, act: toConsent },
  { name: 'consent-organiser', device: 'organiser', shows: CONSENT, act: toConsent },
  { name: 'consent-ticket', device: 'ticket', shows: CONSENT, act: toConsent },
  { name: 'consent-photo', device: 'photo', shows: CONSENT, act: toConsent },
  { name: 'phone', device: 'photo', shows: '.keys', act: toPhone },
  {
    name: 'phone-code',
    device: 'photo',
    shows: '.field[maxlength="6"]',
    act: async (page) => {
      await toPhone(page);
      await page.locator('.field').fill('+12105550123');
      await page.locator('.button--main').click();
    },
  },
  { name: 'test-faces', device: 'test', shows: '[data-face="alice"]', act: toPhone },
  {
    name: 'retry',
    device: 'test',
    shows: '.reasons',
    act: afterCapture((snapshot) => ({
      ...snapshot,
      state: 'open',
      step: 'capture',
      result: null,
      findings: ['step_missed', 'blurred', 'too_far'],
      attempts_left: 2,
    })),
  },
  {
    name: 'scan',
    device: 'live',
    shows: '.scan__video',
    act: (page) => page.locator('.attract__scan').click(),
  },
  { name: 'capture', device: 'live', shows: '[data-step]', follows: true, act: looking },
  { name: 'capture-dark', device: 'live', shows: '[data-hint]', act: seeing('dark') },
  { name: 'capture-far', device: 'live', shows: '[data-hint]', act: seeing('far') },
  result('passed', {}),
  result('already', { presented: 'denied', passed_before: true }),
  result('pending', { presented: 'pending' }),
  result('denied', { presented: 'denied', passed_before: false }),
  {
    name: 'ask-staff',
    device: 'live',
    shows: '.mark',
    act: async (page) => {
      await toConsent(page);
      await page.locator('.button--side').click();
    },
  },
  { name: 'pin', device: 'live', shows: '.keys', act: openStaff },
  { name: 'menu', device: 'live', shows: '.menu', act: unlock },
  {
    name: 'camera-test',
    device: 'live',
    shows: '[data-verdict="good"]',
    act: async (page) => {
      await unlock(page);
      await page.getByRole('button', { name: words['menu.camera'], exact: true }).click();
    },
  },
  {
    name: 'camera-refused',
    device: 'live',
    shows: '[data-trouble="camera_refused"]',
    camera: { refuse: 'NotAllowedError' },
  },
  {
    name: 'offline',
    device: 'live',
    shows: '[data-trouble="offline"]',
    act: async (page) => {
      await startButton(page).waitFor();
      await page.context().setOffline(true);
    },
  },
  {
    name: 'still-there',
    device: 'live',
    shows: '.still-there[open]',
    act: async (page) => {
      await page.clock.install();
      await toConsent(page);
      await page.clock.fastForward(52_000);
    },
  },
];

const shots = SHOTS.filter(({ name }) => wanted.length === 0 || wanted.includes(name));
const sizes = SIZES.filter(({ width }) => options.size === undefined || options.size === String(width));
const schemes = SCHEMES.filter((scheme) => options.scheme === undefined || options.scheme === scheme);
await mkdir(OUT, { recursive: true });
await using gatehouse = await startGatehouse();
const clips = await renderClips(personA);
await using browser = await chromium.launch(chromiumOptions());

type Look = { size: (typeof SIZES)[number]; scheme: (typeof SCHEMES)[number] };

async function picture(
  on: Browser,
  tokens: Record<Device, string>,
  { name, shows, device, camera, follows, act }: Shot,
  { size, scheme }: Look,
): Promise<void> {
  const suffix = `${size.width}-${scheme}${language === 'en' ? '' : `-${language}`}`;
  const context = await on.newContext({
    viewport: size,
    colorScheme: scheme,
    locale: language,
    reducedMotion: options.motion ? 'no-preference' : 'reduce',
  });
  const page = await context.newPage();
  page.on('pageerror', (error) => console.error(`${name}: ${error.message}`));
  try {
    await installScriptedCamera(page, clips, camera);
    if (follows) await autoFollow(page);
    if (device) await actAsDevice(page, tokens[device]);
    await page.goto(`${gatehouse.baseUrl}/kiosk`);
    await act?.(page);
    await page.locator(shows).first().waitFor({ timeout: LOADING_MS });
  } catch (error) {
    console.error(`${name}-${suffix}: ${String(error).split('\n')[0] ?? ''}`);
  }
  await shoot(page, path.join(OUT, `${name}-${suffix}.png`));
  await context.close();
}

// The first is the language that the kiosk shows at the start.
const languages = [...LANGUAGES].sort((a, b) => Number(b === language) - Number(a === language));
const paired = async (kiosk: Parameters<typeof newKiosk>[1]) =>
  pairDevice(gatehouse, (await newKiosk(gatehouse, { languages, ...kiosk })).code);
const verificationId = await newVerification(gatehouse, gatehouse.company, { phone: { required: true } });
const tokens = {
  live: await paired({}),
  test: await paired({ partition: 'test' }),
  photo: await paired({ partition: 'test', verificationId, guestPhotoDays: 7 }),
  organiser: await paired({ faces: 'organiser' }),
  ticket: await paired({ faces: 'ticket' }),
};
for (const size of sizes) {
  for (const scheme of schemes) {
    for (const shot of shots) await picture(browser, tokens, shot, { size, scheme });
  }
}
