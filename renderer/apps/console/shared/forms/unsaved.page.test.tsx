/** What is typed is not lost unasked (decisions §8.2). */
import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { events } from '../../../../../server/contract/routes/console/events.ts';
import { openService } from '../../at-service.fixture.ts';
import { on, openConsole } from '../../console.fixture.tsx';

const openEvents = () => openConsole('/events', [on(events.list, () => ({ items: [], next_cursor: null }))]);
const dialog = () => screen.findByRole('dialog', { name: 'New event' });
const nameOf = async () => within(await dialog()).findByRole<HTMLInputElement>('textbox', { name: 'Name' });
const question = () => screen.findByRole('dialog', { name: 'Discard your changes?' });

test('Escape, a click outside and Cancel ask before they lose what was typed, and nothing else does', async () => {
  const { user } = await openEvents();
  const open = async () => user.click((await screen.findAllByRole('button', { name: 'New event' }))[0]!);
  await open();
  await nameOf();
  await user.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await open();
  await user.type(await nameOf(), 'Winter gala');
  for (const leave of [
    () => user.keyboard('{Escape}'),
    () => user.click(document.querySelector('.mantine-Modal-overlay')!),
    async () => user.click(within(await dialog()).getByRole('button', { name: 'Cancel' })),
  ]) {
    await leave();
    await user.click(within(await question()).getByRole('button', { name: 'Keep editing' }));
    expect((await nameOf()).value).toBe('Winter gala');
  }
  await user.keyboard('{Escape}');
  await user.click(within(await question()).getByRole('button', { name: 'Discard' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await open();
  expect((await nameOf()).value).toBe('');
});

test('a link and “back” ask; what was discarded does not come back', async () => {
  const service = await openService();
  const { user } = await openConsole('/settings?section=retention', await service.as('admin'));
  const frames = () => screen.findByLabelText<HTMLInputElement>('Pictures of a case, after the decision');
  await user.clear(await frames());
  await user.type(await frames(), '14');
  const typed = (await frames()).value;
  await user.click(screen.getByRole('link', { name: 'Events' }));
  await user.click(within(await question()).getByRole('button', { name: 'Keep editing' }));
  expect(window.location.pathname).toBe('/settings');
  expect((await frames()).value).toBe(typed);
  await user.click(screen.getByRole('tab', { name: 'Matching' }));
  await user.click(within(await question()).getByRole('button', { name: 'Discard' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await user.click(await screen.findByRole('tab', { name: 'Retention' }));
  expect((await frames()).value).not.toBe(typed);
});

test('a typed confirmation outlives a reload, and its button says what is missing', async () => {
  const service = await openService();
  const ada = await service.as('admin');
  const open = async () => {
    const { user } = await openConsole('/settings?section=retention', ada);
    await user.click(await screen.findByRole('button', { name: 'Clear test data' }));
    const clearing = within(await screen.findByRole('dialog', { name: 'Clear the test data of Venue' }));
    const clear = () => clearing.getByRole<HTMLButtonElement>('button', { name: 'Clear test data' });
    const missing = () =>
      document.getElementById(clear().getAttribute('aria-describedby') ?? '')?.textContent;
    const typed = clearing.getByLabelText<HTMLInputElement>('to continue', { exact: false });
    return { user, clear, missing, typed, reason: clearing.getByLabelText(/^Reason/) };
  };
  const first = await open();
  await waitFor(() => expect(document.activeElement).toBe(first.reason));
  expect(first.missing()).toBe('Give a reason first.');
  await first.user.type(first.reason, 'before the event');
  expect(first.missing()).toBe('Type the name first.');
  await first.user.type(first.typed, 'Ven');
  const again = await open();
  expect(again.typed.value).toBe('Ven');
  await again.user.type(again.typed, 'ue');
  expect(again.clear().disabled).toBe(false);
});

test.each(['from=0002-05-01', 'from=garbage&to=2027-02-29', 'cursor=x&open=y&from='])(
  'an address with a wrong day breaks no page: %s',
  async (wrong) => {
    for (const place of ['sessions', 'audit', 'usage']) {
      await openConsole(`/${place}?${wrong}`, []);
      expect(screen.queryByText('Something went wrong')).toBeNull();
    }
  },
);
