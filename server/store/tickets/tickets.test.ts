import { describe, expect, it } from 'vitest';
import type { Scope } from '../../domain/scope.ts';
import { NOW, seedCompany, seedPerson, venueEvent } from '../../../testing/store/rows.ts';
import { openTempStore } from '../../../testing/store/temp-store.ts';
import { ANY_AGE, olderThan } from '../../domain/clock.ts';
import { countRemaining, erasePerson } from '../people/erasure.ts';
import type { Database } from '../sql/port.ts';
import { UniqueViolation } from '../sql/port.ts';
import { insertEvent } from '../venue/events.ts';
import { countByGate, findLastEntry, insertEntry, listEntries, undoEntry } from './entries.ts';
import { stripDueEntries, stripDueTickets } from './rules.ts';
import { insertSource } from './sources.ts';
import {
  bindTicket,
  findTicket,
  findTicketByCode,
  insertTicket,
  listParty,
  searchTickets,
  type SourcedTicket,
} from './tickets.ts';

const SCOPE: Scope = { companyId: 'c', partition: 'live' };
const TIMES = { createdAt: NOW, updatedAt: NOW };
const hash = (code: string) => Buffer.from(code);

const ticket = (id: string, overrides: Partial<SourcedTicket> = {}): SourcedTicket => ({
  id,
  eventId: 'e',
  sourceId: 's',
  codeHash: hash(id),
  code: null,
  externalId: null,
  name: null,
  kind: null,
  party: null,
  note: null,
  validFrom: null,
  validUntil: null,
  state: 'valid',
  rulesUnknown: false,
  ...TIMES,
  ...overrides,
});

async function openSeeded(): Promise<Database> {
  const db = await openTempStore();
  await seedCompany(db, 'c');
  await db.tx(async (tx) => {
    await insertEvent(tx, venueEvent(SCOPE, 'v-c', 'e'));
    const source = { id: 's', eventId: 'e', kind: 'list', name: 'List', config: {}, state: {} } as const;
    await insertSource(tx, SCOPE, { ...source, ...TIMES });
  });
  return db;
}

const entry = (ticketId: string | null, direction: 'in' | 'out', people = 1) => ({
  eventId: 'e',
  ticketId,
  personId: null,
  sessionId: null,
  gate: 'k',
  gateName: 'North',
  direction,
  people,
  at: NOW,
  actor: 'kiosk:k',
  how: 'check' as const,
  reason: null,
});

describe('tickets', () => {
  it('are found by code within their scope and event', async () => {
    const db = await openSeeded();
    await db.tx((tx) => insertTicket(tx, SCOPE, ticket('=A', { name: 'Zoë', note: 'VIP', code: '=A' })));
    expect(await findTicketByCode(db, SCOPE, 'e', hash('=A'))).toMatchObject({ code: '=A', note: 'VIP' });
    expect(await findTicketByCode(db, SCOPE, 'other', hash('=A'))).toBeUndefined();
    expect(
      await findTicketByCode(db, { companyId: 'c', partition: 'test' }, 'e', hash('=A')),
    ).toBeUndefined();
    const again = db.tx((tx) => insertTicket(tx, SCOPE, ticket('B', { codeHash: hash('=A') })));
    await expect(again).rejects.toEqual(new UniqueViolation('tickets_code'));
  });

  it('are found by any part of a name, without case and marks, as it is written', async () => {
    const db = await openSeeded();
    await db.tx(async (tx) => {
      await insertTicket(tx, SCOPE, ticket('1', { name: 'Zoë  Müller', party: 'P' }));
      await insertTicket(tx, SCOPE, ticket('2', { name: '100% Ada', party: 'P' }));
    });
    const search = async (text: string) =>
      (await searchTickets(db, SCOPE, { eventId: 'e', text, limit: 5 })).map(({ id }) => id);
    expect(await search('zoe mul')).toEqual(['1']);
    expect(await search('0% a')).toEqual(['2']);
    expect(await search('%%%')).toEqual([]);
    expect(await listParty(db, SCOPE, { eventId: 'e', party: 'P', limit: 9 })).toHaveLength(2);
  });

  it('are bound once, and an erasure unbinds them', async () => {
    const db = await openSeeded();
    await seedPerson(db, SCOPE, 'ada');
    await db.tx(async (tx) => {
      await insertTicket(tx, SCOPE, ticket('1', { name: 'Ada' }));
      expect(await bindTicket(tx, SCOPE, { id: '1', personId: 'ada', at: NOW })).toBe(1);
      expect(await bindTicket(tx, SCOPE, { id: '1', personId: 'ada', at: NOW })).toBe(0);
      await insertEntry(tx, SCOPE, { ...entry('1', 'in'), personId: 'ada' });
    });
    const ada = { id: 'ada', identities: [], externalIds: [] };
    await db.tx((tx) => erasePerson(tx, SCOPE, ada, NOW));
    expect(await findTicket(db, SCOPE, '1')).toMatchObject({ personId: null, boundAt: null, name: 'Ada' });
    expect(await countRemaining(db, SCOPE, ada)).toBe(0);
  });

  it('end with the retention of their event, but are still counted', async () => {
    const db = await openSeeded();
    await seedPerson(db, SCOPE, 'ada');
    await db.tx(async (tx) => {
      await insertTicket(tx, SCOPE, ticket('1', { name: 'Ada', kind: 'Day', code: 'x' }));
      await insertEntry(tx, SCOPE, { ...entry('1', 'in'), personId: 'ada', reason: 'Ada lost it' });
      // Its source was removed.
      await insertEntry(tx, SCOPE, { ...entry(null, 'in'), personId: 'ada' });
    });
    const { endsAt } = venueEvent(SCOPE, 'v-c', 'e');
    const due = endsAt + 30 * 86_400_000;
    const time = (at: number) => olderThan(ANY_AGE, ANY_AGE - at);
    expect(await db.tx((tx) => stripDueEntries(tx, time(due - 1), 9))).toBe(0);
    expect(await db.tx((tx) => stripDueEntries(tx, time(due), 9))).toBe(2);
    expect(await db.tx((tx) => stripDueEntries(tx, time(due), 9))).toBe(0);
    expect(await db.tx((tx) => stripDueTickets(tx, time(due), 9))).toBe(1);
    expect(await findTicket(db, SCOPE, '1')).toMatchObject({ name: null, code: null, kind: 'Day' });
    const entries = await listEntries(db, SCOPE, { eventId: 'e', limit: 9 });
    expect(entries).toMatchObject([
      { personId: null, reason: null },
      { personId: null, reason: null },
    ]);
    expect(await countByGate(db, SCOPE, 'e')).toMatchObject([{ entered: 2 }]);
  });
});

describe('entries', () => {
  it('count people by gate, without those that were undone', async () => {
    const db = await openSeeded();
    await db.tx(async (tx) => {
      await insertTicket(tx, SCOPE, ticket('1'));
      await insertEntry(tx, SCOPE, entry('1', 'in'));
      const mistake = await insertEntry(tx, SCOPE, entry('1', 'out'));
      expect(await undoEntry(tx, SCOPE, mistake, NOW)).toBe(1);
      expect(await undoEntry(tx, SCOPE, mistake, NOW)).toBe(0);
      await insertEntry(tx, SCOPE, entry(null, 'in', 3));
      expect(await findLastEntry(tx, SCOPE, '1')).toMatchObject({ direction: 'in' });
    });
    expect(await countByGate(db, SCOPE, 'e')).toEqual([
      { gate: 'k', gateName: 'North', entered: 4, left: 0 },
    ]);
  });

  it('are refused outside the company’s lock', async () => {
    const db = await openSeeded();
    const unlocked = db.tx((tx) => insertEntry(tx, SCOPE, entry(null, 'in')), { companyId: null });
    await expect(unlocked).rejects.toThrow('does not hold the lock');
  });
});
