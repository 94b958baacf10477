/** Decisions §1.5: days start at 00:00 UTC; a clock set back never reopens a day. */
import { describe, expect, it } from 'vitest';
import { meteringDay, periodStart, utcDay } from './days.ts';

describe('a day', () => {
  it('is UTC, from its first millisecond to its last', () => {
    expect(utcDay(Date.UTC(2030, 0, 1))).toBe('2030-01-01');
    expect(utcDay(Date.UTC(2030, 0, 1) - 1)).toBe('2029-12-31');
  });
});

describe('the start of a period', () => {
  const at = Date.UTC(2028, 1, 29, 23, 59, 59, 999);

  it.each([
    ['day', Date.UTC(2028, 1, 29)],
    ['week', Date.UTC(2028, 1, 28)],
    ['month', Date.UTC(2028, 1, 1)],
  ] as const)('%s', (period, start) => {
    expect(periodStart(period, at)).toBe(start);
    expect(periodStart(period, start)).toBe(start);
  });

  it('a week may begin in another month or year, on a Monday', () => {
    expect(periodStart('week', Date.UTC(2030, 0, 1))).toBe(Date.UTC(2029, 11, 31));
    expect(periodStart('week', Date.UTC(2030, 0, 6, 23))).toBe(Date.UTC(2029, 11, 31));
    expect(periodStart('week', Date.UTC(2030, 0, 7))).toBe(Date.UTC(2030, 0, 7));
  });

  it('total has none', () => {
    expect(periodStart('total', at)).toBe(Number.NEGATIVE_INFINITY);
  });
});

describe('the day that a settlement is metered on', () => {
  const today = Date.UTC(2030, 4, 15, 12);

  it('is today, even if nothing or an earlier day was metered', () => {
    expect(meteringDay(today, null)).toBe('2030-05-15');
    expect(meteringDay(today, '2030-05-14')).toBe('2030-05-15');
    expect(meteringDay(today, '2029-12-31')).toBe('2030-05-15');
  });

  it('is the latest metered day when the clock was set back', () => {
    expect(meteringDay(today, '2030-05-16')).toBe('2030-05-16');
  });
});
