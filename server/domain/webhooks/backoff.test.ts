import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  healthAfter,
  LONGEST_WAIT_MS,
  MAX_ATTEMPTS,
  nextStep,
  parseRetryAfter,
  PAUSE_AFTER_MS,
  waitAfter,
} from './backoff.ts';

const NOW = Date.UTC(2030, 4, 15, 12);
const MIDDLE = 0.5;
const MINUTE_MS = 60_000;

describe('waiting after a failed attempt', () => {
  it.each([
    [1, 1],
    [2, 2],
    [3, 4],
    [4, 8],
    [5, 16],
    [6, 32],
    [7, 64],
    [8, 128],
    [9, 256],
    [10, 360],
    [11, 360],
    [15, 360],
  ])('doubles from a minute up to six hours: after attempt %i, %i min', (attempt, minutes) => {
    expect(waitAfter(attempt, MIDDLE)).toBe(minutes * MINUTE_MS);
  });

  it('varies by at most a tenth, and never exceeds six hours', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 15 }),
        fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
        (attempt, random) => {
          const planned = waitAfter(attempt, MIDDLE);
          const wait = waitAfter(attempt, random);
          return wait >= Math.floor(planned * 0.9) && wait <= Math.min(planned * 1.1 + 1, LONGEST_WAIT_MS);
        },
      ),
    );
  });

  it('grants a receiver the longer time that it requests, up to the cap, and ignores a shorter one', () => {
    expect(waitAfter(1, MIDDLE, 10 * MINUTE_MS)).toBe(10 * MINUTE_MS);
    expect(waitAfter(1, MIDDLE, 1)).toBe(MINUTE_MS);
    expect(waitAfter(1, MIDDLE, 48 * 60 * MINUTE_MS)).toBe(LONGEST_WAIT_MS);
  });
});

describe('Retry-After', () => {
  it.each([
    ['120', 120_000],
    [' 0 ', 0],
    ['Wed, 15 May 2030 12:02:00 GMT', 120_000],
    ['Wednesday, 15-May-30 12:02:00 GMT', 120_000],
    ['Wed May 15 12:02:00 2030', 120_000],
    ['Wed, 15 May 2030 11:00:00 GMT', 0],
  ])('%s is understood', (header, waitMs) => {
    expect(parseRetryAfter(header, NOW)).toBe(waitMs);
  });

  it.each([undefined, '', '-1', '1.5', 'soon', '2030-05-15', 'Wed, 99 May 2030 99:99:99 GMT', '99999999999'])(
    '%s is ignored',
    (header) => {
      expect(parseRetryAfter(header, NOW)).toBeNull();
    },
  );
});

describe('the result of an attempt', () => {
  const after = (attempt: number, httpStatus: number | null) =>
    nextStep(attempt, { httpStatus, retryAfterMs: null }, MIDDLE).kind;

  it.each([200, 201, 204, 299])('%i is success', (status) => {
    expect(after(1, status)).toBe('completed');
  });

  it.each([null, 100, 301, 302, 400, 401, 404, 408, 429, 500, 503])('%s is retried', (status) => {
    expect(after(1, status)).toBe('retry');
    expect(after(MAX_ATTEMPTS - 1, status)).toBe('retry');
  });

  it('410 ends the call at once', () => {
    expect(after(1, 410)).toBe('gone');
  });

  it('the sixteenth failure is the last', () => {
    expect(after(MAX_ATTEMPTS, 500)).toBe('failed');
    expect(after(MAX_ATTEMPTS, null)).toBe('failed');
  });
});

describe('the health of a receiver', () => {
  const HOUR_MS = 60 * MINUTE_MS;
  const fresh = { failingSince: null, lastFailureAt: null, lastSuccessAt: null, pausedAt: null };
  /** Fails every six hours for this many hours. */
  const failingFor = (hours: number) => {
    let health = fresh as ReturnType<typeof healthAfter>;
    for (let hour = 0; hour <= hours; hour += 6) health = healthAfter(health, false, NOW + hour * HOUR_MS);
    return health;
  };

  it('pauses after three days without one success', () => {
    expect(failingFor(66)).toMatchObject({ failingSince: NOW, pausedAt: null });
    expect(failingFor(72).pausedAt).toBe(NOW + PAUSE_AFTER_MS);
    expect(failingFor(96).pausedAt).toBe(NOW + PAUSE_AFTER_MS);
  });

  it('starts again after each success', () => {
    const well = healthAfter(failingFor(66), true, NOW + 67 * HOUR_MS);
    expect(well).toEqual({ ...fresh, lastSuccessAt: NOW + 67 * HOUR_MS });
  });

  it('does not count days in which the machine slept or its clock jumped', () => {
    const woken = healthAfter(failingFor(6), false, NOW + 90 * HOUR_MS);
    expect(woken).toMatchObject({ failingSince: NOW + 90 * HOUR_MS, pausedAt: null });
  });

  it('does not count time lost when the clock is set back', () => {
    expect(healthAfter(failingFor(6), false, NOW - PAUSE_AFTER_MS).failingSince).toBe(NOW - PAUSE_AFTER_MS);
  });
});
