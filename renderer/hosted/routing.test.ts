import { describe, expect, test } from 'vitest';
import { FLOW_ERRORS } from '../../server/contract/flow.ts';
import {
  deadEndOf,
  deadEndOfProblem,
  presentationOf,
  returnsAtOnce,
  screenOf,
  type Choices,
} from './routing.ts';
import { settledWith, snapshotWith } from './snapshots.fixture.ts';

const PHONE: Choices = { device: 'mobile', thisComputer: false, camera: false, attempted: false };
const DESKTOP: Choices = { ...PHONE, device: 'desktop' };

describe('on a phone', () => {
  test.each([
    ['consent', snapshotWith()],
    ['capture', snapshotWith({ step: 'capture' })],
    ['testChoice', snapshotWith({ step: 'capture', is_test: true })],
    ['retry', snapshotWith({ step: 'capture', findings: ['too_dark'], attempts_left: 2 })],
    ['checking', snapshotWith({ step: 'capture', state: 'checking' })],
    ['result', snapshotWith({ step: 'result', state: 'in_review' })],
    ['result', settledWith('denied')],
    ['dead', snapshotWith({ state: 'expired' })],
    ['dead', snapshotWith({ state: 'cancelled' })],
    ['dead', snapshotWith({ step: 'phone' })],
  ] as const)('%s', (screen, snapshot) => {
    expect(screenOf(snapshot, PHONE)).toBe(screen);
  });

  test('in a test session the camera comes once it is chosen', () => {
    const snapshot = snapshotWith({ step: 'capture', is_test: true });
    expect(screenOf(snapshot, { ...PHONE, camera: true })).toBe('capture');
  });

  test('an attempt that ends without findings is repeated from the retry screen too', () => {
    expect(screenOf(snapshotWith({ step: 'capture' }), { ...PHONE, attempted: true })).toBe('retry');
  });
});

describe('on a computer', () => {
  test('an open run is sent to a phone, an ended one shows its result', () => {
    expect(screenOf(snapshotWith(), DESKTOP)).toBe('desktop');
    expect(screenOf(settledWith('approved'), DESKTOP)).toBe('result');
  });
  test('goes on where the person chose its own camera', () => {
    expect(screenOf(snapshotWith({ is_test: true }), { ...DESKTOP, thisComputer: true })).toBe('consent');
  });
});

test('every refusal has a place to go: a dead end, or a fresh snapshot', () => {
  const resynced = FLOW_ERRORS.filter((code) => deadEndOfProblem(code) === null);
  expect(resynced).toEqual([
    'wrong_step',
    'challenge_expired',
    'challenge_used',
    'capture_incomplete',
    'frame_too_large',
    'too_many_frames',
    'unreadable_frame',
    'test_partition_only',
  ]);
  expect(deadEndOfProblem('session_claimed')).toBe('claimed');
  expect(deadEndOfProblem('server')).toBe('server');
});

test('a step that this page cannot do says so', () => {
  expect(deadEndOf(snapshotWith({ step: 'phone' }))).toBe('unsupported_step');
  expect(deadEndOf(snapshotWith({ state: 'expired' }))).toBe('expired');
});

test('a run that waits for a reviewer is presented as pending', () => {
  expect(presentationOf(snapshotWith({ state: 'in_review', step: 'result' }))).toBe('pending');
});

test.each([
  ['approved', true],
  ['flagged', true],
  ['declined', true],
  ['denied', false],
  ['pending', false],
] as const)('auto_return of a run that is %s: %s', (presented, atOnce) => {
  expect(returnsAtOnce(settledWith(presented, { auto_return: true }))).toBe(atOnce);
  expect(returnsAtOnce(settledWith(presented))).toBe(false);
});
