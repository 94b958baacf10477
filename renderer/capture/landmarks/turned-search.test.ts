import { expect, test } from 'vitest';
import { createTurnedSearch } from './turned-search.ts';

test('a face in the picture turned upside down is found within two seconds of frames, and kept', () => {
  const search = createTurnedSearch();
  const isFound = Array.from({ length: 50 }, () => search.seek(false, (rotation) => rotation === 180));
  expect(isFound.slice(0, 15)).not.toContain(true);
  expect(isFound.slice(40)).not.toContain(false);
});

test('a face that is upright ends the search, and none starts it at once', () => {
  const search = createTurnedSearch();
  const looks: number[] = [];
  const look = (rotation: number) => looks.push(rotation) > 0;
  for (let frame = 0; frame < 30; frame += 1) search.seek(false, look);
  expect(looks.length).toBeGreaterThan(0);
  expect(search.seek(true, look)).toBe(false);
  const before = looks.length;
  for (let frame = 0; frame < 14; frame += 1) search.seek(false, look);
  expect(looks.length).toBe(before);
});
