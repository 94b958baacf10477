import { expect, test } from 'vitest';
import { gesturesOf } from '../gestures.ts';
import { madeUpFace, madeUpFrame } from '../liveness.fixture.ts';
import { lookAt } from './looks.ts';

const AT_REST = { kind: 'tint', tint: 'rose' } as const;

test('a low-contrast picture is not blurred if it is sharp for its contrast', () => {
  const soft = madeUpFrame({}, { brightness: 90, contrast: 14, sharpness: 15 });
  expect(lookAt(soft, AT_REST, null)).toMatchObject({ usable: true });
});

test('a picture out of focus stays blurred, at any contrast', () => {
  for (const [contrast, sharpness] of [
    [45, 20],
    [14, 2],
  ] as const) {
    const blurred = madeUpFrame({}, { brightness: 120, contrast, sharpness });
    expect(lookAt(blurred, AT_REST, null)).toEqual({ usable: false, hints: ['blurred'] });
  }
});

test('a dim picture whose camera has smoothed it away asks for light, not for a still hand', () => {
  const denoised = madeUpFrame({}, { brightness: 48, contrast: 14, sharpness: 2 });
  expect(lookAt(denoised, AT_REST, null)).toEqual({ usable: false, hints: ['too_dark'] });
});

test('a turn to the wrong side, as in a mirrored picture, asks for the other side', () => {
  const neutral = gesturesOf(madeUpFace());
  const wrong = madeUpFrame({ yawDeg: -25 });
  expect(lookAt(wrong, { kind: 'step', step: 'turn_left' }, neutral)).toEqual({
    usable: false,
    hints: ['other_side'],
  });
  expect(lookAt(wrong, { kind: 'step', step: 'turn_right' }, neutral)).toMatchObject({ usable: true });
  expect(lookAt(wrong, { kind: 'step', step: 'smile' }, neutral).hints).not.toContain('other_side');
});

test('a covered face is asked to uncover nose and mouth as long as there is time, and then taken as it is', () => {
  const covered = madeUpFrame({}, { isCovered: true });
  expect(lookAt(covered, AT_REST, null, true)).toEqual({ usable: false, hints: ['face_covered'] });
  expect(lookAt(covered, AT_REST, null)).toMatchObject({ usable: true });
});
