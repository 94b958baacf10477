import { afterEach, describe, expect, test } from 'vitest';
import {
  calendarDay,
  clockTime,
  exactTime,
  followVenueZone,
  hourInWords,
  isJustNow,
  longDay,
  nowFor,
  rangeInWords,
  setVenueZone,
  timeInWords,
  utcTime,
  venueZone,
} from './time.ts';
import { fromField, toField } from './field.ts';

const NOW = Date.parse('2026-11-21T12:00:00.000Z');
const at = (iso: string) => timeInWords(iso, NOW, 'en');

afterEach(() => setVenueZone(undefined));

describe('the hour that comes twice when clocks go back', () => {
  const shown = (iso: string) => [clockTime(iso, 'en'), hourInWords(iso, 'en')];

  test('says which one is meant, and no other hour does', () => {
    setVenueZone('Europe/Berlin');
    expect(shown('2026-10-25T00:00:00.000Z')).toEqual(['02:00 CEST', '25 Oct, 02:00 CEST']);
    expect(shown('2026-10-25T01:00:00.000Z')).toEqual(['02:00 CET', '25 Oct, 02:00 CET']);
    expect(exactTime('2026-10-25T00:59:59.000Z', 'en')).toContain('02:59:59 CEST');
    for (const iso of ['2026-10-24T23:59:00.000Z', '2026-10-25T02:00:00.000Z', '2026-03-29T01:00:00.000Z'])
      expect(clockTime(iso, 'en')).toMatch(/^\d\d:\d\d$/);
  });

  test('also where it is half an hour', () => {
    setVenueZone('Australia/Lord_Howe');
    expect(clockTime('2026-04-04T14:40:00.000Z', 'en')).not.toBe(clockTime('2026-04-04T15:10:00.000Z', 'en'));
  });
});

describe('times', () => {
  test('are relative within the hour, past and future', () => {
    expect(at('2026-11-21T11:55:00.000Z')).toBe('5 minutes ago');
    expect(at('2026-11-21T12:10:00.000Z')).toBe('in 10 minutes');
  });

  test('are just now for the first minute, and not before they come', () => {
    const isNow = ['11:59:00', '11:59:01', '12:00:00', '12:00:01'].map((time) =>
      isJustNow(`2026-11-21T${time}.000Z`, NOW),
    );
    expect(isNow).toEqual([false, true, true, false]);
  });

  test('since the last tick of the page’s clock are just now, too', () => {
    const arrived = '2026-11-21T12:00:20.000Z';
    const shown = (iso: string) =>
      isJustNow(
        iso,
        nowFor(iso, NOW, () => NOW + 21_000),
      );
    expect([shown(arrived), shown('2026-11-21T11:59:30.000Z')]).toEqual([true, true]);
    expect(shown('2026-11-21T12:00:30.000Z')).toBe(false);
  });

  test('are in the computer’s time zone after an hour, with the day and the year if they differ', () => {
    setVenueZone('Europe/Berlin');
    expect(at('2026-11-21T09:05:00.000Z')).toBe('10:05');
    expect(at('2026-11-20T09:05:00.000Z')).toMatch(/20 Nov.*10:05/);
    expect(timeInWords('2026-11-20T05:05:00.000Z', NOW, 'fr')).toBe('20 nov., 06:05');
    expect(timeInWords('2026-11-20T05:05:00.000Z', NOW, 'en')).toBe('20 Nov, 06:05');
    expect(at('2025-11-20T09:05:00.000Z')).toMatch(/2025/);
  });

  test('a range names both days where they differ', () => {
    setVenueZone('Europe/Berlin');
    const until = (to: string) => rangeInWords('2026-11-22T16:14:00.000Z', to, 'de');
    expect(until('2026-11-22T18:00:00.000Z').match(/22\. Nov\./g)).toHaveLength(1);
    expect(until('2026-11-23T16:14:00.000Z')).toMatch(/22\. Nov\..*17:14.*23\. Nov\..*17:14/);
  });

  test('name the day in that zone, not in UTC', () => {
    setVenueZone('Pacific/Auckland');
    expect(timeInWords('2026-11-20T22:00:00.000Z', Date.parse('2026-11-21T10:30:00.000Z'), 'de')).toBe(
      '11:00',
    );
    expect(longDay('2026-11-20T22:00:00.000Z', 'en')).toBe('21 November 2026');
  });

  test('are written again when the zone changes, and only then', () => {
    const seen: unknown[] = [];
    const stop = followVenueZone(() => seen.push(venueZone()));
    for (const zone of ['Asia/Tokyo', 'Asia/Tokyo', null]) setVenueZone(zone);
    stop();
    setVenueZone('Europe/Berlin');
    expect(seen).toEqual(['Asia/Tokyo', null]);
  });

  test('are also given in UTC', () => {
    setVenueZone('Asia/Tokyo');
    expect(utcTime('2026-11-21T09:05:00.000Z', 'de')).toContain('09:05:00');
  });
});

describe('a field for a time', () => {
  test.each([
    [undefined, Date.UTC(2030, 4, 15, 18, 30)],
    ['Europe/Berlin', Date.UTC(2030, 4, 15, 18, 30)],
    ['Europe/Berlin', Date.UTC(2030, 11, 31, 23, 30)],
    ['Pacific/Auckland', Date.UTC(2030, 4, 15, 18, 30)],
    ['America/New_York', Date.UTC(2030, 2, 10, 7, 0)],
    ['Asia/Kathmandu', Date.UTC(2030, 4, 15, 0, 0)],
  ])('survives a round trip in %s', (zone, at) => {
    setVenueZone(zone);
    expect(fromField(toField(at))).toBe(new Date(at).toISOString());
  });

  test('is in the venue’s time', () => {
    setVenueZone('Europe/Berlin');
    expect(toField(Date.UTC(2030, 4, 15, 18, 30))).toBe('2030-05-15T20:30');
    expect(fromField('2030-12-15T20:30')).toBe('2030-12-15T19:30:00.000Z');
    expect(fromField('')).toBe('');
  });

  test('takes a year digit by digit, and is empty until it is one', () => {
    setVenueZone('Europe/Berlin');
    const typed = ['0002', '0020', '0202', '2026'].map((year) => fromField(`${year}-11-21T10:00`));
    expect(typed).toEqual(['', '', '', '2026-11-21T09:00:00.000Z']);
    expect(['2027-02-29T10:00', '2026-11-21T24:60', '12026-01-01T00:00'].map(fromField)).toEqual([
      '',
      '',
      '',
    ]);
    expect([NaN, Infinity].map(toField)).toEqual(['', '']);
  });
});

test('a value that is no time is a dash, never an error', () => {
  const shown = [
    timeInWords('soon', NOW, 'en'),
    rangeInWords('soon', '2026-11-22T16:14:00.000Z', 'en'),
    longDay('', 'en'),
    utcTime('2026-99-99', 'en'),
    calendarDay('garbage', { dateStyle: 'medium' }, 'en'),
  ];
  expect(new Set(shown)).toEqual(new Set(['–']));
});
