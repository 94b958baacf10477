/** The way back from the identity provider. */
import { screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { session } from '../../../../server/contract/routes/console/access.ts';
import { me, on, openConsole, Refused } from '../console.fixture.tsx';

const RETURN = '/oidc?code=once&state=s';

test('the code leaves the address and signs in once', async () => {
  let isIn = false;
  const { calls } = await openConsole(RETURN, [
    on(session.me, () => {
      if (!isIn) throw new Refused('sign_in_required', 401);
      return me('admin');
    }),
    on(session.signInWithOidc, () => {
      isIn = true;
      return me('admin');
    }),
  ]);
  await screen.findByRole('navigation');
  expect(calls.filter(({ name }) => name === 'POST /sign-in/oidc').map(({ body }) => body)).toEqual([
    { query: 'code=once&state=s' },
  ]);
  expect(window.location.href).not.toContain('once');
});

test('the code leaves the address of somebody who is signed in already', async () => {
  await openConsole(RETURN, []);
  await screen.findByRole('navigation');
  await vi.waitFor(() => expect(window.location.href).not.toContain('once'));
});
