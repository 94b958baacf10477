import { describe, expect, test } from 'vitest';
import { isLocalTime, readDay, readTime } from './times.ts';

const isoOf = (text: string, zone?: string): string | null => {
  const at = readTime(text, zone);
  return at === null ? null : new Date(at).toISOString();
};

describe('a time', () => {
  test.each([
    '2027-02-29',
    '2027-02-29T10:00:00Z',
    '2026-04-31T10:00',
    '2026-13-01',
    '2026-00-10',
    '2026-11-21T24:00',
    '2026-11-21T24:60',
    '2026-11-21T23:60Z',
    '2026-11-21T10:00:60Z',
    '2026-11-21T10:00+24:00',
    '0002-11-21T10:00',
    '0020-11-21',
    '0202-11-21T10:00Z',
    '12026-11-21T10:00',
    '+012026-11-21T10:00Z',
    '-000001-01-01T00:00Z',
    '2026',
    '2026-11',
    'tomorrow',
    '1',
    '',
    'Sat, 21 Nov 2026 10:00:00 GMT',
    '2026-11-21T10',
  ])('that does not exist is refused: %j', (text) => {
    expect([readTime(text, 'UTC'), readTime(text, 'Europe/Berlin'), readTime(text, undefined)]).toEqual([
      null,
      null,
      null,
    ]);
  });

  test('with an offset is the same in every zone', () => {
    for (const zone of ['UTC', 'Asia/Tokyo', undefined]) {
      expect(isoOf('2026-11-21T10:00:00.250Z', zone)).toBe('2026-11-21T10:00:00.250Z');
      expect(isoOf('2026-11-21T10:00+05:45', zone)).toBe('2026-11-21T04:15:00.000Z');
      expect(isoOf('2026-11-21 10:00-0330', zone)).toBe('2026-11-21T13:30:00.000Z');
    }
  });

  test('without one is the venue’s, and a day alone is its start there', () => {
    expect(isoOf('2026-11-21T10:00', 'Europe/Berlin')).toBe('2026-11-21T09:00:00.000Z');
    expect(isoOf('2026-07-21T10:00:30', 'Europe/Berlin')).toBe('2026-07-21T08:00:30.000Z');
    expect(isoOf('2026-11-21', 'Pacific/Auckland')).toBe('2026-11-20T11:00:00.000Z');
  });

  test('that the clock skips is later, and of a repeated hour the first counts', () => {
    expect(isoOf('2027-03-28T02:30', 'Europe/Berlin')).toBe('2027-03-28T01:30:00.000Z');
    expect(isoOf('2026-10-25T02:30', 'Europe/Berlin')).toBe('2026-10-25T00:30:00.000Z');
    expect(isoOf('2026-10-25T03:00', 'Europe/Berlin')).toBe('2026-10-25T02:00:00.000Z');
    expect(isoOf('2026-11-01T01:30', 'America/New_York')).toBe('2026-11-01T05:30:00.000Z');
    // Midnight does not exist there on that day.
    expect(isoOf('2018-11-04', 'America/Sao_Paulo')).toBe('2018-11-04T03:00:00.000Z');
  });

  test('in an unknown zone is refused', () => {
    expect(readTime('2026-11-21T10:00', 'Mars/Olympus')).toBeNull();
  });

  test('says whether it depends on the place', () => {
    const local = ['2026-11-21', '2026-11-21T10:00', '2026-11-21 10:00:00'];
    expect(local.map(isLocalTime)).toEqual([true, true, true]);
    const fixed = ['2026-11-21T10:00Z', '2026-11-21T10:00+01:00', '2026-11-21T10:00:00.5-0100'];
    expect(fixed.map(isLocalTime)).toEqual([false, false, false]);
  });
});

test('a day is one of the calendar', () => {
  expect(readDay('2028-02-29')).toBe(Date.UTC(2028, 1, 29));
  for (const text of ['2027-02-29', '0002-05-01', '02026-05-01', '2026-5-1', 'garbage', ''])
    expect(readDay(text)).toBeNull();
});
