import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { TicketSourceRecord } from '../../../../server/contract/console/ticket-sources.ts';
import { ticketSources } from '../../../../server/contract/routes/console/ticket-sources.ts';
import { on, openConsole, Refused } from '../console.fixture.tsx';

const AT = '2030-05-15T18:00:00Z';

const source = (kind: TicketSourceRecord['kind']): TicketSourceRecord => ({
  ...{
    source_id: kind,
    kind,
    name: `Shop ${kind}`,
    tickets: 3,
    not_valid: 0,
    created_at: AT,
    updated_at: AT,
  },
  sync: {
    ...{ read_at: AT, failure: null, is_chosen: true },
    ...{ waiting: 0, told: 3, conflicts: 0, refused: 0 },
  },
});

const openSources = (roll: () => TicketSourceRecord) =>
  openConsole('/events/ev/tickets', [
    on(ticketSources.list, () => ({
      ...{
        items: [source('pretix'), source('hi_events')],
        keep_days: 30,
        home_url: 'https://venue.example/t/ev',
        is_local_only: false,
        version: '1',
      },
    })),
    on(ticketSources.roll, roll),
  ]);

test('the key of a pretix, and of no other source, is replaced after a warning', async () => {
  const { user, calls } = await openSources(() => source('pretix'));
  await user.click(await screen.findByRole('button', { name: 'Replace the key of Shop pretix' }));
  expect(screen.queryByRole('button', { name: 'Replace the key of Shop hi_events' })).toBeNull();
  const dialog = within(await screen.findByRole('dialog'));
  dialog.getByText('the old one ends at once', { exact: false });
  await user.click(dialog.getByRole('button', { name: 'Replace the key' }));
  await expect
    .poll(() => calls.map(({ name }) => name))
    .toContain('POST /events/ev/ticket-sources/pretix/roll');
  await expect.poll(() => screen.queryByRole('dialog')).toBeNull();
});

test('a pretix that refuses to replace its key says why, and the dialog stays', async () => {
  const { user } = await openSources(() => {
    throw new Refused('source_refused', 400, { problem: 'no_rights' });
  });
  await user.click(await screen.findByRole('button', { name: 'Replace the key of Shop pretix' }));
  const dialog = within(await screen.findByRole('dialog'));
  await user.click(dialog.getByRole('button', { name: 'Replace the key' }));
  await dialog.findByRole('alert');
});
