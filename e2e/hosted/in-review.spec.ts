/** The hosted page of a guest whose check waits for a reviewer: it learns the decision without a reload. */
import { expect, type Page } from '@playwright/test';
import type { InitializeRequest } from '../../server/contract/v3.ts';
import { send } from '../support/http.ts';
import { flowTokenOf, mainButton, returned, testOnOwnHost, VENUE } from '../support/pages/hosted-page.ts';
import { confirmation, initialize, openRun, runOf } from '../support/run.ts';
import { sendToReview, testRun } from '../support/reviews.ts';
import type { Gatehouse } from '../support/service/server.ts';
import { PHONE, withOwnCompany } from '../support/service/shared-server.ts';
import { limitMs } from '../../testing/tier.ts';

const test = testOnOwnHost(() => gatehouse.baseUrl);
test.use(PHONE);

const REDIRECT = { redirect_url: `${VENUE}/back` };
/** The command line is another process: its commit is noticed by the file system, or at the slow look. */
const LEARNS = { timeout: limitMs(5_000) };

let gatehouse: Gatehouse;
test.beforeAll(async ({ gatehouse: shared }) => {
  gatehouse = await withOwnCompany(shared);
  await sendToReview(gatehouse);
});

const key = () => gatehouse.company.keys.sk_test;
const heading = (page: Page, name: string) => page.getByRole('heading', { name });

/** A face that has passed returns with another account; its page shows that staff must look. */
async function waitOn(page: Page, face: string, request: InitializeRequest = {}): Promise<string> {
  await testRun(gatehouse, face, { external_id: `${face}-first` });
  const { url, session_id: id } = await initialize(gatehouse, key(), {
    external_id: `${face}-again`,
    ...request,
  });
  await page.goto(url);
  await mainButton(page).click();
  await page.locator('input[name="face"]').fill(face);
  await page.keyboard.press('Enter');
  await expect(heading(page, 'Being checked')).toBeVisible();
  return id;
}

/** A reviewer decides the newest case. */
async function decide(decision: string): Promise<void> {
  const list = ['reviews', 'list', '--company', gatehouse.company.company_id];
  const waiting = (await gatehouse.cli<{ case_id: string }[]>(list)).at(-1);
  const reason = 'Looked at both';
  await gatehouse.cli(['reviews', 'decide'], { case: waiting?.case_id ?? '', decision, reason });
}

test('an approval appears on the open page, and the guest returns with a result that confirms', async ({
  page,
}) => {
  await waitOn(page, 'alice', REDIRECT);
  await decide('different_people');
  await expect(heading(page, 'You’re verified')).toBeVisible(LEARNS);
  await mainButton(page).click();
  const { vyt, vyc } = await returned(page);
  expect(vyc).toBe('1');
  expect(await confirmation(gatehouse, key(), vyt)).toMatchObject({ verified: true });
});

test('a denial appears on the open page, and only its own device can read it', async ({ page }) => {
  const reading = flowTokenOf(page);
  const sessionId = await waitOn(page, 'bob');
  await decide('same_person');
  await expect(heading(page, 'Please see staff')).toBeVisible(LEARNS);

  const here = { sessionId, url: page.url(), flowToken: await reading };
  expect(await runOf(gatehouse, here).snapshot()).toMatchObject({ state: 'settled' });
  const { flowToken } = await openRun(gatehouse, key());
  const other = await runOf(gatehouse, { ...here, flowToken }).flow('');
  expect(other).toMatchObject({ status: 401, body: { detail: 'invalid_flow_token' } });
  const address = `${gatehouse.baseUrl}/flow/sessions/${sessionId}`;
  expect(await send(address)).toMatchObject({ status: 401, body: { detail: 'flow_token_required' } });
  expect(await send(`${address}/open`, { body: { device: 'mobile' } })).toMatchObject({
    status: 409,
    body: { detail: 'session_settled' },
  });
});

test('a reload keeps the place in review, and the decision still appears', async ({ page }) => {
  await waitOn(page, 'carol');
  await page.reload();
  await expect(heading(page, 'Being checked')).toBeVisible();
  await decide('different_people');
  await expect(heading(page, 'You’re verified')).toBeVisible(LEARNS);
});

test('an integrator decides on the page itself', async ({ page }) => {
  await waitOn(page, 'dora');
  await page.locator('[data-decision="approve"]').click();
  await expect(heading(page, 'You’re verified')).toBeVisible();
});
