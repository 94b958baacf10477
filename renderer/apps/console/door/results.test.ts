import { expect, test } from 'vitest';
import type { DoorRun } from '../../../../server/contract/console/door.ts';
import { messagesOf } from '../../../../locales/node.ts';
import { setVenueZone } from '../shared/time.ts';
import { headlineOf, placeOf, reasonsInWords } from './results.ts';

setVenueZone('UTC');
const en = messagesOf('door', 'en');

const run = (more: Partial<DoorRun> = {}): DoorRun => ({
  session_id: 'vs_1',
  at: '2030-05-15T20:00:00.000Z',
  result: 'already',
  reasons: ['limit_reached'],
  guest: null,
  kiosk_name: 'South gate',
  device: 'kiosk',
  earlier: { at: '2030-05-15T10:42:00.000Z', kiosk_name: 'North gate' },
  ...more,
});

test('who is through already is told when and where', () => {
  expect(headlineOf(run(), en, 'en')).toMatch(/^Already through at 10:42\sAM at North gate$/);
  expect(
    headlineOf(run({ earlier: { at: '2030-05-15T10:42:00.000Z', kiosk_name: null } }), en, 'en'),
  ).toMatch(/^Already through at 10:42\sAM$/);
});

test('another day is named', () => {
  const earlier = { at: '2030-05-13T10:42:00.000Z', kiosk_name: null };
  expect(headlineOf(run({ earlier }), en, 'en')).toContain('May 13');
});

test('without an earlier pass the result stands alone', () => {
  expect(headlineOf(run({ earlier: null }), en, 'en')).toBe('Already through');
  expect(headlineOf(run({ result: 'ask' }), en, 'en')).toBe('Ask a reviewer');
});

test('reasons and places have words', () => {
  expect(reasonsInWords(['limit_reached', 'something_new'], en)).toBe(
    'Has used up their entries · something_new',
  );
  expect(placeOf({ kiosk_name: null, device: 'mobile' }, en)).toBe('Phone');
});
