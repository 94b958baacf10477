import { afterEach, expect, test } from 'vitest';
import { setVenueZone } from '../time/time.ts';
import { dayIn, dayRange } from './day-range.ts';

afterEach(() => setVenueZone(undefined));

test('the last day is included completely', () => {
  setVenueZone('UTC');
  expect(dayRange({ from: '2026-11-20', to: '2026-11-21' })).toMatchObject({
    from: '2026-11-20T00:00:00.000Z',
    to: '2026-11-22T00:00:00.000Z',
  });
});

test('days are those of the venue, also when its clock is set in between', () => {
  setVenueZone('Europe/Berlin');
  expect(dayRange({ from: '2026-03-28', to: '2026-03-29' })).toEqual({
    from: '2026-03-27T23:00:00.000Z',
    to: '2026-03-29T22:00:00.000Z',
  });
});

test.each(['0002-05-01', '2027-02-29', '12026-05-01', 'garbage', '', '2026-05-01T00:00'])(
  '%j in an address is no filter, and no crash',
  (day) => {
    setVenueZone('Europe/Berlin');
    expect(dayRange({ from: day, to: day })).toEqual({ from: undefined, to: undefined });
    expect(dayIn({ from: day }, 'from')).toBeUndefined();
  },
);

test('an invalid day is no filter', () => {
  expect(dayRange({ from: 'soon', to: '2026-13-45' })).toMatchObject({ from: undefined, to: undefined });
});
