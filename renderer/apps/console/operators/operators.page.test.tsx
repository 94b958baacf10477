/** Operators at the real service: added, given companies and another role, and disabled, each change with its reason. */
import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { OperatorRecord } from '../../../../server/contract/console/operators.ts';
import { limitMs } from '../../../../testing/tier.ts';
import { openService } from '../at-service.fixture.ts';
import { openConsole } from '../console.fixture.tsx';

/** Several dialogs at a real service, one after the other. */
const LONG = { timeout: limitMs(30_000) };

async function openOperators() {
  const service = await openService();
  const admin = await service.as('admin');
  const other = await service.as('staff');
  const { company } = await service.otherCompany();
  const { user } = await openConsole('/operators', admin);
  const dialog = async (name: string | RegExp) => within(await screen.findByRole('dialog', { name }));
  const openRow = async (name: string) => {
    await user.click(await screen.findByRole('button', { name }));
    return dialog(name);
  };
  return {
    ...{ user, other, company, dialog, openRow },
    read: async (name: string) =>
      (await admin.ok<{ items: OperatorRecord[] }>('/operators')).items.find((one) => one.name === name),
    /** In the dialog of this title, whose button opens with the reason. */
    confirm: async (title: string | RegExp, button: string) => {
      const asked = await dialog(title);
      const act = asked.getByRole<HTMLButtonElement>('button', { name: button });
      expect(act.disabled).toBe(true);
      await user.type(asked.getByLabelText(/^Reason/), 'works there now');
      await user.click(act);
      await waitFor(() => expect(screen.queryByRole('dialog', { name: title })).toBeNull());
    },
  };
}

test('an operator is added, and the passphrase shown once', LONG, async () => {
  const { user, dialog, read } = await openOperators();
  await user.click(await screen.findByRole('button', { name: 'Add operator' }));
  const adding = await dialog('Add operator');
  await user.type(adding.getByLabelText('Name'), 'Dora Lind');
  await user.click(adding.getByRole('button', { name: 'Add operator' }));
  const box = await dialog(/Dora Lind/);
  const { textContent: passphrase } = await box.findByText(/^\w/, { selector: 'code' });
  await user.keyboard('{Escape}');
  const done = box.getByRole<HTMLButtonElement>('button', { name: 'Done' });
  expect(done.disabled).toBe(true);
  await user.click(box.getByLabelText('I have handed it over or stored it safely'));
  await user.click(done);
  await screen.findByRole('button', { name: 'Dora Lind' });
  expect(document.body.textContent).not.toContain(passphrase);
  expect(await read('Dora Lind')).toMatchObject({ role: 'staff', company_ids: null });
});

test('an operator gets only the companies that an admin ticks', LONG, async () => {
  const { user, other, company, openRow, dialog, confirm, read } = await openOperators();
  const drawer = await openRow(other.name);
  drawer.getByText('All companies');
  await user.click(drawer.getByRole('button', { name: 'Change companies' }));
  const title = `Companies of ${other.name}`;
  const asked = await dialog(title);
  await user.click(asked.getByLabelText(/^Only these companies/));
  await user.click(asked.getByLabelText('Other venue'));
  await confirm(title, 'Change companies');
  await drawer.findByText('Other venue');
  expect((await read(other.name))?.company_ids).toEqual([company.company_id]);
});

test('an operator who is disabled is signed out, and can be enabled again', LONG, async () => {
  const { user, other, openRow, confirm } = await openOperators();
  const drawer = await openRow(other.name);
  await user.click(drawer.getByRole('button', { name: 'Disable' }));
  await confirm(/^Disable/, 'Disable');
  await drawer.findByText('Disabled');
  expect((await other.call('GET', '/me')).status).toBe(401);
  await user.click(await drawer.findByRole('button', { name: 'Enable' }));
  await confirm(/^Enable/, 'Enable');
  await drawer.findByText('Active');
});
