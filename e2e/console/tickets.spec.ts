/** An event's ticket lists: chosen, corrected, imported, replaced by a newer file, and removed. */
import { expect } from '@playwright/test';
import { expectAccessibleInBothThemes } from '../support/pages/accessible.ts';
import { signInPage } from '../support/pages/console.ts';
import { test, withOwnCompany } from '../support/service/shared-server.ts';

const csv = (name: string, text: string) => ({
  name,
  mimeType: 'application/vnd.ms-excel',
  buffer: Buffer.from(text, 'latin1'),
});

test('an admin imports a list of Excel in German, then a newer one, and removes it', async ({
  page,
  gatehouse: shared,
}) => {
  const gatehouse = await withOwnCompany(shared);
  const { company_id: company } = gatehouse.company;
  const event = await gatehouse.cli<{ event_id: string }>(['event', 'create'], {
    company,
    name: 'Night run',
    starts: '2027-01-01T10:00Z',
    ends: '2027-01-02T10:00Z',
  });
  await signInPage(page, gatehouse, 'admin', `/events?open=${event.event_id}`, { companyId: company });
  await page.getByRole('link', { name: 'Tickets' }).click();
  await expect(page.getByRole('heading', { name: 'Tickets of Night run' })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'No tickets yet' })).toBeVisible();

  const choose = async (label: string, file: ReturnType<typeof csv>) => {
    const chooser = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: label }).click();
    await (await chooser).setFiles(file);
  };
  await choose(
    'Import a list',
    csv('Gäste.csv', 'Barcode;Gast;Foo\r\nA1;Jürgen;VIP\r\n;Ida;VIP\r\nA3;Ben;Tag\r\n'),
  );
  const file = page.getByRole('region', { name: 'Gäste.csv' });
  await expect(file.getByLabel('Encoding')).toHaveValue('windows-1252');
  await expect(file.getByLabel('Separator')).toHaveValue(';');
  await expect(file.getByRole('cell', { name: 'Jürgen' })).toBeVisible();
  await expect(file.getByText('2 new tickets')).toBeVisible();
  await file.getByText('1 row can’t be imported').click();
  await expect(file.getByText('Line 3: the code is missing.')).toBeVisible();
  await file.getByLabel('Foo').selectOption('Kind of ticket');
  await expect(file.getByLabel('Foo')).toHaveValue('kind');
  await file.getByLabel('Barcode').selectOption('Not used');
  await expect(file.getByText('Choose the column that has the tickets’ codes.')).toBeVisible();
  await file.getByLabel('Barcode').selectOption('Code');
  await expect(file.getByText('2 new tickets')).toBeVisible();
  await expectAccessibleInBothThemes(page);
  await file.getByRole('button', { name: 'Import', exact: true }).click();
  await expect(page.getByText('Imported: 2 new, 0 changed.')).toBeVisible();
  const list = page.getByRole('region', { name: 'Gäste', exact: true });
  await expect(list).toContainText('2 tickets');

  await choose('Import a newer file for Gäste', csv('new.csv', 'Barcode;Gast\r\nA1;Jürgen\r\nA4;Eva\r\n'));
  const newer = page.getByRole('region', { name: 'new.csv' });
  await expect(newer.getByText('1 new tickets, 1 changed')).toBeVisible();
  await newer.getByLabel('Cancel 1 ticket that the file no longer has').check();
  await newer.getByRole('button', { name: 'Import', exact: true }).click();
  await expect(list).toContainText('3 tickets, 1 not valid');

  await choose('Import a list', csv('empty.csv', ''));
  await expect(page.getByText('This file is empty.')).toBeVisible();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Accept any code' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Accept' }).click();
  await expect(page.getByRole('region', { name: 'Any code' })).toBeVisible();

  await page.getByRole('button', { name: 'Remove Gäste' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Reason').fill('Wrong file');
  await dialog.getByRole('button', { name: 'Remove' }).click();
  await expect(list).toHaveCount(0);
});
