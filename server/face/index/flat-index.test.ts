/** The index finds exactly whom a brute-force search finds, whatever happens to it meanwhile. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cosine, normalisedMean, toUnitLength } from '../../domain/matching.ts';
import { FlatIndex } from './flat-index.ts';

const LENGTH = 16;

/** A small generator with a seed, so that a failure can be repeated. */
function randomVectors(seed: number) {
  let state = seed >>> 0;
  const uniform = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  return (length = LENGTH) => toUnitLength(Float32Array.from({ length }, () => uniform() + uniform() - 1));
}

type Enrolled = Map<string, Float32Array[]>;

function bruteForce(people: Enrolled, probe: Float32Array, floor: number): Map<string, number> {
  const hits = new Map<string, number>();
  for (const [personId, templates] of people) {
    const similarity = cosine(probe, normalisedMean(templates));
    if (similarity >= floor) hits.set(personId, similarity);
  }
  return hits;
}

/** Equal but for people so near the floor that rounding decides. */
async function expectExact(index: FlatIndex, people: Enrolled, probe: Float32Array, floor: number) {
  const rounding = 1e-4;
  const found = await index.search(probe, floor);
  const surely = bruteForce(people, probe, floor + rounding);
  const atMost = bruteForce(people, probe, floor - rounding);
  const ids = found.map(({ personId }) => personId);
  expect(new Set(ids).size).toBe(ids.length);
  expect([...surely.keys()].filter((id) => !ids.includes(id))).toEqual([]);
  expect(ids.filter((id) => !atMost.has(id))).toEqual([]);
  for (const { personId, similarity } of found) {
    expect(similarity).toBeCloseTo(atMost.get(personId) ?? Number.NaN, 4);
  }
  const similarities = found.map(({ similarity }) => similarity);
  expect(similarities).toEqual(similarities.toSorted((a, b) => b - a));
}

describe('a search', () => {
  it('is exact over random people with one to five templates each', async () => {
    const vector = randomVectors(1);
    const index = new FlatIndex(LENGTH);
    const people: Enrolled = new Map();
    for (let n = 0; n < 1_500; n++) {
      const templates = Array.from({ length: 1 + (n % 5) }, () => vector());
      people.set(`p${n}`, templates);
      for (const template of templates) index.add(`p${n}`, template);
    }
    expect(index.size).toBe(1_500);
    for (const floor of [-1, 0, 0.3, 0.6, 0.9]) await expectExact(index, people, vector(), floor);
  });

  it('finds a person by any of their own templates’ mean, best first', async () => {
    const index = new FlatIndex(2);
    index.add('east', Float32Array.of(1, 0));
    index.add('north', Float32Array.of(0, 1));
    index.add('east', toUnitLength(Float32Array.of(1, 0.2)));
    const found = await index.search(Float32Array.of(1, 0), -1);
    expect(found.map(({ personId }) => personId)).toEqual(['east', 'north']);
  });

  it('of an empty index finds nobody', async () => {
    expect(await new FlatIndex(LENGTH).search(randomVectors(2)(), -1)).toEqual([]);
  });

  it('a template of another length is refused', () => {
    expect(() => new FlatIndex(4).add('p', new Float32Array(5))).toThrow(RangeError);
  });
});

describe('adding and removing in any order', () => {
  const steps = fc.array(fc.record({ remove: fc.boolean(), person: fc.nat({ max: 8 }), seed: fc.nat() }), {
    maxLength: 60,
  });

  it('leaves exactly those who are enrolled', async () => {
    await fc.assert(
      fc.asyncProperty(steps, fc.nat(), async (taken, seed) => {
        const index = new FlatIndex(LENGTH);
        const people: Enrolled = new Map();
        for (const { remove, person, seed: vectorSeed } of taken) {
          const id = `p${person}`;
          if (remove) {
            expect(index.remove(id)).toBe(people.delete(id));
          } else {
            const template = randomVectors(vectorSeed)();
            index.add(id, template);
            people.set(id, [...(people.get(id) ?? []), template]);
          }
        }
        expect(index.size).toBe(people.size);
        // Templates that cancel each other out have no direction to compare.
        for (const [id, templates] of people) {
          const sum = templates.reduce(
            (total, t) => total.map((v, i) => v + (t[i] ?? 0)),
            new Float32Array(LENGTH),
          );
          fc.pre(Math.hypot(...sum) > 0.05 || id === '');
        }
        await expectExact(index, people, randomVectors(seed)(), 0.2);
      }),
      { numRuns: 150 },
    );
  });
});

describe('changes while a search lets the event loop breathe', () => {
  const SLICES = 3;
  const ROWS = 16_384 * SLICES;
  const probe = Float32Array.of(1, 0);
  const far = Float32Array.of(0, 1);

  function fullIndex(): FlatIndex {
    const index = new FlatIndex(2);
    for (let n = 0; n < ROWS; n++) index.add(`p${n}`, n % 1_000 === 0 ? probe : far);
    return index;
  }
  const expected = Array.from({ length: Math.ceil(ROWS / 1_000) }, (_, n) => `p${n * 1_000}`);

  it('a removal moves the last row forward, and nobody is missed or found twice', async () => {
    const index = fullIndex();
    index.add('last', probe);
    const searching = index.search(probe, 0.9);
    await new Promise((resolve) => setImmediate(resolve));
    index.remove('p1');
    const found = (await searching).map(({ personId }) => personId);
    expect(found.toSorted()).toEqual([...expected, 'last'].toSorted());
  });

  it('whoever was removed before the search ended is not found in what it looked at again', async () => {
    const index = fullIndex();
    const searching = index.search(probe, 0.9);
    await new Promise((resolve) => setImmediate(resolve));
    index.remove('p0');
    const found = (await searching).map(({ personId }) => personId);
    expect(found).not.toContain('p0');
    expect(found).toHaveLength(expected.length - 1);
  });

  it('enrolments meanwhile do not hide anyone who was there', async () => {
    const index = fullIndex();
    const searching = index.search(probe, 0.9);
    for (let n = 0; n < 500; n++) {
      if (n % 100 === 0) await new Promise((resolve) => setImmediate(resolve));
      index.add(`new${n}`, far);
    }
    const found = (await searching).map(({ personId }) => personId);
    expect(found.toSorted()).toEqual(expected.toSorted());
  });
});
