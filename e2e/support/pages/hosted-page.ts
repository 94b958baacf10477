/** The hosted page from a guest's view: opened by its link, led through its screens, returned to the organiser. */
import { expect, type Page } from '@playwright/test';
import { test } from '../service/shared-server.ts';

/** An address of the organiser that exists only in the test's browser. */
export const VENUE = 'https://venue.example';

/** Answers for the organiser's site, and records each address that was requested from any other server. */
export async function watchForeignRequests(page: Page, ownOrigin: string): Promise<string[]> {
  const foreign: string[] = [];
  page.on('request', (request) => {
    const url = request.url();
    const isOwn = /^(data|blob):/.test(url) || new URL(url).origin === ownOrigin;
    const isReturn = request.isNavigationRequest() && new URL(url).origin === VENUE;
    if (!isOwn && !isReturn) foreign.push(url);
  });
  await page.route(`${VENUE}/**`, (route) =>
    route.fulfill({
      contentType: 'text/html',
      body: '<!doctype html><link rel="icon" href="data:,">Welcome',
    }),
  );
  return foreign;
}

/** For every page of every test: no request goes to a foreign host. */
export const testOnOwnHost = (baseUrl: () => string) =>
  test.extend<{ onlyOwnHost: undefined }>({
    onlyOwnHost: [
      async ({ page }, use) => {
        const foreign = await watchForeignRequests(page, baseUrl());
        await use(undefined);
        expect(foreign).toEqual([]);
      },
      { auto: true },
    ],
  });

export const screen = (page: Page, name: string) => page.locator(`.page[data-state="${name}"]`);
export const mainButton = (page: Page) => page.locator('.button--main');
export const deadEnd = (page: Page, kind: string) => page.locator(`[data-dead-end="${kind}"]`);

/** From the consent to the camera; a test session has one more choice. */
export async function agree(page: Page, { isTest = false } = {}): Promise<void> {
  await expect(screen(page, 'consent')).toBeVisible();
  await mainButton(page).click();
  if (!isTest) return;
  await expect(screen(page, 'testChoice')).toBeVisible();
  await mainButton(page).click();
}

/** Result parameters of the address to which the person returned. */
export async function returned(page: Page): Promise<{ vyt: string; vyc: string; address: URL }> {
  await page.waitForURL(`${VENUE}/**`);
  const address = new URL(page.url());
  return {
    vyt: address.searchParams.get('vyt') ?? '',
    vyc: address.searchParams.get('vyc') ?? '',
    address,
  };
}

/** The flow token in the page's calls. Call it before the page opens its link. */
export async function flowTokenOf(page: Page): Promise<string> {
  const request = await page.waitForRequest((sent) => 'x-flow-token' in sent.headers());
  return request.headers()['x-flow-token'] ?? '';
}
