import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { EventReport } from '../../../../server/contract/console/events.ts';
import type { TicketReport } from '../../../../server/contract/console/ticket-report.ts';
import { events } from '../../../../server/contract/routes/console/events.ts';
import { on, openConsole } from '../console.fixture.tsx';

/** In Berlin the hour from 2:00 comes twice in this night. */
const STARTS_AT = '2029-10-27T23:00:00.000Z';
const hour = (at: number) => new Date(Date.parse(STARTS_AT) + at * 3_600_000).toISOString();

const report = (tickets: TicketReport | null): EventReport => ({
  event: {
    ...{ event_id: 'ev', name: 'Night', state: 'over', starts_at: STARTS_AT, ends_at: hour(6) },
    ...{ verification_id: 'v', group: 'g', limit: { kind: 'total', max: 1 }, languages: ['en'] },
    ...{ kiosk_languages: ['en'], words: {}, colour: null, guest_photo_days: null, fast_lane: false },
    ...{ badge: null, badge_width_mm: 90, badge_height_mm: 55 },
    ...{ faces: 'organiser', faces_days: 1, faces_until: null, keeps_codes: false },
    ...{ logo_id: null, picture_id: null, kiosks: 0, created_at: STARTS_AT, updated_at: STARTS_AT },
    version: '1',
  },
  made_at: hour(7),
  counts: {
    ...{ ended: 0, passed: 0, passed_again: 0, flagged: 0, turned_away: 0, declined: 0 },
    ...{ in_review: 0, unfinished: 0 },
  },
  ...{ hours: [], reasons: [], kiosks: [], kiosk_time: { runs: 0, median_s: null, p90_s: null } },
  cases: { open: 0, same_person: 0, different_people: 0, same_person_allow: 0 },
  faces_ends: [],
  tickets,
});

const nothing: TicketReport = {
  ...{ sold: 0, not_valid: 0, entered: 0, left: 0, inside: 0, people: 0 },
  ...{ codes_without_face: 0, faces_without_code: 0 },
  ...{ refusals: [], gates: [], hours: [], gate_hours: [] },
};

const passages = (entered: number, left: number, refused: number) => ({ entered, left, refused });

const evening: TicketReport = {
  ...{ sold: 120, not_valid: 3, entered: 90, left: 12, inside: 78, people: 85 },
  ...{ codes_without_face: 7, faces_without_code: 4 },
  refusals: [
    { reason: 'already_in', count: 5 },
    { reason: 'of_a_newer_server', count: 1 },
  ],
  gates: [
    { gate: 'n', name: 'North gate', ...passages(60, 12, 5) },
    { gate: 's', name: 'South gate', ...passages(30, 0, 1) },
  ],
  hours: [0, 1, 2, 3].map((at) => ({
    from: hour(at),
    ...(at === 3 ? passages(0, 0, 0) : passages(30, 4, 2)),
  })),
  gate_hours: [
    { from: hour(0), gate: 'n', ...passages(20, 4, 2) },
    { from: hour(1), gate: 's', ...passages(30, 0, 1) },
  ],
};

const openReport = async (tickets: TicketReport | null) => {
  const opened = await openConsole('/events/ev/report', [on(events.report, () => report(tickets))]);
  await screen.findByRole('heading', { name: 'Report: Night' });
  return opened;
};
const rowsOf = (name: string) =>
  within(screen.getByRole('table', { name }))
    .getAllByRole('row')
    .map((row) => [...row.querySelectorAll('th, td')].map(({ textContent }) => textContent));

test('the report of an event without tickets says nothing of them', async () => {
  await openReport(null);
  expect(screen.queryByText(/ticket/i)).toBeNull();
});

test('before the first guest the report says so, instead of empty tables', async () => {
  await openReport(nothing);
  screen.getByText('Nobody came with a ticket yet.');
  screen.getByText('Every ticket that was scanned was good.');
  expect(screen.queryByRole('table', { name: 'By gate' })).toBeNull();
});

test('the report counts tickets, guests, gates and reasons', async () => {
  await openReport(evening);
  const part = within(screen.getByRole('region', { name: 'Tickets' }));
  const counted = part
    .getAllByRole('term')
    .map(({ textContent, parentElement }) => [textContent, parentElement?.querySelector('dd')?.textContent]);
  expect(Object.fromEntries(counted)).toMatchObject({
    ...{ 'Tickets sold': '120', Entered: '90', 'Inside now': '78', 'Not let in': '6' },
    ...{ 'Tickets without a check': '7', 'Checks without a ticket': '4' },
  });
  expect(rowsOf('By gate').slice(1)).toEqual([
    ['North gate', '60', '12', '5'],
    ['South gate', '30', '0', '1'],
  ]);
  // Shown on paper, where nobody can choose a gate.
  expect(rowsOf('South gate').map((row) => row.slice(1))).toEqual([
    ['Entered', 'Left', 'Not let in'],
    ['30', '0', '1'],
  ]);
  expect(rowsOf('Why tickets let nobody in').slice(1)).toEqual([
    ['Already used', '5'],
    ['of_a_newer_server', '1'],
  ]);
});

test('hours show empty ones, tell apart the one that comes twice, and can be those of one gate', async () => {
  const { user } = await openReport(evening);
  const hours = () => rowsOf('Tickets by hour').slice(1);
  expect(hours().map((row) => row.slice(2))).toEqual([
    ...[
      ['30', '2', '4'],
      ['30', '2', '4'],
      ['30', '2', '4'],
      ['0', '0', '0'],
    ],
  ]);
  expect(new Set(hours().map(([name]) => name)).size).toBe(4);
  await user.selectOptions(screen.getByLabelText('Gate'), 'South gate');
  expect(hours().map((row) => row.slice(2))).toEqual([
    ...[
      ['0', '0', '0'],
      ['30', '1', '0'],
      ['0', '0', '0'],
      ['0', '0', '0'],
    ],
  ]);
});
