import { expect, it } from 'vitest';
import { dayEnd, forecastUsage, paceSince } from './forecast.ts';

const at = (time: string): number => Date.parse(`2026-11-21T${time}Z`);

it('at the pace of the last hour the cap is reached when the rest is used up', () => {
  const nowMs = at('14:00:00');
  expect(forecastUsage({ counted: 300, recent: 100, cap: 500, nowMs })).toEqual({
    perHour: 100,
    byMidnight: 1_300,
    capReachedAt: at('16:00:00'),
  });
});

it('a cap that lasts until midnight is not reached', () => {
  const forecast = forecastUsage({ counted: 300, recent: 10, cap: 500, nowMs: at('20:00:00') });
  expect(forecast).toEqual({ perHour: 10, byMidnight: 340, capReachedAt: null });
});

it('a cap that is reached is not reached again', () => {
  expect(
    forecastUsage({ counted: 500, recent: 90, cap: 500, nowMs: at('12:00:00') }).capReachedAt,
  ).toBeNull();
});

it('too few checks give no forecast', () => {
  expect(forecastUsage({ counted: 300, recent: 2, cap: 500, nowMs: at('12:00:00') })).toEqual({
    perHour: null,
    byMidnight: null,
    capReachedAt: null,
  });
});

it('just after midnight the pace is that of the day so far', () => {
  const nowMs = at('00:30:00');
  expect(paceSince(nowMs)).toBe(at('00:00:00'));
  expect(forecastUsage({ counted: 30, recent: 30, cap: 90, nowMs })).toMatchObject({
    perHour: 60,
    capReachedAt: at('01:30:00'),
  });
});

it('a day ends at 00:00 UTC', () => {
  expect(dayEnd(at('23:59:59'))).toBe(Date.parse('2026-11-22T00:00:00Z'));
  expect(dayEnd(at('00:00:00'))).toBe(Date.parse('2026-11-22T00:00:00Z'));
});
