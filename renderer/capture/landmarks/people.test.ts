import { expect, test } from 'vitest';
import { faceWith } from '../coaching/observations.fixture.ts';
import { countPeople } from './people.ts';

const MAIN = faceWith({});

test('one face is one person, and no face is nobody', () => {
  expect(countPeople([])).toBe(0);
  expect(countPeople([MAIN])).toBe(1);
});

test('a second look at the same face, as where the chin is cut off, is no second person', () => {
  const again = faceWith({ size: 0.3, box: { left: 0.4, right: 0.6, top: 0.45, bottom: 0.78 } });
  expect(countPeople([MAIN, again])).toBe(1);
});

test('a face beside the main one is a second person, unless it is far behind', () => {
  const beside = faceWith({ size: 0.3, box: { left: 0.7, right: 0.9, top: 0.3, bottom: 0.6 } });
  expect(countPeople([beside, MAIN])).toBe(2);
  expect(countPeople([MAIN, faceWith({ ...beside, size: 0.1 })])).toBe(1);
});
