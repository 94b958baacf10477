/** The kiosk's page from the view of guests, and of staff behind them. */
import { expect, test as base, type Page } from '@playwright/test';
import type { EventReport } from '../../server/contract/console/events.ts';
import type { Snapshot } from '../../server/contract/flow.ts';
import { LANGUAGES } from '../../server/contract/languages.ts';
import {
  autoFollow,
  installScriptedCamera,
  type ScriptedCameraOptions,
} from '../../testing/camera/browser/browser-camera.ts';
import type { CameraScene } from '../../testing/camera/browser/browser-script.ts';
import { renderClips, type Clips } from '../../testing/camera/clips.ts';
import { personA } from '../../testing/camera/people.ts';
import { showCode } from '../../testing/camera/browser/code-camera.ts';
import { button, coaching } from '../support/pages/elements.ts';
import { countBlobs, heldInMemory } from '../support/pages/heap.ts';
import { testOnOwnHost } from '../support/pages/hosted-page.ts';
import {
  actAsDevice,
  EVENT_NAME,
  kioskScreen,
  newKiosk,
  pairDevice,
  PIN,
  startButton,
  TABLET,
  touchToConsent,
  type VenueKiosk,
} from '../support/pages/kiosk.ts';
import {
  expectFit,
  expectFitEverywhere,
  expectNoScrollingOnPhone,
  expectSizesEverywhere,
} from '../support/pages/kiosk-fit.ts';
import { initialize } from '../support/run.ts';
import { type Gatehouse, startGatehouse } from '../support/service/server.ts';
import { CHECK, limitMs } from '../../testing/tier.ts';

const FIRST_RENDER_MS = limitMs(60_000);
const CAPTURE_MS = limitMs(15_000);
const LOADING_MS = limitMs(7_500);
const SLOW_ANSWER_MS = 1_500;
const LATE_TEXT_MS = 12_000;
/** From the result back to the first screen. */
const BACK_MS = 10_000;

const test = testOnOwnHost(() => gatehouse.baseUrl);
test.use(TABLET);
test.describe.configure({ timeout: limitMs(45_000) });

let gatehouse: Gatehouse;
let clips: Clips;
let venue: VenueKiosk & { code: string };
let token: string;
/** Of a test event, which has no camera: for the screens before a check and after it. */
let trial: VenueKiosk & { code: string };
let trialToken: string;
test.beforeAll(async () => {
  base.setTimeout(FIRST_RENDER_MS);
  clips = await renderClips(personA);
  gatehouse = await startGatehouse();
  venue = await newKiosk(gatehouse, { words: { de: { passed: 'Garderobe links.' } } });
  token = await pairDevice(gatehouse, venue.code);
  trial = await newKiosk(gatehouse, {
    languages: [...LANGUAGES],
    partition: 'test',
    guestPhotoDays: 7,
  });
  trialToken = await pairDevice(gatehouse, trial.code);
});
test.afterAll(() => gatehouse.stop());

/** The paired kiosk's page with a camera. */
async function openKiosk(page: Page, camera: ScriptedCameraOptions = {}): Promise<void> {
  await installScriptedCamera(page, clips, camera);
  await actAsDevice(page, token);
  await page.goto(`${gatehouse.baseUrl}/kiosk`);
}
async function openTrial(page: Page, device = trialToken): Promise<void> {
  await actAsDevice(page, device);
  await page.goto(`${gatehouse.baseUrl}/kiosk`);
}
const camera = (page: Page, act: 'unplug' | 'plugIn' | 'cover' | 'uncover') =>
  page.evaluate((what) => {
    if (what === 'cover' || what === 'uncover') window.__camera?.cover(what === 'cover');
    else window.__camera?.[what]();
  }, act);
async function unlockStaff(page: Page): Promise<void> {
  await button(page, 'Staff').click();
  await expect(page.getByRole('textbox')).toBeFocused();
  // Before the PIN, a guest could read who works here.
  await expect(page.getByText(venue.operator.name)).toHaveCount(0);
  await page.keyboard.type(PIN);
}

test('staff pair it with the code from the console', async ({ page }) => {
  const { code } = await trial.another();
  await page.goto(`${gatehouse.baseUrl}/kiosk`);
  await expect(kioskScreen(page, 'pairing')).toBeVisible();
  // No PIN exists yet that could be requested.
  await expect(button(page, 'Staff')).toHaveCount(0);
  await page.getByLabel('Pairing code').fill('2222-2222');
  await button(page, 'Pair').click();
  await expect(page.getByRole('alert')).toHaveText(/Invalid or expired/);
  await expectFit(page);
  await expectSizesEverywhere(page);
  await page.getByLabel('Pairing code').fill('');
  for (const character of code.replace('-', '')) await button(page, character).click();
  await button(page, 'Pair').click();
  await expect(page.getByRole('heading', { name: EVENT_NAME })).toBeVisible();
  expect(await page.evaluate(() => localStorage.getItem('gatehouse.kiosk.token'))).toMatch(/^kt_/);
});

for (const width of [320, 360, 390]) {
  test(`on a phone ${width} px wide, each key of the pairing code is at least 44 px wide and high`, async ({
    page,
  }) => {
    await page.setViewportSize({ width, height: 800 });
    await page.goto(`${gatehouse.baseUrl}/kiosk`);
    await expect(kioskScreen(page, 'pairing')).toBeVisible();
    await expect(page.locator('.key')).toHaveCount(31);
    const boxes = await page
      .locator('.key')
      .evaluateAll((keys) => keys.map((key) => key.getBoundingClientRect().toJSON() as DOMRect));
    for (const { width: keyWidth, height, left, right } of boxes) {
      expect(Math.min(keyWidth, height)).toBeGreaterThanOrEqual(44);
      expect(left).toBeGreaterThanOrEqual(0);
      expect(right).toBeLessThanOrEqual(width);
    }
  });
}

test(
  'a walk-up reaches its verdict, and nothing of it is left soon after',
  { tag: CHECK },
  async ({ page }) => {
    test.setTimeout(4 * CAPTURE_MS);
    const seen: { token: string; session: string } = { token: '', session: '' };
    page.on('request', (request) => {
      seen.token = request.headers()['x-flow-token'] ?? seen.token;
      seen.session = /\/flow\/sessions\/([^/]+)/.exec(request.url())?.[1] ?? seen.session;
    });
    await autoFollow(page);
    await openKiosk(page);
    await expectFit(page);
    // The camera is on behind the first screen, where nothing shows its picture.
    const opened = () => page.evaluate(() => window.__camera?.opened ?? []);
    await expect.poll(opened).toContain('scripted');
    await expect(page.locator('video')).toHaveCount(0);
    // The scripted camera keeps a constant number of its own pictures.
    const ownBlobs = await countBlobs(page);
    const tappedAtMs = Date.now();
    await page.locator('[data-language="de"]').click();
    await expectFit(page);
    await expect(page.locator('html')).toHaveAttribute('lang', 'de');
    const before = await opened();
    await page.locator('.button--main').click();
    await expect(coaching(page)).toBeVisible({ timeout: LOADING_MS });
    // The check takes the camera that is on.
    expect(await opened()).toEqual(before);
    await expect.poll(async () => (await venue.record()).session_id).toBe(seen.session);
    // A call that is answered only after the guest has left, as on a slow network.
    let answer = (): void => undefined;
    await page.route(/\/late$/, (route) => (answer = () => void route.fulfill()));
    await page.evaluate((id) => void fetch(`/flow/sessions/${id}/late`), seen.session);
    // Waits inside the page, because its three seconds may pass between two polls from outside.
    await page
      .locator('[data-result="passed"]', { hasText: /^Garderobe links\.$/ })
      .waitFor({ timeout: CAPTURE_MS });
    const resultAtMs = Date.now();
    test.info().annotations.push({ type: 'tap to result', description: `${resultAtMs - tappedAtMs} ms` });
    await expect(startButton(page)).toBeVisible({ timeout: LOADING_MS });
    answer();

    // The server's own count, not the screen's.
    const { counts } = await venue.operator.ok<EventReport>(`/events/${venue.eventId}/report`);
    expect(counts).toMatchObject({ ended: 1, passed: 1 });
    expect(seen.token).not.toBe('');
    // Polled, because a request in progress when the screen changed is released a moment later.
    await expect
      .poll(
        async () => {
          const { texts, objects } = await heldInMemory(page, {
            texts: [seen.token, seen.session, 'data:image/'],
            classes: ['VideoFrame'],
          });
          return { texts, objects, blobs: await countBlobs(page) };
        },
        { timeout: LOADING_MS },
      )
      .toEqual({ texts: [], objects: { VideoFrame: 0 }, blobs: ownBlobs });
    const requested = () => performance.getEntriesByType('resource').map(({ name }) => name);
    expect((await page.evaluate(requested)).filter((name) => name.includes(seen.session))).toEqual([]);
    expect(await page.evaluate(() => [Object.keys(localStorage), document.cookie])).toEqual([
      ['gatehouse.kiosk.token'],
      '',
    ]);
    await expect(page.locator('html')).toHaveAttribute('lang', 'en');
  },
);

test('a guest who does not want the camera is shown the way to staff, with the keyboard alone', async ({
  page,
}) => {
  await openTrial(page);
  const press = async (name: string) => {
    await expect(button(page, name)).toBeVisible();
    for (let tabs = 0; tabs < 12; tabs++) {
      if (await button(page, name).evaluate((element) => element === document.activeElement)) break;
      await page.keyboard.press('Tab');
    }
    await expect(button(page, name)).toBeFocused();
    await page.keyboard.press('Enter');
  };
  await startButton(page).focus();
  await page.keyboard.press('Enter');
  await press('Ask staff');
  await press('Finish here');
  await expect(page.locator('[data-result="declined"]')).toBeVisible();
  // The screen resets for the next guest.
  await expect(startButton(page)).toBeVisible({ timeout: BACK_MS });
});

test('a guest who walks away is asked, and then the screen resets', async ({ page }) => {
  await page.clock.install();
  await openTrial(page);
  await touchToConsent(page, 'en');
  // From here on time passes only when the test says so.
  await page.clock.pauseAt(Date.now() + 600_000);
  await expect(startButton(page)).toBeVisible();
  await touchToConsent(page, 'en');
  await expectFitEverywhere(page);
  await page.clock.fastForward(52_000);
  await expect(page.getByRole('dialog')).toContainText('Are you still there?');
  await expectFitEverywhere(page);
  await page.getByRole('dialog').getByRole('button').click();
  await expect(page.getByRole('dialog')).toBeHidden();
  await page.clock.fastForward(52_000);
  await expect(page.getByRole('dialog')).toBeVisible();
  await page.clock.fastForward(11_000);
  await expect(startButton(page)).toBeVisible();
});

/** Clicks once the screen is there: React shows one that is loaded late after a moment of the page's clock, which is stopped. */
async function clickOnceShown(page: Page, selector: string): Promise<void> {
  await expect
    .poll(async () => {
      await page.clock.runFor(100);
      return page.locator(selector).isVisible();
    })
    .toBe(true);
  await page.locator(selector).click();
}

test('a result closes although the clock of the device is set back meanwhile', async ({ page }) => {
  await openTrial(page);
  await touchToConsent(page, 'en');
  await page.getByRole('button', { name: 'Ask staff' }).click();
  await page.getByRole('button', { name: 'Finish here' }).click();
  await expect(page.locator('[data-result="declined"]')).toBeVisible();
  await page.evaluate(() => {
    const before = Date.now.bind(Date);
    Date.now = () => before() - 3_600_000;
  });
  await expect(startButton(page)).toBeVisible({ timeout: BACK_MS });
});

test('its last text fits every screen, for a guest who passed and for one who declined', async ({ page }) => {
  // The result screen closes after a few seconds, so the clock is stopped while the test reads it.
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + 600_000);
  await openTrial(page);
  await startButton(page).click();
  await clickOnceShown(page, '.button--main');
  await clickOnceShown(page, '[data-face="alice"]');
  await expect(page.locator('[data-result="passed"]')).toBeVisible();
  await expectFitEverywhere(page);
  await button(page, 'Done').click();
  await startButton(page).click();
  await button(page, 'Ask staff').click();
  await expectFitEverywhere(page);
  await button(page, 'Finish here').click();
  await expect(page.locator('[data-result="declined"]')).toBeVisible();
  await expectFitEverywhere(page);
});

test('a refusal fits every screen, in each language', async ({ page }) => {
  await page.route('**/test-capture', async (route) => {
    const response = await route.fetch();
    const snapshot = (await response.json()) as Snapshot;
    const result = { ...snapshot.result, presented: 'denied', passed_before: false };
    await route.fulfill({ response, json: { ...snapshot, result } });
  });
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + 600_000);
  await openTrial(page);
  for (const language of LANGUAGES) {
    await touchToConsent(page, language);
    await clickOnceShown(page, '.button--main');
    await clickOnceShown(page, '[data-face="alice"]');
    await expect(page.locator('[data-result="denied"]')).toBeVisible();
    await expectSizesEverywhere(page);
    await page.reload();
  }
});

test('what a guest reads fits every screen without scrolling, in each language', async ({ page }) => {
  await page.route('**/test-capture', async (route) => {
    const response = await route.fetch();
    const failed: Partial<Snapshot> = {
      state: 'open',
      step: 'capture',
      result: null,
      findings: ['step_missed', 'blurred', 'too_far'],
      attempts_left: 2,
    };
    await route.fulfill({ response, json: { ...((await response.json()) as Snapshot), ...failed } });
  });
  await openTrial(page);
  for (const language of LANGUAGES) {
    await touchToConsent(page, language);
    await expectSizesEverywhere(page);
    await expectNoScrollingOnPhone(page);
    await page.locator('.button--main').click();
    await expect(page.locator('[data-face="alice"]')).toBeVisible();
    await expectSizesEverywhere(page);
    await page.locator('[data-face="alice"]').click();
    await expect(page.locator('.reasons')).toBeVisible();
    await expectSizesEverywhere(page);
    await page.reload();
  }
});

test('a lost server is shown, nothing is decided, and checks continue when it is back', async ({ page }) => {
  test.setTimeout(2 * CAPTURE_MS);
  await openKiosk(page);
  await touchToConsent(page, 'en');
  await gatehouse.kill9();
  await page.locator('.button--main').click();
  await expect(page.locator('[data-trouble="offline"]')).toBeVisible();
  await expectFit(page);
  await gatehouse.restart();
  await expect(coaching(page)).toBeVisible({ timeout: LOADING_MS });

  // The console can reset it to the first screen.
  await venue.command('reset');
  await expect(startButton(page)).toBeVisible();
  await gatehouse.kill9();
  await expect(page.locator('[data-trouble="offline"]')).toBeVisible();
  await expect(startButton(page)).toBeHidden();
  await gatehouse.restart();
  await expect(startButton(page)).toBeVisible();
});

test('the capture is reached though its file came late, or was replaced by an upgrade', async ({ page }) => {
  test.setTimeout(2 * CAPTURE_MS);
  const file = /\/assets\/kiosk\/Capture-.*\.js$/;
  // The server is away while the file is requested.
  await page.route(file, (route) => route.abort());
  await page.route(/\/healthz$/, (route) => route.abort());
  await openKiosk(page);
  await touchToConsent(page, 'en');
  await page.locator('.button--main').click();
  await expect(page.getByRole('heading', { name: 'Getting ready' })).toBeVisible();
  await page.unrouteAll();
  await expect(coaching(page)).toBeVisible({ timeout: LOADING_MS });
  await venue.command('reset');
  await expect(startButton(page)).toBeVisible();

  // A page whose file is gone reloads, because nobody uses it.
  await page.route(file, (route) => route.fulfill({ status: 404 }));
  await page.reload();
  await page.evaluate(() => Object.assign(window, { isOldPage: true }));
  await expect
    .poll(() => page.evaluate(() => 'isOldPage' in window).catch(() => true), { timeout: LOADING_MS })
    .toBe(false);
});

test(
  'a dark, unplugged or blocked camera has its own message, which disappears when the cause does',
  { tag: CHECK },
  async ({ page, context }) => {
    test.setTimeout(2 * CAPTURE_MS);
    await openKiosk(page);
    const look = (at: CameraScene) => page.evaluate((scene) => window.__camera?.look(scene), at);
    // From the start, because the steps after the face was found come in another order.
    await look('far');
    await venue.command('walk_up');
    await expect(kioskScreen(page, 'consent')).toBeVisible();
    await page.locator('.button--main').click();
    await expect(coaching(page)).toBeVisible({ timeout: LOADING_MS });
    for (const [scene, hint] of [
      ['far', 'too_far'],
      ['crowd', 'several_faces'],
      ['dark', 'too_dark'],
    ] as const) {
      await look(scene);
      await expect(page.locator(`[data-hint="${hint}"] [role="alert"]`)).toBeVisible();
    }
    await expectFit(page);
    await camera(page, 'cover');
    await expect(page.locator('[data-hint="covered"]')).toBeVisible();
    await expect(page.getByRole('alert')).toContainText('Is the camera covered?');
    await expectFit(page);
    await camera(page, 'uncover');
    await look('plain');
    await expect(page.locator('[data-hint]')).toHaveCount(0);
    await camera(page, 'unplug');
    await expect(page.locator('[data-trouble="camera_lost"]')).toBeVisible();
    await expectFit(page);
    await camera(page, 'plugIn');
    await expect(coaching(page)).toBeVisible({ timeout: LOADING_MS });
    await camera(page, 'unplug');
    await button(page, 'Calm view').click();
    await venue.command('reset');
    await expect(page.locator('[data-trouble="camera_missing"]')).toBeVisible();
    await camera(page, 'plugIn');
    await expect(startButton(page)).toBeVisible();

    // Beside an open kiosk, another tab is not one.
    await page.close();
    const forbidden = await context.newPage();
    await openKiosk(forbidden, { refuse: 'NotAllowedError' });
    await expect(forbidden.locator('[data-trouble="camera_refused"]')).toBeVisible();
    await forbidden.close();
  },
);

test('a QR code shown to the camera opens its session; an unknown one is passed over with a remark', async ({
  page,
}) => {
  const { url } = await initialize(gatehouse, gatehouse.company.keys.sk_live);
  await showCode(page, 'https://elsewhere.example/verification?vys=x');
  await actAsDevice(page, token);
  await page.goto(`${gatehouse.baseUrl}/kiosk`);
  const scan = () => button(page, 'I have a QR code').click();
  await scan();
  await expect(page.locator('[data-remark="notOurs"]')).toBeVisible();
  await expectFit(page);
  await showCode(page, url);
  await page.reload();
  await scan();
  await expect(kioskScreen(page, 'consent')).toBeVisible();
  await venue.command('reset');
  await scan();
  await expect(kioskScreen(page, 'consent')).toBeVisible();
});

test('staff show their PIN, test the picture and choose the camera', async ({ page }) => {
  await openKiosk(page);
  await button(page, 'Staff').click();
  await expect(page.getByRole('textbox')).toBeFocused();
  // Before the PIN, a guest could read who works here.
  await expect(page.getByText(venue.operator.name)).toHaveCount(0);
  await page.keyboard.type('000000');
  await expect(page.getByRole('alert')).toHaveText('Wrong PIN.');
  await expectFit(page);
  for (const digit of PIN) await button(page, digit).click();
  await expect(page.getByText('Choose an action')).toBeVisible();
  await expectFit(page);
  await button(page, 'Test the camera').click();
  await expect(page.locator('[data-verdict="good"]')).toBeVisible();
  await camera(page, 'cover');
  await expect(page.locator('[data-verdict="covered"]')).toBeVisible();
  await expectFit(page);
  await camera(page, 'uncover');
  await expect(page.locator('[data-verdict="good"]')).toBeVisible();
  await button(page, 'Use this camera').click();
  expect(await page.evaluate(() => localStorage.getItem('gatehouse.kiosk.camera'))).toBe('scripted');
});

test('staff assign an event to a kiosk that has none', async ({ page }) => {
  const { code, kioskId } = await trial.another();
  await trial.operator.ok(`/kiosks/${kioskId}`, { method: 'PATCH', body: { event_id: null } });
  await openTrial(page, await pairDevice(gatehouse, code));
  await expect(page.locator('[data-trouble="no_event"]')).toBeVisible();
  await unlockStaff(page);
  await expect(page.getByRole('heading', { name: 'Choose the event' })).toBeVisible();
  await expectFit(page);
  await page.getByRole('button', { name: `${EVENT_NAME} (` }).click();
  await expect(page.getByRole('heading', { name: EVENT_NAME })).toBeVisible();
  await expect(startButton(page)).toBeVisible();
});

test('reads its screens aloud on request, with a voice of the machine', { tag: CHECK }, async ({ page }) => {
  await page.addInitScript(() => {
    const said: string[] = [];
    const voices = [{ lang: 'en-GB', localService: true }];
    const fake = Object.assign(new EventTarget(), {
      getVoices: () => voices,
      speak: ({ text }: { text: string }) => said.push(text),
      cancel: () => undefined,
    });
    Object.defineProperty(window, 'speechSynthesis', { value: fake });
    Object.defineProperty(window, 'SpeechSynthesisUtterance', {
      value: function Utterance(this: { text: string }, text: string) {
        this.text = text;
      },
    });
    Object.assign(window, { said });
  });
  // As on a slow network: the screen that waits for the server counts its own time meanwhile.
  await page.route('**/kiosk/sessions', async (route) => {
    await new Promise((resolve) => setTimeout(resolve, SLOW_ANSWER_MS));
    await route.fallback();
  });
  // The consent's own text arrives after its screen, and is read aloud then.
  await page.route(/EventConsent-.*\.js$/, async (route) => {
    await new Promise((resolve) => setTimeout(resolve, LATE_TEXT_MS));
    await route.fallback();
  });
  await openKiosk(page);
  const said = () => page.evaluate(() => (window as unknown as { said: string[] }).said.join(' | '));
  await button(page, 'Read aloud').click();
  await expect.poll(said).toContain(`${EVENT_NAME}. Touch to start`);
  await touchToConsent(page, 'en');
  await expect.poll(said).toContain('A quick face check. Why.');
  await page.locator('.button--main').click();
  // The first request depends on how soon it sees the face.
  await expect.poll(said, { timeout: LOADING_MS }).toMatch(/Look straight ahead|Hold still|Turn to your/);
  expect(await said()).not.toContain('Are you still there?');
});

test('staff unpair the device, and its token is revoked', async ({ page }) => {
  const { code } = await trial.another();
  const device = await pairDevice(gatehouse, code);
  await openTrial(page, device);
  await unlockStaff(page);
  await button(page, 'Unpair this kiosk').click();
  await button(page, 'Touch again to unpair').click();
  await expect(kioskScreen(page, 'pairing')).toBeVisible();
  expect(await page.evaluate(() => localStorage.getItem('gatehouse.kiosk.token'))).toBeNull();
  const { status } = await fetch(`${gatehouse.baseUrl}/kiosk/config`, {
    headers: { 'x-kiosk-token': device },
  });
  expect(status).toBe(401);
});

test('a device whose token was revoked shows its pairing screen', async ({ page }) => {
  const { code, kioskId } = await trial.another();
  await openTrial(page, await pairDevice(gatehouse, code));
  await expect(startButton(page)).toBeVisible();
  await trial.operator.ok(`/kiosks/${kioskId}/revoke`, { body: { reason: 'It was stolen.' } });
  await expect(kioskScreen(page, 'pairing')).toContainText('no longer paired');
  expect(await page.evaluate(() => localStorage.getItem('gatehouse.kiosk.token'))).toBeNull();
});

for (const locks of ['with locks', 'without locks, as outside a secure context'])
  test.describe(`two tabs of one kiosk ${locks}`, () => {
    const heartbeats = (page: Page) => {
      const sent: string[] = [];
      page.on('request', (request) => {
        if (request.url().endsWith('/kiosk/heartbeat')) sent.push(request.url());
      });
      return sent;
    };
    let second: VenueKiosk & { code: string };
    let device: string;
    test.beforeAll(async () => {
      second = await newKiosk(gatehouse, { partition: 'test' });
      device = await pairDevice(gatehouse, second.code);
    });
    if (locks !== 'with locks')
      test.beforeEach(({ context }) =>
        context.addInitScript(() => Object.defineProperty(navigator, 'locks', { value: undefined })),
      );

    test('only the first obeys staff; the other says so and takes over when asked', async ({
      page,
      context,
    }) => {
      await openTrial(page, device);
      await expect(startButton(page)).toBeVisible();
      const other = await context.newPage();
      const sent = heartbeats(other);
      await openTrial(other, device);
      await expect(kioskScreen(other, 'other_tab')).toContainText('Already open in another tab');
      await expectFit(other);
      await expectSizesEverywhere(other);
      await second.command('walk_up');
      await expect(kioskScreen(page, 'consent')).toBeVisible();
      await expect(kioskScreen(other, 'other_tab')).toBeVisible();
      expect(sent).toEqual([]);

      await button(other, 'Use this one').click();
      await expect(startButton(other)).toBeVisible();
      await expect(kioskScreen(page, 'other_tab')).toBeVisible();
      await second.command('walk_up');
      await expect(kioskScreen(other, 'consent')).toBeVisible();
      await expect(kioskScreen(page, 'other_tab')).toBeVisible();
    });

    test('the other takes over when the first closes, and a reload stays the kiosk', async ({
      page,
      context,
    }) => {
      await openTrial(page, device);
      await expect(startButton(page)).toBeVisible();
      await page.reload();
      await expect(startButton(page)).toBeVisible();
      const other = await context.newPage();
      await openTrial(other, device);
      await expect(kioskScreen(other, 'other_tab')).toBeVisible();
      await page.close();
      await expect(startButton(other)).toBeVisible();
    });
  });
