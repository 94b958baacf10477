/** People are added, changed and removed in any order, and a search returns exactly the present ones that are near. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cosine, toUnitLength } from '../../domain/matching/matching.ts';
import { PersonIndex } from './person-index.ts';

const LENGTH = 16;
const vector = fc
  .array(fc.float({ min: -1, max: 1, noNaN: true, noDefaultInfinity: true }), {
    minLength: LENGTH,
    maxLength: LENGTH,
  })
  .map((values) => toUnitLength(Float32Array.from(values)));
const step = fc.record({ personId: fc.integer({ max: 12 }).map(String), face: fc.option(vector) });

describe('a search', () => {
  it('misses nobody after any enrolments, replacements and erasures, and returns nobody who was removed', () => {
    fc.assert(
      fc.property(
        fc.array(step, { maxLength: 80 }),
        vector,
        fc.float({ min: -1, max: 1, noNaN: true }),
        (steps, probe, floor) => {
          const index = new PersonIndex(LENGTH);
          const people = new Map<string, Float32Array>();
          for (const { personId, face } of steps) {
            if (face === null) {
              expect(index.remove(personId)).toBe(people.delete(personId));
            } else {
              index.put(personId, face);
              people.set(personId, face);
            }
          }
          expect(index.size).toBe(people.size);
          const found = index.candidates(probe, floor);
          expect(new Set(found).size).toBe(found.length);
          expect(found.filter((personId) => !people.has(personId))).toEqual([]);
          for (const [personId, face] of people) {
            if (cosine(probe, face) >= floor) expect(found).toContain(personId);
          }
        },
      ),
      { numRuns: 300 },
    );
  });

  it('of an empty index returns nobody', () => {
    expect(new PersonIndex(4).candidates(Float32Array.of(1, 0, 0, 0), -1)).toEqual([]);
  });
});
