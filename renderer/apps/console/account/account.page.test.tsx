import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import {
  account,
  passkeys,
  secondFactor,
  session,
} from '../../../../server/contract/routes/console/access.ts';
import { me, on, openConsole } from '../console.fixture.tsx';

test('a kiosk PIN is removed only after a confirmation', async () => {
  let hasPin = true;
  const own = () => ({ ...me('staff'), has_pin: hasPin });
  const { user, calls } = await openConsole(
    '/account',
    [
      on(session.me, own),
      on(session.list, () => ({ items: [] })),
      on(secondFactor.read, () => ({
        ...{ is_on: false, is_required: false, enrolled_at: null, recovery_codes_left: 0 },
      })),
      on(passkeys.list, () => ({ items: [], name_here: null })),
      on(account.removePin, () => {
        hasPin = false;
        return own();
      }),
    ],
    { role: 'staff' },
  );
  const pin = within(await screen.findByRole('region', { name: 'Kiosk PIN' }));
  const remove = pin.getByRole('button', { name: 'Remove PIN' });
  await user.click(remove);
  const asked = () => screen.findByRole('dialog', { name: 'Remove your kiosk PIN' });
  await user.click(within(await asked()).getByRole('button', { name: 'Cancel' }));
  await waitFor(() => expect(document.activeElement).toBe(remove));
  expect(calls.some(({ name }) => name === 'DELETE /me/pin')).toBe(false);
  await user.keyboard('{Enter}');
  await user.click(within(await asked()).getByRole('button', { name: 'Remove PIN' }));
  await pin.findByText('Your PIN has been removed.');
  expect(pin.queryByRole('button', { name: 'Remove PIN' })).toBeNull();
});
