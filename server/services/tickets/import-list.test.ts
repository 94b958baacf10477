import { expect, it } from 'vitest';
import { openTestService, refusalOf } from '../../../testing/service/temp-service.ts';
import { UGLY_FILES } from '../../../testing/service/ugly-csv.ts';
import { NOW, seedPerson, venueEvent } from '../../../testing/store/rows.ts';
import { listAuditEntries } from '../../store/operators/audit-query.ts';
import { countTickets, listSourced } from '../../store/tickets/lists.ts';
import { bindTicket, findTicketByCode } from '../../store/tickets/tickets.ts';
import { insertEvent } from '../../store/venue/events.ts';
import { ticketHasher } from './codes.ts';
import { importList, type ListUpload } from './import-list.ts';
import { createSource, readSources, removeSource } from './sources.ts';

const actor = 'cli';
const EVENT = 'e';

async function openVenue() {
  const service = await openTestService();
  const scope = service.scope('live');
  const { db } = service.deps;
  const verificationId = await service.verification('v');
  await db.tx((tx) => insertEvent(tx, venueEvent(scope, verificationId, EVENT)));
  const upload = (file: string | Uint8Array, change: Partial<ListUpload> = {}) =>
    importList(service.deps, scope, {
      eventId: EVENT,
      bytes: Buffer.from(file as string),
      sourceId: null,
      name: 'Guests',
      columns: null,
      cancelsGone: false,
      isRehearsal: false,
      actor,
      ...change,
    });
  const tickets = () => listSourced(db, scope, EVENT);
  const ask = () => Promise.reject(new Error('These sources are read from files.'));
  return { ...service, deps: { ...service.deps, ask }, db, live: scope, upload, tickets };
}

const LIST = 'Code,Name,Ticket,Order,Status\nA1,Zoë,Full,O1,paid\nA2,Ida,Day,O1,pending\n';

it('a rehearsal says what an import would do, and does nothing', async () => {
  const { upload, tickets, db, live } = await openVenue();
  const said = await upload(LIST, { isRehearsal: true });
  expect(said).toMatchObject({
    source: null,
    encoding: 'utf-8',
    separator: ',',
    header: ['Code', 'Name', 'Ticket', 'Order', 'Status'],
    columns: ['code', 'name', 'kind', 'party', 'state'],
    sample: [
      ['A1', 'Zoë', 'Full', 'O1', 'paid'],
      ['A2', 'Ida', 'Day', 'O1', 'pending'],
    ],
    added: 2,
    changed: 0,
    gone: 0,
    left_out: 0,
  });
  expect(await tickets()).toEqual([]);
  expect((await readSources({ db }, live, EVENT)).items).toEqual([]);
});

it('an import adds tickets that are found by their code, which is not stored', async () => {
  const { upload, db, live, deps } = await openVenue();
  const { source } = await upload(LIST);
  expect(source).toMatchObject({ kind: 'list', name: 'Guests', tickets: 2, not_valid: 1 });
  const hashOf = await ticketHasher(deps);
  expect(await findTicketByCode(db, live, EVENT, hashOf('A2'))).toMatchObject({
    name: 'Ida',
    kind: 'Day',
    party: 'O1',
    state: 'unpaid',
    code: null,
  });
  expect(await findTicketByCode(db, live, EVENT, hashOf('a2'))).toBeUndefined();
});

it('the same file again changes nothing', async () => {
  const { upload, tickets } = await openVenue();
  const { source } = await upload(LIST);
  const before = await tickets();
  const again = await upload(LIST, { sourceId: source!.source_id });
  expect(again).toMatchObject({ added: 0, changed: 0, same: 2, gone: 0 });
  expect(await tickets()).toEqual(before);
});

it('a newer file adds and changes; what it no longer has stays unless you cancel it', async () => {
  const { upload, tickets, db, live } = await openVenue();
  const { source } = await upload(LIST);
  const list = { sourceId: source!.source_id };
  const zoe = (await tickets()).find(({ name }) => name === 'Zoë');
  const newer = 'Code,Name,Ticket,Order,Status\nA2,Ida,Day,O1,paid\nA3,Ben,Day,O2,paid\n';
  expect(await upload(newer, { ...list, isRehearsal: true })).toMatchObject({
    added: 1,
    changed: 1,
    gone: 1,
  });
  expect(await upload(newer, list)).toMatchObject({ added: 1, changed: 1, same: 0, gone: 1 });
  const statesOf = async (): Promise<Record<string, string>> =>
    Object.fromEntries((await tickets()).map(({ name, state }) => [name ?? '', state] as const));
  expect(await statesOf()).toEqual({ Zoë: 'valid', Ida: 'valid', Ben: 'valid' });
  await upload(newer, { ...list, cancelsGone: true });
  expect(await statesOf()).toEqual({ Zoë: 'cancelled', Ida: 'valid', Ben: 'valid' });
  expect(await upload(newer, { ...list, cancelsGone: true })).toMatchObject({ gone: 0, same: 2 });
  await upload(LIST, list);
  expect(await statesOf()).toEqual({ Zoë: 'valid', Ida: 'unpaid', Ben: 'valid' });
  expect((await tickets()).find(({ name }) => name === 'Zoë')?.id).toBe(zoe?.id);
  expect(await countTickets(db, live, EVENT)).toHaveLength(2);
});

it('the guest who came with a ticket stays bound to it after an import', async () => {
  const { upload, tickets, db, live } = await openVenue();
  const { source } = await upload(LIST);
  const first = (await tickets()).find(({ name }) => name === 'Zoë');
  await seedPerson(db, live, 'p');
  await db.tx((tx) => bindTicket(tx, live, { id: first!.id, personId: 'p', at: NOW }));
  await upload(LIST.replace('Zoë', 'Zoe'), { sourceId: source!.source_id });
  const row = await db.one<{ person: string; name: string }>(
    'SELECT person_id AS person, name FROM tickets WHERE id = ?',
    first!.id,
  );
  expect(row).toEqual({ person: 'p', name: 'Zoe' });
});

it('rows that can’t be imported are named by line, and the others are imported', async () => {
  const { upload } = await openVenue();
  await upload('Code\nX1\n', { name: 'Staff' });
  const said = await upload(
    'Code,Name,Status\nA1,Zoë,paid\n,Ida,paid\nA1,Ben,paid\nX1,Eva,paid\nA2,Max,maybe\nA3,b,c,d\n',
  );
  expect(said).toMatchObject({ added: 1, left_out: 5 });
  expect(said.faults).toEqual([
    { line: 3, fault: 'no_code' },
    { line: 4, fault: 'duplicate' },
    { line: 5, fault: 'other_source' },
    { line: 6, fault: 'state_unknown' },
    { line: 7, fault: 'long_line' },
  ]);
});

it('columns are chosen where their names say nothing; without one for codes nothing is imported', async () => {
  const { upload, tickets } = await openVenue();
  const file = 'foo;bar\nZoë;A1\n';
  expect(await upload(file, { isRehearsal: true })).toMatchObject({ columns: [null, null], added: 0 });
  expect(await refusalOf(upload(file))).toBe('list_without_codes');
  expect(await refusalOf(upload(file, { columns: 'code:7' }))).toBe('list_without_codes');
  expect(await upload(file, { columns: 'code:1,name:0' })).toMatchObject({
    columns: ['name', 'code'],
    added: 1,
  });
  expect(await tickets()).toMatchObject([{ name: 'Zoë' }]);
});

it('codes of Luma are named, because its guests show others', async () => {
  const { upload } = await openVenue();
  const said = await upload('name,qr_code_url\nZoë,https://luma.com/check-in/evt-1?pk=g-1\n', {
    isRehearsal: true,
  });
  expect(said).toMatchObject({ is_of_luma: true, columns: ['name', 'code'] });
});

it.each(Object.entries(UGLY_FILES).filter(([name]) => name !== 'a million rows'))(
  'rehearses or refuses in words: %s',
  async (_, { bytes, found }) => {
    const { upload } = await openVenue();
    const rehearsal = upload(bytes, { isRehearsal: true });
    if ('problem' in found) expect(await refusalOf(rehearsal)).toBe('csv_refused');
    else {
      const said = await rehearsal;
      expect(said.added + said.left_out).toBe(found.rows.length + (found.longLines?.length ?? 0));
      expect(said.columns).toContain('code');
    }
  },
);

it('a file of another event or list is not found, and a list can’t be another source', async () => {
  const { upload, deps, live, scope } = await openVenue();
  expect(await refusalOf(upload(LIST, { eventId: 'other' }))).toBe('not_found');
  expect(await refusalOf(upload(LIST, { sourceId: 'other' }))).toBe('not_found');
  const any = await createSource(deps, live, {
    eventId: EVENT,
    request: { kind: 'any', name: 'All' },
    actor,
  });
  expect(await refusalOf(upload(LIST, { sourceId: any.source_id }))).toBe('not_found');
  expect(await refusalOf(readSources(deps, scope('test'), EVENT))).toBe('not_found');
});

it('a removed source takes its tickets with it, and the audit log has names and counts, no codes', async () => {
  const { upload, tickets, deps, db, live } = await openVenue();
  const { source } = await upload(LIST);
  const gone = { eventId: EVENT, sourceId: source!.source_id, reason: 'wrong file', actor } as const;
  await removeSource(deps, live, gone);
  expect(await tickets()).toEqual([]);
  expect(await refusalOf(removeSource(deps, live, gone))).toBe('not_found');
  const entries = await listAuditEntries(db, { subjects: [EVENT] }, null, 10);
  const actions = entries.map(({ action }) => action).filter((action) => action.startsWith('ticket'));
  expect(actions).toEqual(['ticket_source.remove', 'ticket_source.import', 'ticket_source.add']);
  expect(JSON.stringify(entries)).not.toContain('A1');
});

it('an event has at most 20 sources, and two imports at once both count', async () => {
  const { upload, deps, live, db } = await openVenue();
  await Promise.all([upload('Code\nA\n'), upload('Code\nB\n', { name: 'Others' })]);
  for (let made = 2; made < 20; made += 1)
    await createSource(deps, live, { eventId: EVENT, request: { kind: 'any', name: `N${made}` }, actor });
  expect(await refusalOf(upload('Code\nC\n'))).toBe('too_many_sources');
  expect((await readSources({ db }, live, EVENT)).items).toHaveLength(20);
});
