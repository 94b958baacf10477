import { expect, test } from 'vitest';
import { faceWith, observationOf, RESTING_FACE } from './observations.fixture.ts';
import { lightHint, placeHint, presenceHint, lumaStatistics, pictureVerdict } from './quality.ts';

const BLACK = { face: 3, frame: 3, spread: 1 };

test('one face in good light has no problems', () => {
  const observation = observationOf();
  expect(presenceHint(observation)).toBeNull();
  expect(lightHint(observation.light)).toBeNull();
  expect(placeHint(RESTING_FACE)).toBeNull();
});

test.each([
  ['several_faces', observationOf({ faceCount: 2 })],
  ['covered', observationOf({ faceCount: 0, face: null, light: BLACK })],
  ['too_dark', observationOf({ faceCount: 0, face: null, light: { face: 30, frame: 30, spread: 25 } })],
  ['no_face', observationOf({ faceCount: 0, face: null })],
] as const)('presence: %s', (hint, observation) => {
  expect(presenceHint(observation)).toBe(hint);
});

test.each([
  ['too_dark', { face: 15, frame: 60, spread: 40 }],
  ['too_bright', { face: 240, frame: 200, spread: 40 }],
  ['backlit', { face: 60, frame: 180, spread: 70 }],
] as const)('light: %s', (hint, light) => {
  expect(lightHint(light)).toBe(hint);
});

test('a dark face in good light is not a dark picture', () => {
  expect(lightHint({ face: 45, frame: 110, spread: 60 })).toBeNull();
});

test.each([
  ['too_far', { size: 0.2 }],
  ['too_close', { size: 0.9 }],
  ['off_centre', { centreX: 0.2 }],
  ['off_centre', { centreY: 0.85 }],
  ['look_straight', { yawRad: 0.5 }],
  ['look_straight', { rollRad: -0.5 }],
] as const)('place: %s', (hint, change) => {
  expect(placeHint(faceWith(change))).toBe(hint);
});

test('a face at a limit does not get alternating hints: once well placed, it may move further', () => {
  for (const edge of [{ size: 0.3 }, { size: 0.75 }, { centreX: 0.69 }, { yawRad: 0.28 }]) {
    expect(placeHint(faceWith(edge), false)).not.toBeNull();
    expect(placeHint(faceWith(edge), true)).toBeNull();
  }
});

test('black and white halves have their middle as mean and their distance as spread', () => {
  const rgba = new Uint8ClampedArray([0, 0, 0, 255, 255, 255, 255, 255]);
  const { mean, spread } = lumaStatistics(rgba);
  expect(mean).toBeCloseTo(127.5);
  expect(spread).toBeCloseTo(127.5);
});

test('no pixels are dark, not NaN', () => {
  expect(lumaStatistics(new Uint8ClampedArray())).toEqual({ mean: 0, spread: 0 });
});

test.each([
  [{ mean: 120, spread: 50 }, 'good'],
  [{ mean: 5, spread: 2 }, 'covered'],
  [{ mean: 30, spread: 30 }, 'dark'],
  [{ mean: 240, spread: 10 }, 'bright'],
] as const)('%j is %s', (picture, verdict) => {
  expect(pictureVerdict(picture)).toBe(verdict);
});
