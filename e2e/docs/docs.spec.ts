/** `/docs`: the guide and the reference are complete, local, accessible, and usable with test keys. */
import { expect, type Page } from '@playwright/test';
import type { OpenApiDocument } from '../../scripts/docs/reference/openapi.ts';
import { pathOf } from '../../scripts/docs/reference/pages.ts';
import { readReference } from '../../scripts/docs/reference/reference.ts';
import { expectAccessible, expectAccessibleInBothThemes } from '../support/pages/accessible.ts';
import { watchForeignRequests } from '../support/pages/hosted-page.ts';
import { sendOk } from '../support/http.ts';
import type { Gatehouse } from '../support/service/server.ts';
import { test, withOwnCompany } from '../support/service/shared-server.ts';

let gatehouse: Gatehouse;
test.beforeAll(async ({ gatehouse: shared }) => {
  gatehouse = await withOwnCompany(shared);
});

const open = (page: Page, name = '') =>
  page.goto(`${gatehouse.baseUrl}/docs${name === '' ? '' : `/${name}`}`);

/** Opens the form of an operation, by keyboard, and fills in the key. */
async function tryOut(page: Page, name: string, key?: string) {
  await open(page, name);
  await page.locator('.try summary').press('Enter');
  if (key !== undefined) await page.getByLabel('Test key').fill(key);
  return {
    send: () => page.getByRole('button', { name: 'Send' }).press('Enter'),
    status: page.locator('.result__status'),
    answer: async () => JSON.parse(await page.locator('.result__body').innerText()) as unknown,
  };
}

/** Text without its code marks and line breaks. */
const shown = (text: string) => text.replaceAll(/[`\s]/g, '');

/** What the browser complains about: the policy, a missing file, a script. */
function watchProblems(page: Page): string[] {
  const problems: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(message.text());
  });
  page.on('pageerror', (error) => problems.push(error.message));
  return problems;
}

test('each operation has a page with every field, code and meaning of the document, and no page needs another server', async ({
  page,
}) => {
  const foreign = await watchForeignRequests(page, gatehouse.baseUrl);
  const problems = watchProblems(page);
  const { operations } = readReference(await sendOk<OpenApiDocument>(`${gatehouse.baseUrl}/openapi.json`));
  expect(operations.length).toBeGreaterThan(0);
  for (const operation of operations) {
    await open(page, pathOf(operation));
    const text = shown(await page.locator('main').innerText());
    expect(text).toContain(shown(`${operation.method} ${operation.path}`));
    expect(text).toContain(shown(JSON.stringify(operation.response.example, null, 2)));
    for (const { path, description } of [
      ...(operation.request?.fields ?? []),
      ...operation.response.fields,
    ]) {
      expect(text).toContain(path);
      expect(text, path).toContain(shown(description));
    }
    for (const { status, name, codes } of operation.errors) {
      for (const { code, meaning, action } of codes)
        expect(text).toContain(shown(`${status} ${name}${code}${meaning} ${action}`));
    }
    await expect(page.locator('nav [aria-current="page"]')).toHaveText(new RegExp(operation.summary));
  }
  expect(foreign).toEqual([]);
  expect(problems).toEqual([]);
});

test('every page is there as Markdown and for people, under a policy that allows only this server', async () => {
  const read = async (address: string) => {
    const reply = await fetch(gatehouse.baseUrl + address);
    return {
      status: reply.status,
      type: reply.headers.get('content-type'),
      policy: reply.headers.get('content-security-policy') ?? '',
      text: await reply.text(),
    };
  };
  const index = await read('/llms.txt');
  expect([index.status, index.type]).toEqual([200, 'text/plain; charset=utf-8']);
  const pages = [...index.text.matchAll(/\]\((\/docs\/[^)]+)\)/g)].map(([, address = '']) => address);
  expect(pages).toContain('/docs/reference.md');
  for (const address of pages) {
    const page = await read(address);
    expect([address, page.status, page.type]).toEqual([address, 200, 'text/markdown; charset=utf-8']);
    expect(page.text).toMatch(/^# /);
    if (['/docs/reference.md', '/docs/first-result.md'].includes(address)) continue;
    const html = await read(address.replace(/\.md$/, ''));
    expect([address, html.status, html.type]).toEqual([address, 200, 'text/html; charset=utf-8']);
    expect(html.policy).toContain("default-src 'none'");
    expect(html.policy).toContain("frame-ancestors 'none'");
    expect(html.policy).not.toContain('unsafe');
  }
  for (const unknown of [
    '/docs/unknown',
    '/docs/unknown.md',
    '/docs/..%2fbuilt.md',
    '/docs/llms.txt',
    '/docs/index.html',
  ])
    expect((await read(unknown)).status, unknown).toBe(404);
});

test('the search finds a code by its words, by keyboard alone, and says how many it found', async ({
  page,
}) => {
  const problems = watchProblems(page);
  await open(page);
  await page.keyboard.press('/');
  await page.keyboard.type('token expired');
  const results = page.locator('#results a');
  await expect(results.first()).toBeVisible();
  await expect(page.getByRole('status').filter({ hasText: /\d+ results?/ })).toHaveCount(1);
  await page.keyboard.press('ArrowDown');
  await expect(results.first()).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(page.locator('#search')).toBeFocused();
  await expect(results.first()).toBeHidden();
  await page.locator('#search').fill('collision.action');
  await expect(results.filter({ hasText: 'Options of a verification' }).first()).toBeVisible();
  await results.filter({ hasText: 'Options of a verification' }).first().click();
  await expect(page.getByRole('heading', { level: 1, name: 'Options of a verification' })).toBeVisible();
  await page.locator('#search').fill('qqqqxyz');
  await expect(page.locator('#results')).toHaveText('Nothing found. Try another word.');
  expect(problems).toEqual([]);
});

test('a search whose texts do not load says so, and the page stays readable', async ({ page }) => {
  await page.route('**/sections.json', (route) => route.fulfill({ status: 404 }));
  await open(page);
  await page.locator('#search').fill('token');
  await expect(page.locator('#results')).toHaveText(/could not be loaded/);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
});

test('a key, a run and a pass are tried out with a secret test key, which the tab keeps', async ({
  page,
}) => {
  const { company } = gatehouse;
  const keyTest = await tryOut(page, 'v3/test-key', company.keys.sk_test);
  await keyTest.send();
  await expect(keyTest.status).toContainText(/200 OK · \d+ ms/);
  expect(await keyTest.answer()).toEqual({
    valid: true,
    key_type: 'sk_test',
    is_test: true,
    customer_id: company.company_id,
  });

  const run = await tryOut(page, 'v3/initialize');
  await run.send();
  await expect(run.status).toContainText('200 OK');
  expect(await run.answer()).toMatchObject({ session_id: expect.any(String), invite_id: null });
  await expect(page.getByRole('link', { name: 'Open the hosted page' })).toBeVisible();

  const pass = await tryOut(page, 'v3/settle-test-pass');
  await page.getByLabel('Body (JSON)').fill('{"status":"denied","reasons":["collision"]}');
  await pass.send();
  await expect(pass.status).toContainText('200 OK');

  const confirmation = await tryOut(page, 'v3/read-confirmation');
  await expect(page.getByRole('textbox', { name: 'token' })).not.toHaveValue('');
  await confirmation.send();
  await expect(confirmation.status).toContainText('200 OK');
  expect(await confirmation.answer()).toMatchObject({
    verified: false,
    reasons: ['collision'],
    is_test: true,
  });
  await page.getByRole('textbox', { name: 'token' }).fill('nonsense');
  await confirmation.send();
  await expect(confirmation.status).toContainText('401 Unauthorized');
  expect(await confirmation.answer()).toEqual({ detail: 'invalid_confirmation_token' });

  const otherTab = await page.context().newPage();
  await tryOut(otherTab, 'v3/initialize');
  await expect(otherTab.getByLabel('Test key')).toHaveValue('');
  expect(await otherTab.evaluate(() => localStorage.length)).toBe(0);
});

test('a live key is refused with a message, is not kept, and nothing is sent', async ({ page }) => {
  const sent: string[] = [];
  page.on('request', (request) => sent.push(new URL(request.url()).pathname));
  const keyTest = await tryOut(page, 'v3/test-key', gatehouse.company.keys.sk_live);
  await keyTest.send();
  await expect(page.getByRole('alert').filter({ hasText: 'live key' })).toBeVisible();
  await expect(page.getByLabel('Test key')).toBeFocused();
  await tryOut(page, 'v3/initialize');
  await expect(page.getByLabel('Test key')).toHaveValue('');

  const lookup = await tryOut(page, 'v3/look-up-by-identity', gatehouse.company.keys.sk_test);
  await page.getByLabel('Body (JSON)').fill(JSON.stringify({ email: gatehouse.company.keys.sk_live }));
  await lookup.send();
  await expect(page.getByRole('alert').filter({ hasText: 'live key' })).toBeVisible();
  expect(sent.filter((path) => path.startsWith('/v3/'))).toEqual([]);
});

test('a language that is chosen once stays chosen, and code names this server', async ({ page }) => {
  await open(page, 'v3/initialize');
  const code = page.locator('.sample--group pre:visible');
  await expect(code).toContainText(`curl -sS "${gatehouse.baseUrl}/v3/initialize"`);
  await page.locator('label', { hasText: 'Python' }).click();
  await expect(code).toContainText('urllib');
  await open(page, 'v1/register-user');
  await expect(code).toContainText('urllib');
  await page.getByRole('radio', { name: 'Python' }).focus();
  await page.keyboard.press('ArrowRight');
  await expect(code).toContainText('<?php');
});

test('an address of the former reference leads to the page of its operation', async ({ page }) => {
  await page.goto(`${gatehouse.baseUrl}/docs#readConfirmation`);
  await expect(page).toHaveURL(`${gatehouse.baseUrl}/docs/v3/read-confirmation`);
});

test('nothing moves while a page loads, and its text can be read without a script', async ({
  page,
  browser,
}) => {
  await page.addInitScript(() => {
    const shifts: number[] = [];
    Object.assign(window, { shifts });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) shifts.push((entry as unknown as { value: number }).value);
    }).observe({ type: 'layout-shift', buffered: true });
  });
  for (const name of ['', 'v3/initialize', 'errors']) {
    await open(page, name);
    await page.waitForLoadState('networkidle');
    const sum = await page.evaluate(() =>
      (window as unknown as { shifts: number[] }).shifts.reduce((a, b) => a + b, 0),
    );
    expect(sum, name).toBeLessThan(0.01);
  }
  const context = await browser.newContext({ javaScriptEnabled: false });
  const plain = await context.newPage();
  await open(plain, 'v3/initialize');
  await expect(plain.getByRole('heading', { level: 1, name: 'Start a run' })).toBeVisible();
  await plain.locator('label', { hasText: 'Go' }).last().click();
  await expect(plain.locator('.sample--group pre:visible')).toContainText('package main');
  await context.close();
});

test('the contents collapse on a phone, nothing is wider than its screen, and tables use all of it', async ({
  page,
}) => {
  await page.setViewportSize({ width: 320, height: 640 });
  await open(page);
  const contents = page.getByRole('navigation', { name: 'Contents' });
  await expect(contents).toBeHidden();
  await page.getByRole('button', { name: 'Contents' }).click();
  await contents.getByRole('link', { name: 'Test a key' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Test a key' })).toBeVisible();
  await expect(contents).toBeHidden();
  for (const name of ['', 'v3/initialize', 'v1/events', 'errors', 'options', 'changelog']) {
    await open(page, name);
    expect(await page.evaluate(() => document.documentElement.scrollWidth), name).toBe(320);
    const narrow = await page
      .locator('tbody td:visible')
      .evaluateAll(
        (cells) => cells.filter((cell) => cell.clientWidth < cell.parentElement!.clientWidth).length,
      );
    expect(narrow, name).toBe(0);
  }
});

test('axe finds nothing on a computer and on a phone, forms, refusals and results of a search included', async ({
  page,
}) => {
  await page.setViewportSize({ width: 1280, height: 800 });
  const { send } = await tryOut(page, 'v3/settle-test-pass', 'sk_live_never');
  await send();
  await expect(page.getByRole('alert').filter({ hasText: 'live key' })).toBeVisible();
  await expectAccessibleInBothThemes(page);
  await open(page, 'receive-webhooks');
  await page.locator('#search').fill('signature');
  await expect(page.locator('#results a').first()).toBeVisible();
  await expectAccessibleInBothThemes(page);
  await page.setViewportSize({ width: 390, height: 844 });
  for (const name of ['', 'v3/initialize', 'options']) {
    await open(page, name);
    await expectAccessible(page);
  }
});
