/** The API reference at /docs: complete, local, accessible, and usable with test keys. */
import { expect, type Page } from '@playwright/test';
import type { OpenApiDocument } from '../../renderer/apps/docs/reference/openapi.ts';
import { readReference } from '../../renderer/apps/docs/reference/reference.ts';
import { expectAccessible, expectAccessibleInBothThemes } from '../support/pages/accessible.ts';
import { watchForeignRequests } from '../support/pages/hosted-page.ts';
import { sendOk } from '../support/http.ts';
import type { Gatehouse } from '../support/service/server.ts';
import { test, withOwnCompany } from '../support/service/shared-server.ts';

let gatehouse: Gatehouse;
test.beforeAll(async ({ gatehouse: shared }) => {
  gatehouse = await withOwnCompany(shared);
});

const operation = (page: Page, id: string) => page.locator(`[data-operation="${id}"]`);
const readDocument = () => sendOk<OpenApiDocument>(`${gatehouse.baseUrl}/openapi.json`);

async function open(page: Page): Promise<void> {
  await page.goto(`${gatehouse.baseUrl}/docs`);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
}

/** Opens the form of an operation, by keyboard, and fills in the key. */
async function tryOut(page: Page, id: string, key: string) {
  const section = operation(page, id);
  await section.locator('summary').press('Enter');
  await section.getByLabel('Test key').fill(key);
  return {
    section,
    send: () => section.getByRole('button', { name: 'Send' }).press('Enter'),
    status: section.locator('.result__status'),
    answer: async () => JSON.parse(await section.locator('.result__body').innerText()) as unknown,
  };
}

/** Text without its code marks and line breaks. */
const shown = (text: string) => text.replace(/[`\s]/g, '');

test('a form that does not load leaves the reference readable, and says so', async ({ page }) => {
  await page.route('**/TrialForm-*.js', (route) => route.fulfill({ status: 404 }));
  await open(page);
  const section = operation(page, 'testKey');
  await section.locator('summary').press('Enter');
  await expect(section.getByText('This form could not be loaded.')).toBeVisible();
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
});

test('the page shows every operation, field, code and reason of the document with its description', async ({
  page,
}) => {
  const foreign = await watchForeignRequests(page, gatehouse.baseUrl);
  const problems: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(message.text());
  });
  await open(page);
  const reference = readReference(await readDocument(), gatehouse.baseUrl);
  expect(reference.operations.length).toBeGreaterThan(0);
  await expect(page.locator('[data-operation]')).toHaveCount(reference.operations.length);
  for (const { id, path, method, request, response, errors } of reference.operations) {
    const section = operation(page, id);
    await expect(section.locator('.route')).toHaveText(`${method} ${path}`);
    await expect(page.locator(`nav a[href="#${id}"]`)).toBeVisible();
    const text = shown(await section.innerText());
    expect(text).toContain(shown(response.example));
    for (const { path: field, description } of [...(request?.fields ?? []), ...response.fields])
      expect(text, field).toContain(shown(description));
    const rows = await section.locator('.field-name').allTextContents();
    for (const { path: field } of [...(request?.fields ?? []), ...response.fields])
      expect(rows).toContain(field.replace(/^\[\]\./, ''));
    for (const { status, name, codes } of errors) {
      expect(text).toContain(shown(`${status}${name}`));
      for (const { code, meaning, action } of codes) expect(text).toContain(shown(code + meaning + action));
    }
  }
  const reasons = shown(await page.locator('#reasons').innerText());
  for (const { code, meaning } of reference.reasons) expect(reasons).toContain(shown(code + meaning));
  expect(foreign).toEqual([]);
  expect(problems).toEqual([]);
});

test('the guide is served as Markdown: `/llms.txt` and each page that it lists', async () => {
  const read = async (address: string) => {
    const reply = await fetch(gatehouse.baseUrl + address);
    return { status: reply.status, type: reply.headers.get('content-type'), text: await reply.text() };
  };
  const index = await read('/llms.txt');
  expect([index.status, index.type]).toEqual([200, 'text/plain; charset=utf-8']);
  const pages = [...index.text.matchAll(/\]\((\/docs\/[^)]+)\)/g)].map(([, address = '']) => address);
  expect(pages).toContain('/docs/reference.md');
  for (const address of pages) {
    const page = await read(address);
    expect([address, page.status, page.type]).toEqual([address, 200, 'text/markdown; charset=utf-8']);
    expect(page.text).toMatch(/^# /);
  }
  for (const unknown of ['/docs/unknown.md', '/docs/..%2fbuilt.md', '/docs/llms.txt'])
    expect((await read(unknown)).status, unknown).toBeGreaterThanOrEqual(400);
});

test('the page’s policy allows only this server', async () => {
  const reply = await fetch(`${gatehouse.baseUrl}/docs`);
  const policy = reply.headers.get('content-security-policy') ?? '';
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("frame-ancestors 'none'");
  expect(policy).not.toContain('unsafe');
});

test('a key, a run and a pass are tried out with a secret test key', async ({ page }) => {
  await open(page);
  const { company } = gatehouse;

  const keyTest = await tryOut(page, 'testKey', company.keys.sk_test);
  await keyTest.send();
  await expect(keyTest.status).toContainText(/200 OK\s*\d+ ms/);
  expect(await keyTest.answer()).toEqual({
    valid: true,
    key_type: 'sk_test',
    is_test: true,
    customer_id: company.company_id,
  });

  const run = await tryOut(page, 'initialize', company.keys.sk_test);
  await run.send();
  await expect(run.status).toContainText('200 OK');
  expect(await run.answer()).toMatchObject({ session_id: expect.any(String), invite_id: null });

  const pass = await tryOut(page, 'settleTestPass', company.keys.sk_test);
  await pass.section.getByLabel('Body (JSON)').fill('{"status":"denied","reasons":["collision"]}');
  await pass.send();
  await expect(pass.status).toContainText('200 OK');

  const confirmation = await tryOut(page, 'readConfirmation', company.keys.sk_test);
  await expect(confirmation.section.getByRole('textbox', { name: 'token' })).not.toHaveValue('');
  await confirmation.send();
  await expect(confirmation.status).toContainText('200 OK');
  expect(await confirmation.answer()).toMatchObject({
    verified: false,
    status: 'denied',
    reasons: ['collision'],
    is_test: true,
  });

  await confirmation.section.getByRole('textbox', { name: 'token' }).fill('nonsense');
  await confirmation.send();
  await expect(confirmation.status).toContainText('401 Unauthorized');
  expect(await confirmation.answer()).toEqual({ detail: 'invalid_confirmation_token' });
});

test('a live key is refused with a message, and nothing is sent', async ({ page }) => {
  const sent: string[] = [];
  page.on('request', (request) => sent.push(request.url()));
  await open(page);
  sent.length = 0;

  const keyTest = await tryOut(page, 'testKey', gatehouse.company.keys.sk_live);
  await keyTest.send();
  await expect(keyTest.section.getByRole('alert')).toContainText('live key');
  await expect(keyTest.section.getByLabel('Test key')).toBeFocused();

  const lookup = await tryOut(page, 'lookUpByIdentity', gatehouse.company.keys.sk_test);
  await lookup.section
    .getByLabel('Body (JSON)')
    .fill(JSON.stringify({ email: gatehouse.company.keys.sk_live }));
  await lookup.send();
  await expect(lookup.section.getByRole('alert')).toContainText('live key');
  expect(sent.filter((url) => url.includes('/v3/'))).toEqual([]);
});

test('the contents collapse on a phone, and nothing is wider than its screen', async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 640 });
  await open(page);
  const contents = page.getByRole('navigation', { name: 'Contents' });
  await expect(contents).toBeHidden();
  await page.getByRole('button', { name: 'Contents' }).click();
  await contents.getByRole('link', { name: 'Test a key' }).click();
  await expect(contents).toBeHidden();
  await expect(operation(page, 'testKey').getByRole('heading', { level: 2 })).toBeInViewport();
  const pass = await tryOut(page, 'settleTestPass', gatehouse.company.keys.sk_test);
  await pass.send();
  await expect(pass.status).toContainText('200 OK');
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
});

test('axe finds nothing on a computer and on a phone, forms and refusals included', async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 800 });
  await open(page);
  const { section, send } = await tryOut(page, 'testKey', 'sk_live_never');
  await send();
  await expect(section.getByRole('alert')).toBeVisible();
  const tried = await tryOut(page, 'settleTestPass', gatehouse.company.keys.sk_test);
  await tried.send();
  await expect(tried.status).toContainText('200 OK');
  await expectAccessibleInBothThemes(page);
  await page.setViewportSize({ width: 390, height: 844 });
  await expectAccessible(page);
});
