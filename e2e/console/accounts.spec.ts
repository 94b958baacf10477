/** Accounts in the console: the second factor from set-up to reset, and who must have one. */
import { expect, type Page } from '@playwright/test';
import type { ConsoleCompanies } from '../../server/contract/console/access.ts';
import type { AuditPage } from '../../server/contract/console/audit.ts';
import type { ConsoleErrorBody } from '../../server/contract/console/errors.ts';
import type { NewCompany } from '../../server/services/companies/companies.ts';
import { expectAccessible } from '../support/pages/accessible.ts';
import {
  apiOf,
  codeOf,
  enrol,
  newOperator,
  refusalOf,
  signIn,
  signInAs,
  signInPage,
} from '../support/pages/console.ts';
import { send } from '../support/http.ts';
import { type Gatehouse, startGatehouse } from '../support/service/server.ts';
import { test, withOwnCompany } from '../support/service/shared-server.ts';
import { limitMs } from '../../testing/tier.ts';

/** A server and two commands of the command line, on a machine under load. */
const START_MS = limitMs(75_000);

let gatehouse: Gatehouse;
/** Its console has an additional name, like one behind a proxy. */
let open: Gatehouse;
test.beforeAll(async ({ gatehouse: shared }) => {
  test.setTimeout(START_MS);
  gatehouse = await withOwnCompany(shared);
  open = await startGatehouse({ env: { GATEHOUSE_CONSOLE_NAMES: 'console.venue.example' } });
  // Otherwise the pages show the first start.
  for (const server of [gatehouse, open]) await newOperator(server, 'admin');
});
test.afterAll(async () => {
  await open.stop();
});

/** By keyboard alone. Returns a recovery code. */
async function setUpOnPage(page: Page, passphrase: string): Promise<string> {
  await expect(page.getByLabel('Current passphrase').last()).toBeFocused();
  await page.keyboard.type(passphrase);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('img', { name: 'QR code for your authenticator app' })).toBeVisible();
  await expect(page.getByLabel('Code from the app')).toBeFocused();
  await expectAccessible(page);
  const secret = await page.locator('.second-factor__secret code').innerText();
  await page.keyboard.type(codeOf(secret));
  await page.keyboard.press('Enter');
  const codes = page.locator('.second-factor__codes li');
  await expect(codes).toHaveCount(10);
  await expectAccessible(page);
  const recoveryCode = await codes.first().innerText();
  const done = page.getByRole('button', { name: 'Done' });
  await expect(done).toBeDisabled();
  await page.getByLabel('I have stored the recovery codes').press('Space');
  await expect(done).toBeEnabled();
  await done.press('Enter');
  return recoveryCode;
}

test('a console that other machines can reach gives an admin without a second factor only its set-up; then it asks for it', async ({
  page,
}) => {
  const { name, passphrase } = await signInPage(page, open, 'admin', '/keys');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Set up your second factor');
  await expectAccessible(page);
  await page.getByLabel('Current passphrase').focus();
  const recoveryCode = await setUpOnPage(page, passphrase);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Keys');

  await page.context().clearCookies();
  await page.goto(`${open.consoleUrl}/account`);
  await page.getByLabel('Name').fill(name);
  await page.getByLabel('Passphrase').fill(passphrase);
  await page.keyboard.press('Enter');
  await expect(page.getByLabel('Code', { exact: true })).toBeFocused();
  await page.keyboard.type('000000');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('alert')).toContainText('Wrong code');
  await expectAccessible(page);
  await page.getByLabel('Code', { exact: true }).fill(recoveryCode);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('region', { name: 'Second factor' })).toContainText('Recovery codes left');
  await expectAccessible(page);
});

test('a lost phone: the command line or another admin removes the second factor, and the audit log says so', async () => {
  const credentials = await newOperator(open, 'admin');
  const operator = await signInAs(open, credentials);
  await enrol(operator);
  const refused = await send<ConsoleErrorBody>(apiOf(open, '/sign-in'), {
    body: { name: credentials.name, passphrase: credentials.passphrase },
  });
  expect([refused.status, refused.body.error]).toEqual([401, 'code_required']);
  expect(refused.headers.getSetCookie()).toEqual([]);
  const reset = await open.cli<{ has_second_factor: boolean }>(['operator', 'reset', '--second-factor'], {
    operator: credentials.name,
    reason: 'phone lost',
  });
  expect(reset).toMatchObject({ has_second_factor: false });
  expect(reset).not.toHaveProperty('passphrase');
  expect((await operator.api('/me')).status).toBe(401);

  const again = await signInAs(open, credentials);
  await enrol(again);
  const other = await signIn(open, 'admin');
  await enrol(other);
  const url = `/operators/${credentials.operatorId}/second-factor/reset`;
  await other.ok(url, { body: { reason: 'phone lost again' } });
  expect((await again.api('/me')).status).toBe(401);
  const { items } = await other.ok<AuditPage>('/audit?action=operator.second_factor_reset');
  expect(items.map(({ actor, subject }) => [actor, subject])).toEqual([
    [`operator:${other.operatorId}`, credentials.operatorId],
    ['cli', credentials.operatorId],
  ]);
});

// On the file's own server: refused keys are counted for the installation.
test('failed sign-ins, refused roles and refused keys are in the audit log, with few entries for many', async () => {
  const staff = await signIn(open, 'staff');
  const admin = await signIn(open, 'admin');
  await enrol(admin);
  for (let n = 0; n < 4; n += 1) {
    await send(apiOf(open, '/sign-in'), { body: { name: staff.name, passphrase: 'wrong' } });
    await staff.api('/audit');
    await send(`${open.baseUrl}/v3/verifications`, { key: `sk_live_${'x'.repeat(32)}` });
    const v2 = `${open.baseUrl}/v2/verification/status`;
    await send(v2, { body: {}, headers: { 'api-key': `ak_live_${'x'.repeat(32)}` } });
  }
  for (const [action, subject, written] of [
    ['operator.sign_in_failed', staff.operatorId, 1],
    ['operator.role_refused', staff.operatorId, 1],
    ['key.refused', 'unknown key', 1],
  ] as const) {
    await expect
      .poll(async () => {
        const { items } = await admin.ok<AuditPage>(
          `/audit?action=${action}&subject=${encodeURIComponent(subject)}`,
        );
        return items.length;
      }, action)
      .toBe(written);
  }
});

test('an operator limited to a company sees nothing of another one, on any page or in the log, from the next call', async ({
  page,
}) => {
  const own = gatehouse.company.company_id;
  const other = (await gatehouse.cli<NewCompany>(['company', 'create', '--name', 'Other venue'])).company_id;
  const boss = await signIn(gatehouse, 'admin');
  const name = 'Lim Ited';
  const made = await gatehouse.cli<{ operator_id: string; passphrase: string; company_ids: string[] }>([
    ...['operator', 'create', '--name', name, '--role', 'admin', '--companies', own],
  ]);
  expect(made.company_ids).toEqual([own]);
  const credentials = { operatorId: made.operator_id, name, passphrase: made.passphrase };
  const limited = await signInAs(gatehouse, credentials);

  const { items } = await limited.ok<ConsoleCompanies>('/companies');
  expect(items.map(({ company_id }) => company_id)).toEqual([own]);
  const log = await limited.ok<AuditPage>('/audit?limit=100');
  expect(log.items.length).toBeGreaterThan(0);
  expect(log.items.filter(({ company_id }) => company_id !== own)).toEqual([]);
  const { body: exported } = await limited.api<string>('/audit/export');
  expect(JSON.stringify(exported)).not.toContain(other);

  await signInPage(page, gatehouse, 'staff');
  await page
    .context()
    .request.post(apiOf(gatehouse, '/sign-in'), { data: { name, passphrase: made.passphrase } });
  await page.goto(`${gatehouse.consoleUrl}/audit?company=${other}`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Audit');
  await expect(page.locator('.scope__company')).toHaveText('Test venue');
  await expect(page.getByRole('link', { name: 'Keys' }).first()).toBeVisible();
  await expect(page.getByRole('link', { name: 'Operators' })).toHaveCount(0);
  await page.keyboard.press('Control+k');
  await page.getByPlaceholder('Search pages, actions, people and tickets…').fill('backup');
  await expect(page.getByRole('button', { name: 'Search people for “backup”' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Make or restore a backup' })).toHaveCount(0);

  // Applies from the next call; an open stream of the first company closes.
  const stream = await fetch(apiOf(gatehouse, `/live?company_id=${own}`), {
    headers: { cookie: limited.cookie },
  });
  await gatehouse.cli(['operator', 'update'], { operator: name, companies: other, reason: 'moved over' });
  expect(await refusalOf(limited.api(`/keys?company_id=${own}`))).toEqual([404, 'not_found']);
  expect((await limited.api(`/keys?company_id=${other}`)).status).toBe(200);
  let told = '';
  for await (const chunk of stream.body!.pipeThrough(new TextDecoderStream())) told += chunk;
  expect(told).toContain('event: company-gone');

  const change = (body: object) =>
    boss.api<ConsoleErrorBody>(`/operators/${made.operator_id}`, { method: 'PATCH', body });
  expect(await refusalOf(change({ company_ids: [], reason: 'none left' }))).toEqual([422, 'invalid_request']);
  expect(await refusalOf(change({ company_ids: ['none'], reason: 'unknown' }))).toEqual([404, 'not_found']);
  expect((await change({ company_ids: null, reason: 'sees all' })).status).toBe(200);
  expect((await limited.api('/operators')).status).toBe(200);
});
