import { expect, test } from 'vitest';
import type { DoorRun } from '../../../../server/contract/console/door.ts';
import { messagesOf } from '../../../../locales/node.ts';
import { setVenueZone } from '../shared/time/time.ts';
import { headlineOf, placeOf } from './results.ts';

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
  case_id: null,
  actions: [],
  ...more,
});

test('a repeated check says when and where the guest was checked in', () => {
  expect(headlineOf(run(), en, outcomes, 'en')).toMatch(/^Already checked in at 10:42\sAM at North gate$/);
  expect(
    headlineOf(run({ earlier: { at: '2030-05-15T10:42:00.000Z', kiosk_name: null } }), en, outcomes, 'en'),
  ).toMatch(/^Already checked in at 10:42\sAM$/);
});

test('another day is named', () => {
  const earlier = { at: '2030-05-13T10:42:00.000Z', kiosk_name: null };
  expect(headlineOf(run({ earlier }), en, outcomes, 'en')).toContain('May 13');
});

test('without an earlier pass only the result is shown', () => {
  expect(headlineOf(run({ earlier: null }), en, outcomes, 'en')).toBe('Already checked in');
  expect(headlineOf(run({ result: 'ask' }), en, outcomes, 'en')).toBe('Needs review');
});

test('a run without a kiosk is named by its device', () => {
  expect(placeOf({ kiosk_name: null, device: 'mobile' }, outcomes)).toBe('Phone');
});
