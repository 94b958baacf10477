import { describe, expect, test } from 'vitest';
import { SINGLE_STEPS } from '../../../server/contract/flow.ts';
import { atRest, gestureProgress, isTurnedTooFar, neutralOf, median } from './gestures.ts';
import type { FaceMeasures } from '../landmarks/measure.ts';
import { faceWith, RESTING_FACE } from './observations.fixture.ts';

const neutral = neutralOf([RESTING_FACE]);

const MADE: Record<(typeof SINGLE_STEPS)[number], Partial<FaceMeasures>> = {
  turn_left: { yawRad: 0.4 },
  turn_right: { yawRad: -0.36 },
  look_up: { pitchRad: 0.2 },
  blink: { eyeImageLeft: 0.1, eyeImageRight: 0.1 },
  smile: { smileWidth: 0.5 },
  open_mouth: { mouthOpening: 0.5 },
  move_closer: { size: 0.66 },
};

describe.each(SINGLE_STEPS)('%s', (step) => {
  test('is not made by a face at rest', () => {
    expect(gestureProgress(step, RESTING_FACE, neutral)).toBeCloseTo(0);
  });
  test('is made by its own gesture', () => {
    expect(gestureProgress(step, faceWith(MADE[step]), neutral)).toBeGreaterThan(1);
  });
  test('is made by no other gesture', () => {
    for (const other of SINGLE_STEPS.filter((name) => name !== step)) {
      expect(gestureProgress(step, faceWith(MADE[other]), neutral)).toBeLessThan(0.5);
    }
  });
  test('is a departure from rest, unless it only comes closer', () => {
    expect(atRest(faceWith(MADE[step]), neutral)).toBe(step === 'move_closer');
  });
});

test('a wink does not count as a blink', () => {
  expect(gestureProgress('blink', faceWith({ eyeImageLeft: 0.02 }), neutral)).toBeLessThan(0.1);
});

test('a grin that narrows the eyes and shows the teeth is only a smile', () => {
  const grin = faceWith({ ...MADE.smile, ...MADE.blink, ...MADE.open_mouth });
  const made = SINGLE_STEPS.filter((step) => gestureProgress(step, grin, neutral) >= 1);
  expect(made).toEqual(['smile']);
});

test('a turn is at its peak at 35°, and over if the head is turned much further', () => {
  const at = (deg: number) =>
    gestureProgress('turn_left', faceWith({ yawRad: (deg * Math.PI) / 180 }), neutral);
  expect(at(35)).toBeGreaterThan(at(25));
  expect(at(35)).toBeGreaterThan(at(45));
  expect(at(60)).toBeLessThan(1);
});

test('a turn beyond 35° is too far, and nothing else is', () => {
  const far = faceWith({ yawRad: 0.7 });
  expect(SINGLE_STEPS.filter((step) => isTurnedTooFar(step, far, neutral))).toEqual([
    'turn_left',
    'turn_right',
  ]);
  expect(isTurnedTooFar('turn_left', faceWith({ yawRad: 0.55 }), neutral)).toBe(false);
});

test('a head lifted beyond 26° is too far for looking up, and not taken at its height', () => {
  const far = faceWith({ pitchRad: 0.6 });
  expect(SINGLE_STEPS.filter((step) => isTurnedTooFar(step, far, neutral))).toEqual(['look_up']);
  expect(isTurnedTooFar('look_up', faceWith({ pitchRad: 0.4 }), neutral)).toBe(false);
  const at = (pitchRad: number) => gestureProgress('look_up', faceWith({ pitchRad }), neutral);
  expect(at(0.4)).toBeGreaterThan(at(0.6));
  expect(at(0.9)).toBeLessThan(1);
});

test('too far is measured from the camera, as on the server: a head that is lowered at rest may go further', () => {
  const [lowered, raised] = [-10, 20].map((deg) =>
    neutralOf([faceWith({ pitchRad: (deg * Math.PI) / 180 })]),
  );
  const lifted = (deg: number) => faceWith({ pitchRad: (deg * Math.PI) / 180 });
  expect(isTurnedTooFar('look_up', lifted(25), lowered!)).toBe(false);
  expect(isTurnedTooFar('look_up', lifted(27), lowered!)).toBe(true);
  // Within 11° of its own rest, no head is too far.
  expect(isTurnedTooFar('look_up', lifted(30), raised!)).toBe(false);
  expect(isTurnedTooFar('look_up', lifted(32), raised!)).toBe(true);
  expect(gestureProgress('look_up', lifted(30), raised!)).toBeGreaterThan(1);
});

test('so is a turn: a head that is turned at rest may go less far to that side, and always far enough', () => {
  const aside = neutralOf([faceWith({ yawRad: 0.2 })]);
  const turned = (deg: number) => faceWith({ yawRad: (deg * Math.PI) / 180 });
  expect(isTurnedTooFar('turn_left', turned(33), aside)).toBe(false);
  expect(isTurnedTooFar('turn_left', turned(35), aside)).toBe(true);
  expect(isTurnedTooFar('turn_right', turned(-31), aside)).toBe(false);
  expect(isTurnedTooFar('turn_right', turned(-33), aside)).toBe(true);
  expect(gestureProgress('turn_left', turned(32), aside)).toBeGreaterThan(1);
});

test('gestures are judged against the person’s own neutral: a person who always looks slightly aside has to turn as far', () => {
  const aside = neutralOf([faceWith({ yawRad: 0.2 })]);
  expect(gestureProgress('turn_left', faceWith({ yawRad: 0.3 }), aside)).toBeLessThan(1);
});

test('a face at rest is at rest', () => {
  expect(atRest(RESTING_FACE, neutral)).toBe(true);
});

test('the median of an even count is between the middle two', () => {
  expect(median([4, 1, 3, 2])).toBe(2.5);
  expect(median([9, 1, 5])).toBe(5);
});

test('a blink among the frames does not change the neutral', () => {
  const faces = [
    RESTING_FACE,
    RESTING_FACE,
    faceWith({ eyeImageLeft: 0.05, eyeImageRight: 0.05 }),
    RESTING_FACE,
  ];
  expect(neutralOf(faces).eyeImageLeft).toBe(RESTING_FACE.eyeImageLeft);
});

describe('looking up and smiling at once', () => {
  const progress = (change: Partial<FaceMeasures>) =>
    gestureProgress('look_up_smile', faceWith(change), neutral);
  test('is made by both, of which the smile takes some off the lift', () => {
    expect(progress({ ...MADE.look_up, ...MADE.smile })).toBeGreaterThan(1);
    expect(progress({ pitchRad: 0.12, ...MADE.smile })).toBeGreaterThan(1);
  });
  test('is made by neither alone, nor at rest', () => {
    expect(progress({})).toBeCloseTo(0);
    for (const step of SINGLE_STEPS) expect(progress(MADE[step])).toBeLessThan(0.5);
  });
  test('has the furthest lift of looking up', () => {
    const far = faceWith({ pitchRad: 0.6, ...MADE.smile });
    expect(isTurnedTooFar('look_up_smile', far, neutral)).toBe(true);
    expect(isTurnedTooFar('look_up_smile', faceWith({ pitchRad: 0.4, ...MADE.smile }), neutral)).toBe(false);
  });
});
