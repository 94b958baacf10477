import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { EventRecord } from '../../../../server/contract/console/events.ts';
import { events } from '../../../../server/contract/routes/console/events.ts';
import { ticketSources } from '../../../../server/contract/routes/console/ticket-sources.ts';
import { on, openConsole, Refused } from '../console.fixture.tsx';

const TIME = '2030-05-15T18:00:00Z';
const EVENT = { event_id: 'ev_1', name: 'Night run' } as EventRecord;
const key = (mark: string, codes: number, redeemed: number) => ({
  key_id: mark.repeat(16),
  public_key: `hcpk_${mark.repeat(43)}`,
  created_at: TIME,
  codes,
  redeemed,
});

const open = (items: () => ReturnType<typeof key>[]) =>
  openConsole('/events/ev_1/tickets', [
    on(events.read, () => EVENT),
    on(ticketSources.list, () => ({
      ...{ items: [], keep_days: 30, home_url: 'https://venue.example/t/ev_1', is_local_only: false },
      version: '1',
    })),
    on(ticketSources.codeKeys, () => ({ event_id: 'ev_1', items: items() })),
  ]);

test('the tickets of an event show the public keys of its humans-only codes, and how many they signed', async () => {
  await open(() => [key('a', 0, 0), key('b', 1_200, 3)]);
  const panel = within(await screen.findByRole('region', { name: 'Humans-only codes' }));
  panel.getByRole('heading', { name: 'Public key' });
  panel.getByText(`hcpk_${'a'.repeat(43)}`);
  panel.getByText('No codes yet, 0 redeemed here');
  panel.getByRole('heading', { name: 'Older public key' });
  panel.getByText('1,200 codes, 3 redeemed here');
  expect(panel.getAllByRole('button', { name: /^Copy/ })).toHaveLength(2);
});

test('keys that could not be read are asked for again, beside the sources', async () => {
  let isBroken = true;
  const { user } = await open(() => {
    if (isBroken) throw new Refused('internal_error', 500);
    return [key('a', 1, 1)];
  });
  const again = await screen.findByRole('button', { name: 'Try again' });
  screen.getByRole('heading', { name: 'No tickets yet' });
  isBroken = false;
  await user.click(again);
  await screen.findByText('1 code, 1 redeemed here');
});
