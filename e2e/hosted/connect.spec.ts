/** v2 and v1 from an integration's view: a link, a person on the hosted page, a return, a status, a webhook. */
import { devices, expect, test, type Page } from '@playwright/test';
import { limitMs } from '../../testing/tier.ts';
import { WEBHOOK_TYPES } from '../../server/contract/webhook-types.ts';
import type { GetStatusResponse, RegisterResponse } from '../../server/contract/v1.ts';
import type { NewCompany } from '../../server/services/companies/companies.ts';
import { expectAccessible, expectAccessibleInBothThemes } from '../support/pages/accessible.ts';
import { HOUR_MS, testClock, type TestClock } from '../support/service/clock.ts';
import { call, create, status } from '../support/connect.ts';
import { deadEnd, mainButton, screen, VENUE, watchForeignRequests } from '../support/pages/hosted-page.ts';
import { type Gatehouse, startGatehouse } from '../support/service/server.ts';
import { newCompany } from '../support/venue.ts';
import {
  isSigned,
  startWebhookReceiver,
  webhookAdmin,
  type WebhookReceiver,
} from '../support/webhook-receiver.ts';

test.use({ ...devices['Pixel 7'] });

const START_MS = limitMs(30_000);
const PHONE = '+999011234567';
const OTHER_PHONE = '+999017654321';
/** Used nowhere else in this file: the person's own page lists every organiser who knows the number. */
const OWN_PHONE = '+999015550123';
const codeOf = (phone: string): string => phone.slice(-6);
const REDIRECT = `${VENUE}/back?step=2`;
/** The outbox is polled every few seconds. */
const DELIVERY = { timeout: limitMs(20_000) };

let gatehouse: Gatehouse;
let receiver: WebhookReceiver;
/** That signs the company's deliveries. */
let secret: string;
let clock: TestClock;
let company: NewCompany;
test.beforeAll(async () => {
  test.setTimeout(START_MS);
  clock = await testClock();
  receiver = await startWebhookReceiver();
  gatehouse = await startGatehouse({ env: { ...clock.env, GATEHOUSE_WEBHOOK_ALLOW_HOSTS: '127.0.0.1' } });
});
test.afterAll(async () => {
  await gatehouse.stop();
  await receiver.close();
  clock.remove();
});
// Each test has its own scope, so people from other tests are unknown here.
test.beforeEach(async ({ page }) => {
  company = await newCompany(gatehouse, 'Harbour Survey');
  await watchForeignRequests(page, gatehouse.baseUrl);
});

const key = () => company.keys.ak_test;

async function enterPhone(page: Page, phone: string): Promise<void> {
  await expect(screen(page, 'phone')).toBeVisible();
  await page.getByLabel('Mobile number').fill(phone);
  await page.getByLabel('Mobile number').press('Enter');
  await page.getByLabel('Code', { exact: true }).fill(codeOf(phone));
}

async function passAs(page: Page, face: string): Promise<void> {
  await expect(screen(page, 'testChoice')).toBeVisible();
  await page.locator(`[data-face="${face}"]`).click();
}

/** Through the consent and the phone, as from a landing link. */
async function land(page: Page, url: string, phone = PHONE): Promise<void> {
  await page.goto(url);
  await expect(screen(page, 'consent')).toBeVisible();
  await mainButton(page).click();
  await enterPhone(page, phone);
}

/** From the result to the address to which the person returned. */
async function goBack(page: Page): Promise<URLSearchParams> {
  await expect(screen(page, 'result')).toBeVisible();
  await mainButton(page).click();
  await page.waitForURL(`${VENUE}/**`);
  return new URL(page.url()).searchParams;
}

/** Sends all events of the company to the receiver. */
async function subscribe(): Promise<void> {
  for (const type of WEBHOOK_TYPES)
    ({ shared_secret: secret } = await webhookAdmin(gatehouse, key()).save(receiver.url, type));
}
type Event = { type: string; reference_user_id: string; user_id: string };
const deliveredOf = (reference: string) =>
  receiver.delivered
    .map((one) => ({ ...(JSON.parse(one.raw.toString()) as Event), signed: isSigned(one, secret) }))
    .filter(({ reference_user_id }) => reference_user_id === reference);

test('v2, landing link: phone, face, and back with a token that the backend reads as complete', async ({
  page,
}) => {
  const user = { external_id: 'landing-1' };
  const { verification_url: url } = await create(gatehouse, key(), { ...user, redirect: REDIRECT });
  expect(new URL(url).pathname).toBe('/connect');
  expect(await status(gatehouse, key(), user)).toEqual({ verification_complete: false, ...user });
  await land(page, url);
  await passAs(page, 'alice');
  const back = await goBack(page);
  expect([...back.keys()]).toEqual(['step', 'vy_token', 'vy_status']);
  expect(back.get('vy_status')).toBe('approved');
  const token = back.get('vy_token') ?? '';
  expect(await status(gatehouse, key(), { token })).toEqual({ verification_complete: true, ...user });
  expect(await status(gatehouse, key(), user)).toEqual({ verification_complete: true, ...user });
});

test('v2, direct link: no code, its proof leaves the address bar with the first act, and works once', async ({
  page,
  browser,
}) => {
  const sandbox = await call<{ phone_number: string }>(gatehouse, key(), '/v2/sandbox/phone-number');
  const { verification_url: url, external_id } = await create(gatehouse, key(), {
    redirect: REDIRECT,
    phone: sandbox.phone_number,
  });
  expect(new URL(url).pathname).toBe('/connect/direct');
  await page.goto(url);
  await expect(screen(page, 'consent')).toBeVisible();
  await page.reload();
  await mainButton(page).click();
  await expect(screen(page, 'testChoice')).toBeVisible();
  expect(new URL(page.url()).searchParams.has('t')).toBe(false);

  const elsewhere = await browser.newPage();
  await elsewhere.goto(url);
  await expect(deadEnd(elsewhere, 'link_used')).toBeVisible();
  await elsewhere.close();

  await passAs(page, 'bob');
  expect((await goBack(page)).get('vy_status')).toBe('approved');
  expect(await status(gatehouse, key(), { external_id })).toMatchObject({ verification_complete: true });
});

test('v2: a verified person joins another region without a capture', async ({ page }) => {
  const runIn = async (region: string) =>
    (await create(gatehouse, key(), { external_id: `in-${region}`, region, redirect: REDIRECT }))
      .verification_url;
  await land(page, await runIn('spring'));
  await passAs(page, 'alice');
  await goBack(page);

  await land(page, await runIn('autumn'));
  expect((await goBack(page)).get('vy_status')).toBe('approved');
  expect(await status(gatehouse, key(), { external_id: 'in-autumn' })).toMatchObject({
    verification_complete: true,
  });

  await test.step('a second account in that region is checked', async () => {
    const second = await create(gatehouse, key(), { external_id: 'second', region: 'autumn' });
    await land(page, second.verification_url);
    await expect(screen(page, 'testChoice')).toBeVisible();
  });
});

test('v2: a second account waits for a reviewer, and the denial reaches the receiver', async ({ page }) => {
  await subscribe();
  const accountOf = async (external_id: string) =>
    (await create(gatehouse, key(), { external_id, region: 'spring', redirect: REDIRECT })).verification_url;
  await land(page, await accountOf('first-account'));
  await passAs(page, 'alice');
  await goBack(page);
  await land(page, await accountOf('second-account'), OTHER_PHONE);
  await passAs(page, 'alice');
  await expect(page.getByRole('heading', { name: 'Being checked' })).toBeVisible();
  await expectAccessible(page);
  expect((await goBack(page)).get('vy_status')).toBe('pending');

  const list = ['reviews', 'list', '--company', company.company_id];
  const [waiting] = await gatehouse.cli<{ case_id: string; reasons: string[] }[]>(list);
  expect(waiting?.reasons).toEqual(['collision', 'duplicate_account']);
  const decision = { decision: 'same_person', reason: 'The same face twice' };
  await gatehouse.cli(['reviews', 'decide'], { case: waiting?.case_id ?? '', ...decision });
  await expect
    .poll(() => deliveredOf('second-account'), DELIVERY)
    .toMatchObject([{ type: 'USER_VERIFICATION_DENIED', signed: true }]);
  expect(deliveredOf('first-account')).toMatchObject([{ type: 'USER_VERIFICATION_COMPLETED', signed: true }]);
  expect(await status(gatehouse, key(), { external_id: 'second-account' })).toMatchObject({
    verification_complete: false,
  });
});

test.describe('v1', () => {
  const register = () =>
    call<RegisterResponse & { invite_url: string; user_id: string }>(
      gatehouse,
      key(),
      '/v1/business_connect_user/register',
      {
        reference_user_id: 'panel-7',
        redirect_url: REDIRECT,
        uniqueness_region_id: 'survey-1',
        data_request: [
          { type: 'GET_HUMANNESS_SCORE_AND_UNIQUE_HUMAN_ID' },
          { type: 'IS_PHONE_NUMBER_VERIFIED' },
        ],
      },
    );
  const getStatus = () =>
    call<GetStatusResponse>(gatehouse, key(), '/v1/business_connect_user/get_status', {
      reference_user_id: 'panel-7',
    });

  test('an invite, the results, and a person who ends the connection on their own page', async ({ page }) => {
    await subscribe();
    const { invite_url, user_id } = await register();
    expect(await getStatus()).toMatchObject({ has_connection: false, simple_data_request_response: [] });
    await land(page, invite_url, OWN_PHONE);
    await passAs(page, 'alice');
    expect([...(await goBack(page)).keys()]).toEqual(['step']);
    expect(await getStatus()).toMatchObject({
      has_connection: true,
      simple_data_request_response: [
        {
          type: 'GET_HUMANNESS_SCORE_AND_UNIQUE_HUMAN_ID',
          result: {
            humanness_score: 100,
            unique_human_id: expect.stringMatching(/^uh_[\w-]{43}$/),
          },
        },
        { type: 'IS_PHONE_NUMBER_VERIFIED', result: { is_phone_number_verified: true } },
      ],
    });

    await page.goto(`${gatehouse.baseUrl}/my`);
    await page.getByLabel('Mobile number').fill(OWN_PHONE);
    await page.getByLabel('Mobile number').press('Enter');
    await page.getByLabel('Code', { exact: true }).fill(codeOf(OWN_PHONE));
    const disconnect = page.getByRole('button', { name: 'Disconnect', exact: true });
    await disconnect.click();
    await expect(page.getByRole('heading', { name: 'Disconnect from Harbour Survey?' })).toBeVisible();
    await disconnect.click();
    await expect(page.locator('[data-said="disconnected"]')).toBeVisible();
    await expect
      .poll(() => deliveredOf('panel-7'), DELIVERY)
      .toMatchObject([
        { type: 'USER_VERIFICATION_COMPLETED', user_id, signed: true },
        { type: 'USER_VERIFICATION_REVOKED', user_id, signed: true },
      ]);
    expect(await getStatus()).toMatchObject({ has_connection: false });
  });

  test.describe('on a computer', () => {
    const { userAgent, viewport } = devices['Desktop Chrome'];
    test.use({ userAgent, viewport, isMobile: false, hasTouch: false });
    test('the invite shows a QR code', async ({ page }) => {
      await page.goto((await register()).invite_url);
      await expect(screen(page, 'desktop')).toBeVisible();
      await expect(page.getByRole('img', { name: 'Code to scan with your phone' })).toBeVisible();
    });
  });
});

test('the phone step explains test numbers; dead links say so, and everything is accessible', async ({
  page,
}) => {
  const { verification_url: url } = await create(gatehouse, key(), {});
  await page.goto(url);
  await expect(screen(page, 'consent')).toBeVisible();
  await mainButton(page).click();
  await expect(page.getByText('A test number, such as +99901 1234567.')).toBeVisible();
  await expectAccessibleInBothThemes(page);
  await page.getByLabel('Mobile number').fill(PHONE);
  await page.getByLabel('Mobile number').press('Enter');
  await expect(page.getByText('the code is the last six digits')).toBeVisible();
  await expectAccessibleInBothThemes(page);

  await page.goto(`${gatehouse.baseUrl}/connect?session_id=vs_nobody`);
  await expect(deadEnd(page, 'unknown')).toBeVisible();
  await expectAccessibleInBothThemes(page);
  const direct = await create(gatehouse, key(), { phone: PHONE });
  const asOther = { device: 'mobile', t: new URL(direct.verification_url).searchParams.get('t') };
  const id = new URL(direct.verification_url).searchParams.get('session_id') ?? '';
  const run = `${gatehouse.baseUrl}/flow/sessions/${id}`;
  const opened = await page.request.post(`${run}/open`, { data: asOther });
  const { flow_token } = (await opened.json()) as { flow_token: string };
  const consent = { headers: { 'X-Flow-Token': flow_token }, data: { accepted: true } };
  expect((await page.request.post(`${run}/consent`, consent)).ok()).toBe(true);
  await page.goto(direct.verification_url);
  await expect(deadEnd(page, 'link_used')).toBeVisible();
  await expectAccessibleInBothThemes(page);
});

test('an expired run is a dead link, and its integration is notified after a restart', async ({ page }) => {
  await subscribe();
  const { verification_url: url } = await create(gatehouse, key(), { external_id: 'late' });
  await clock.advance(24 * HOUR_MS);
  await page.goto(url);
  await expect(deadEnd(page, 'expired')).toBeVisible();
  await gatehouse.kill9();
  await gatehouse.restart();
  await expect
    .poll(() => deliveredOf('late'), DELIVERY)
    .toMatchObject([{ type: 'USER_VERIFICATION_DETERMINED_UNFULFILLABLE', signed: true }]);
});
