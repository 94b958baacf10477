/** The browser SDK in pages where a check cannot start, or starts twice: it always settles, with a reason (decisions §6). */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, type Page } from '@playwright/test';
import type * as Codes from '../sdk/node/codes.ts';
import { V3_CODE_OPERATIONS } from '../server/contract/v3-codes.ts';
import { passWithTestFace, settled, type Shop, start } from './support/pages/sdk-page.ts';
import type { Gatehouse } from './support/service/server.ts';
import { test, withOwnCompany } from './support/service/shared-server.ts';
import { serveSite, type Site } from './support/site.ts';
import { limitMs } from '../testing/tier.ts';

let gatehouse: Gatehouse;
let shop: Site;
let isolated: Site;
let strict: Site;
/** Starts the check of `?session=…` at once, and keeps what became of it. */
let script: string;

test.beforeAll(async ({ gatehouse: shared }) => {
  gatehouse = await withOwnCompany(shared);
  script = `<script src="${gatehouse.baseUrl}/sdk/gatehouse.iife.js"></script><script>
    window.start = (options) => {
      window.settled = null;
      window.check = Gatehouse.vycheck({ mode: 'iframe', ...options });
      window.check.then(
        (result) => { window.settled = { result }; },
        ({ name, code, detail }) => { window.settled = { name, code, detail }; },
      );
    };
    const session = new URL(location.href).searchParams.get('session');
    if (session !== null) start({ session });
  </script>`;
  shop = await serveSite({
    '/head': `<html><head>${script}</head><body>Shop</body></html>`,
    '/body': `<body>Shop${script}</body>`,
    '/sandbox': '<body><iframe sandbox="allow-scripts" style="width:600px;height:600px"></iframe></body>',
  });
  isolated = await serveSite(
    {
      '/': `<body>Shop<div id="place"></div>${script.replaceAll('<script src', '<script crossorigin src')}</body>`,
    },
    { 'cross-origin-embedder-policy': 'require-corp' },
  );
  strict = await serveSite(
    { '/': `<body>Shop${script}</body>` },
    { 'content-security-policy': "frame-src 'self'" },
  );
});
test.afterAll(async () => {
  for (const site of [shop, isolated, strict]) await site.stop();
});

test('a script in the head, before there is a body, is rejected with a reason', async ({ page }) => {
  await page.goto(`${shop.origin}/head?session=${await newSession('sk_test')}`);
  await expect.poll(() => settled(page)).toMatchObject({ name: 'GatehouseError', code: 'setup' });
  await start(page, { session: 'vs_1' });
  await expect(page.locator('dialog iframe')).toBeVisible();
});

for (const display of ['drawer', 'inline'] as const) {
  test(`a page with Cross-Origin-Embedder-Policy, ${display}: rejected, and the view is gone`, async ({
    page,
  }) => {
    await page.goto(isolated.origin);
    const session = await newSession('sk_test');
    await start(page, { session, display, container: '#place' });
    await expect
      .poll(() => settled(page), { timeout: limitMs(2_500) })
      .toMatchObject({ code: 'blocked', detail: gatehouse.baseUrl });
    await expect(page.locator('iframe')).toHaveCount(0);
    expect(await page.evaluate(() => document.documentElement.style.overflow)).toBe('');
  });
}

test('a page whose content policy allows no frame of ours: rejected', async ({ page }) => {
  await page.goto(`${strict.origin}/?session=${await newSession('sk_test')}`);
  await expect.poll(() => settled(page), { timeout: limitMs(2_500) }).toMatchObject({ code: 'blocked' });
});

test('a file: a test session and a test key show the check and get its result', async ({ page }, {
  outputDir,
}) => {
  await openFile(page, outputDir);
  const given = { session: await newSession('sk_test') };
  const made = { publishableKey: gatehouse.company.keys.pk_test };
  for (const [at, options] of [given, made].entries()) {
    await start(page, options);
    await passWithTestFace(page.frameLocator('dialog iframe'), `from-a-file-${at}`);
    await expect.poll(() => settled(page)).toMatchObject({ result: { verified: true, vyc: '1' } });
    await page.evaluate(() => (window as unknown as Shop).check.close());
  }
});

test('a file: a live session is refused, says so, and offers a tab of its own', async ({ page }, {
  outputDir,
}) => {
  await openFile(page, outputDir);
  await start(page, { session: await newSession('sk_live') });
  await expect.poll(() => settled(page)).toMatchObject({ code: 'refused', detail: 'embedding_not_allowed' });
  await expect(
    page.frameLocator('dialog iframe').getByRole('link', { name: 'Open the check' }),
  ).toBeVisible();
  await page.getByRole('button', { name: 'Close' }).click();
  await expect(page.locator('dialog')).toHaveCount(0);
});

test('a sandboxed frame, whose scripts ours cannot load into: rejected', async ({ page }) => {
  await page.goto(`${shop.origin}/sandbox`);
  await page.locator('iframe').evaluate((frame: HTMLIFrameElement, html) => (frame.srcdoc = html), script);
  const inner = () => page.frames()[1]!;
  const body = page.frameLocator('iframe').locator('body');
  await expect.poll(() => body.evaluate(() => 'start' in window)).toBe(true);
  await start(inner(), { session: await newSession('sk_test') });
  await expect
    .poll(() => settled(inner()), { timeout: limitMs(2_500) })
    .toMatchObject({ name: 'GatehouseError' });
  await start(inner(), { publishableKey: 'pk_live_x' });
  await expect.poll(() => settled(inner())).toMatchObject({ code: 'setup' });
});

test('a second vycheck returns the open one; after it closes, or the page removes it, a new one starts', async ({
  page,
}) => {
  await page.goto(`${shop.origin}/body`);
  const session = await newSession('sk_test');
  const seen = await page.evaluate(async (id) => {
    const { Gatehouse: sdk } = window as unknown as Shop;
    const start = () => sdk.vycheck({ session: id, mode: 'iframe', display: 'inline', container: 'body' });
    const frames = () => document.querySelectorAll('iframe').length;
    const first = start();
    await Promise.resolve();
    const same = [start() === first, sdk.vycheck({ session: 'vs_2' }) === first, frames()];
    first.close();
    const second = start();
    await new Promise((resolve) => setTimeout(resolve, 50));
    const afterClosing = [second === first, frames()];
    document.querySelector('iframe')?.remove();
    const third = start();
    await new Promise((resolve) => setTimeout(resolve, 50));
    return { same, afterClosing, removed: (await second).token, afterRemoving: [third === second, frames()] };
  }, session);
  expect(seen).toEqual({
    same: [true, true, 1],
    afterClosing: [false, 1],
    removed: null,
    afterRemoving: [false, 1],
  });
});

async function openFile(page: Page, folder: string): Promise<void> {
  const file = path.join(folder, '..', `sdk-page-${test.info().workerIndex}-${Date.now()}.html`);
  await writeFile(file, `<!doctype html><body>Shop${script}</body>`);
  await page.goto(pathToFileURL(file).href);
}

async function newSession(key: keyof Gatehouse['company']['keys']): Promise<string> {
  const reply = await fetch(`${gatehouse.baseUrl}/v3/initialize`, {
    method: 'POST',
    headers: { authorization: `Bearer ${gatehouse.company.keys[key]}`, 'content-type': 'application/json' },
    body: '{}',
  });
  return ((await reply.json()) as { session_id: string }).session_id;
}

test('a shop’s page checks a humans-only code with the event’s key alone, and accepts it once', async ({
  page,
}) => {
  await page.goto(`${shop.origin}/body`);
  const module = `import { verifyCode } from '${gatehouse.baseUrl}/sdk/codes.js'; window.verifyCode = verifyCode;`;
  await page.addScriptTag({ type: 'module', content: module });
  await page.waitForFunction(() => 'verifyCode' in window);
  const { code, expires_at: end } = V3_CODE_OPERATIONS.makeCode.reply;
  const { public_key: key } = V3_CODE_OPERATIONS.listCodeKeys.reply.items[0];
  const nowMs = Date.parse(end) - 1;
  const outcomes = await page.evaluate(
    async (given) => {
      const { verifyCode } = window as unknown as typeof Codes;
      const used = new Set<string>();
      const use = (serial: string) => !used.has(serial) && used.add(serial).size > 0;
      const said: string[] = [];
      for (const scanned of [given.code, given.code, given.code.replace('hc_A', 'hc_B')]) {
        const check = await verifyCode(scanned, given.key, { use, nowMs: given.nowMs });
        said.push(check.valid ? check.serial : check.reason);
      }
      return said;
    },
    { code, key, nowMs },
  );
  expect(outcomes).toEqual(['000102030405060708090a0b0c0d0e0f', 'used', 'malformed']);
});
