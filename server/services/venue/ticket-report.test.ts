/** The tickets of an event's report. */
import { expect, test } from 'vitest';
import { openTestService } from '../../../testing/service/temp-service.ts';
import { passOf, run } from '../../../testing/service/runs.ts';
import { venueEvent } from '../../../testing/store/rows.ts';
import { ANY_AGE, olderThan } from '../../domain/clock.ts';
import type { TicketState } from '../../domain/tickets/ticket.ts';
import { countRefusal, type Entry, insertEntry } from '../../store/tickets/entries.ts';
import { stripDueEntries, stripDueTickets } from '../../store/tickets/rules.ts';
import { insertSource } from '../../store/tickets/sources.ts';
import { bindTicket, insertTicket } from '../../store/tickets/tickets.ts';
import { insertEvent } from '../../store/venue/events.ts';
import { reportCsv } from './report-csv.ts';
import { readReport } from './report.ts';

const HOUR_MS = 3_600_000;
const GATES = { north: 'North gate', phone: 'Kim' } as const;

/** Tickets t0 to t4, of which t3 is unpaid and t4 cancelled; the event began two hours ago. */
async function openNight(startsAgo = 2 * HOUR_MS) {
  const service = await openTestService();
  const { deps, clock, company } = service;
  const scope = service.scope('test');
  const now = clock.now();
  const times = { startsAt: now - startsAgo, endsAt: now + 8 * HOUR_MS };
  const night = venueEvent(scope, company.default_verification_id, 'night', times);
  const states: TicketState[] = ['valid', 'valid', 'valid', 'unpaid', 'cancelled'];
  await deps.db.tx(async (tx) => {
    await insertEvent(tx, night);
    const dates = { createdAt: now, updatedAt: now };
    const source = { id: 's', eventId: 'night', kind: 'list', name: 'List', config: {}, state: {} } as const;
    await insertSource(tx, scope, { ...source, ...dates });
    for (const [at, state] of states.entries())
      await insertTicket(tx, scope, {
        ...{ id: `t${at}`, eventId: 'night', sourceId: 's', codeHash: Buffer.from(`${at}`), code: null },
        ...{ externalId: null, name: `Guest ${at}`, kind: null, party: null, note: null, state },
        ...{ validFrom: null, validUntil: null, rulesUnknown: false, ...dates },
      });
  });
  const pass = (ticketId: string | null, change: Partial<Entry> & { gate?: keyof typeof GATES } = {}) => {
    const { gate = 'north', ...more } = change;
    return deps.db.tx((tx) =>
      insertEntry(tx, scope, {
        ...{ eventId: 'night', ticketId, personId: null, sessionId: null, gate, gateName: GATES[gate] },
        ...{ direction: 'in', people: 1, at: clock.now(), actor: 'system', how: 'check', reason: null },
        ...more,
      }),
    );
  };
  const refuse = (gate: keyof typeof GATES, reason: string) =>
    deps.db.tx((tx) =>
      countRefusal(tx, scope, {
        ...{ eventId: 'night', gate: { id: gate, name: GATES[gate] }, reason, at: clock.now() },
      }),
    );
  const report = () => readReport(deps, scope, 'night');
  return { service, deps, clock, scope, night, pass, refuse, report };
}

test('tickets are counted by what became of them, with refusals by reason, by gate and by hour', async () => {
  const { pass, refuse, clock, report } = await openNight();
  await pass('t0');
  await pass('t1', { gate: 'phone', how: 'staff' });
  await refuse('north', 'unknown');
  clock.advance(HOUR_MS);
  await pass('t0', { direction: 'out' });
  await pass(null, { people: 3, how: 'staff' });
  await refuse('phone', 'already_in');
  await refuse('phone', 'already_in');
  clock.advance(2 * HOUR_MS);
  await pass('t0');
  const { tickets } = await report();
  expect(tickets).toMatchObject({
    ...{ sold: 3, not_valid: 2, entered: 6, left: 1, inside: 5, people: 5, codes_without_face: 1 },
    refusals: [
      { reason: 'already_in', count: 2 },
      { reason: 'unknown', count: 1 },
    ],
    gates: [
      { name: 'Kim', entered: 1, left: 0, refused: 2 },
      { name: 'North gate', entered: 5, left: 1, refused: 1 },
    ],
  });
  expect(tickets?.hours.map(({ entered, left, refused }) => [entered, left, refused])).toEqual([
    ...[
      [0, 0, 0],
      [0, 0, 0],
      [2, 0, 1],
      [3, 1, 2],
      [0, 0, 0],
      [1, 0, 0],
    ],
  ]);
  expect(tickets?.gate_hours).toHaveLength(5);
});

test('an event without tickets says nothing of them', async () => {
  const { deps, report } = await openNight();
  await deps.db.tx((tx) => tx.run('DELETE FROM ticket_sources'));
  expect((await report()).tickets).toBeNull();
});

test('every hour of the event is listed once, also when the clocks change', async () => {
  const { night, deps, scope, pass, clock } = await openNight();
  // In Europe, 2026-10-25 has the hour from 02:00 twice.
  const startsAt = Date.UTC(2026, 9, 24, 22, 30);
  await deps.db.tx((tx) =>
    tx.run('UPDATE events SET starts_at = ?, ends_at = ?', startsAt, startsAt + 6 * HOUR_MS),
  );
  await pass('t0', { at: startsAt + HOUR_MS });
  expect(clock.now()).toBeGreaterThan(startsAt);
  const { tickets } = await readReport(deps, scope, night.id);
  expect(tickets?.hours.map(({ from }) => from.slice(5, 16))).toEqual([
    ...['10-24T22:00', '10-24T23:00', '10-25T00:00', '10-25T01:00', '10-25T02:00', '10-25T03:00'],
    '10-25T04:00',
  ]);
});

test('faces without a ticket are counted, and the numbers stay after names and faces are gone', async () => {
  const { service, deps, scope, night, pass, clock, report } = await openNight();
  for (const [at, face] of ['alice', 'bob', 'carla'].entries()) {
    const { personId } = await passOf(service, await run(service, face, { group: 'night' }));
    if (at === 2) continue;
    await pass(`t${at}`, { personId });
    await deps.db.tx((tx) =>
      bindTicket(tx, scope, { id: `t${at}`, personId: personId ?? '', at: clock.now() }),
    );
  }
  const before = (await report()).tickets;
  expect(before).toMatchObject({ faces_without_code: 1, people: 2, codes_without_face: 0 });
  const time = olderThan(ANY_AGE, ANY_AGE - (night.endsAt + 31 * 24 * HOUR_MS));
  await deps.db.tx((tx) => stripDueEntries(tx, time, 99));
  await deps.db.tx((tx) => stripDueTickets(tx, time, 99));
  expect((await report()).tickets).toEqual(before);
});

test('a ticket of a check at home is no guest who came: it hides no face without a ticket', async () => {
  const { service, deps, scope, clock, report } = await openNight();
  const atHome = await passOf(service, await run(service, 'alice', { group: 'home:night' }));
  await deps.db.tx((tx) =>
    bindTicket(tx, scope, { id: 't0', personId: atHome.personId ?? '', at: clock.now() }),
  );
  await run(service, 'bob', { group: 'night' });
  expect((await report()).tickets).toMatchObject({ faces_without_code: 1, people: 0 });
});

test('the file has the tickets in words, and neither names nor codes', async () => {
  const { pass, refuse, report } = await openNight();
  await pass('t0');
  await refuse('phone', 'other_face');
  const csv = reportCsv(await report(), 'en');
  expect(csv).toContain('Tickets,,Tickets sold,3,tickets.sold');
  expect(csv).toContain('Why tickets let nobody in,,Face not matched,1,tickets.refusals.other_face');
  expect(csv).toContain('By gate,North gate,Entered,1,tickets.gates.entered');
  expect(csv).toMatch(/By gate and hour,\S+Z Kim,Not let in,1,tickets.gate_hours.refused/);
  expect(csv).not.toContain('Guest');
  expect(reportCsv(await report(), 'de')).toContain('Gesicht nicht zugeordnet');
});
