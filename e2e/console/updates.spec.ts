/** An admin updates the service from a file in a browser, through its restart. */
import { open } from 'node:fs/promises';
import { expect, type Page, test } from '@playwright/test';
import { SCHEMA_VERSION } from '../../server/store/schema/migrations.ts';
import { limitMs } from '../../testing/tier.ts';
import { expectAccessibleInBothThemes } from '../support/pages/accessible.ts';
import { signInPage } from '../support/pages/console.ts';
import {
  installSelfUpdating,
  NEW,
  OLD,
  type SelfUpdating,
  updateWith,
} from '../support/service/self-updating.ts';
import { sqliteOnly } from '../support/sqlite-only.ts';

sqliteOnly('The service is installed on a database file.');
test.describe.configure({ timeout: limitMs(60_000) });

const RESTART_MS = limitMs(30_000);

let it: SelfUpdating;
test.beforeEach(async () => {
  it = await installSelfUpdating();
});
test.afterEach(() => it.remove());

/** Signed in on the section with updates. @returns the passphrase */
async function openUpdates(page: Page, consoleUrl: string): Promise<string> {
  const cli = async <T>(args: readonly string[]) =>
    JSON.parse((await it.run([...args, '--json'])).stdout) as T;
  await cli(['company', 'create', '--name', 'Venue']);
  const { passphrase } = await signInPage(page, { cli, consoleUrl }, 'admin', '/settings?section=updates');
  return passphrase;
}

async function check(page: Page, file: string): Promise<void> {
  await page.getByLabel('File on the service’s machine').fill(file);
  await page.getByRole('button', { name: 'Check the file' }).click();
}

async function install(page: Page, passphrase: string): Promise<void> {
  const found = page.getByRole('region', { name: `Version ${NEW} can be installed` });
  await found.getByRole('button', { name: 'Install' }).click();
  const dialog = page.getByRole('dialog', { name: `Install version ${NEW}` });
  await dialog.getByLabel('Your passphrase').fill(passphrase);
  await dialog.getByRole('button', { name: 'Install' }).click();
}

test('a changed file is refused, the right one is installed, and the page shows the new version', async ({
  page,
}) => {
  const before = await it.serve();
  const passphrase = await openUpdates(page, before.addresses.consoleUrl);
  const [file, bad] = await Promise.all([
    updateWith({ migration: 'CREATE TABLE later (x INTEGER)' }, { schema: SCHEMA_VERSION + 1 }),
    updateWith({ script: 'exit 0' }),
  ]);
  const handle = await open(bad, 'r+');
  await handle.write(Buffer.from('x'), 0, 1, (await handle.stat()).size - 2_000);
  await handle.close();
  await check(page, bad);
  await expect(page.getByRole('alert')).toContainText('was damaged or changed');
  await check(page, file);
  await expect(page.getByText('Changed by the new version')).toBeVisible();
  await expect(page.getByRole('alert')).toHaveCount(0);
  await expectAccessibleInBothThemes(page);
  await install(page, 'not the passphrase');
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByText('Wrong passphrase.')).toBeVisible();
  await expectAccessibleInBothThemes(page);
  await dialog.getByLabel('Your passphrase').fill(passphrase);
  await dialog.getByRole('button', { name: 'Install' }).click();
  await expect(page.getByText('Gatehouse restarts and tries it')).toBeVisible();
  expect(await before.exit).toBe(75);
  const after = await it.serve();
  await expect(page.getByText(`Version ${NEW} is installed and works.`)).toBeVisible({ timeout: RESTART_MS });
  expect(await it.current()).toBe(NEW);
  await page.goto(`${after.addresses.consoleUrl}/audit?action=update.*`);
  await expect(page.getByText('had an update installed')).toBeVisible();
  await expect(page.getByText('installed an update and works with it')).toBeVisible();
  after.child.kill('SIGTERM');
  expect(await after.exit).toBe(0);
});

test('a version that doesn’t work is undone, and the page shows what it reported', async ({ page }) => {
  const before = await it.serve();
  const passphrase = await openUpdates(page, before.addresses.consoleUrl);
  await check(page, await updateWith({ script: 'echo "no such library" >&2; exit 3' }));
  await install(page, passphrase);
  expect(await before.exit).toBe(75);
  const after = await it.serve();
  await expect(page.getByText('The update was undone').last()).toBeVisible({ timeout: RESTART_MS });
  await expect(page.getByText('no such library')).toBeVisible();
  await expect(page.getByText('The data is as it was.')).toBeVisible();
  await expectAccessibleInBothThemes(page);
  expect(await it.versions()).toEqual([OLD]);
  expect(await it.current()).toBe(OLD);
  after.child.kill('SIGTERM');
  expect(await after.exit).toBe(0);
});
