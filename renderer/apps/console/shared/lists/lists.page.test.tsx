/** What every list of the console does: its states, its further pages, its filters, and its keys. */
import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { SessionItem } from '../../../../../server/contract/console/sessions.ts';
import { sessions } from '../../../../../server/contract/routes/console/sessions.ts';
import { run } from '../../../../../testing/service/runs.ts';
import { openService } from '../../at-service.fixture.ts';
import { on, openConsole, Refused } from '../../console.fixture.tsx';

const GUESTS = 60;
const rows = () => document.querySelectorAll('.row-open');

test('a list shows its first page, then the next one, below what it has; a text typed into its filter keeps its spaces', async () => {
  const service = await openService();
  for (let guest = 1; guest <= GUESTS; guest += 1)
    await run(service, `face-${guest}`, { external_id: `guest-${guest}` });
  const { user, calls } = await openConsole('/sessions?partition=test', await service.as('staff'));
  await screen.findByText('50 rows');
  const [newest] = rows();
  await user.click(screen.getByRole('button', { name: 'Load more' }));
  await screen.findByText(`${GUESTS} rows`);
  expect(rows()[0]).toBe(newest);
  expect(screen.queryByRole('button', { name: 'Load more' })).toBeNull();

  calls.length = 0;
  const find = screen.getByLabelText<HTMLInputElement>('Find');
  await user.type(find, 'guest-60 ');
  await screen.findByText('1 row');
  expect(window.location.search).toMatch(/q=guest-60$/);
  expect(find.value).toBe('guest-60 ');
  expect(calls.filter(({ name }) => name === 'GET /sessions')).toHaveLength(1);
  await user.type(find, 'x');
  await screen.findByText('No results');
  await user.click(screen.getByRole('button', { name: 'Clear filters' }));
  await screen.findByText(`${GUESTS} rows`);
});

test('a list that can’t be read says so, and tries again when asked', async () => {
  let isBroken = true;
  const { user } = await openConsole('/sessions', [
    on(sessions.list, () => {
      if (isBroken) throw new Refused('internal_error', 500);
      return { items: [] as SessionItem[], next_cursor: null };
    }),
  ]);
  const retry = await screen.findByRole('button', { name: 'Try again' });
  isBroken = false;
  await user.click(retry);
  await waitFor(() => expect(screen.queryByRole('alert')).toBeNull());
});

test('a filter is saved by keyboard, and removed only after a confirmation', async () => {
  const service = await openService();
  const { user } = await openConsole(
    '/sessions?partition=test&status=approved',
    await service.as('reviewer'),
  );
  const save = await screen.findByRole('button', { name: 'Save filter' });
  save.focus();
  await user.keyboard('{Enter}');
  await user.type(await screen.findByLabelText('Filter name'), 'Let in today{Enter}');
  await screen.findByRole('button', { name: 'Let in today' });
  await waitFor(() => expect(document.activeElement).toBe(save));
  const name = 'Remove saved filter Let in today';
  const remove = screen.getByRole('button', { name });
  remove.focus();
  await user.keyboard('{Enter}');
  await screen.findByRole('dialog', { name });
  await user.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await waitFor(() => expect(document.activeElement).toBe(remove));
  await user.keyboard('{Enter}');
  const asked = within(await screen.findByRole('dialog', { name }));
  asked.getByRole('button', { name: 'Remove' }).focus();
  await user.keyboard('{Enter}');
  await waitFor(() => expect(screen.queryByRole('button', { name })).toBeNull());
  await waitFor(() => expect(document.activeElement?.id).toBe('content'));
});

test('the first hit is selected in the palette, also if it arrives late', async () => {
  const service = await openService();
  const { user } = await openConsole('/account', await service.as('admin'));
  await user.keyboard('{Control>}k{/Control}');
  await user.type(await screen.findByPlaceholderText('Search pages, actions, people and tickets…'), 'sk_');
  await waitFor(() => {
    const first = document.querySelector('[data-action]');
    expect(first?.getAttribute('data-selected')).toBe('true');
    expect(first?.textContent).toContain('sk_');
    expect(first?.textContent).not.toContain('Search');
  });
  // It is one for all pages of the worker.
  await user.keyboard('{Escape}');
});
