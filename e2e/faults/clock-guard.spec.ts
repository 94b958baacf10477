/** A wrong clock deletes nothing: retention waits until an admin confirms the time (decisions §1.5). */
import { randomUUID } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from '@playwright/test';
import type { CleanUpSettings } from '../../server/contract/console/clean-up.ts';
import { openDatabase } from '../../server/data/folder.ts';
import { insertPerson } from '../../server/store/people/people.ts';
import { insertTemplate } from '../../server/store/matching/templates.ts';
import { limitMs, NIGHTLY } from '../../testing/tier.ts';
import { expectAccessible, expectAccessibleInBothThemes } from '../support/pages/accessible.ts';
import { HOUR_MS, testClock } from '../support/service/clock.ts';
import { newOperator, signIn, signInPage } from '../support/pages/console.ts';
import { send } from '../support/http.ts';
import { consentedRun, initialize } from '../support/run.ts';
import { type Gatehouse, startGatehouse } from '../support/service/server.ts';
import { sqliteOnly } from '../support/sqlite-only.ts';

/** Each test starts its server several times. */
sqliteOnly('It enrols and counts faces in the database file.');
test.describe.configure({ timeout: limitMs(60_000) });

const DAY_MS = 24 * HOUR_MS;
const FOUR_YEARS_MS = 4 * 365 * DAY_MS;

/** Faces of people who were last seen now. */
async function enrol({ dataDir, company }: Gatehouse, count: number): Promise<void> {
  const db = await openDatabase(dataDir);
  const scope = { companyId: company.company_id, partition: 'live' } as const;
  const at = Date.now();
  await db.tx(async (tx) => {
    for (let n = 0; n < count; n += 1) {
      const personId = randomUUID();
      await insertPerson(tx, scope, personId, at);
      const vector = Float32Array.of(1, 0, 0, 0, 0, 0, 0, 0);
      await insertTemplate(tx, scope, {
        personId,
        passId: randomUUID(),
        model: 'test-model',
        vector,
        quality: 1,
        at,
      });
    }
  });
  await db.close();
}

async function countFaces({ dataDir }: Gatehouse): Promise<number> {
  const db = await openDatabase(dataDir);
  const row = await db.one<{ n: number }>('SELECT COUNT(*) AS n FROM templates');
  await db.close();
  return row?.n ?? 0;
}

const readiness = async ({ baseUrl }: Gatehouse) => (await send(`${baseUrl}/readyz`)).body;
const PUT_OFF = { status: 'ready', engine: 'sqlite', details: ['retention_put_off'] };

test('a clock four years ahead erases no face until an admin confirms it, and nothing once it is corrected', async ({
  browser,
}) => {
  using clock = await testClock();
  await using gatehouse = await startGatehouse({ env: clock.env });
  await enrol(gatehouse, 5);
  await gatehouse.kill9();
  await clock.advance(FOUR_YEARS_MS);
  await gatehouse.restart();
  await expect.poll(() => readiness(gatehouse)).toEqual(PUT_OFF);
  expect(await countFaces(gatehouse)).toBe(5);
  expect(gatehouse.log()).toContain('"reason":"clock_ahead"');

  const reviewer = await signIn(gatehouse, 'reviewer');
  await newOperator(gatehouse, 'admin');
  const staff = await browser.newPage();
  await signInPage(staff, gatehouse, 'staff', '/account');
  await expect(staff.getByText('An admin needs to confirm it.')).toBeVisible();
  await expect(staff.getByRole('link', { name: 'Review', exact: true })).toHaveCount(0);
  expect((await reviewer.api('/settings/clean-up')).status).toBe(403);
  const body = { hold_id: 'any' };
  expect((await reviewer.api('/settings/clean-up/confirm', { body })).status).toBe(403);

  await clock.advance(-FOUR_YEARS_MS);
  await expect.poll(() => readiness(gatehouse)).toEqual({ status: 'ready', engine: 'sqlite' });
  expect(await countFaces(gatehouse)).toBe(5);

  await clock.advance(FOUR_YEARS_MS);
  await expect.poll(() => readiness(gatehouse)).toEqual(PUT_OFF);
  const page = await browser.newPage({ locale: 'en-GB' });
  await signInPage(page, gatehouse, 'admin', '/account');
  await page.getByRole('link', { name: 'Review', exact: true }).click();
  await expect(page.locator('.facts dd', { hasText: /^5 of 5$/ })).toBeVisible();
  await expectAccessibleInBothThemes(page);
  await page.setViewportSize({ width: 320, height: 720 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBe(0);
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.getByRole('button', { name: 'Confirm and clean up…' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText('Faces to be deleted: 5 of 5.');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Confirm and delete' }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByRole('heading', { name: 'Automatic clean-up on hold' })).toBeHidden();
  await staff.close();
  await page.close();
  expect(await countFaces(gatehouse)).toBe(0);
  expect(await readiness(gatehouse)).toEqual({ status: 'ready', engine: 'sqlite' });
  expect(await gatehouse.cli(['audit', 'verify'])).toMatchObject({ intact: true });
});

test('the command line deletes nothing until its user confirms the clock', async () => {
  using clock = await testClock();
  await using gatehouse = await startGatehouse({ env: clock.env });
  await enrol(gatehouse, 5);
  await clock.advance(FOUR_YEARS_MS);
  await expect.poll(() => readiness(gatehouse)).toEqual(PUT_OFF);
  await expect(gatehouse.cli(['retention', 'run'])).rejects.toThrow('Nothing was deleted');
  await gatehouse.kill9();
  const { removed } = await gatehouse.cli<{ removed: unknown }>(['retention', 'run', '--confirm-clock']);
  expect(removed).toMatchObject({ templates: 5 });
  expect(await gatehouse.cli(['audit', 'verify'])).toMatchObject({ intact: true });
});

test(
  'two admins confirm once, and an interruption after the backup is resumed',
  { tag: NIGHTLY },
  async () => {
    using clock = await testClock();
    await using gatehouse = await startGatehouse({ env: clock.env });
    const backups = async () =>
      (await readdir(path.join(gatehouse.dataDir, 'backups')).catch(() => [])).filter((name) =>
        /^before-clean-up-.*\.gatehouse-backup$/.test(name),
      );
    await enrol(gatehouse, 5);
    await clock.advance(FOUR_YEARS_MS);
    await expect.poll(() => readiness(gatehouse)).toEqual(PUT_OFF);
    const admins = await Promise.all([signIn(gatehouse, 'admin'), signIn(gatehouse, 'admin')]);
    const { hold } = await admins[0].ok<CleanUpSettings>('/settings/clean-up');
    const body = { hold_id: hold?.hold_id ?? '' };
    const replies = await Promise.all(
      admins.map((admin) => admin.api('/settings/clean-up/confirm', { body })),
    );
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    await expect.poll(backups).toHaveLength(1);
    await gatehouse.kill9();
    await gatehouse.restart();
    await expect.poll(() => countFaces(gatehouse)).toBe(0);
    await expect
      .poll(async () => (await admins[0].ok<CleanUpSettings>('/settings/clean-up')).hold)
      .toBeNull();
  },
);

test(
  'what has ended stays ended when the clock goes back, even over a restart',
  { tag: NIGHTLY },
  async () => {
    using clock = await testClock();
    await using gatehouse = await startGatehouse({ env: clock.env });
    const key = gatehouse.company.keys.sk_test;
    const run = await consentedRun(gatehouse, key);
    const settled = await run.flow('/test-capture', { face: 'alice' });
    const vyt = settled.body.result?.vyt ?? '';
    const { session_id: open } = await initialize(gatehouse, key);
    const token = async () => (await send(`${gatehouse.baseUrl}/v3/confirmations/${vyt}`, { key })).status;
    const session = async () =>
      (await send(`${gatehouse.baseUrl}/flow/sessions/${open}/open`, { body: { device: 'mobile' } })).status;
    expect(await token()).toBe(200);
    await clock.advance(25 * HOUR_MS);
    expect([await token(), await session()]).toEqual([410, 410]);
    await clock.advance(-25 * HOUR_MS);
    expect([await token(), await session()]).toEqual([410, 410]);
    // Stopped properly, so that the last seconds are saved as well.
    process.kill(gatehouse.pid, 'SIGTERM');
    await gatehouse.ended();
    await gatehouse.restart();
    expect([await token(), await session()]).toEqual([410, 410]);
    const after = await consentedRun(gatehouse, key);
    expect((await after.flow('/test-capture', { face: 'bob' })).body.result?.verified).toBe(true);
  },
);
