import { screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { EventRecord } from '../../../../server/contract/console/events.ts';
import type { KioskRecord, KioskWithCode } from '../../../../server/contract/console/kiosks.ts';
import { openService } from '../at-service.fixture.ts';
import { openConsole } from '../console.fixture.tsx';

test('renaming a kiosk leaves it at the event to which somebody else has moved it', async () => {
  const service = await openService();
  const [ada, ben] = [await service.as('admin'), await service.as('admin')];
  const times = { starts_at: '2040-01-01T18:00Z', ends_at: '2040-01-02T02:00Z' };
  const newEvent = (name: string) => ben.ok<EventRecord>('/events', { body: { name, ...times } });
  const [one, two] = [await newEvent('One'), await newEvent('Two')];
  const { kiosk } = await ben.ok<KioskWithCode>('/kiosks', {
    body: { name: 'Gate', event_id: one.event_id },
  });
  const { user } = await openConsole('/door', ada);
  await user.click(await screen.findByRole('button', { name: 'Actions for Gate' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Rename or change event' }));
  const name = await screen.findByLabelText('Name of the kiosk');
  await user.clear(name);
  await user.type(name, 'North gate');
  await user.click(screen.getByRole('switch', { name: /^Guests leave here/ }));
  await ben.ok(`/kiosks/${kiosk.kiosk_id}`, { method: 'PATCH', body: { event_id: two.event_id } });
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await screen.findByText('North gate');
  await screen.findByText('Two · Exit');
  const { items } = await ben.ok<{ items: KioskRecord[] }>('/kiosks');
  expect(items[0]).toMatchObject({ name: 'North gate', event_id: two.event_id, is_way_out: true });
});
