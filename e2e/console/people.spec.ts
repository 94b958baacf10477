/** People in the console: search, export, erasure, blocks, twins, and clearing the test data. */
import { expect, test, type Page } from '@playwright/test';
import { readFile } from 'node:fs/promises';
import type { ErasureProof, PeoplePage } from '../../server/contract/console/people.ts';
import type { SessionPage } from '../../server/contract/console/sessions.ts';
import { signIn, signInPage, type Operator } from '../support/pages/console.ts';
import { expectAccessibleInBothThemes } from '../support/pages/accessible.ts';
import { makePeople } from '../support/people.ts';
import { testRun } from '../support/reviews.ts';
import { startGatehouse, type Gatehouse } from '../support/service/server.ts';
import { TEST } from '../support/door.ts';
import { limitMs } from '../../testing/tier.ts';

const PREPARE_MS = limitMs(30_000);
const REASON = 'Asked for at the door';

let gatehouse: Gatehouse;
let admin: Operator;

test.describe.configure({ mode: 'serial' });
test.beforeAll(async () => {
  test.setTimeout(PREPARE_MS);
  gatehouse = await startGatehouse();
  await makePeople(gatehouse);
  admin = await signIn(gatehouse, 'admin');
});
test.afterAll(() => gatehouse.stop());

const row = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const drawer = (page: Page) => page.locator('.mantine-Drawer-content');

async function answer(page: Page, action: string): Promise<void> {
  const dialog = page.locator('.mantine-Modal-content');
  await dialog.getByLabel('Reason').fill(REASON);
  await dialog.getByRole('button', { name: action, exact: true }).click();
  await expect(dialog).toBeHidden();
}

test('a person is found by any metadata, exported, and erased with a record', async ({ page }) => {
  await signInPage(page, gatehouse, 'admin', `/people?${TEST}`);
  await page.getByLabel('Metadata', { exact: true }).selectOption('seat');
  await page.getByLabel('is', { exact: true }).fill('a7');
  await expect(page.locator('.table tbody tr')).toHaveCount(1);
  // Someone who stops between two words loses neither the space nor what follows.
  const find = page.getByLabel('Find');
  await find.fill('ruiz ');
  await expect(page).toHaveURL(/q=ruiz(&|$)/);
  await expect(find).toHaveValue('ruiz ');
  await find.pressSequentially('an');
  await expect(page).toHaveURL(/q=ruiz\+an(&|$)/);
  await row(page, 'Ana Ruiz').click();
  const download = page.waitForEvent('download');
  await drawer(page).getByRole('link', { name: 'Export' }).click();
  const exported = await readFile(await (await download).path(), 'utf8');
  expect(exported).toContain('ana@example.com');
  expect(exported).not.toMatch(/vector|vyt_|ft_/);

  await drawer(page).getByRole('button', { name: 'Erase…' }).click();
  const dialog = page.locator('.mantine-Modal-content');
  const erase = dialog.getByRole('button', { name: 'Erase', exact: true });
  await dialog.getByLabel('Reason').fill(REASON);
  await expect(erase).toBeDisabled();
  const typed = dialog.getByLabel(/^Type “/);
  const shortId = /“(\w+)”/.exec((await dialog.getByText(/^Type “/).textContent()) ?? '')?.[1] ?? '';
  await typed.fill(shortId);
  await erase.click();
  await expect(drawer(page)).toContainText('No data identifies this person any more');
  await expect(page.getByText('No results')).toBeVisible();

  const { items } = await admin.ok<{ items: ErasureProof[] }>(`/erasures?${TEST}`);
  expect(items).toMatchObject([{ short_id: shortId, remaining: 0, reason: REASON }]);
  expect((await admin.api(`/people/${items[0]!.person_id}?${TEST}`)).status).toBe(404);
  expect((await admin.ok<PeoplePage>(`/people?${TEST}&q=ana%40example.com`)).items).toEqual([]);
  await page.goto(`${gatehouse.consoleUrl}/people/erasures?${TEST}&q=${items[0]!.proof_id}`);
  await row(page, shortId).click();
  await expect(drawer(page)).toContainText('Asked for at the door');

  // The same face is a new person from then on.
  await testRun(gatehouse, 'ana', { external_id: 'guest-1', metadata: { name: 'Ana again' } });
  const again = await admin.ok<PeoplePage>(`/people?${TEST}&q=ana`);
  expect(again.items.map(({ name }) => name)).toEqual(['Ana again']);
  expect(again.items[0]!.person_id).not.toBe(items[0]!.person_id);
  await page.goto(`${gatehouse.consoleUrl}/audit?action=person.erase`);
  await expect(page.getByText(`erased the person ${shortId}`)).toBeVisible();
});

test('an admin blocks a person and ends it; a reviewer tells two apart', async ({ page }) => {
  await testRun(gatehouse, 'anna', { external_id: 'twin-a', metadata: { name: 'Anna Twin' } });
  await testRun(gatehouse, 'berta', { external_id: 'twin-b', metadata: { name: 'Berta Twin' } });
  await signInPage(page, gatehouse, 'admin', `/people?${TEST}&q=twin-a`);
  await row(page, 'Anna Twin').click();
  await drawer(page).getByRole('button', { name: 'Block this person' }).click();
  const dialog = page.locator('.mantine-Modal-content');
  await dialog.getByLabel('At the next check').selectOption('Refuse');
  await dialog.getByLabel('Days').fill('10');
  await expect(dialog.getByRole('button', { name: 'Block this person' })).toBeDisabled();
  await dialog.getByLabel('Whom the guest can ask').fill('the duty manager');
  await expectAccessibleInBothThemes(page);
  await answer(page, 'Block this person');
  await expect(drawer(page)).toContainText('Ask: the duty manager');
  await testRun(gatehouse, 'anna', { external_id: 'twin-a', metadata: { name: 'Anna Twin' } });
  const { items } = await admin.ok<SessionPage>(`/sessions?${TEST}&q=twin-a&limit=1`);
  expect(items[0]).toMatchObject({ status: 'denied' });

  await drawer(page).getByRole('button', { name: 'Tell apart from somebody' }).click();
  await dialog.getByLabel(/ID, account/).fill('twin-b');
  await answer(page, 'Tell apart from somebody');
  await expect(drawer(page).getByRole('listitem').filter({ hasText: 'Berta Twin' })).toBeVisible();
  await expectAccessibleInBothThemes(page);
  await drawer(page).getByRole('button', { name: 'End the block' }).click();
  await answer(page, 'End the block');
  await expect(drawer(page)).toContainText('Not blocked.');

  await page.goto('about:blank');
  await signInPage(page, gatehouse, 'reviewer', `/people?${TEST}&q=twin-b`);
  await row(page, 'Berta Twin').click();
  await expect(drawer(page).getByRole('listitem').filter({ hasText: 'Anna Twin' })).toBeVisible();
  await expect(drawer(page).getByRole('button', { name: 'Block this person' })).toBeHidden();
});

test('an admin clears the test data, and nothing else, after typing the company’s name', async ({ page }) => {
  await signInPage(page, gatehouse, 'admin', `/settings?${TEST}`);
  await row(page, 'Clear test data').click();
  const dialog = page.getByRole('dialog', { name: 'Clear the test data of' });
  await dialog.getByLabel('Reason').fill('The event begins tonight');
  await expect(row(page, 'Clear test data').last()).toBeDisabled();
  const name = (await admin.ok<{ items: { name: string }[] }>('/companies')).items[0]?.name ?? '';
  await dialog.getByLabel(/^Type “/).fill(name);
  await dialog.getByRole('button', { name: 'Clear test data' }).click();
  await expect(page.getByText('Test data cleared.')).toBeVisible();
  await expect(dialog).toBeHidden();
  await expect(row(page, 'Clear test data')).toBeFocused();
  expect((await admin.ok<PeoplePage>(`/people?${TEST}`)).items).toEqual([]);
  expect((await admin.ok<SessionPage>(`/sessions?${TEST}`)).items).toEqual([]);
  await page.goto(`${gatehouse.consoleUrl}/audit`);
  await page.getByText(/cleared the test data of/).click();
  await expect(drawer(page)).toContainText('The event begins tonight');
});
