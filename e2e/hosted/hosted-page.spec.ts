/** The hosted page in error cases, and with assistive technology. */
import {
  devices,
  expect,
  test as base,
  type Browser,
  type BrowserContextOptions,
  type Page,
} from '@playwright/test';
import { CONSENT_VERSIONS } from '../../server/contract/consent-texts.ts';
import type { SessionDetail } from '../../server/contract/console/sessions.ts';
import { EVENT_PHOTO_CONSENT_VERSIONS } from '../../server/contract/event-consents.ts';
import { installScriptedCamera } from '../../testing/camera/browser/browser-camera.ts';
import { renderClips, type Clips } from '../../testing/camera/clips.ts';
import { personA } from '../../testing/camera/people.ts';
import { trouble } from '../support/pages/elements.ts';
import { expectAccessibleInBothThemes } from '../support/pages/accessible.ts';
import { signIn } from '../support/pages/console.ts';
import { HOUR_MS, testClock, type TestClock } from '../support/service/clock.ts';
import {
  agree,
  deadEnd,
  mainButton,
  returned,
  screen,
  testOnOwnHost,
  VENUE,
  watchForeignRequests,
} from '../support/pages/hosted-page.ts';
import { confirmation, consentedRun, initialize } from '../support/run.ts';
import { type Gatehouse, startGatehouse } from '../support/service/server.ts';
import { limitMs } from '../../testing/tier.ts';

const test = testOnOwnHost(() => gatehouse.baseUrl);
test.use({ ...devices['Pixel 7'] });

const FIRST_RENDER_MS = limitMs(60_000);
const LOADING_MS = limitMs(7_500);

let gatehouse: Gatehouse;
let clock: TestClock;
let clips: Clips;
test.beforeAll(async () => {
  base.setTimeout(FIRST_RENDER_MS);
  clips = await renderClips(personA);
  clock = await testClock();
  gatehouse = await startGatehouse({ env: clock.env });
});
test.afterAll(async () => {
  await gatehouse.stop();
  clock.remove();
});

const live = () => gatehouse.company.keys.sk_live;
const testing = () => gatehouse.company.keys.sk_test;
const REDIRECT = { redirect_url: `${VENUE}/back` };

async function openLink(page: Page, key: string): Promise<string> {
  const { url } = await initialize(gatehouse, key, REDIRECT);
  await page.goto(url);
  return url;
}

test.describe('the camera', () => {
  for (const [refuse, kind] of [
    ['NotAllowedError', 'denied'],
    ['NotFoundError', 'absent'],
    ['NotReadableError', 'in_use'],
  ] as const) {
    test(`${kind}: the page says so, and lets the person try again or leave`, async ({ page }) => {
      await installScriptedCamera(page, clips, { refuse });
      await openLink(page, live());
      await agree(page);
      await expect(trouble(page, kind)).toBeVisible({ timeout: LOADING_MS });
      await mainButton(page).click();
      await expect(trouble(page, kind)).toBeVisible();
      await page.locator('.button--quiet').click();
      await page.locator('.button--side').click();
      await expect(screen(page, 'result')).toBeVisible();
    });
  }

  test('pulled out during the check: the page says so, and that another camera starts it again', async ({
    page,
  }) => {
    await installScriptedCamera(page, clips);
    await openLink(page, live());
    // Before the server's first message there is no capture that another camera could interrupt.
    const begun = page
      .waitForEvent('websocket', { timeout: LOADING_MS })
      .then((socket) => socket.waitForEvent('framereceived', { timeout: LOADING_MS }));
    await agree(page);
    await expect(page.locator('[data-capture="coaching"]')).toBeVisible({ timeout: LOADING_MS });
    await begun;
    // A face that is too far away answers nothing, so that the message stays.
    await page.evaluate(() => window.__camera?.look('far'));
    await page.evaluate(() => window.__camera?.unplug());
    await expect(trouble(page, 'lost')).toBeVisible();
    await page.evaluate(() => window.__camera?.plugIn('another'));
    await mainButton(page).click();
    await expect(page.getByText('The camera changed. Let’s start again.')).toBeVisible({
      timeout: LOADING_MS,
    });
  });
});

test.describe('a link', () => {
  test('that does not exist says so', async ({ page }) => {
    for (const query of ['?vys=nonsense', '']) {
      await page.goto(`${gatehouse.baseUrl}/verification${query}`);
      await expect(deadEnd(page, 'unknown')).toBeVisible();
    }
  });

  test('continues at the same step after a reload', async ({ page }) => {
    await installScriptedCamera(page, clips);
    await openLink(page, live());
    await expect(screen(page, 'consent')).toBeVisible();
    await page.reload();
    await agree(page);
    await expect(screen(page, 'capture')).toBeVisible();
    await page.reload();
    await expect(screen(page, 'capture')).toBeVisible();
  });

  test('stays in the language that the guest chose, after a reload and on the way back', async ({ page }) => {
    const url = await openLink(page, live());
    const choice = page.getByRole('combobox', { name: 'Language' });
    await choice.selectOption('Deutsch');
    const title = page.getByRole('heading', { level: 1, name: 'Kurze Gesichtsprüfung' });
    await expect(title).toBeVisible();
    await page.reload();
    await expect(title).toBeVisible();
    await page.goto(`${VENUE}/terms`);
    await page.goto(url);
    await expect(title).toBeVisible();
  });

  test('whose page holds a replaced consent text loads the current one, and then agrees to that', async ({
    page,
  }) => {
    const versions: string[] = [];
    await page.route('**/consent', async (route) => {
      const body = route.request().postDataJSON() as { text_version: string };
      const isFirst = versions.length === 0;
      versions.push(body.text_version);
      const postData = isFirst ? { ...body, text_version: 'hosted-2026-11-22' } : body;
      await route.continue({ postData });
    });
    await openLink(page, testing());
    await expect(screen(page, 'consent')).toBeVisible();
    const reloaded = page.waitForEvent('load');
    await mainButton(page).click();
    await reloaded;
    await agree(page, { isTest: true });
    expect(versions).toEqual([CONSENT_VERSIONS.hosted, CONSENT_VERSIONS.hosted]);
  });

  test('says how long the venue keeps the face, and loads again if that has changed before the guest agrees', async ({
    page,
  }) => {
    const admin = await signIn(gatehouse, 'admin');
    const keepFor = async (template_inactive: number) =>
      admin.ok('/settings/retention', {
        method: 'PUT',
        body: { case_frames: 30, template_inactive, abandoned_run: 90 },
      });
    await keepFor(365);
    await openLink(page, live());
    await expect(page.locator('.facts')).toContainText('Up to 1 year after your last visit.');
    await keepFor(14);
    const reloaded = page.waitForEvent('load');
    await mainButton(page).click();
    await reloaded;
    await expect(page.locator('.facts')).toContainText('Up to 14 days after your last visit.');
    await mainButton(page).click();
    await expect(screen(page, 'capture')).toBeVisible();
    await keepFor(3 * 365);
  });

  test('of an event with faces of its own says that they end with it, in the language that the guest chooses', async ({
    page,
  }) => {
    const admin = await signIn(gatehouse, 'admin');
    const at = (hours: number) => new Date(Date.now() + hours * HOUR_MS).toISOString();
    const group = 'own-night';
    const event = { name: 'Own night', group, starts_at: at(-24), ends_at: at(240), guest_photo_days: 7 };
    await admin.ok('/events', { body: event });
    const { url, session_id } = await initialize(gatehouse, live(), { ...REDIRECT, group });
    await page.goto(url);
    await expect(page.locator('.facts')).toContainText(
      'The code: up to 1 day after the event. The photo: until ',
    );
    await page.getByRole('combobox').selectOption('de');
    await expect(page.locator('.facts')).toContainText('Der Code: bis zu 1 Tag nach der Veranstaltung.');
    await page.locator('.more summary').click();
    await expect(page.locator('.more')).toContainText('nur mit denen der Gäste dieser Veranstaltung');
    await mainButton(page).click();
    await expect(screen(page, 'capture')).toBeVisible();
    const { consent } = await admin.ok<SessionDetail>(`/sessions/${session_id}`);
    expect(consent).toMatchObject({
      ...{ version: EVENT_PHOTO_CONSENT_VERSIONS.hosted, language: 'de' },
      ...{ faces_days: 1, retention_days: null },
    });
  });

  test('belongs to the page that opened it last until the guest acts; the older one says so and can continue', async ({
    page,
    browser,
  }) => {
    const url = await openLink(page, testing());
    await expect(screen(page, 'consent')).toBeVisible();
    const other = await browser.newPage({ ...devices['Pixel 7'] });
    await other.goto(url);
    await expect(screen(other, 'consent')).toBeVisible();
    await mainButton(page).click();
    await expect(deadEnd(page, 'moved')).toBeVisible();
    await page.getByRole('button', { name: 'Continue here' }).click();
    await mainButton(page).click();
    await expect(screen(page, 'testChoice')).toBeVisible();
    await mainButton(other).click();
    await expect(deadEnd(other, 'moved')).toBeVisible();
    await other.getByRole('button', { name: 'Continue here' }).click();
    await expect(deadEnd(other, 'claimed')).toBeVisible();
    await other.close();
    await page.reload();
    await expect(screen(page, 'testChoice')).toBeVisible();
  });

  test('is not spent by a scanner that runs its scripts and leaves', async ({ page, browser }) => {
    const { url } = await initialize(gatehouse, testing());
    const scanner = await browser.newContext({ ...devices['Desktop Chrome'] });
    const robot = await scanner.newPage();
    await robot.goto(url);
    await expect(screen(robot, 'desktop')).toBeVisible();
    await scanner.close();
    await page.goto(url);
    await mainButton(page).click();
    await expect(screen(page, 'testChoice')).toBeVisible();
  });

  test('that was used says so', async ({ page }) => {
    const run = await consentedRun(gatehouse, testing());
    await run.flow('/test-capture', { face: 'used' });
    await page.goto(run.url);
    await expect(deadEnd(page, 'settled')).toBeVisible();
  });

  test('expires after a day', async ({ page }) => {
    const { url } = await initialize(gatehouse, live());
    await clock.advance(24 * HOUR_MS);
    await page.goto(url);
    await expect(deadEnd(page, 'expired')).toBeVisible();
  });
});

test('a test face leads to the result and back with a token', async ({ page }) => {
  await openLink(page, testing());
  await mainButton(page).click();
  await page.locator('[data-face="alice"]').click();
  await expect(screen(page, 'result')).toBeVisible();
  await mainButton(page).click();
  const { vyt, vyc } = await returned(page);
  expect(vyc).toBe('1');
  expect(await confirmation(gatehouse, testing(), vyt)).toMatchObject({ verified: true, is_test: true });
});

/** Shows a computer's page to `look`. */
async function onComputer(
  browser: Browser,
  look: (computer: Page) => Promise<void>,
  options: BrowserContextOptions = {},
): Promise<void> {
  const context = await browser.newContext({ ...devices['Desktop Chrome'], ...options });
  const computer = await context.newPage();
  const foreign = await watchForeignRequests(computer, gatehouse.baseUrl);
  await look(computer);
  await context.close();
  expect(foreign).toEqual([]);
}

test('a live link on a computer asks for a phone and offers nothing else; a test link offers its camera', async ({
  browser,
}) => {
  await onComputer(browser, async (computer) => {
    const ownCamera = computer.getByRole('button', { name: 'Use this computer’s camera' });
    await openLink(computer, live());
    await expect(screen(computer, 'desktop')).toBeVisible();
    await expect(ownCamera).toHaveCount(0);
    await openLink(computer, testing());
    await ownCamera.click();
    await expect(screen(computer, 'consent')).toBeVisible();
  });
});

test.describe('with the keyboard alone', () => {
  async function press(page: Page, name: string): Promise<void> {
    const button = page.getByRole('button', { name, exact: true });
    await expect(button).toBeVisible();
    for (let tabs = 0; tabs < 15; tabs++) {
      if (await button.evaluate((element) => element === document.activeElement)) break;
      await page.keyboard.press('Tab');
    }
    await expect(button).toBeFocused();
    await page.keyboard.press('Enter');
  }

  test('a person gives consent', async ({ page }) => {
    await openLink(page, testing());
    await press(page, 'Agree and start');
    await expect(screen(page, 'testChoice')).toBeVisible();
    await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
    await press(page, 'Alice');
    await expect(screen(page, 'result')).toBeVisible();
  });

  test('a person declines, after a confirmation, and the backend reads it', async ({ page }) => {
    await openLink(page, live());
    await press(page, 'No thanks');
    await press(page, 'Go back');
    await press(page, 'No thanks');
    await press(page, 'Leave');
    await expect(screen(page, 'result')).toBeVisible();
    await mainButton(page).click();
    const { vyt, vyc } = await returned(page);
    expect(vyc).toBe('0');
    expect(await confirmation(gatehouse, live(), vyt)).toMatchObject({
      verified: false,
      declined: true,
      reasons: ['declined'],
    });
  });
});

test.describe('WCAG 2.2 AA in both themes', () => {
  test.use({ contextOptions: { reducedMotion: 'reduce' } });

  test('consent, the camera, a missing camera', async ({ page }) => {
    await installScriptedCamera(page, clips);
    await openLink(page, live());
    await expect(screen(page, 'consent')).toBeVisible();
    await expectAccessibleInBothThemes(page);
    await page.locator('summary').click();
    await expectAccessibleInBothThemes(page);
    await mainButton(page).click();
    await expect(page.locator('[data-capture="coaching"]')).toBeVisible({ timeout: LOADING_MS });
    await expectAccessibleInBothThemes(page);
    await page.evaluate(() => window.__camera?.unplug());
    await expect(trouble(page, 'lost')).toBeVisible();
    await expectAccessibleInBothThemes(page);
  });

  test('test faces, another try, the result', async ({ page }) => {
    await openLink(page, testing());
    await mainButton(page).click();
    await expect(screen(page, 'testChoice')).toBeVisible();
    await expectAccessibleInBothThemes(page);
    await page.locator('[data-face="spoof"]').click();
    await expect(screen(page, 'retry')).toBeVisible();
    await expectAccessibleInBothThemes(page);
    await mainButton(page).click();
    await page.locator('[data-face="bob"]').click();
    await expect(screen(page, 'result')).toBeVisible();
    await page.getByRole('button', { name: 'Stay here' }).click();
    await expectAccessibleInBothThemes(page);
  });

  test('a computer, a refusal, a dead end', async ({ page, browser }) => {
    await onComputer(
      browser,
      async (computer) => {
        await openLink(computer, testing());
        await expect(computer.locator('[data-match-code]')).toBeVisible();
        await expectAccessibleInBothThemes(computer);
      },
      { reducedMotion: 'reduce' },
    );
    await openLink(page, live());
    await page.locator('.button--quiet').click();
    await expectAccessibleInBothThemes(page);
    await page.locator('.button--side').click();
    await expect(screen(page, 'result')).toBeVisible();
    await expectAccessibleInBothThemes(page);
    await page.goto(`${gatehouse.baseUrl}/verification?vys=nonsense`);
    await expect(deadEnd(page, 'unknown')).toBeVisible();
    await expectAccessibleInBothThemes(page);
  });
});
