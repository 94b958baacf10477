import { expect, test } from 'vitest';
import { median, neutralOf } from './neutral.ts';
import { faceWith, RESTING_FACE } from './observations.fixture.ts';

test('the median of an even count lies between the middle two', () => {
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
