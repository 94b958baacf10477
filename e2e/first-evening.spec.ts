/** A venue's first evening: from the first start to the first guest through a kiosk, without a manual. */
import { expect, type LaunchOptions, test as base, type Locator, type Page } from '@playwright/test';
import { autoFollow, installScriptedCamera } from '../testing/camera/browser/browser-camera.ts';
import { renderClips, type Clips } from '../testing/camera/clips.ts';
import { personA } from '../testing/camera/people.ts';
import { button } from './support/pages/elements.ts';
import { expectAccessibleInBothThemes } from './support/pages/accessible.ts';
import { kioskScreen, startButton } from './support/pages/kiosk.ts';
import { startGatehouse, type Gatehouse } from './support/service/server.ts';
import { isOnPostgres } from './support/sqlite-only.ts';
import { CHECK, limitMs } from '../testing/tier.ts';

const PREPARE_MS = limitMs(60_000);
const CAPTURE_MS = limitMs(15_000);
const MAX_CLICKS = 12;

let gatehouse: Gatehouse;
let clips: Clips;
/** As on a venue's network; the machine of the tests need not know its own name. */
const LOCAL_NAMES = '--host-resolver-rules=MAP *.local 127.0.0.1';
const test = base.extend<object, { launchOptions: LaunchOptions }>({
  launchOptions: [
    ({ launchOptions }, use) => use({ ...launchOptions, args: [...(launchOptions.args ?? []), LOCAL_NAMES] }),
    { scope: 'worker' },
  ],
});
test.use({ contextOptions: { reducedMotion: 'reduce' }, locale: 'en-GB' });
test.beforeAll(async () => {
  test.setTimeout(PREPARE_MS);
  clips = await renderClips(personA);
});
test.beforeEach(async () => {
  gatehouse = await startGatehouse();
});
test.afterEach(() => gatehouse.stop());

/** Fills in the form of the first start. */
async function introduce(page: Page): Promise<void> {
  await page.goto(gatehouse.consoleUrl);
  await page.getByLabel('Your name').fill('Ana Ruiz');
  await page.getByLabel('First event').fill('Night of Museums');
  await page.getByRole('textbox', { name: 'Passphrase' }).fill('copper lantern river moss');
}
/** The dialog after it, which opens the first kiosk. */
const firstKiosk = (page: Page) => page.getByRole('dialog', { name: 'Open the kiosk “Kiosk 1”' });

test(
  'an owner gets the first guest through a kiosk within twelve clicks',
  { tag: CHECK },
  async ({ page, context }) => {
    test.setTimeout(3 * CAPTURE_MS);
    let clicks = 0;
    const click = async (target: Locator) => {
      clicks += 1;
      await target.click();
    };
    await introduce(page);
    await expectAccessibleInBothThemes(page);
    await click(button(page, 'Create'));

    const dialog = firstKiosk(page);
    await expect(dialog.getByRole('status')).toHaveText('Waiting for a device…');
    const here = dialog.getByRole('link', { name: 'Use this computer' });
    // Until network mode is on, this computer is the only way.
    await expect(here).toBeFocused();
    await expectAccessibleInBothThemes(page);
    const kiosk = await context.newPage();
    await autoFollow(kiosk);
    await installScriptedCamera(kiosk, clips);
    clicks += 1;
    await kiosk.goto((await here.getAttribute('href')) ?? '');
    await expect(kioskScreen(kiosk, 'attract')).toBeVisible();
    // Neither the address nor the history keeps the code.
    expect(new URL(kiosk.url()).hash).toBe('');
    await expect(dialog.getByRole('status')).toHaveText('The kiosk is connected.');
    await expect(button(dialog, 'Done')).toBeFocused();

    await click(startButton(kiosk));
    await click(kiosk.locator('.button--main'));
    await kiosk.locator('[data-result="passed"]').waitFor({ timeout: CAPTURE_MS });
    expect(clicks).toBeLessThanOrEqual(MAX_CLICKS);
    test.info().annotations.push({ type: 'clicks', description: String(clicks) });
    await kiosk.close();

    await button(dialog, 'Done').click();
    await expect(page.getByText('Night of Museums').first()).toBeVisible();
    // The kiosk created its key when it was paired, and signed each still with it.
    await page.getByRole('link', { name: 'Walk-up guest' }).click();
    await expect(page.getByRole('dialog')).toContainText('Signed by a paired kiosk');
    await page.goBack();
    const steps = page.getByRole('region', { name: 'Getting ready' });
    // PostgreSQL has its own backups.
    await expect(steps).toContainText(isOnPostgres ? '3 of 5 done' : '3 of 6 done');
    if (isOnPostgres) return;
    await steps.getByRole('link', { name: 'Open backups' }).click();
    await expect(page.getByRole('tab', { name: 'Backups' })).toHaveAttribute('aria-selected', 'true');
  },
);

test('a venue without a network learns what network mode changes, and what happens while it is turned on', async ({
  page,
}) => {
  await introduce(page);
  await button(page, 'Create').click();
  await button(firstKiosk(page), 'Done').click();
  await button(page.getByRole('region', { name: 'Kiosks' }), 'Pair a kiosk').click();
  await page.getByLabel('Name of the kiosk').fill('North gate');
  await expect(page.getByLabel('Event', { exact: true })).toHaveValue(/./);
  await button(page, 'Next').click();
  await button(page, 'Turn on network mode').click();
  const asked = page.getByRole('dialog', { name: 'Turn on network mode?' });
  await expect(asked).toContainText('New links use this computer’s network address.');
  const answer = Promise.withResolvers();
  await page.route('**/settings/lan', async (route) => {
    await answer.promise;
    await route.abort();
  });
  await button(asked, 'Turn on').click();
  await expect(asked.getByRole('status')).toContainText('Creating the certificate');
  answer.resolve(undefined);
  await expect(asked.getByRole('alert')).toBeVisible();
  await button(asked, 'Cancel').click();
  await expect(asked).toBeHidden();
});

test('a tablet that refuses the certificate learns to trust it from the pairing dialog', async ({
  page,
  browser,
}) => {
  await introduce(page);
  await button(page, 'Create').click();
  const dialog = firstKiosk(page);
  await button(dialog, 'Turn on network mode').click();
  await button(page, 'Turn on').click();
  const shownAddress = async () => (await dialog.locator('.copyable code').textContent()) ?? '';
  await expect(dialog.getByRole('img', { name: 'QR code that opens the kiosk' })).toBeVisible();
  const address = await shownAddress();
  const tablet = await browser.newPage();
  await expect(tablet.goto(address)).rejects.toThrow('ERR_CERT_AUTHORITY_INVALID');

  await button(dialog, 'The device warns about the certificate').click();
  await expectAccessibleInBothThemes(page);
  await tablet.goto(await shownAddress());
  await expect(tablet.locator('.fingerprint')).toHaveText(
    (await dialog.locator('.fingerprint').textContent()) ?? '',
  );
  // The page ends where the tablet wanted to go.
  await expect(tablet.getByRole('link', { name: address })).toHaveAttribute('href', address);
  await tablet.close();
  await button(dialog, 'Back to the kiosk’s code').click();
  await expect(dialog.getByRole('img', { name: 'QR code that opens the kiosk' })).toBeVisible();
});

test('the checklist no longer counts the network as done once network mode is off again', async ({
  page,
}) => {
  await introduce(page);
  await button(page, 'Create').click();
  await button(firstKiosk(page), 'Turn on network mode').click();
  await button(page, 'Turn on').click();
  await expect(firstKiosk(page).getByRole('img', { name: 'QR code that opens the kiosk' })).toBeVisible();
  await button(firstKiosk(page), 'Done').click();
  const network = page
    .getByRole('region', { name: 'Getting ready' })
    .getByRole('listitem')
    .filter({ hasText: 'Let other devices connect' });
  await expect(network).toHaveAttribute('data-done', 'true');
  await page.getByRole('link', { name: 'Settings' }).click();
  await page.getByRole('tab', { name: 'Network' }).click();
  await page.getByRole('switch', { name: 'Network mode' }).click();
  const asked = page.getByRole('dialog', { name: 'Turn network mode off' });
  await expect(asked).toContainText('No kiosk reports now.');
  await expect(page.getByRole('switch', { name: 'Network mode' })).toBeChecked();
  await button(asked, 'Turn off').click();
  await expect(page.getByRole('switch', { name: 'Network mode' })).not.toBeChecked();
  await page.getByRole('link', { name: 'Door' }).click();
  await network.getByRole('link', { name: 'Open network' }).click();
  await expect(page.getByRole('tab', { name: 'Network' })).toHaveAttribute('aria-selected', 'true');
});

test('an owner who left the first kiosk’s dialog pairs that kiosk later, not a second one', async ({
  page,
  context,
}) => {
  await introduce(page);
  await button(page, 'Create').click();
  await button(firstKiosk(page), 'Done').click();
  // The page's main button; there is no kiosk that could start a walk-up.
  await button(page.getByRole('main'), 'Pair a kiosk').first().click();
  const here = firstKiosk(page).getByRole('link', { name: 'Use this computer' });
  const kiosk = await context.newPage();
  await installScriptedCamera(kiosk, clips);
  await kiosk.goto((await here.getAttribute('href')) ?? '');
  await expect(kioskScreen(kiosk, 'attract')).toBeVisible();
  await button(firstKiosk(page), 'Done').click();
  const kiosks = page.getByRole('region', { name: 'Kiosks' });
  await expect(kiosks.getByRole('listitem')).toHaveCount(1);
  await expect(kiosks).toContainText('Ready');
  await expect(button(page, 'Start a walk-up')).toBeEnabled();
});
