/** What a guest's phone shows from the consent to the way back, in every position and after a reload. */
import { expect, type Page } from '@playwright/test';
import { installScriptedCamera } from '../../testing/camera/browser/browser-camera.ts';
import { mainButton, screen, testOnOwnHost, VENUE } from '../support/pages/hosted-page.ts';
import { initialize } from '../support/run.ts';
import type { Gatehouse } from '../support/service/server.ts';
import { PHONE, withOwnCompany } from '../support/service/shared-server.ts';

const test = testOnOwnHost(() => gatehouse.baseUrl);
test.use(PHONE);

let gatehouse: Gatehouse;
test.beforeAll(async ({ gatehouse: shared }) => {
  gatehouse = await withOwnCompany(shared);
});

const testing = () => gatehouse.company.keys.sk_test;
const wayBack = (page: Page) => page.getByRole('link', { name: 'Back to venue.example' });

async function pass(page: Page, face: string): Promise<string> {
  const { url } = await initialize(gatehouse, testing(), { redirect_url: `${VENUE}/back` });
  await page.goto(url);
  await mainButton(page).click();
  await page.locator('input[name="face"]').fill(face);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'You’re verified' })).toBeVisible();
  await page.getByRole('button', { name: 'Stay here' }).click();
  return url;
}

test('a reload after a pass keeps the result and the way back; the link opened again does not', async ({
  page,
}) => {
  const url = await pass(page, 'reloader');
  const address = await wayBack(page).getAttribute('href');
  await page.reload();
  await expect(page.getByRole('heading', { name: 'You’re verified' })).toBeVisible();
  await expect(wayBack(page)).toHaveAttribute('href', address ?? '');
  await page.reload();
  await expect(wayBack(page)).toHaveAttribute('href', address ?? '');

  const other = await page.context().newPage();
  await other.goto(url);
  await expect(other.locator('[data-dead-end="settled"]')).toBeVisible();
  await other.close();
  await page.goto(url);
  await expect(page.locator('[data-dead-end="settled"]')).toBeVisible();
});

test('the consent says how long it takes and what for, and whom to ask where no number was given', async ({
  page,
}) => {
  const { url } = await initialize(gatehouse, gatehouse.company.keys.sk_live);
  await page.goto(url);
  await expect(page.getByText('It takes about ten seconds.')).toBeVisible();
  await expect(
    page.getByText('Test venue makes sure each guest is a real person and enters once.'),
  ).toBeVisible();
  await page.locator('summary').click();
  await expect(page.getByText('To see or erase your data, ask Test venue.')).toBeVisible();
  await expect(page.getByRole('link', { name: 'See or erase your data' })).toBeHidden();
});

test.describe('on its side', () => {
  test.use({ viewport: { width: 844, height: 390 } });

  test('each screen begins at its top, with the actions beside the text', async ({ page, clips }) => {
    await installScriptedCamera(page, clips);
    await page.goto((await initialize(gatehouse, gatehouse.company.keys.sk_live)).url);
    const agree = page.getByRole('button', { name: 'Agree and start' });
    await expect(agree).toBeInViewport({ ratio: 1 });
    await page.locator('summary').click();
    await page.mouse.wheel(0, 2_000);
    await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(0);
    // In sight also there.
    await expect(agree).toBeInViewport({ ratio: 1 });
    await agree.click();
    await expect(screen(page, 'capture')).toBeVisible();
    await expect.poll(() => page.evaluate(() => scrollY)).toBe(0);
    await expect(page.locator('.capture__instruction')).toBeInViewport({ ratio: 1 });
    await expect(page.locator('.capture__stage')).toBeInViewport({ ratio: 1 });
    await expect(page.getByRole('button', { name: 'Stop' })).toBeInViewport({ ratio: 1 });
  });
});
