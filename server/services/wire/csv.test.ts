import { expect, it } from 'vitest';
import { MAX_UGLY_ROWS, UGLY_FILES } from '../../../testing/service/ugly-csv.ts';
import { Refusal } from '../../refusals/refusal.ts';
import { readCsv } from './csv.ts';

it.each(Object.entries(UGLY_FILES))('%s', async (_, { bytes, found }) => {
  const reading = readCsv(bytes, { maxRows: MAX_UGLY_ROWS });
  if ('problem' in found) {
    const error: unknown = await reading.catch((refusal: unknown) => refusal);
    expect(error).toBeInstanceOf(Refusal);
    expect(error).toMatchObject({
      code: 'csv_refused',
      facts: { args: { line: 0, max: 0, ...found } },
    });
    return;
  }
  const { rows, lines, longLines = [], ...rest } = found;
  expect(await reading).toEqual({
    ...rest,
    rows: rows.map((cells, at) => ({ line: lines?.[at] ?? at + 2, cells })),
    longLines,
  });
});

it('what is chosen replaces what is found', async () => {
  const bytes = Buffer.from('Name;Note\nJ\u00fcrgen;a,b\n', 'latin1');
  const read = await readCsv(bytes, { maxRows: 10, encoding: 'utf-8', separator: ',' });
  expect(read).toMatchObject({ encoding: 'utf-8', separator: ',', header: ['Name;Note'] });
  expect(read.rows).toEqual([]);
  expect(read.longLines).toEqual([2]);
});

it('a file of exactly as many rows as allowed is read, and one more is refused in words', async () => {
  const file = (rows: number) => Buffer.from(`Code\n${'x\n'.repeat(rows)}`);
  expect((await readCsv(file(5), { maxRows: 5 })).rows).toHaveLength(5);
  await expect(readCsv(file(6), { maxRows: 5 })).rejects.toThrow('more than 5 rows');
});
