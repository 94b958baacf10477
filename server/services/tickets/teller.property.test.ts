/** Entries reach their source once each, whatever happens between: outages, lost answers, kills and errors. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { limitMs, sized } from '../../../testing/tier.ts';
import { HI_LIST, HiEvents } from '../../../testing/tickets/hi-events.ts';
import { Pretix, PRETIX_EVENT, PRETIX_LIST } from '../../../testing/tickets/pretix.ts';
import { askOf, type StandIn } from '../../../testing/tickets/stand-in.ts';
import { openTicketVenue, SOURCE, testTeller } from '../../../testing/tickets/venue.ts';
import { LEASE_MS } from '../webhooks/outbox.ts';
import { syncSources } from './sync.ts';

const GUESTS = 6;
/** The nightly run makes ten times the statements, on PostgreSQL through a socket. */
const LIMIT_MS = limitMs(sized(10_000, 120_000));
/** The first answer after a long outage is an error, as of a system that starts. */
const BACK_WITH_AN_ERROR = [
  'enter' as const,
  ...Array.from({ length: 12 }, () => 'outage' as const),
  'error' as const,
];
const PRETIX = {
  ...{ url: 'https://pretix.example', organizer: 'club', token: 'secret-token', profile: 'pretixscan' },
  ...{ event: PRETIX_EVENT, list: PRETIX_LIST },
};

function systems() {
  const pretix = new Pretix();
  pretix.orders = Array.from({ length: GUESTS }, (_, at) => ({
    ...{ code: `O${at}`, status: 'p', modified: 1 },
    positions: [{ id: at + 1, secret: `S${at}` }],
  }));
  const hiEvents = new HiEvents();
  hiEvents.attendees = Array.from({ length: GUESTS }, (_, at) => ({
    ...{
      id: at + 1,
      public_id: `S${at}`,
      first_name: 'G',
      last_name: `${at}`,
      status: 'ACTIVE',
      order_id: at,
    },
  }));
  return [
    {
      ...{ kind: 'pretix' as const, system: pretix as StandIn, config: PRETIX },
      redeemed: () => pretix.checkIns.map(({ secret }) => secret),
      at: () => undefined,
    },
    {
      ...{ kind: 'hi_events' as const, system: hiEvents as StandIn },
      config: { api: 'https://tickets.example/api/public', list: HI_LIST },
      redeemed: () => hiEvents.made,
      at: (nowMs: number) => void (hiEvents.nowMs = nowMs),
    },
  ];
}

const step = fc.oneof(
  { weight: 3, arbitrary: fc.constant('enter' as const) },
  { weight: 3, arbitrary: fc.constant('poll' as const) },
  { weight: 2, arbitrary: fc.constant('lost' as const) },
  { weight: 2, arbitrary: fc.constant('outage' as const) },
  { weight: 2, arbitrary: fc.constant('error' as const) },
  { weight: 2, arbitrary: fc.constant('busy' as const) },
  { weight: 3, arbitrary: fc.constantFrom('kill before' as const, 'kill after' as const) },
);

it('nothing is lost and nothing is redeemed twice, through kills', { timeout: LIMIT_MS }, async () => {
  for (const kind of [0, 1]) {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 24 }), async (steps) => {
        const source = systems()[kind]!;
        const { system } = source;
        const venue = await openTicketVenue(source, askOf(system));
        const { db, clock, tickets, pass, calls } = venue;
        await syncSources(venue.deps, SOURCE);
        const waiting = (await tickets()).map(({ id, code }) => ({ id, code }));
        const entered: string[] = [];
        let teller = testTeller(db, clock, askOf(system));
        const later = () => {
          clock.advance(400_000);
          source.at(clock.now());
        };
        for (const taken of steps) {
          later();
          if (taken === 'enter') {
            const next = waiting.pop();
            if (next === undefined) continue;
            await pass(next.id, 'in', clock.now());
            entered.push(next.code ?? '');
          } else if (taken === 'kill before' || taken === 'kill after') {
            // The process stops during an attempt, before or after the question arrived, and never records it.
            const { promise: never } = Promise.withResolvers<never>();
            const asked = Promise.withResolvers<null>();
            const dying = testTeller(db, clock, async (question) => {
              if (taken === 'kill after') await askOf(system)(question);
              asked.resolve(null);
              return never;
            });
            await dying.poll();
            if ((await calls()).some(({ status }) => status === 'waiting'))
              await Promise.race([asked.promise, dying.idle()]);
            // Another one notices that its claim stands still.
            teller = testTeller(db, clock, askOf(system));
            await teller.poll();
            await teller.idle();
            teller.steady.advance(LEASE_MS);
          } else {
            const faults = {
              lost: 'lost',
              outage: 'unreachable',
              error: { http: 500 },
              busy: { http: 429 },
            } as const;
            const fault = taken === 'poll' ? undefined : faults[taken];
            system.fault = () => fault;
            await teller.poll();
            await teller.idle();
            system.fault = undefined;
          }
        }
        for (let round = 0; round < 3; round += 1) {
          later();
          teller.steady.advance(LEASE_MS);
          await teller.drain();
        }
        expect(source.redeemed()).toEqual(entered);
        expect((await calls()).map(({ status }) => status)).toEqual(entered.map(() => 'told'));
        expect(teller.errors).toEqual([]);
      }),
      { numRuns: sized(6, 40), examples: [[BACK_WITH_AN_ERROR]] },
    );
  }
});

it(
  'four hours and 5,000 entries without a network are caught up in their order',
  { timeout: LIMIT_MS },
  async () => {
    const pretix = new Pretix();
    const entries = sized(500, 5_000);
    pretix.orders = Array.from({ length: entries }, (_, at) => ({
      ...{ code: `O${at}`, status: 'p', modified: 1 },
      positions: [{ id: at + 1, secret: `S${at}` }],
    }));
    const { db, clock, deps, tickets, pass, calls } = await openTicketVenue(
      { kind: 'pretix', config: PRETIX },
      askOf(pretix),
    );
    while ((await tickets()).length < entries) await syncSources(deps, SOURCE);
    pretix.fault = () => 'unreachable';
    const teller = testTeller(db, clock, askOf(pretix));
    const order: string[] = [];
    for (const { id, code } of await tickets()) {
      clock.advance((4 * 3_600_000) / entries);
      await pass(id, 'in', clock.now());
      order.push(code ?? '');
      if (order.length % 100 === 0) await teller.drain();
    }
    pretix.fault = undefined;
    clock.advance(300_000);
    await teller.drain();
    expect(pretix.checkIns.map(({ secret }) => secret)).toEqual(order);
    expect(new Set(pretix.checkIns.map(({ nonce }) => nonce)).size).toBe(entries);
    expect((await calls()).filter(({ status }) => status !== 'told')).toEqual([]);
  },
);
