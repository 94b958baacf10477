import { expect, test } from 'vitest';
import { createTurnedSearch } from './turned-search.ts';

const frames = (count: number, seek: () => boolean) => Array.from({ length: count }, seek);

test('a face that is found only in the turned picture is noticed within two seconds of frames', () => {
  const search = createTurnedSearch();
  const isTurned = frames(50, () => search.seek(false, (rotation) => (rotation === 180 ? Math.PI : null)));
  expect(isTurned.slice(0, 15)).not.toContain(true);
  expect(isTurned.slice(40)).not.toContain(false);
});

test('an upright face that a landmarker fits onto one upside down is noticed in the first second', () => {
  const search = createTurnedSearch();
  const isTurned = frames(60, () => search.seek(true, (rotation) => (rotation === 90 ? 3.1 : 0)));
  expect(isTurned.slice(24)).not.toContain(false);
});

test('an upright face is checked three times, and never called turned, whatever one check says', () => {
  const search = createTurnedSearch();
  const rolls = [0.02, 3.1, 0.3, 3.1];
  let checks = 0;
  const isTurned = frames(200, () => search.seek(true, () => rolls[checks++] ?? 0));
  expect(isTurned).not.toContain(true);
  expect(checks).toBe(3);
});

test('a picture that is turned back is upright again', () => {
  const search = createTurnedSearch();
  frames(40, () => search.seek(true, () => 3.1));
  expect(frames(20, () => search.seek(true, () => 0)).at(-1)).toBe(false);
});

test('nobody at the camera is no turned picture', () => {
  const search = createTurnedSearch();
  expect(frames(100, () => search.seek(false, () => null))).not.toContain(true);
});
