/** Import from another service: rehearsed, idempotent, bounded; a face comes with the next check. */
import { expect, onTestFinished, test } from 'vitest';
import { MOST_IMPORT_ROWS } from '../../contract/console/people-import.ts';
import { findExternalIdOwner, findPerson } from '../../store/people/people.ts';
import { NOW } from '../../../testing/store/rows.ts';
import { NO_SKIP, passOf, run } from '../../../testing/service/runs.ts';
import { openTestService, refusalOf } from '../../../testing/service/temp-service.ts';
import { eraseOnePerson } from './erasure.ts';
import { exportPerson } from './export.ts';
import { importPeople } from './import.ts';
import { readPersonHistory } from './profile.ts';

const CSV = `external_id,verdict,verdict_at,group,name,ticket
a-1,approved,2029-01-01T20:00:00Z,gala,Zoe,VIP
a-1,approved,2029-02-01T20:00:00Z,gala,Zoe,VIP
a-2,denied,2029-01-01,,Ben,
a-3,,,,Kim,Balcony
`;

async function opened() {
  const service = await openTestService();
  onTestFinished(() => service.deps.faceIndex.close());
  const { deps } = service;
  const scope = service.scope('test');
  const bring = (content: string | Uint8Array, isRehearsal = false) => {
    const bytes = typeof content === 'string' ? Buffer.from(content) : content;
    return importPeople(deps, scope, { bytes, isRehearsal, actor: 'operator:ada' });
  };
  const rows = async (table: string) =>
    (await deps.db.one<{ n: number }>(`SELECT COUNT(*) AS n FROM ${table}`))?.n ?? 0;
  const owner = async (externalId: string) =>
    (await findExternalIdOwner(deps.db, scope, externalId))?.personId ?? '';
  return { service, deps, scope, bring, rows, owner };
}

const FIRST = { rows: 4, new_people: 3, changed_people: 0, unchanged_people: 1, new_verdicts: 3, refused: 0 };

test('a rehearsal counts what the import then does, and changes nothing', async () => {
  const { bring, rows } = await opened();
  const before = await Promise.all(['people', 'passes', 'audit_entries', 'person_external_ids'].map(rows));
  const rehearsed = await bring(CSV, true);
  expect(rehearsed).toMatchObject({ ...FIRST, rehearsal: true });
  expect(await Promise.all(['people', 'passes', 'audit_entries', 'person_external_ids'].map(rows))).toEqual(
    before,
  );
  expect(await bring(CSV)).toEqual({ ...rehearsed, rehearsal: false });
  expect(await rows('people')).toBe(3);
  expect(await rows('passes')).toBe(3);
});

test('repeated, it changes nothing', async () => {
  const { bring, rows } = await opened();
  await bring(CSV);
  const again = { new_people: 0, changed_people: 0, unchanged_people: 4, new_verdicts: 0, known_verdicts: 3 };
  expect(await bring(CSV, true)).toMatchObject(again);
  expect(await bring(CSV)).toMatchObject(again);
  expect(await rows('people')).toBe(3);
  expect(await rows('passes')).toBe(3);
});

test('a JSON list says the same as CSV', async () => {
  const { bring } = await opened();
  await bring(CSV);
  const people = [
    {
      external_id: 'a-1',
      metadata: { name: 'Zoe', ticket: 'VIP' },
      verdicts: [
        { status: 'approved', at: '2029-01-01T20:00:00Z', group: 'gala' },
        { status: 'approved', at: '2029-02-01T20:00:00+00:00', group: 'gala' },
      ],
    },
    { external_id: 'a-2', metadata: { name: 'Ben' }, verdicts: [{ status: 'denied', at: '2029-01-01' }] },
  ];
  const same = { unchanged_people: 2, known_verdicts: 3, new_people: 0, refused: 0 };
  expect(await bring(JSON.stringify(people))).toMatchObject(same);
  expect(await bring(`\uFEFF${JSON.stringify({ people })}`)).toMatchObject(same);
});

test('refused rows are named by line, problem and field; the others are imported', async () => {
  const { bring, rows } = await opened();
  const report = await bring(
    'external_id;verdict;verdict_at\na;passed;2029-01-01\n;passed;2029-01-01\nb;maybe;\nc;passed;31.12.2029\n',
  );
  expect(report).toMatchObject({
    rows: 4,
    new_people: 1,
    refused: 3,
    refused_rows: [
      { line: 3, problem: 'no_external_id', field: 'external_id' },
      { line: 4, problem: 'bad_verdict', field: 'verdict' },
      { line: 5, problem: 'bad_verdict_time', field: 'verdict_at' },
    ],
  });
  expect(await rows('people')).toBe(1);
});

test.each([
  [
    'UTF-16 from a spreadsheet',
    Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('external_id\tname\r\na-1\tZoë\r\n', 'utf16le')]),
  ],
  ['semicolons and quotes', Buffer.from('"external_id";"name"\r\n"a-1";"Zoë"\r\n')],
  ['a mark in front', Buffer.from('\uFEFFexternal_id,name\na-1,Zoë\n')],
  ['Windows-1252', Buffer.from('external_id,name\na-1,Zo\u00eb\n', 'latin1')],
])('%s', async (_, bytes) => {
  const { bring, deps, scope, owner } = await opened();
  expect(await bring(bytes)).toMatchObject({ new_people: 1, refused: 0 });
  expect((await findPerson(deps.db, scope, await owner('a-1')))?.metadata).toEqual({ name: 'Zoë' });
});

test.each([
  ['no column of IDs', 'name\nZoe\n', 'import_without_ids'],
  ['neither CSV nor JSON', '[{"external_id":', 'import_not_json'],
  ['JSON without a list', '{"external_id":"a"}', 'import_not_json'],
  ['JSON in another encoding', Buffer.from('[{"external_id":"\u00eb"}]', 'latin1'), 'import_not_json'],
  ['too many rows', `external_id\n${'a\n'.repeat(MOST_IMPORT_ROWS + 1)}`, 'csv_refused'],
  ['too long a list', `[${'1,'.repeat(MOST_IMPORT_ROWS)}1]`, 'import_too_large'],
  ['nothing', '', 'csv_refused'],
  ['a spreadsheet’s own file', Buffer.from([0x50, 0x4b, 0x03, 0x04, 0, 0]), 'csv_refused'],
])('%s is refused as a whole', async (_, content, code) => {
  const { bring, rows } = await opened();
  expect(await refusalOf(bring(content))).toBe(code);
  expect(await rows('people')).toBe(0);
});

test('the face of the first check that brings the ID is theirs, and the earlier results count', async () => {
  const { service, bring, owner, scope, deps } = await opened();
  await bring(CSV);
  const snapshot = await run(service, 'zoe', { external_id: 'a-1', ...NO_SKIP });
  const pass = await passOf(service, snapshot);
  expect(pass).toMatchObject({ status: 'approved', personId: await owner('a-1'), reasons: [] });
  expect((await readPersonHistory(deps.db, scope, pass.personId ?? '', {})).items).toHaveLength(3);
  const other = await passOf(service, await run(service, 'mallory', { external_id: 'a-1', ...NO_SKIP }));
  expect(other).toMatchObject({ status: 'denied', reasons: ['external_identity_mismatch'] });
});

test('a face that is somebody’s already does not become the imported person’s', async () => {
  const { service, bring } = await opened();
  await run(service, 'zoe', { external_id: 'z-9' });
  await bring(CSV);
  const pass = await passOf(service, await run(service, 'zoe', { external_id: 'a-1', ...NO_SKIP }));
  expect(pass).toMatchObject({ status: 'denied', reasons: ['external_identity_mismatch'] });
});

test('an earlier result uses up a limit', async () => {
  const { service, bring } = await opened();
  await bring(CSV);
  const config = { ...NO_SKIP.config, limit: { kind: 'total', max: 2 } };
  const pass = await passOf(
    service,
    await run(service, 'zoe', { external_id: 'a-1', group: 'gala', config }),
  );
  expect(pass).toMatchObject({ status: 'denied', reasons: ['limit_reached'] });
});

test('details that a person brought since stay', async () => {
  const { service, bring, deps, scope, owner } = await opened();
  await bring(CSV);
  await run(service, 'zoe', { external_id: 'a-1', metadata: { name: 'Zoe New' }, ...NO_SKIP });
  expect(await bring('external_id,name,seat\na-1,Old,17\na-3,Kim K.,\n')).toMatchObject({
    changed_people: 2,
  });
  const metadataOf = async (id: string) => (await findPerson(deps.db, scope, await owner(id)))?.metadata;
  expect(await metadataOf('a-1')).toEqual({ name: 'Zoe New', ticket: 'VIP', seat: '17' });
  expect(await metadataOf('a-3')).toEqual({ name: 'Kim K.', ticket: 'Balcony' });
});

test('erasure and export cover it', async () => {
  const { bring, deps, scope, owner, rows } = await opened();
  await bring(CSV);
  const id = await owner('a-1');
  const copy = await exportPerson(deps, scope, id, 'operator:ada');
  expect(copy).toMatchObject({ imported_at: new Date(NOW).toISOString(), person: { person_id: id } });
  expect(copy.history).toHaveLength(2);
  await eraseOnePerson(deps, scope, id, 'operator:ada');
  expect(await rows('imported_people')).toBe(2);
  expect(await deps.db.all('SELECT 1 FROM passes WHERE external_id = ?', 'a-1')).toEqual([]);
});

test('nothing is metered or sent, and the audit log has the counts of each batch', async () => {
  const { bring, rows, deps } = await opened();
  await bring(CSV);
  expect(await rows('usage_outcomes')).toBe(0);
  expect(await rows('webhook_calls')).toBe(0);
  const entries = await deps.db.all<{ details: string }>(
    `SELECT details FROM audit_entries WHERE action = 'person.import'`,
  );
  expect(entries.map(({ details }) => JSON.parse(details) as unknown)).toMatchObject([
    { count: 3, new_people: 3, new_verdicts: 3, refused: 0 },
  ]);
});
