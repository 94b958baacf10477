/** An installation whose first operators were created on the command line, before any company. */
import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { companies, session, setup } from '../../../../server/contract/routes/console/access.ts';
import { me, on, openConsole, Refused, VENUE } from '../console.fixture.tsx';

const TITLE = { name: 'No company yet' };

test('an admin names the company, and the console opens', async () => {
  let items: typeof VENUE.items = [];
  const { user, calls } = await openConsole('/door', [
    on(companies.list, () => ({ items })),
    on(setup.createCompany, ({ company_name }) => {
      if (company_name === '​') throw new Refused('name_unseen', 422);
      items = VENUE.items;
      return { ok: true } as const;
    }),
  ]);
  await screen.findByRole('heading', TITLE);
  const field = screen.getByLabelText('Company');
  await user.type(field, '​');
  await user.click(screen.getByRole('button', { name: 'Create' }));
  await screen.findByRole('alert');
  await user.clear(field);
  await user.type(field, ' Arena ');
  await user.click(screen.getByRole('button', { name: 'Create' }));
  await screen.findByRole('navigation');
  const sent = calls.filter(({ name }) => name === 'POST /setup/company');
  expect(sent.at(-1)?.body).toMatchObject({ company_name: 'Arena' });
});

test.each([
  ['staff', false],
  ['admin', true],
] as const)('%s who may not create one (limited: %s) is told what to do', async (role, isLimited) => {
  let items: typeof VENUE.items = [];
  const { user } = await openConsole('/settings', [
    on(session.me, () => ({ ...me(role), is_limited: isLimited })),
    on(companies.list, () => ({ items })),
  ]);
  await screen.findByRole('heading', TITLE);
  expect(screen.queryByLabelText('Company')).toBeNull();
  items = VENUE.items;
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  await screen.findByRole('navigation');
});
