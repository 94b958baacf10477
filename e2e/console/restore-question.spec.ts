/** A backup of another installation, restored from the page. */
import { copyFileSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@playwright/test';
import { signInPage } from '../support/pages/console.ts';
import { type Gatehouse, startGatehouse } from '../support/service/server.ts';
import { sqliteOnly } from '../support/sqlite-only.ts';
import { limitMs } from '../../testing/tier.ts';

sqliteOnly('Its backups are files.');

const START_MS = limitMs(30_000);
const FILE = 'theirs.gatehouse-backup';

test('shows who will be admin, restores nothing before an answer, and restores after it', async ({
  page,
}) => {
  test.setTimeout(3 * START_MS);
  const theirs = await startGatehouse();
  const ours = await startGatehouse();
  try {
    await theirs.cli(['operator', 'create', '--name', 'Mallory', '--role', 'admin']);
    const made = await theirs.cli<{ file: string; recovery_phrase: string }>([
      'backup',
      'create',
      path.join(theirs.dataDir, 'backups', FILE),
    ]);
    mkdirSync(path.join(ours.dataDir, 'backups'), { recursive: true });
    copyFileSync(made.file, path.join(ours.dataDir, 'backups', FILE));
    await theirs.stop();
    await askOn(ours, page, made.recovery_phrase);
    const question = page.getByRole('alert', { name: 'Who will be admin' });
    await question.getByRole('button', { name: 'Don’t restore' }).click();
    await expect(question).toBeHidden();
    await expect(page.getByRole('button', { name: 'Restore…' })).toBeVisible();

    await askOn(ours, page, made.recovery_phrase);
    await question.getByRole('button', { name: 'Restore with these admins' }).click();
    expect(await ours.ended()).toBe(75);
    await ours.restart();
    const operators = await ours.cli<{ name: string }[]>(['operator', 'list']);
    expect(operators.map(({ name }) => name)).toContain('Mallory');
  } finally {
    await Promise.all([theirs.stop(), ours.stop()]);
  }
});

async function askOn(
  gatehouse: Gatehouse,
  page: Parameters<typeof signInPage>[0],
  phrase: string,
): Promise<void> {
  await signInPage(page, gatehouse, 'admin', '/settings?section=backups');
  await page.getByLabel('File', { exact: true }).selectOption(FILE);
  await page.getByRole('textbox', { name: 'Recovery phrase' }).fill(phrase);
  await page.getByRole('button', { name: 'Restore…' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Restore', exact: true }).click();
  const question = page.getByRole('alert', { name: 'Who will be admin' });
  await expect(question.getByRole('listitem').filter({ hasText: 'Mallory' })).toBeVisible();
  await expect(question).toContainText('come back disabled: 0 operators, 6 keys');
}
