import { describe, expect, it } from 'vitest';
import { alice, DAY_MS, facts, HOUR_MS, NOW, pass, run } from '../../testing/service/settling.ts';
import { doubtOf, hasEnded, isMassRemoval } from './clock.ts';
import { meteringDay } from './days.ts';
import { settle } from './settling/settle.ts';

const FOUR_YEARS_MS = 4 * 365 * DAY_MS;

it('a clock is in doubt when it is more than two days from the last time seen', () => {
  expect([doubtOf(NOW + 2 * DAY_MS, NOW), doubtOf(NOW - 2 * DAY_MS, NOW)]).toEqual([null, null]);
  expect(doubtOf(NOW + 2 * DAY_MS + 1, NOW)?.kind).toBe('clock_ahead');
  expect(doubtOf(NOW - 2 * DAY_MS - 1, NOW)?.kind).toBe('clock_behind');
});

it('removing faces needs a confirmation above 20 and above a fifth', () => {
  expect([
    isMassRemoval(20, 20),
    isMassRemoval(21, 105),
    isMassRemoval(21, 104),
    isMassRemoval(0, 0),
  ]).toEqual([false, false, true, false]);
});

describe('after correcting a clock that was four years ahead', () => {
  const wrong = NOW + FOUR_YEARS_MS;

  it('a token from that time has expired', () => {
    expect(hasEnded(wrong, HOUR_MS, NOW)).toBe(true);
    expect([hasEnded(NOW - HOUR_MS, HOUR_MS, NOW), hasEnded(NOW - HOUR_MS + 1, HOUR_MS, NOW)]).toEqual([
      true,
      false,
    ]);
  });

  it('days metered at that time do not use up today’s cap', () => {
    expect(meteringDay(NOW, new Date(wrong).toISOString().slice(0, 10))).toBe('2030-05-15');
    expect(meteringDay(NOW, '2030-05-16')).toBe('2030-05-16');
  });

  it('a pass from that time uses up no limit of today', () => {
    const person = alice(pass({ settledAt: wrong }));
    const limited = run({ config: { skipWindowMs: 0, limit: { kind: 'day', max: 1 } } });
    const outcome = settle(limited, facts({ person }));
    expect(outcome).toMatchObject({ kind: 'settle', metered: true });
    expect(outcome.kind === 'settle' && outcome.reasons.includes('limit_reached')).toBe(false);
  });
});
