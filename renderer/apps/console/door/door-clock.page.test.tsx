import { setTimeout as sleep } from 'node:timers/promises';
import { screen } from '@testing-library/react';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { DoorBadge, DoorTeam } from '../../../../server/contract/console/door-team.ts';
import type { DoorView } from '../../../../server/contract/console/door.ts';
import type { EventRecord } from '../../../../server/contract/console/events.ts';
import type { KioskRecord } from '../../../../server/contract/console/kiosks.ts';
import { doorTeam } from '../../../../server/contract/routes/console/door-team.ts';
import { door } from '../../../../server/contract/routes/console/door.ts';
import { health } from '../../../../server/contract/routes/console/health.ts';
import { maintenance } from '../../../../server/contract/routes/console/maintenance.ts';
import { reviews } from '../../../../server/contract/routes/console/reviews.ts';
import { on, openConsole } from '../console.fixture.tsx';

const inMs = (ms: number) => new Date(Date.now() + ms).toISOString();
const counts = { ended: 0, passed: 0, passed_again: 0, flagged: 0, turned_away: 0, declined: 0 };

const kiosk = (change: Partial<KioskRecord> = {}): KioskRecord => ({
  ...{
    kiosk_id: 'k',
    name: 'North',
    event_id: null,
    event_name: null,
    is_way_out: false,
    state: 'online',
    screen: 'attract',
  },
  ...{ camera: 'ready', session_id: null, last_seen_at: inMs(-4_000), silent_ms: 4_000 },
  ...{ paired_at: inMs(-9_000_000), code_ends_at: null, version: '1' },
  ...change,
});

const view = (kiosks: KioskRecord[], event: EventRecord | null): DoorView => ({
  ...{ event, running: [], last_hour: 0, open_cases: 0, latest: [], under_way: [], kiosks },
  counts: { ...counts, in_review: 0, unfinished: 0 },
  cap: { is_reached: false, daily_limit: 1_000, ends_at: inMs(9_000_000) },
});

const openDoor = (
  kiosks: KioskRecord[],
  event: EventRecord | null = null,
  serverMs = Date.now(),
  badges: DoorBadge[] = [],
) =>
  openConsole(
    '/door',
    [
      on(door.read, () => view(kiosks, event)),
      on(doorTeam.read, () => ({ ...team, badges })),
      on(doorTeam.printAgain, () => ({ ok: true as const })),
      on(door.codes, () => ({ read_out: true, items: [] })),
      on(door.firstSteps, () => ({
        ...{ event: true, kiosk: true, guest: true, colleague: true, recovery: true, network: true },
      })),
      on(health.read, () => ({ checks: [], conditions: [], last_backup_at: null })),
      on(maintenance.read, () => ({
        ...{ is_on: false, until: null, switched_by_hand: false, notice: '', planned: [] },
      })),
      on(reviews.figures, () => ({
        ...{ waiting: 0, held: 0, oldest_ms: null, decided_hour: 0, decided_day: 0, mean_wait_ms: null },
      })),
    ],
    { serverMs },
  );

const night: EventRecord = {
  ...{ event_id: 'ev', name: 'Night', state: 'running', starts_at: inMs(-9e6), ends_at: inMs(9e6) },
  ...{ verification_id: 'v', group: 'g', limit: { kind: 'total', max: 1 }, languages: ['en'] },
  ...{ kiosk_languages: ['en'], words: {}, colour: null, guest_photo_days: null, fast_lane: false },
  ...{ badge: null, badge_width_mm: 90, badge_height_mm: 55 },
  ...{ faces: 'organiser', faces_days: 1, faces_until: null, keeps_codes: false },
  ...{ logo_id: null, picture_id: null, kiosks: 0, created_at: inMs(-9e6), updated_at: inMs(-9e6) },
  version: '1',
};

const team: DoorTeam = {
  ...{ takes_tickets: true, is_local_only: false, re_entry: false, version: '1', calls: [], shifts: [] },
  counts: { tickets: 2, inside: 2, most_inside: null, is_full: false, gates: [] },
  badges: [],
  conflicts: [
    { name: 'Ada', at: '2030-05-15T18:05:00Z', other_at: '2030-05-15T17:30:00Z' },
    { name: null, at: '2030-05-15T18:01:00Z', other_at: null },
  ],
};

/** Only repeats stand still: what a page does at once, it does. */
function holdRepeats() {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  return async (ms: number) => {
    await vi.advanceTimersByTimeAsync(ms);
    await sleep(100);
  };
}

test('an open Door page asks for nothing that is announced, and has its slow look after half a minute', async () => {
  const pass = holdRepeats();
  const { calls } = await openDoor([kiosk()]);
  await screen.findByText('North');
  await pass(0);
  const before = calls.length;
  await pass(20_000);
  expect(calls.slice(before).map(({ name }) => name)).toEqual([]);
  await pass(15_000);
  expect(calls.slice(before).map(({ name }) => name)).toEqual(['GET /door']);
});

test.each([
  ['right', 0],
  ['20 minutes ahead', -20 * 60_000],
  ['20 minutes behind', 20 * 60_000],
])(
  'where the browser’s clock is %s, a silent kiosk is shown so, and asked for when it counts as away',
  async (_, offMs) => {
    const pass = holdRepeats();
    const silent = kiosk({ last_seen_at: inMs(offMs - 31_000), silent_ms: 31_000 });
    const { calls } = await openDoor([silent, kiosk({ kiosk_id: 'k2' })], null, Date.now() + offMs);
    await screen.findByText(/No contact for [34]\d s/);
    expect(screen.getAllByText(/No contact/)).toHaveLength(1);
    await pass(0);
    const before = calls.length;
    await pass(20_000);
    expect(calls.slice(before).map(({ name }) => name)).toContain('GET /door');
  },
);

test('staff see what became of badges, and have one printed again at its kiosk', async () => {
  const at = '2030-05-15T18:05:00Z';
  const badge = { badge_id: 'b1', name: 'Ada', kiosk: 'North', status: 'taken', why: null, at } as const;
  const badges: DoorBadge[] = [
    badge,
    { ...badge, badge_id: 'b2', name: 'Ben', status: 'waiting' },
    { ...badge, badge_id: 'b3', name: null, status: 'failed', why: 'no_printer' },
    { ...badge, badge_id: 'b4', name: 'Cy', kiosk: null, status: 'sent' },
  ];
  const { user, calls } = await openDoor([], night, Date.now(), badges);
  await screen.findByText('North: taken at 20:05, not known whether printed');
  screen.getByText('North: waiting since 20:05');
  screen.getByText('North: no printer found at 20:05');
  screen.getByText('Removed kiosk: sent to the printer at 20:05');
  const again = screen.getAllByRole('button', { name: /^Print again/ });
  expect(again.map((button) => button.getAttribute('aria-label'))).toEqual([
    'Print again: Ada',
    'Print again: A guest without a name',
  ]);
  await user.click(screen.getByRole('button', { name: 'Print again: Ada' }));
  expect(calls.map(({ name }) => name)).toContain('POST /events/ev/badges/b1/print');
});

test('the door team sees which tickets were used elsewhere, too, in the venue’s time', async () => {
  await openDoor([], night);
  await screen.findByText('Ada: this ticket was also used elsewhere, at 19:30.');
  screen.getByText('A guest without a name: this ticket was also used elsewhere, at 20:01.');
});
