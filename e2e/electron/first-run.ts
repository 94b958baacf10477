/** The first start's page, filled in as an operator does. */
import type { Page } from '@playwright/test';
import { button } from '../support/pages/elements.ts';

export const ADMIN = { name: 'Ana Ruiz', passphrase: 'copper lantern river moss' };

/** Creates the company and its first admin; the console is open afterwards. */
export async function firstRun(window: Page): Promise<void> {
  await fillFirstRun(window);
  await button(window, 'Done').click();
}

/** The same, up to the dialog that opens the first kiosk. */
export async function fillFirstRun(window: Page): Promise<void> {
  await window.getByLabel('Company').fill('Test venue');
  await window.getByLabel('Your name').fill(ADMIN.name);
  await window.getByRole('textbox', { name: 'Passphrase' }).fill(ADMIN.passphrase);
  await button(window, 'Create').click();
  await window.locator('.frame').waitFor();
}

/** Signs in if the console asks for it. */
export async function signIn(window: Page): Promise<void> {
  await window.getByLabel('Name', { exact: true }).fill(ADMIN.name);
  await window.getByRole('textbox', { name: 'Passphrase' }).fill(ADMIN.passphrase);
  await window.keyboard.press('Enter');
  await window.locator('.frame').waitFor();
}
