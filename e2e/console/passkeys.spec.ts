/** Passkeys from adding one to signing in with it, in Chromium with its own virtual authenticator. */
import { expect, type Page } from '@playwright/test';
import type { AuditPage } from '../../server/contract/console/audit.ts';
import { expectAccessible } from '../support/pages/accessible.ts';
import { newOperator, signIn, signInPage } from '../support/pages/console.ts';
import type { Gatehouse } from '../support/service/server.ts';
import { test } from '../support/service/shared-server.ts';

let gatehouse: Gatehouse;
/** The same console under the name that passkeys need. */
let named: Gatehouse;
test.beforeAll(async ({ gatehouse: shared }) => {
  gatehouse = shared;
  named = { ...gatehouse, consoleUrl: gatehouse.consoleUrl.replace('127.0.0.1', 'localhost') };
  // Otherwise the pages show the first start.
  await newOperator(gatehouse, 'admin');
});

/** A laptop with a fingerprint reader; its finger is always the right one until `deny`. */
async function withFingerprint(page: Page) {
  const session = await page.context().newCDPSession(page);
  await session.send('WebAuthn.enable');
  const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return {
    deny: () => session.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false }),
    allow: () => session.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: true }),
  };
}

const panelOf = (page: Page) => page.getByRole('region', { name: 'Passkeys' });

async function addOnPage(page: Page, name: string, passphrase: string): Promise<void> {
  await panelOf(page).getByRole('button', { name: 'Add a passkey' }).press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Add a passkey' });
  await expect(dialog.getByLabel('Name')).toBeFocused();
  await page.keyboard.type(name);
  await dialog.getByLabel('Current passphrase').fill(passphrase);
  await expectAccessible(page);
  await page.keyboard.press('Enter');
  await expect(dialog).toBeHidden();
}

async function signOut(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: `Menu for ${name}` }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await expect(page.getByRole('button', { name: 'Sign in', exact: true })).toBeVisible();
}

test('an operator adds a passkey, signs in with it, renames and removes it', async ({ page }) => {
  const finger = await withFingerprint(page);
  const { operatorId, name, passphrase } = await signInPage(page, named, 'staff', '/account');
  const panel = panelOf(page);
  await expect(panel).toContainText('You have no passkey.');
  await addOnPage(page, 'Laptop', passphrase);
  await expect(panel.getByRole('listitem')).toContainText('Works at localhost');
  await expect(panel).toContainText('Add a second passkey');
  await expectAccessible(page);

  await signOut(page, name);
  const enter = page.getByRole('button', { name: 'Sign in with a passkey' });
  await finger.deny();
  await enter.click();
  await expect(page.getByRole('alert')).toContainText('No passkey was accepted');
  await expectAccessible(page);
  await finger.allow();
  await enter.press('Enter');
  await expect(panel.getByRole('listitem')).toContainText('Last used');

  await panel.getByRole('button', { name: 'Rename Laptop' }).click();
  const renaming = page.getByRole('dialog', { name: 'Rename Laptop' });
  await renaming.getByLabel('Name').fill('Old laptop');
  await renaming.getByRole('button', { name: 'Rename' }).click();
  await panel.getByRole('button', { name: 'Remove Old laptop' }).click();
  const removing = page.getByRole('dialog', { name: 'Remove Old laptop' });
  await removing.getByLabel('Current passphrase').fill(passphrase);
  await removing.getByRole('button', { name: 'Remove' }).click();
  await expect(panel).toContainText('You have no passkey.');

  const admin = await signIn(gatehouse, 'admin');
  const { items } = await admin.ok<AuditPage>(`/audit?action=operator.passkey*&subject=${operatorId}`);
  expect(items.map(({ action }) => action)).toEqual([
    'operator.passkey_removed',
    'operator.passkey_renamed',
    'operator.passkey_added',
  ]);
});

test('the same device keeps one passkey of an operator, and says so', async ({ page }) => {
  await withFingerprint(page);
  const { passphrase } = await signInPage(page, named, 'staff', '/account');
  await addOnPage(page, 'Laptop', passphrase);
  await panelOf(page).getByRole('button', { name: 'Add a passkey' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add a passkey' });
  await dialog.getByLabel('Name').fill('Again');
  await dialog.getByLabel('Current passphrase').fill(passphrase);
  await dialog.getByRole('button', { name: 'Add a passkey' }).click();
  await expect(dialog.getByRole('alert')).toContainText('No passkey was added');
});

test('a page at an IP address says where passkeys work', async ({ page }) => {
  await signInPage(page, gatehouse, 'staff', '/account');
  const { port } = new URL(gatehouse.consoleUrl);
  await expect(panelOf(page)).toContainText(`http://localhost:${port}`);
  await expect(panelOf(page).getByRole('button')).toHaveCount(0);
  await expectAccessible(page);
});

test('an admin removes the passkeys of someone whose laptop is gone', async ({ page, browser }) => {
  await withFingerprint(page);
  const { name, passphrase } = await signInPage(page, named, 'staff', '/account');
  await addOnPage(page, 'Laptop', passphrase);
  const context = await browser.newContext();
  const other = await context.newPage();
  await signInPage(other, named, 'admin', '/operators');
  await other.getByRole('row', { name }).getByText(name).click();
  await other.getByRole('button', { name: 'Remove passkeys' }).click();
  const dialog = other.getByRole('dialog', { name: `Remove the passkeys of ${name}` });
  await dialog.getByLabel('Reason').fill('laptop stolen');
  await dialog.getByRole('button', { name: 'Remove passkeys' }).click();
  await expect(dialog).toBeHidden();
  await expect(other.getByRole('button', { name: 'Remove passkeys' })).toHaveCount(0);
  await context.close();
  // Sessions end with the passkeys.
  await page.reload();
  await expect(page.getByRole('button', { name: 'Sign in', exact: true })).toBeVisible();
});
