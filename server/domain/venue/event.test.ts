import { expect, test } from 'vitest';
import { canonicalPairingCode, newPairingCode, configOfEvent, eventState, letsInAgain } from './event.ts';

test('an event runs from its start until just before its end', () => {
  const times = { startsAt: 10, endsAt: 20 };
  expect([9, 10, 19, 20].map((now) => eventState(times, now))).toEqual([
    'upcoming',
    'running',
    'running',
    'over',
  ]);
});

test('without a limit the verification’s own config applies', () => {
  expect(configOfEvent({ collision: { action: 'review' } }, { kind: 'none', max: 1 })).toBeNull();
});

test('one entry: an earlier check does not apply to another, and findings follow the verification', () => {
  const config = { collision: { action: 'review' }, limit: { kind: 'day', max: 9 }, is_test: true };
  expect(configOfEvent(config, { kind: 'total', max: 1 })).toEqual({
    collision: { action: 'review' },
    is_test: true,
    limit: { kind: 'total', max: 1 },
    skip: { window_hours: 0 },
  });
});

test('several entries: a collision with the same person is noted and admits them', () => {
  expect(letsInAgain({ kind: 'day', max: 1 })).toBe(true);
  expect(configOfEvent({}, { kind: 'total', max: 2 })).toMatchObject({ collision: { action: 'flag' } });
});

test('a pairing code works with or without its hyphen, in either case, and contains nothing ambiguous', () => {
  const code = newPairingCode((n) => n - 1);
  expect(code).toBe('ZZZZ-ZZZZ');
  expect(canonicalPairingCode(' zzzz zzzz')).toBe(canonicalPairingCode(code));
  const all = Array.from({ length: 30 }, (_item, index) => newPairingCode(() => index)).join('');
  expect(all).not.toMatch(/[01ILOU]/);
});
