/** The way back for a sole admin of the installed app, who has no command line: started with a switch, proved by the words. */
import { expect, test } from '@playwright/test';
import { prerequisite } from '../support/prerequisite.ts';
import { runCli } from '../support/service/command-line.ts';
import { type Desktop, openDesktop, whyNoDesktop } from './desktop.ts';
import { ADMIN, fillFirstRun } from './first-run.ts';

prerequisite(whyNoDesktop());

const NEW = 'harbour violet engine maple';

let desktop: Desktop;
test.beforeAll(async () => {
  desktop = await openDesktop();
});
test.afterAll(() => desktop.close());

test('a sole admin who forgot the passphrase sets a new one with the recovery phrase and signs in', async () => {
  const first = await desktop.start();
  await first.consoleShown();
  await fillFirstRun(first.window);
  const env = { ...process.env, GATEHOUSE_DATA_DIR: desktop.dataDir };
  const printed = await runCli(['backup', 'phrase', '--json'], env);
  const { recovery_phrase: phrase } = JSON.parse(printed) as { recovery_phrase: string };
  await first.window.evaluate(() => globalThis.localStorage.clear());
  await first.window.context().clearCookies();
  await first.app.close();
  await first.ended;

  const again = await desktop.start(['--recover']);
  await again.consoleShown();
  const { window } = again;
  const button = (name: string) => window.getByRole('button', { name, exact: true });
  await expect(window.getByRole('heading', { name: 'Set a new passphrase' })).toBeVisible();
  await window.getByLabel('Recovery phrase').fill(phrase.split(' ').toReversed().join(' '));
  await button('Continue').click();
  await expect(window.getByRole('alert')).toContainText('not the newest recovery words');
  await window.getByLabel('Recovery phrase').fill(phrase);
  await button('Continue').click();
  await expect(window.getByLabel('Admin')).toContainText(ADMIN.name);
  await window.getByRole('textbox', { name: 'New passphrase' }).fill(NEW);
  await button('Set passphrase').click();
  await expect(window.getByRole('status')).toContainText('The passphrase is set.');
  await window.getByLabel('Name', { exact: true }).fill(ADMIN.name);
  await window.getByRole('textbox', { name: 'Passphrase' }).fill(NEW);
  await window.keyboard.press('Enter');
  await window.locator('.frame').waitFor();
});
