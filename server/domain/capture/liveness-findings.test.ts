import { expect, test } from 'vitest';
import { PERSON_FINDINGS } from '../../contract/flow.ts';
import { LIVENESS_FINDINGS, toPersonFindings } from './liveness-findings.ts';

test('every finding has a message, and each message appears once', () => {
  for (const finding of LIVENESS_FINDINGS) expect(toPersonFindings([finding])).toHaveLength(1);
  expect(toPersonFindings(['duplicate_frames', 'replayed_frames', 'presentation_attack'])).toEqual([
    'try_again',
  ]);
  expect(toPersonFindings([])).toEqual([]);
});

test('a picture problem is reported alone, because it explains the other findings', () => {
  expect(toPersonFindings(['step_missed', 'self_mismatch', 'too_dark', 'no_face'])).toEqual([
    'no_face',
    'too_dark',
  ]);
});

test('a helpful finding is reported without "try again"', () => {
  expect(toPersonFindings(['duplicate_frames', 'step_missed'])).toEqual(['step_missed']);
});

test('findings come in the contract’s order', () => {
  const reported = toPersonFindings(['blurred', 'too_bright', 'several_faces']);
  expect(reported).toEqual(PERSON_FINDINGS.filter((finding) => reported.includes(finding)));
});

test('guests are never told the name of a spoofing check', () => {
  const reported = LIVENESS_FINDINGS.flatMap((finding) => toPersonFindings([finding]));
  expect(reported.join()).not.toMatch(/replay|duplicate|attack|timing/);
});
