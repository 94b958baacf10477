/** Signing in at a real identity provider, from switching it on to signing out there, too. */
import { expect, test } from '@playwright/test';
import type { Me } from '../../server/contract/console/access.ts';
import {
  CLIENT,
  type IdentityProvider,
  startIdentityProvider,
} from '../../testing/service/identity-provider.ts';
import { expectAccessible } from '../support/pages/accessible.ts';
import { newOperator, signInPage } from '../support/pages/console.ts';
import { type Gatehouse, startGatehouse } from '../support/service/server.ts';
import { limitMs } from '../../testing/tier.ts';

const START_MS = limitMs(75_000);

let gatehouse: Gatehouse;
let provider: IdentityProvider;
test.beforeAll(async () => {
  test.setTimeout(START_MS);
  gatehouse = await startGatehouse();
  provider = await startIdentityProvider([`${gatehouse.consoleUrl}/oidc`]);
  await newOperator(gatehouse, 'admin');
});
test.afterAll(async () => {
  await gatehouse.stop();
  await provider.close();
});

test('an admin sets the provider up, an operator signs in and out there, and passphrases work while it is away', async ({
  page,
}) => {
  const { name } = await signInPage(page, gatehouse, 'admin', '/settings?section=oidc');
  const panel = page.getByRole('region', { name: 'Single sign-on' });
  await expect(panel).toContainText(`${gatehouse.consoleUrl}/oidc`);
  await panel.getByRole('switch', { name: 'Offer it on the sign-in page' }).press('Space');
  await panel.getByRole('button', { name: 'Save' }).click();
  await expect(panel.getByRole('alert')).toContainText('enter a name');
  await expectAccessible(page);
  await panel.getByLabel('Name of the provider').fill('Venue ID');
  await panel.getByLabel('Issuer').fill(provider.issuer);
  await panel.getByLabel('Client ID').fill(CLIENT.id);
  await panel.getByLabel('Groups of reviewers').fill('gatehouse-reviewers');
  await panel.getByLabel('Client secret').fill(CLIENT.secret);
  await panel.getByRole('button', { name: 'Save' }).click();
  await expect(panel.getByText('Stored and hidden')).toBeVisible();
  const check = page.getByRole('region', { name: 'Check the provider' });
  await check.getByRole('button', { name: 'Check the provider' }).click();
  await expect(check).toContainText('The provider answers.');
  await expectAccessible(page);

  await page.getByRole('button', { name: `Menu for ${name}` }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  const leave = page.getByRole('button', { name: 'Sign in with Venue ID' });
  provider.account = { id: 'grace-1906', name: 'Grace Hopper', groups: ['canteen'] };
  await leave.click();
  await expect(page.getByRole('alert')).toContainText('has no role here');
  expect(new URL(page.url()).search).toBe('');
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Back' }).click();
  await expect(leave).toBeVisible();
  await expectAccessible(page);

  provider.account = { ...provider.account, groups: ['gatehouse-reviewers'] };
  await leave.click();
  const menu = page.getByRole('button', { name: 'Menu for Grace Hopper' });
  await expect(menu).toBeVisible();
  const me = await page.evaluate(async () => (await fetch('/console/api/me')).json() as Promise<Me>);
  expect(me.operator).toMatchObject({ name: 'Grace Hopper', role: 'reviewer' });
  await menu.click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.waitForURL((url) => url.origin === provider.issuer);

  provider.lie = { status: 503 };
  await page.goto(gatehouse.consoleUrl);
  await leave.click();
  await expect(page.getByRole('alert')).toContainText('doesn’t answer');
  const { passphrase, name: local } = await newOperator(gatehouse, 'staff');
  await page.getByLabel('Name').fill(local);
  await page.getByLabel('Passphrase').fill(passphrase);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: `Menu for ${local}` })).toBeVisible();
});
