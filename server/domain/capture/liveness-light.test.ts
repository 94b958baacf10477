/**
 * What strict mode requires of the page's light, on a synthetic person whose skin reflects as much of it as the
 * test sets.
 */
import { expect, test } from 'vitest';
import type { LivenessStep, Tint } from '../../contract/flow.ts';
import { TINT_LIGHT } from './attack/tints.ts';
import type { ChallengeMode } from '../companies/verification-config.ts';
import type { FrameEvidence } from './evidence.ts';
import { honestCapture } from './liveness.fixture.ts';
import { judgeCapture, observedFindings } from './liveness.ts';

const STEPS: LivenessStep[] = ['turn_left', 'blink', 'smile'];
const TINTS: Tint[] = ['rose', 'mint', 'warm', 'cool'];

/** @param share the page's share of the light on the skin */
function under(tint: Tint | undefined, share: number, frame: FrameEvidence): FrameEvidence {
  if (!frame.cues || !tint) return frame;
  const [red, green, blue] = frame.cues.skin;
  const [r, g, b] = TINT_LIGHT[tint];
  const skin = [red * (1 + share * r), green * (1 + share * g), blue * (1 + share * b)] as const;
  return { ...frame, cues: { ...frame.cues, skin } };
}

type Shown = { mode?: ChallengeMode; share?: number };

function verdictOf({ mode = 'strict', share = 0 }: Shown) {
  const facts = honestCapture(STEPS, { mode, tints: TINTS });
  const frames = facts.frames.map((frame, index) => under(TINTS[index], share, frame));
  return judgeCapture({ ...facts, frames });
}

test('strict mode requires the page’s light on the face, and says what helps', () => {
  expect(verdictOf({ share: 0.2 })).toMatchObject({ passed: true });
  expect(verdictOf({ share: 0 })).toMatchObject({
    findings: ['page_light_unseen'],
    personFindings: ['too_bright'],
    spoofSuspected: false,
  });
});

test('staff see a finding once, even if a rule and a signal both report it', () => {
  const reported = observedFindings(verdictOf({ share: 0 }));
  expect(reported.filter((finding) => finding === 'page_light_unseen')).toHaveLength(1);
});

test('strict mode treats too little evidence as no light', () => {
  const facts = honestCapture(STEPS, { mode: 'strict', tints: TINTS });
  const frames = facts.frames.map((frame) => ({ ...frame, cues: null }));
  expect(judgeCapture({ ...facts, frames }).findings).toEqual(['page_light_unseen']);
});

test('standard mode does not require it, but tells the reviewer', () => {
  const verdict = verdictOf({ mode: 'standard' });
  expect(verdict.passed).toBe(true);
  expect(verdict.attack?.findings).toContain('page_light_unseen');
});

test('a page cannot avoid it by claiming that it showed no tints', () => {
  const facts = honestCapture(STEPS, { mode: 'strict', tints: TINTS });
  const timeline = { ...facts.timeline, light: 'calm' };
  expect(judgeCapture({ ...facts, timeline }).findings).toEqual(['page_light_unseen']);
});

test('sending fewer neutral frames than tints does not avoid it either', () => {
  const facts = honestCapture(STEPS, { mode: 'standard', tints: [...TINTS, 'rose'] });
  expect(judgeCapture(facts).attack?.signals).toMatchObject({ lit: 0, unlit: 1 });
});

test('a challenge of an earlier version, which has no tints, requires no light', () => {
  const verdict = judgeCapture(honestCapture(STEPS, { mode: 'strict', tints: null }));
  expect(verdict.passed).toBe(true);
  expect(verdict.attack?.signals).toMatchObject({ lit: null, unlit: null });
});
