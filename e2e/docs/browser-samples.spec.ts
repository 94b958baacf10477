/**
 * The published samples for the browser: the code of each row of a table is run as it stands there, on an organiser's page whose
 * only change is the address that the SDK is imported from.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, type Page } from '@playwright/test';
import type * as Sdk from '../../renderer/apps/sdk/gatehouse.d.ts';
import { PROJECT_ROOT } from '../../scripts/assets/paths.ts';
import { EMBEDDING_PAGE, heardBy, openFrame } from '../support/pages/embedding-page.ts';
import { passWithTestFace, settled } from '../support/pages/sdk-page.ts';
import { confirmation, initialize } from '../support/run.ts';
import type { Gatehouse } from '../support/service/server.ts';
import { test, withOwnCompany } from '../support/service/shared-server.ts';
import { serveSite, type Site } from '../support/site.ts';

let gatehouse: Gatehouse;
let shop: Site;

type Settled = { result?: Sdk.CheckResult; code?: string; detail?: string };
type Shop = {
  /** Runs the statements of a sample, and keeps what its last one became. */
  start: (statements: readonly string[], names: Record<string, string>) => void;
  settled: Settled | null;
  heard: unknown[][];
};

test.beforeAll(async ({ gatehouse: shared }) => {
  gatehouse = await withOwnCompany(shared);
  const page = `<body>Shop<div id="place"></div><script type="module">
    import { init, vycheck, vyget } from '${gatehouse.baseUrl}/sdk/gatehouse.js';
    window.heard = [];
    window.settled = null;
    window.start = (statements, names) => {
      const scope = { init, vycheck, vyget, ...names };
      for (const name of ['onComplete', 'onClose']) scope[name] = (...given) => heard.push([name, ...given]);
      const AsyncFunction = (async () => {}).constructor;
      const code = [...statements.slice(0, -1), 'return ' + statements.at(-1)].join(';');
      new AsyncFunction(...Object.keys(scope), code)(...Object.values(scope)).then(
        (result) => { window.settled = { result }; },
        ({ code, detail }) => { window.settled = { code, detail }; },
      );
    };
  </script>`;
  shop = await serveSite({ '/cart': page, '/done': page, '/frame': EMBEDDING_PAGE });
});
test.afterAll(() => shop.stop());

const NOTHING: Sdk.CheckResult = { token: null, vyt: null, verified: false, vyc: null };

async function openShop(page: Page, address = '/cart'): Promise<void> {
  await page.goto(shop.origin + address);
  await page.waitForFunction(() => 'start' in window);
}

/** @param sample the cell of the table */
async function start(page: Page, sample: string, names: Record<string, string> = {}): Promise<void> {
  const statements = [...sample.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code);
  const { session_id: session } = await initialize(gatehouse, gatehouse.company.keys.sk_test);
  await page.evaluate(([code, known]) => (window as unknown as Shop).start(code, known), [
    statements,
    { session, publishableKey: gatehouse.company.keys.pk_test, ...names },
  ] as const);
}

/** Opens the shop, and runs the sample there. */
async function visit(page: Page, sample: string, names?: Record<string, string>): Promise<void> {
  await openShop(page);
  await start(page, sample, names);
}

async function expectVerified(result: Sdk.CheckResult | undefined): Promise<void> {
  expect(result).toEqual({ token: expect.any(String), vyt: result?.token, verified: true, vyc: '1' });
  const { keys } = gatehouse.company;
  expect(await confirmation(gatehouse, keys.sk_test, result?.token ?? '')).toMatchObject({ verified: true });
}

/** Passes on the page of the check, and returns by its link. */
async function passAndReturn(page: Page, face: string): Promise<void> {
  await page.waitForURL(`${gatehouse.baseUrl}/verification?*`);
  await passWithTestFace(page.mainFrame(), face);
  await page.getByRole('link', { name: `Back to ${new URL(shop.origin).host}` }).click();
  await page.waitForURL(`${shop.origin}/*`);
  await page.waitForFunction(() => 'start' in window);
}

async function resultOf(page: Page): Promise<Sdk.CheckResult | undefined> {
  await expect.poll(() => settled(page)).not.toBeNull();
  return (await settled(page))?.result;
}

const drawerOf = (page: Page) => page.frameLocator('dialog iframe');
const TOKEN = 'a-token';

type Row = { sample: string; differs: string; run: (page: Page, sample: string) => Promise<void> };

/** In the order of the page. */
const ROWS: readonly Row[] = [
  {
    sample: '`init({ publishableKey })`, `vycheck()`',
    differs: 'the same; without `returnPath` the guest comes back to the current path instead of `/`',
    async run(page, sample) {
      await visit(page, sample);
      await passAndReturn(page, 'redirected');
      const { pathname, searchParams } = new URL(page.url());
      expect([pathname, searchParams.get('vyc')]).toEqual(['/cart', '1']);
      await start(page, '`vyget()`');
      await expectVerified(await resultOf(page));
    },
  },
  {
    sample: '`vycheck({ publishableKey, origin, returnPath: "/done" })`',
    differs: 'the same; a live key may only name an `origin` that a verification has saved',
    async run(page, sample) {
      await visit(page, sample, { publishableKey: gatehouse.company.keys.pk_live, origin: shop.origin });
      expect(await resultOf(page)).toBeUndefined();
      expect(await settled(page)).toEqual({ code: 'refused', detail: 'no_matching_verification' });
      await visit(page, sample, { origin: shop.origin });
      await passAndReturn(page, 'done');
      expect(new URL(page.url()).pathname).toBe('/done');
    },
  },
  {
    sample: '`vyget()`',
    differs:
      'the same, with `vyt` beside `token`; the result leaves the address of the page and is remembered',
    async run(page, sample) {
      await openShop(page, `/cart?vyt=${TOKEN}&ref=mail&vyc=1`);
      for (const result of [1, 2]) {
        await start(page, sample);
        expect(await resultOf(page), `call ${result}`).toEqual({
          ...{ token: TOKEN, vyt: TOKEN, verified: true, vyc: '1' },
        });
        expect(page.url()).toBe(`${shop.origin}/cart?ref=mail`);
      }
    },
  },
  {
    sample: '`vyget()` on a page without a result',
    differs: 'the same: an object of nulls',
    async run(page, sample) {
      await visit(page, sample);
      expect(await resultOf(page)).toEqual(NOTHING);
    },
  },
  {
    sample: '`init({ publishableKey })`, `await vycheck()` after the return',
    differs: 'call `vyget()` for the result: `vycheck` starts another check',
    async run(page, sample) {
      await openShop(page, `/cart?vyt=${TOKEN}&vyc=1`);
      await start(page, sample);
      await page.waitForURL(`${gatehouse.baseUrl}/verification?*`);
    },
  },
  {
    sample: '`init({ publishableKey, connectBase, appBase })`, `vycheck({ mode: "iframe" })`',
    differs: 'the two addresses are ignored: everything is at the address of your Gatehouse',
    async run(page, sample) {
      const elsewhere = 'https://original.example';
      const asked: string[] = [];
      page.on('request', (request) => asked.push(new URL(request.url()).origin));
      await visit(page, sample, { connectBase: elsewhere, appBase: elsewhere });
      await expect(drawerOf(page).getByRole('heading', { level: 1 })).toBeVisible();
      expect([...new Set(asked)].toSorted()).toEqual([gatehouse.baseUrl, shop.origin].toSorted());
    },
  },
  {
    sample: '`vycheck({ publishableKey, mode: "iframe", externalTracker: "spring" })`',
    differs: 'the option is ignored, as `external_tracker` is',
    async run(page, sample) {
      const sent: (string | null)[] = [];
      page.on('request', (request) => {
        if (request.method() === 'POST' && request.url().endsWith('/v3/initialize'))
          sent.push(request.postData());
      });
      await visit(page, sample);
      await expect(drawerOf(page).getByRole('heading', { level: 1 })).toBeVisible();
      expect(sent).toEqual([JSON.stringify({ origin: shop.origin })]);
    },
  },
  {
    sample: '`vycheck({ session, mode: "iframe" })`',
    differs: 'the same: a drawer, and a promise of the result',
    async run(page, sample) {
      await visit(page, sample);
      await passWithTestFace(drawerOf(page), 'drawer');
      await expectVerified(await resultOf(page));
    },
  },
  {
    sample:
      '`vycheck({ session, mode: "iframe", display: "inline", container: "#place", inlineHeight: "auto" })`',
    differs: 'the same: a part of the page',
    async run(page, sample) {
      await visit(page, sample);
      await passWithTestFace(page.frameLocator('#place iframe'), 'inline');
      await expectVerified(await resultOf(page));
    },
  },
  {
    sample: '`vycheck({ session, mode: "iframe", onComplete, onClose })`',
    differs: 'the same: one of them is called, and a check that is closed resolves with nulls',
    async run(page, sample) {
      const heard = () => page.evaluate(() => (window as unknown as Shop).heard);
      await visit(page, sample);
      await drawerOf(page).getByRole('button', { name: 'Close the check' }).click();
      expect(await resultOf(page)).toEqual(NOTHING);
      expect(await heard()).toEqual([['onClose']]);
      await visit(page, sample);
      await passWithTestFace(drawerOf(page), 'callbacks');
      const result = await resultOf(page);
      expect(await heard()).toEqual([['onComplete', result]]);
    },
  },
  {
    sample: '`const check = vycheck({ session, mode: "iframe" })`, `check.close()`, `await check`',
    differs: 'the same: nulls, and the same session can be opened again',
    async run(page, sample) {
      const { session_id: session } = await initialize(gatehouse, gatehouse.company.keys.sk_test);
      await visit(page, sample, { session });
      expect(await resultOf(page)).toEqual(NOTHING);
      await expect(page.locator('dialog')).toHaveCount(0);
      await start(page, '`vycheck({ session, mode: "iframe" })`', { session });
      await passWithTestFace(drawerOf(page), 'again');
    },
  },
  {
    sample: '`vycheck({ publishableKey, mode: "iframe", config: { limit: { kind: "day" } } })`',
    differs: 'the same; with a live key it rejects with `config_requires_test_key`',
    async run(page, sample) {
      await visit(page, sample, { publishableKey: gatehouse.company.keys.pk_live });
      await expect.poll(() => settled(page)).toEqual({ code: 'refused', detail: 'config_requires_test_key' });
      await visit(page, sample);
      await passWithTestFace(drawerOf(page), 'configured');
      await expectVerified(await resultOf(page));
    },
  },
  {
    sample: '`vycheck({ session, mode: "popup" })`',
    differs: 'rejects with a `GatehouseError` whose `code` is `setup`',
    async run(page, sample) {
      await visit(page, sample);
      await expect.poll(() => settled(page)).toMatchObject({ code: 'setup' });
    },
  },
  {
    sample: 'a client of the messages, which adds `vy_embed=1` and `vy_origin` to the `url` of a session',
    differs: 'hears `vy:complete`, `vy:close` and `vy:resize` with their fields; it must ignore other types',
    async run(page) {
      const { url } = await initialize(gatehouse, gatehouse.company.keys.sk_test);
      await page.goto(`${shop.origin}/frame`);
      await openFrame(page, url);
      await page.frameLocator('iframe').getByRole('button', { name: 'Close the check' }).click();
      await expect.poll(() => heardBy(page)).toEqual([{ type: 'vy:close' }]);
      await openFrame(page, url);
      // The client closes the frame with the result, before anybody could see it.
      const frame = page.frameLocator('iframe');
      await frame.getByRole('button', { name: 'Use this computer’s camera' }).click();
      await frame.getByRole('button', { name: 'Agree and start' }).click();
      await frame.getByLabel('Another name').fill('messages');
      await frame.getByRole('button', { name: 'Use', exact: true }).click();
      const complete = { type: 'vy:complete', vyt: expect.any(String), vyc: '1', redirect_url: null };
      await expect.poll(() => heardBy(page)).toEqual([{ type: 'vy:close' }, complete]);
      const heights = await page.evaluate(() =>
        (window as unknown as { client: { heard: { type: string }[] } }).client.heard.filter(
          ({ type }) => type === 'vy:resize',
        ),
      );
      expect(heights.length).toBeGreaterThan(0);
    },
  },
];

test('the table of the browser SDK lists the samples that are run, with their differences', () => {
  const file = path.join(PROJECT_ROOT, 'docs/reference/samples-of-the-original.md');
  const section = readFileSync(file, 'utf8').split('\n## The browser SDK\n')[1] ?? '';
  const rows = [...section.matchAll(/^\| (.+?) +\| (.+?) +\|$/gm)].map(([, sample, differs]) => [
    sample,
    differs,
  ]);
  expect(rows.slice(2)).toEqual(ROWS.map(({ sample, differs }) => [sample, differs]));
});

for (const { sample, differs, run } of ROWS) {
  test(`${sample}: ${differs}`, async ({ page }) => run(page, sample));
}
