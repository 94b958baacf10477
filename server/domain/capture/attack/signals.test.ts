/** Which frames each signal uses, on synthetic captures. */
import { expect, test } from 'vitest';
import type { FrameEvidence } from '../evidence.ts';
import { doing, honestCapture, madeUpFace, madeUpFrame, resting } from '../liveness.fixture.ts';
import { judgeCapture } from '../liveness.ts';
import { scaled } from './score.ts';

const STEPS = ['turn_left', 'blink'] as const;

/** A capture with these resting frames. */
function judged(neutral: readonly FrameEvidence[], isHandheld = false) {
  const facts = honestCapture(STEPS, { isHandheld }, [[...neutral], ...STEPS.map(doing)]);
  return judgeCapture(facts);
}
const doubted = (change: Partial<FrameEvidence> = {}) => madeUpFrame({}, { genuineScore: 0.1, ...change });

test.each<[string, FrameEvidence[], number | null]>([
  ['resting, frontal, bright frames', [doubted(), doubted(), doubted()], 0.9],
  ['their median', [doubted(), madeUpFrame(), madeUpFrame()], 0.02],
  ['frames in the dark', [1, 2, 3].map(() => doubted({ brightness: 50 })), null],
  [
    'a single frame that is bright',
    [doubted(), doubted({ brightness: 50 }), doubted({ brightness: 50 })],
    null,
  ],
])('the attack model counts on %s', (_what, neutral, passive) => {
  const { attack, genuineScore } = judged(neutral);
  if (passive === null) expect(attack?.signals.passive).toBeNull();
  else expect(attack?.signals.passive).toBeCloseTo(passive, 6);
  expect(genuineScore).toBeCloseTo(1 - (passive ?? 0), 6);
});

test('the attack model does not count on the frames of steps', () => {
  const facts = honestCapture(STEPS, {}, [
    resting(),
    ...STEPS.map((step) => doing(step).map((frame) => ({ ...frame, genuineScore: 0 }))),
  ]);
  expect(judgeCapture(facts).attack?.signals.passive).toBeCloseTo(0.02, 6);
});

test.each<[string, number, number | null, number]>([
  ['a pattern on the face alone counts in full', 22, 13, 22],
  ['what compression makes on face and background does not', 21, 20, 17],
  ['a screen that fills the frame still shows', 40, 38, 36],
  ['without a background, compression may explain as much', 22, null, 18],
])('pattern against the background: %s', (_name, patternDb, backgroundPatternDb, expected) => {
  const neutral = resting().map((frame) => ({
    ...frame,
    cues: frame.cues && { ...frame.cues, patternDb, backgroundPatternDb },
  }));
  const steps = STEPS.map(() => neutral);
  const facts = honestCapture(STEPS, {}, [neutral, ...steps]);
  expect(judgeCapture(facts).attack?.signals.pattern).toBe(expected);
});

test('surroundings that move with the face count less, but still count, on a handheld phone', () => {
  const WIDTH = 64;
  const room = (shift: number) => ({
    width: WIDTH,
    height: 48,
    data: Uint8Array.from({ length: WIDTH * 48 }, (_, i) => 120 + 50 * Math.sin(((i % WIDTH) - shift) / 2.1)),
  });
  const at = (shiftCells: number, frame: FrameEvidence): FrameEvidence => {
    const face = frame.face ?? madeUpFace();
    const landmarks = face.landmarks.map((value, i) => (i % 2 === 0 ? value + 10 * shiftCells : value));
    return {
      ...frame,
      face: { ...face, landmarks },
      cues: frame.cues && { ...frame.cues, layout: room(shiftCells) },
    };
  };
  const neutral = resting().map((frame) => at(0, frame));
  const steps = STEPS.map((step) => doing(step).map((frame) => at(4, frame)));
  const togetherOf = (isHandheld: boolean) =>
    judgeCapture(honestCapture(STEPS, { isHandheld }, [neutral, ...steps])).attack?.signals.together;
  const standing = togetherOf(false) ?? 0;
  expect(standing).toBeGreaterThan(0.3);
  expect(togetherOf(true)).toBeCloseTo(standing - 0.65, 6);
  // The highest value measured for a real person holding a phone.
  expect(scaled('together', 0.5 - 0.65)).toBe(0);
});
