/** What is typed is not lost unasked (decisions §8.2). */
import { cleanup, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { events } from '../../../../../server/contract/routes/console/events.ts';
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

test.each(['from=0002-05-01', 'from=garbage&to=2027-02-29', 'cursor=x&open=y&from='])(
  'an address with a wrong day breaks no page: %s',
  async (wrong) => {
    for (const place of ['sessions', 'audit', 'usage']) {
      await openConsole(`/${place}?${wrong}`, []);
      expect(screen.queryByText('Something went wrong')).toBeNull();
      cleanup();
    }
  },
);
