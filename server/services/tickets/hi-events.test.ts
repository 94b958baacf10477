/** Hi.Events from the link of a check-in list to what it was told, with a stand-in made from its documented answers. */
import { expect, it } from 'vitest';
import { HI_LIST, HiEvents } from '../../../testing/tickets/hi-events.ts';
import { askOf } from '../../../testing/tickets/stand-in.ts';
import { EVENT, openTicketVenue, SOURCE, testTeller } from '../../../testing/tickets/venue.ts';
import { connectHiEvents } from './hi-events.ts';
import { createSource, readSources } from './sources.ts';
import { syncSources } from './sync.ts';

const CONFIG = { api: 'https://tickets.example/api/public', list: HI_LIST };

const guest = (id: number, status = 'ACTIVE') => ({
  ...{ id, public_id: `A-${id}`, first_name: 'Guest', last_name: String(id), status, order_id: 9 },
});

async function openHiEvents(guests = 3) {
  const system = new HiEvents();
  system.attendees = Array.from({ length: guests }, (_, at) => guest(at + 1));
  const venue = await openTicketVenue({ kind: 'hi_events', config: CONFIG }, askOf(system));
  system.nowMs = venue.clock.now();
  const sync = () => syncSources(venue.deps, SOURCE);
  const idOf = async (code: string) =>
    (await venue.tickets()).find((ticket) => ticket.code === code)?.id ?? '';
  return { ...venue, system, sync, idOf, teller: testTeller(venue.db, venue.clock, askOf(system)) };
}

it('the link is enough to connect and to read guests in pages', async () => {
  const { deps, live, system, tickets, sync } = await openHiEvents(600);
  const request = { kind: 'hi_events', link: system.link } as const;
  const made = await createSource(deps, live, { eventId: EVENT, request, actor: 'cli' });
  expect(made).toMatchObject({ name: 'Main door', sync: { is_chosen: true } });
  await sync();
  expect(await tickets()).toHaveLength(600);
  system.attendees[0] = guest(1, 'CANCELLED');
  system.attendees[1] = guest(2, 'AWAITING_PAYMENT');
  await sync();
  const states = (await tickets()).map(({ state }) => state);
  expect([
    states.filter((one) => one === 'cancelled').length,
    states.filter((one) => one === 'unpaid').length,
  ]).toEqual([1, 1]);
});

it.each([
  ['another address', 'https://tickets.example/check-in', undefined, 'unreadable'],
  ['a list that is not active', undefined, { http: 403 }, 'expired'],
  ['nobody there', undefined, 'unreachable' as const, 'unreachable'],
  ['another site', undefined, { http: 200, body: '<html>' }, 'unknown'],
])('%s is refused in words', async (_, link, fault, problem) => {
  const system = new HiEvents();
  system.fault = () => fault;
  const connecting = connectHiEvents(askOf(system), link ?? system.link);
  await expect(connecting).rejects.toMatchObject({ code: 'source_refused', facts: { args: { problem } } });
});

it('each guest is checked in alone, once; a guest who was checked in there before is a conflict', async () => {
  const { system, sync, idOf, pass, teller, clock, deps, live } = await openHiEvents();
  await sync();
  system.checkIns.set('A-2', { id: 'other', checked_in_at: new Date(clock.now() - 60_000).toISOString() });
  for (const code of ['A-1', 'A-2', 'A-3']) await pass(await idOf(code), 'in', clock.now());
  system.attendees.pop();
  await teller.drain();
  expect(system.made).toEqual(['A-1']);
  expect((await readSources(deps, live, EVENT)).items[0]?.sync).toMatchObject({
    ...{ waiting: 0, told: 1, conflicts: 1, refused: 1 },
  });
});

it('an undo removes the check-in; an exit and coming again need nothing', async () => {
  const { system, sync, idOf, pass, teller, clock, calls } = await openHiEvents();
  await sync();
  const id = await idOf('A-1');
  const entry = await pass(id, 'in', clock.now());
  await pass(id, 'undo', clock.now(), entry);
  await teller.drain();
  expect(system.checkIns.size).toBe(0);
  await pass(id, 'in', clock.now());
  await pass(id, 'out', clock.now());
  await pass(id, 'in', clock.now());
  await teller.drain();
  expect(system.made).toEqual(['A-1', 'A-1']);
  expect((await calls()).every(({ status }) => status === 'told')).toBe(true);
});

it('an answer that is lost leaves no second check-in and no conflict', async () => {
  const { system, sync, idOf, pass, teller, clock, calls } = await openHiEvents();
  await sync();
  await pass(await idOf('A-1'), 'in', clock.now());
  system.fault = () => 'lost';
  await teller.drain();
  expect(await calls()).toMatchObject([{ status: 'waiting', attempts: 1 }]);
  system.fault = undefined;
  clock.advance(600_000);
  await teller.drain();
  expect(system.made).toEqual(['A-1']);
  expect(await calls()).toMatchObject([{ status: 'told', attempts: 2 }]);
});

it('a list that has expired keeps what it has to be told', async () => {
  const { system, sync, idOf, pass, teller, clock, deps, live, calls } = await openHiEvents();
  await sync();
  await pass(await idOf('A-1'), 'in', clock.now());
  system.isActive = false;
  for (let day = 0; day < 20; day += 1) {
    clock.advance(3_600_000);
    await teller.drain();
  }
  await sync();
  expect((await readSources(deps, live, EVENT)).items[0]?.sync).toMatchObject({
    waiting: 1,
    failure: 'expired',
  });
  system.isActive = true;
  clock.advance(600_000);
  await teller.drain();
  expect(await calls()).toMatchObject([{ status: 'told' }]);
});
