import { expect, test } from 'vitest';
import type { DoorRun } from '../../../../server/contract/console/door.ts';
import { messagesOf } from '../../../../locales/node.ts';
import { setVenueZone } from '../shared/time/time.ts';
import {
  callingFor,
  headlineOf,
  lookOf,
  placeOf,
  type SeenRuns,
  silentSeconds,
  splitLatest,
} from './results.ts';

setVenueZone('UTC');
const en = messagesOf('door', 'en');
const outcomes = messagesOf('outcomes', 'en');

const run = (more: Partial<DoorRun> = {}): DoorRun => ({
  session_id: 'vs_1',
  at: '2030-05-15T20:00:00.000Z',
  result: 'already',
  reasons: ['limit_reached'],
  guest: null,
  kiosk_name: 'South gate',
  device: 'kiosk',
  earlier: { at: '2030-05-15T10:42:00.000Z', kiosk_name: 'North gate' },
  let_in: null,
  case_id: null,
  actions: [],
  ...more,
});

test('a repeated check says when and where the guest was checked in', () => {
  expect(headlineOf(run(), en, outcomes, 'en')).toMatch(/^Already checked in at 10:42 at North gate$/);
  expect(
    headlineOf(run({ earlier: { at: '2030-05-15T10:42:00.000Z', kiosk_name: null } }), en, outcomes, 'en'),
  ).toMatch(/^Already checked in at 10:42$/);
});

test('another day is named', () => {
  const earlier = { at: '2030-05-13T10:42:00.000Z', kiosk_name: null };
  expect(headlineOf(run({ earlier }), en, outcomes, 'en')).toContain('13 May');
});

test('without an earlier pass only the result is shown', () => {
  expect(headlineOf(run({ earlier: null }), en, outcomes, 'en')).toBe('Already checked in');
  expect(headlineOf(run({ result: 'ask' }), en, outcomes, 'en')).toBe('Needs review');
});

test('a run without a kiosk is named by its device', () => {
  expect(placeOf({ kiosk_name: null, device: 'mobile' }, outcomes)).toBe('Phone');
});

test('every guest who needs staff calls for them once, even if others follow before the page refreshes', () => {
  const at = (minute: number, more: Partial<DoorRun> = {}) =>
    run({ session_id: `vs_${minute}`, at: `2030-05-15T20:${minute}:00.000Z`, ...more });
  const old = at(10);
  const first = callingFor([old], null);
  expect(first.calling).toEqual([]);
  const [asked, passed, declined] = [
    at(11, { result: 'ask' }),
    at(12, { result: 'passed' }),
    at(13, { result: 'declined' }),
  ];
  const second = callingFor([declined, passed, asked, old], first.seen);
  expect(second.calling).toEqual([declined, asked]);
  expect(callingFor([declined, passed, asked, old], second.seen).calling).toEqual([]);
  const denied = { ...asked, result: 'turned_away', at: '2030-05-15T20:14:00.000Z' } as const;
  expect(callingFor([denied, declined, passed, old], second.seen).calling).toEqual([denied]);
});

test('the first guest of the evening calls for staff, and one who left the list and returns does not', () => {
  const none = callingFor([], null);
  const asked = run({ result: 'ask' });
  expect(callingFor([asked], none.seen).calling).toEqual([asked]);
  const seen: SeenRuns = callingFor([asked], null).seen;
  const older = run({ session_id: 'vs_0', at: '2030-05-15T19:00:00.000Z' });
  expect(callingFor([asked, older], seen).calling).toEqual([]);
});

test('a guest whom staff let in is shown with their name and reason, a long one cut', () => {
  const letIn = (by: string | null, reason: string) =>
    headlineOf(run({ result: 'flagged', earlier: null, let_in: { by, reason } }), en, outcomes, 'en');
  expect(letIn('Ana', 'came back from smoking')).toBe('Let in by Ana: came back from smoking');
  expect(letIn(null, 'by the organiser')).toBe('Let in: by the organiser');
  expect(letIn('Ana', 'x'.repeat(200))).toBe(`Let in by Ana: ${'x'.repeat(60)}…`);
});

test('a check that the cap refused is amber, and the banner takes its place', () => {
  const capped = run({ result: 'turned_away', reasons: ['usage_cap_exceeded'], earlier: null });
  expect(lookOf(capped).tone).toBe('look');
  expect(headlineOf(capped, en, outcomes, 'en')).toBe('Daily cap reached');
  expect(lookOf(run({ result: 'turned_away', reasons: ['liveness_failed'] })).tone).toBe('refused');
  const passed = run({ result: 'passed', earlier: null });
  expect(splitLatest([capped, passed], true).newest).toBe(passed);
  expect(splitLatest([capped, passed], false).newest).toBe(capped);
});

test('a check that its guest left does not take the place of a result', () => {
  const left = run({ result: 'unfinished' });
  const denied = run({ result: 'turned_away' });
  expect(splitLatest([left, denied], false)).toEqual({ newest: denied, before: [left] });
  expect(splitLatest([left], false)).toEqual({ newest: undefined, before: [left] });
});

test('a kiosk that was not heard for longer than a heartbeat is silent, and so is every kiosk once the server is gone', () => {
  expect(silentSeconds(9_000, 29_000)).toBeNull();
  expect(silentSeconds(15_000, 5_400)).toBe(20);
  expect(silentSeconds(3_000, 47_000)).toBe(50);
  expect(silentSeconds(null, 1_000)).toBeNull();
});
