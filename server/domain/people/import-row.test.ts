import { expect, it } from 'vitest';
import { hasExternalId, rowOfCells, rowOfObject } from './import-row.ts';

const NOW = Date.UTC(2030, 0, 1);
const HEADER = ['External ID', 'Verdict', 'verdict_at', 'Group', 'name', 'metadata.Ticket', ''];
const row = (...cells: string[]) => rowOfCells(HEADER, cells, NOW);

it('a CSV row has the same form as a JSON object', () => {
  const fromCsv = row(' a-1 ', 'Passed', '2029-05-01', 'gala', 'Zoe', 'VIP', 'lost');
  const fromJson = rowOfObject(
    {
      external_id: 'a-1',
      metadata: { name: 'Zoe', Ticket: 'VIP' },
      verdicts: [{ status: 'approved', at: '2029-05-01T00:00:00Z', group: 'gala' }],
    },
    NOW,
  );
  expect(fromCsv).toEqual(fromJson);
  expect(fromCsv).toEqual({
    externalId: 'a-1',
    metadata: { name: 'Zoe', Ticket: 'VIP' },
    verdicts: [{ status: 'approved', at: Date.UTC(2029, 4, 1), group: 'gala' }],
  });
});

it('empty cells say nothing', () => {
  expect(row('a', '', '', '', '', '', '')).toEqual({ externalId: 'a', metadata: {}, verdicts: [] });
});

it.each(['external_id', 'externalId', 'External ID', 'EXTERNAL-ID'])(
  '%s names the column of the ID',
  (name) => {
    expect(hasExternalId(['name', name])).toBe(true);
  },
);
it('an ID of another kind does not', () => expect(hasExternalId(['id', 'name'])).toBe(false));

it.each([
  [['', 'passed', '2029-05-01'], 'no_external_id'],
  [['x'.repeat(256)], 'external_id_long'],
  [['a', 'maybe', '2029-05-01'], 'bad_verdict'],
  [['a', 'passed', ''], 'no_verdict_time'],
  [['a', 'passed', '01.05.2029'], 'bad_verdict_time'],
  [['a', 'passed', '2029-02-30'], 'bad_verdict_time'],
  [['a', 'passed', '1969-12-31'], 'bad_verdict_time'],
  [['a', 'passed', '2029-05-01T10:00'], 'bad_verdict_time'],
  [['a', 'passed', '2030-01-02'], 'verdict_in_future'],
  [['a', 'passed', '2029-05-01', 'g'.repeat(256)], 'group_long'],
  [['a', '', '', '', 'n'.repeat(1_025)], 'bad_metadata'],
])('%j is refused as %s', (cells, problem) => expect(row(...cells)).toMatchObject({ problem }));

it.each([
  ['text', 'not_an_object'],
  [null, 'not_an_object'],
  [[], 'not_an_object'],
  [{ external_id: {} }, 'no_external_id'],
  [{ external_id: 'a', metadata: [] }, 'bad_metadata'],
  [{ external_id: 'a', metadata: { name: null } }, 'bad_metadata'],
  [
    { external_id: 'a', metadata: Object.fromEntries(Array.from({ length: 51 }, (_, n) => [n, 1])) },
    'too_much_metadata',
  ],
  [{ external_id: 'a', verdicts: 'approved' }, 'bad_verdict'],
  [{ external_id: 'a', verdicts: [{ status: 'constructor', at: '2029-01-01' }] }, 'bad_verdict'],
  [{ external_id: 'a', verdicts: [{ status: 'approved', at: 17 }] }, 'bad_verdict_time'],
])('the object %j is refused as %s', (value, problem) =>
  expect(rowOfObject(value, NOW)).toMatchObject({ problem }),
);

it('a number is taken as its text', () => {
  expect(rowOfObject({ external_id: 17 }, NOW)).toMatchObject({ externalId: '17' });
});
