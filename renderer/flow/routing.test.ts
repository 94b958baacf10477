import { describe, expect, test } from 'vitest';
import { FLOW_ERRORS } from '../../server/contract/flow.ts';
import {
  continuesOnComputer,
  deadEndOf,
  deadEndOfProblem,
  handoffView,
  phoneTroubleOf,
  resultViewOf,
  returnsAtOnce,
  screenOf,
  type Choices,
} from './routing.ts';
import { settledWith, snapshotWith } from './snapshots.fixture.ts';

const PHONE: Choices = {
  device: 'mobile',
  thisComputer: false,
  camera: false,
  attempted: false,
  noCamera: false,
  handedOver: false,
};
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
    ['phone', snapshotWith({ step: 'phone' })],
    ['dead', snapshotWith({ state: 'settled' })],
  ] as const)('%s', (screen, snapshot) => {
    expect(screenOf(snapshot, PHONE)).toBe(screen);
  });

  test('in a test session the camera is used once it is chosen', () => {
    const snapshot = snapshotWith({ step: 'capture', is_test: true });
    expect(screenOf(snapshot, { ...PHONE, camera: true })).toBe('capture');
  });

  test('an attempt that ends without findings is also repeated from the retry screen', () => {
    expect(screenOf(snapshotWith({ step: 'capture' }), { ...PHONE, attempted: true })).toBe('retry');
  });
});

describe('on a computer', () => {
  test('an open run is passed to a phone, an ended one shows its result', () => {
    expect(screenOf(snapshotWith(), DESKTOP)).toBe('desktop');
    expect(screenOf(settledWith('approved'), DESKTOP)).toBe('result');
  });
  test('continues at the step after the person chose this computer’s camera', () => {
    expect(screenOf(snapshotWith({ is_test: true }), { ...DESKTOP, thisComputer: true })).toBe('consent');
  });
});

test('every refusal leads to a dead end or a new snapshot', () => {
  const resynced = FLOW_ERRORS.filter((code) => deadEndOfProblem(code) === null);
  expect(resynced).toEqual([
    'wrong_step',
    'consent_replaced',
    'wrong_number',
    'identifier_unrecognized',
    'test_number_required',
    'wrong_code',
    'code_required',
    'code_expired',
    'resend_too_soon',
    'too_many_codes',
    'challenge_expired',
    'challenge_used',
    'test_partition_only',
  ]);
  expect(deadEndOfProblem('session_claimed')).toBe('claimed');
  expect(deadEndOfProblem('invalid_flow_token')).toBe('moved');
  expect(deadEndOfProblem('server')).toBe('server');
});

test('a run that ended shows how', () => {
  expect(deadEndOf(snapshotWith({ state: 'expired' }))).toBe('expired');
  expect(deadEndOf(snapshotWith({ state: 'settled' }))).toBe('settled');
});

describe('a run handed from a computer', () => {
  const handed = (state: 'offered' | 'opened' | 'ended' | 'confirmed') =>
    snapshotWith({ handoff: { state, expires_at: '2026-01-01T00:10:00.000Z', match_code: null } });

  test('a link opened on another computer continues there', () => {
    expect(screenOf(handed('confirmed'), { ...DESKTOP, handedOver: true })).toBe('consent');
  });

  test.each([
    ['preparing', null, false, false],
    ['code', null, true, false],
    ['code', 'offered', true, false],
    ['preparing', 'offered', false, false],
    ['expired', 'offered', true, true],
    ['opened', 'opened', true, true],
    ['ended', 'ended', false, false],
    ['ended', 'ended', true, true],
    ['following', 'confirmed', false, false],
  ] as const)(
    'the computer shows %s when it is %s (offered %s, expired %s)',
    (view, state, offered, expired) => {
      expect(handoffView(state && handed(state).handoff, offered, expired)).toBe(view);
    },
  );
});

test('errors in a number or a code are shown next to the field', () => {
  expect(phoneTroubleOf('wrong_code')).toBe('wrong_code');
  expect(phoneTroubleOf('session_expired')).toBeNull();
});

test('a result is shown as passed, pending, denied or declined; a flagged approval looks like any other', () => {
  const presented = ['approved', 'flagged', 'pending', 'denied', 'declined'] as const;
  expect(presented.map((each) => resultViewOf(settledWith(each)))).toEqual([
    'passed',
    'passed',
    'pending',
    'denied',
    'declined',
  ]);
  expect(resultViewOf(snapshotWith({ state: 'in_review', step: 'result' }))).toBe('pending');
});

test('a person who passed here before is told so, instead of being refused', () => {
  const denied = settledWith('denied');
  const again = { ...denied, result: denied.result && { ...denied.result, passed_before: true } };
  expect(resultViewOf(again)).toBe('already');
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

describe('without a camera', () => {
  const WITHOUT: Choices = { ...PHONE, noCamera: true };

  test('a run is passed to another browser before anything is requested', () => {
    for (const step of ['consent', 'phone', 'capture'] as const) {
      expect(screenOf(snapshotWith({ step }), WITHOUT)).toBe('elsewhere');
    }
  });

  test('a test run continues with test faces until the camera is chosen', () => {
    const run = snapshotWith({ step: 'capture', is_test: true });
    expect(screenOf(run, WITHOUT)).toBe('testChoice');
    expect(screenOf(run, { ...WITHOUT, camera: true })).toBe('elsewhere');
  });
});

test('a phone that took the run over leaves the way back to the computer, in any of its browsers', () => {
  const handoff = { state: 'confirmed', expires_at: '2026-01-01T00:00:00Z', match_code: null } as const;
  const confirmed = settledWith('approved', { handoff });
  const on = (device: 'mobile' | 'desktop', handedOver: boolean, snapshot = confirmed) =>
    continuesOnComputer({ device, handedOver, snapshot });
  expect(on('mobile', true)).toBe(true);
  expect(on('mobile', false)).toBe(true);
  expect(on('desktop', false)).toBe(false);
  expect(on('mobile', false, settledWith('approved'))).toBe(false);
});
