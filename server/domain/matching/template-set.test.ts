/** Which view is dropped when a person has enough of them. */
import { describe, expect, it } from 'vitest';
import { furtherViews, placeFor, type View } from './template-set.ts';

const DAY_MS = 86_400_000;
/** A view in this direction, taken on this day; the degrees represent differences between faces. */
const view = (degrees: number, day: number): View => ({
  vector: Float32Array.of(Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180)),
  at: day * DAY_MS,
});

it.each([
  ['one that is nearly the same adds nothing', 8, false],
  ['one far apart is kept', 40, true],
  ['one that may be somebody else is not', 60, false],
])('a further view at the first visit: %s', (_name, degrees, isKept) => {
  const further = view(degrees, 1).vector;
  expect(furtherViews(view(0, 1).vector, [further])).toEqual(isKept ? [further] : []);
});

it('of the further views at the first visit, keeps the two that differ most from the first and from each other', () => {
  const [left, near, right, lifted] = [40, 35, -50, 20].map((degrees) => view(degrees, 1).vector);
  expect(furtherViews(view(0, 1).vector, [left!, near!, right!, lifted!])).toEqual([right, left]);
  expect(furtherViews(view(0, 1).vector, [left!, near!])).toEqual([left]);
});

describe('a full set', () => {
  it('drops the older of the two most similar views', () => {
    const kept = [view(0, 1), view(20, 2), view(40, 3), view(60, 4), view(80, 5)];
    expect(placeFor(kept, view(62, 9))).toBe(3);
  });

  it('treats two views of one day as more similar', () => {
    const kept = [view(0, 1), view(20, 2), view(45, 2), view(70, 4), view(95, 5)];
    expect(placeFor(kept, view(120, 9))).toBe(1);
  });

  it('never drops the first', () => {
    const kept = [view(0, 1), view(1, 2), view(40, 3), view(60, 4), view(80, 5)];
    expect(placeFor(kept, view(100, 9))).toBe(1);
  });

  it('does not accept a view that is most similar to the first', () => {
    const kept = [view(0, 1), view(20, 2), view(40, 3), view(60, 4), view(80, 5)];
    expect(placeFor(kept, view(1, 9))).toBeNull();
  });
});
