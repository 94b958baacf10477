import { expect, test } from 'vitest';
import { SINGLE_STEPS, type LivenessStep } from '../../contract/flow.ts';
import { gesturesOf, neutralOf, stepStrength } from './gestures.ts';
import { type Look, madeUpFace } from './liveness.fixture.ts';

const neutral = gesturesOf(madeUpFace());

test('left and right are the person’s own left and right', () => {
  const left = gesturesOf(madeUpFace({ yawDeg: 20 }));
  expect(stepStrength('turn_left', left, neutral)).toBeGreaterThan(1);
  expect(stepStrength('turn_right', left, neutral)).toBe(0);
});

test('a tilted head smiles as much as an upright one', () => {
  const smiling = madeUpFace({ smile: 0.1 });
  const upright = gesturesOf(smiling).mouthSpread;
  const [cos, sin] = [Math.cos(0.3), Math.sin(0.3)];
  const landmarks = smiling.landmarks.map((value, index, all) => {
    const [x, y] = index % 2 === 0 ? [value, all[index + 1]!] : [all[index - 1]!, value];
    return index % 2 === 0 ? cos * x - sin * y : sin * x + cos * y;
  });
  expect(gesturesOf({ ...smiling, landmarks }).mouthSpread).toBeCloseTo(upright, 3);
});

test('measures do not depend on the size of the face', () => {
  const near = gesturesOf(madeUpFace({ smile: 0.1, mouthGap: 0.2, size: 1.4 }));
  const far = gesturesOf(madeUpFace({ smile: 0.1, mouthGap: 0.2, size: 0.7 }));
  expect(near.mouthSpread).toBeCloseTo(far.mouthSpread, 3);
  expect(near.mouthGap).toBeCloseTo(far.mouthGap, 3);
  expect(near.breadth).toBeCloseTo(far.breadth, 3);
});

test('one outlier frame does not change the neutral measures', () => {
  const blinking = gesturesOf(madeUpFace({ eyesOpen: 0.3 }));
  expect(neutralOf([neutral, blinking, neutral])).toEqual(neutral);
});

test('moving the other way has strength 0', () => {
  const away = gesturesOf(madeUpFace({ size: 0.8, pitchDeg: -9, eyesOpen: 1.2 }));
  for (const step of ['look_up', 'blink', 'move_closer'] as const)
    expect(stepStrength(step, away, neutral)).toBe(0);
});

test.each<[string, Partial<Look>, LivenessStep[]]>([
  [
    'a grin that narrows the eyes and parts the lips',
    { smile: 0.1, eyesOpen: 0.65, mouthGap: 0.2 },
    ['smile'],
  ],
  ['a smile with closed lips', { smile: 0.1 }, ['smile']],
  ['a blink', { eyesOpen: 0.5 }, ['blink']],
  ['a blink with a twitch of the mouth', { eyesOpen: 0.5, smile: 0.02 }, ['blink']],
  ['a mouth that opens', { mouthGap: 0.2 }, ['open_mouth']],
  ['eyes that close while the mouth opens', { eyesOpen: 0.5, mouthGap: 0.2 }, ['open_mouth']],
  ['a smile with closed eyes', { smile: 0.1, eyesOpen: 0.4 }, []],
])('%s counts as at most one step', (_what, look, counted) => {
  const face = gesturesOf(madeUpFace(look));
  const done = SINGLE_STEPS.filter((step) => stepStrength(step, face, neutral) >= 1);
  expect(done).toEqual(counted);
});

test('lifting the head counts as looking up only if it is not turned', () => {
  const both = gesturesOf(madeUpFace({ pitchDeg: 14, yawDeg: 20 }));
  expect(stepStrength('look_up', both, neutral)).toBe(0);
});

test.each<[string, Partial<Look>, boolean]>([
  ['both', { pitchDeg: 12, smile: 0.12 }, true],
  ['both, of which the smile takes some off the lift', { pitchDeg: 5, smile: 0.12 }, true],
  ['a lifted head alone', { pitchDeg: 20 }, false],
  ['a smile alone', { smile: 0.2 }, false],
  ['both with closed eyes', { pitchDeg: 12, smile: 0.12, eyesOpen: 0.4 }, false],
  ['both with a turned head', { pitchDeg: 12, smile: 0.12, yawDeg: 20 }, false],
])('looking up and smiling at once needs both: %s', (_what, look, counts) => {
  expect(stepStrength('look_up_smile', gesturesOf(madeUpFace(look)), neutral) >= 1).toBe(counts);
});
