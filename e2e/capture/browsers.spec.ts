/** The pages in Chromium, simulating the missing features and names of other and older browsers. */
import { expect, type Page } from '@playwright/test';
import { autoFollow, installScriptedCamera } from '../../testing/camera/browser/browser-camera.ts';
import type { Clips } from '../../testing/camera/clips.ts';
import { CHECK, NIGHTLY, limitMs } from '../../testing/tier.ts';
import { expectAccessibleInBothThemes } from '../support/pages/accessible.ts';
import {
  agree,
  mainButton,
  returned,
  screen,
  VENUE,
  watchForeignRequests,
} from '../support/pages/hosted-page.ts';
import { actAsDevice, kioskScreen, newKiosk, pairDevice, startButton } from '../support/pages/kiosk.ts';
import { initialize } from '../support/run.ts';
import type { Gatehouse } from '../support/service/server.ts';
import { PHONE, test } from '../support/service/shared-server.ts';
import { newCompany } from '../support/venue.ts';

const CAPTURE_MS = limitMs(15_000);
const LOADING_MS = limitMs(7_500);
/** One still a second, and each gesture held until the server has seen it. */
const COACHED_BY_SERVER_MS = limitMs(45_000);
const REDIRECT = { redirect_url: `${VENUE}/back` };

const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)';
const USER_AGENTS = {
  'Chrome on an iPhone': `${IPHONE} CriOS/126.0.6478.54 Mobile/15E148 Safari/604.1`,
  'Firefox on an iPhone': `${IPHONE} FxiOS/127.0 Mobile/15E148 Safari/605.1.15`,
  'a web view on an iPhone': `${IPHONE} Mobile/15E148`,
  'a web view on Android':
    'Mozilla/5.0 (Linux; Android 13; Pixel 7; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/110.0.5481.65 Mobile Safari/537.36',
} as const;

let gatehouse: Gatehouse;
let clips: Clips;
test.beforeAll(({ gatehouse: server, clips: rendered }) => {
  gatehouse = server;
  clips = rendered;
});

test.use({ ...PHONE });

async function newLink(): Promise<string> {
  const { keys } = await newCompany(gatehouse, 'Venue of many phones');
  return (await initialize(gatehouse, keys.sk_live, REDIRECT)).url;
}

/** The complete flow with a camera, and back to the organiser. */
async function pass(page: Page, resultWithinMs = CAPTURE_MS): Promise<void> {
  const foreign = await watchForeignRequests(page, gatehouse.baseUrl);
  await installScriptedCamera(page, clips);
  await autoFollow(page);
  await page.goto(await newLink());
  await agree(page);
  await expect(screen(page, 'result')).toBeVisible({ timeout: resultWithinMs });
  await mainButton(page).click();
  expect((await returned(page)).vyc).toBe('1');
  expect(foreign).toEqual([]);
}

/** APIs newer than the oldest supported browsers. */
const withoutNewApis = (page: Page) =>
  page.addInitScript(() => {
    Reflect.deleteProperty(URL, 'parse');
    Reflect.deleteProperty(URL, 'canParse');
    Reflect.deleteProperty(AbortSignal, 'any');
  });

/** As in web views on Android. Call it after installing the camera, which sets its permission. */
const withoutPermissions = (page: Page) =>
  page.addInitScript(() => Reflect.deleteProperty(Navigator.prototype, 'permissions'));

for (const [name, userAgent] of Object.entries(USER_AGENTS)) {
  test.describe(name, { tag: [CHECK, NIGHTLY] }, () => {
    test.use({ userAgent });
    test('completes the check with a verdict', async ({ page }) => {
      await pass(page);
    });
  });
}

test.describe('Chrome on an older iPhone, without URL.parse, URL.canParse and AbortSignal.any', () => {
  test.use({ userAgent: USER_AGENTS['Chrome on an iPhone'] });
  test('the hosted page completes the check and returns', { tag: [CHECK, NIGHTLY] }, async ({ page }) => {
    await withoutNewApis(page);
    await pass(page);
  });

  test('the SDK embeds the page, and passes on its result', async ({ page }) => {
    await withoutNewApis(page);
    await page.goto(`${gatehouse.baseUrl}/sdk/demo`);
    await page.getByRole('textbox').fill(gatehouse.company.keys.pk_test);
    await page.locator('input[value=drawer]').check();
    await page.getByRole('button', { name: 'Start the check' }).click();
    const frame = page.frameLocator('dialog iframe');
    await frame.locator('.button--main').click();
    await frame.locator('[data-face="alice"]').click();
    await expect(page.locator('#outcome')).toContainText('"vyt": "vyt_');
  });
});

test.describe('without navigator.permissions', () => {
  test('the hosted page helps a person who refused the camera', async ({ page }) => {
    await installScriptedCamera(page, clips, { refuse: 'NotAllowedError' });
    await withoutPermissions(page);
    await page.goto(await newLink());
    await agree(page);
    await expect(page.locator('[data-trouble="denied"]')).toBeVisible({ timeout: LOADING_MS });
    await expect(mainButton(page)).toBeVisible();
  });
});

test.describe('a kiosk without navigator.permissions and AbortSignal.any', { tag: [CHECK, NIGHTLY] }, () => {
  test.use({ viewport: { width: 800, height: 1280 }, contextOptions: { reducedMotion: 'reduce' } });
  test('completes a walk-up with a verdict', async ({ page }) => {
    const { code } = await newKiosk(gatehouse);
    await installScriptedCamera(page, clips);
    await withoutPermissions(page);
    await withoutNewApis(page);
    await autoFollow(page);
    await actAsDevice(page, await pairDevice(gatehouse, code));
    await page.goto(`${gatehouse.baseUrl}/kiosk`);
    await expect(kioskScreen(page, 'attract')).toBeVisible();
    await startButton(page).click();
    await page.locator('.button--main').click();
    await page.locator('[data-result="passed"]').waitFor({ timeout: CAPTURE_MS });
  });
});

/** Runs code in the check's worker before its own. */
const inWorker = (page: Page, code: string) =>
  page.route('**/landmarker.worker-*.js', async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, body: `${code}\n${await response.text()}` });
  });

const NO_WEBGL = `{
  const { getContext } = OffscreenCanvas.prototype;
  OffscreenCanvas.prototype.getContext = function (kind, ...rest) {
    return kind.startsWith('webgl') ? null : getContext.call(this, kind, ...rest);
  };
}`;

test(
  'without WebGL in workers, as on iOS 16, the page itself completes the check with a verdict',
  { tag: [CHECK, NIGHTLY] },
  async ({ page }) => {
    await inWorker(page, NO_WEBGL);
    await pass(page);
  },
);

async function withoutWebGl(page: Page): Promise<void> {
  await inWorker(page, NO_WEBGL);
  await page.addInitScript(() => {
    const { prototype } = HTMLCanvasElement;
    const real = Object.getOwnPropertyDescriptor(prototype, 'getContext')?.value as (
      ...args: unknown[]
    ) => unknown;
    Object.defineProperty(prototype, 'getContext', {
      value(this: HTMLCanvasElement, kind: string, ...rest: unknown[]) {
        return kind.startsWith('webgl') ? null : real.call(this, kind, ...rest);
      },
    });
  });
}

test.describe('if no landmarker can run, the server guides single stills', () => {
  test('to the verdict, without WebGL', { tag: CHECK }, async ({ page }) => {
    test.setTimeout(COACHED_BY_SERVER_MS);
    await withoutWebGl(page);
    await pass(page, COACHED_BY_SERVER_MS);
  });

  test(
    'to the verdict, without WebAssembly, as on an iPhone in Lockdown Mode',
    { tag: [CHECK, NIGHTLY] },
    async ({ page }) => {
      test.setTimeout(COACHED_BY_SERVER_MS);
      await inWorker(page, 'delete self.WebAssembly;');
      await page.addInitScript(() => Reflect.deleteProperty(window, 'WebAssembly'));
      await pass(page, COACHED_BY_SERVER_MS);
    },
  );
});

test.describe('a check that does not load', () => {
  async function openCamera(page: Page): Promise<void> {
    await installScriptedCamera(page, clips);
    await page.goto(await newLink());
    await agree(page);
  }
  const reports = async (page: Page, trouble: string) => {
    await expect(page.locator(`[data-trouble="${trouble}"]`)).toBeVisible({ timeout: LOADING_MS });
    await expectAccessibleInBothThemes(page);
  };
  test('because a file is blocked says so, and loads at the next try', async ({ page }) => {
    await page.route('**/*.wasm', (route) => route.abort('blockedbyclient'));
    await openCamera(page);
    await reports(page, 'blocked');
    await page.unroute('**/*.wasm');
    await mainButton(page).click();
    await expect(page.locator('[data-capture="coaching"]')).toBeVisible({ timeout: LOADING_MS });
  });

  test('because there is no connection says so', async ({ page }) => {
    await page.route(/\.wasm$|\/healthz$/, (route) => route.abort('internetdisconnected'));
    await openCamera(page);
    await reports(page, 'offline');
  });
});

test.describe('a page that crashes tells the person, and the log', () => {
  const crash = (page: Page) => page.locator('[data-crash]');
  const logged = async (page: string, secret: string) => {
    const line = () =>
      gatehouse
        .log()
        .split('\n')
        .find((text) => text.includes('"page error"') && text.includes(`"page":"${page}"`));
    await expect.poll(line).toBeDefined();
    const entry = JSON.parse(line()!) as Record<string, unknown>;
    expect(entry).toMatchObject({ version: '0.1.0' });
    expect(entry['user_agent']).toContain('Chrome/');
    expect(line()).not.toContain(secret);
  };

  test('the hosted page, which reloads where it was', async ({ page }) => {
    const url = await newLink();
    await page.addInitScript(() => {
      if (sessionStorage.getItem('broken') !== null) return;
      sessionStorage.setItem('broken', 'once');
      Reflect.deleteProperty(Intl, 'NumberFormat');
    });
    await page.goto(url);
    await expect(crash(page)).toHaveAttribute('data-crash', 'crashed');
    await logged('hosted', new URL(url).searchParams.get('vys') ?? url);
    await page.getByRole('button', { name: 'Reload' }).click();
    await expect(screen(page, 'consent')).toBeVisible();
  });

  test('the person’s own page, part of which is blocked', async ({ page }) => {
    await page.route('**/MyApp-*.js', (route) => route.abort('blockedbyclient'));
    await page.goto(`${gatehouse.baseUrl}/my`);
    await expect(crash(page)).toHaveAttribute('data-crash', 'blocked');
    await logged('my', gatehouse.baseUrl);
  });

  test('the kiosk, which restarts without a touch', async ({ page }) => {
    await page.addInitScript(() => {
      if (sessionStorage.getItem('broken') !== null) return;
      sessionStorage.setItem('broken', 'once');
      navigator.mediaDevices.addEventListener = () => {
        throw new TypeError('no such event');
      };
    });
    await page.goto(`${gatehouse.baseUrl}/kiosk`);
    await expect(crash(page)).toBeVisible();
    await logged('kiosk', gatehouse.baseUrl);
    await expect(kioskScreen(page, 'pairing')).toBeVisible({ timeout: LOADING_MS });
  });

  test('the console', async ({ page }) => {
    await page.addInitScript(() => {
      const real = window.addEventListener.bind(window);
      Object.defineProperty(window, 'addEventListener', {
        value: (...args: Parameters<typeof real>) => {
          if (args[0] === 'pointerdown') throw new TypeError('no such event');
          real(...args);
        },
      });
    });
    await page.goto(gatehouse.consoleUrl);
    await expect(crash(page)).toBeVisible();
    await logged('console', gatehouse.consoleUrl);
  });
});

test.describe('a browser below the floor', () => {
  test.use({ locale: 'de-DE' });
  test('shows a notice before anything else, in its language', async ({ page }) => {
    await page.addInitScript(() => Reflect.deleteProperty(Array.prototype, 'toSorted'));
    const { baseUrl, consoleUrl } = gatehouse;
    for (const url of [await newLink(), `${baseUrl}/my`, `${baseUrl}/kiosk`, consoleUrl]) {
      await page.goto(url);
      await expect(page.getByRole('heading', { name: 'Dieser Browser ist zu alt' })).toBeVisible();
      await expect(page.locator('.button--main')).toHaveCount(0);
    }
  });
});
