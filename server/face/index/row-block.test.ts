/** The scan returns every row that reaches the floor: compared with brute force in full precision. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cosine, toUnitLength } from '../../domain/matching/matching.ts';
import { quantiseProbe, quantiseRow } from './quantise.ts';
import { RowBlock } from './row-block.ts';

const vectorOf = (length: number) =>
  fc
    .array(fc.float({ min: -1, max: 1, noNaN: true, noDefaultInfinity: true }), {
      minLength: length,
      maxLength: length,
    })
    .map((values) => toUnitLength(Float32Array.from(values)));

/** Brute force in double precision over the same float32 components. */
const reaching = (rows: readonly Float32Array[], probe: Float32Array, floor: number): number[] =>
  rows.flatMap((row, n) => (cosine(probe, row) >= floor ? [n] : []));

/** A unit vector at exactly this cosine to `probe`, within the precision of float32. */
function atCosine(probe: Float32Array, other: Float32Array, wanted: number): Float32Array {
  const along = cosine(probe, other);
  const across = toUnitLength(other.map((value, i) => value - along * (probe[i] ?? 0)));
  const rest = Math.sqrt(1 - wanted * wanted);
  return toUnitLength(across.map((value, i) => wanted * (probe[i] ?? 0) + rest * value));
}

function blockOf(rows: readonly Float32Array[], length: number): RowBlock {
  const block = new RowBlock(length);
  for (const [n, row] of rows.entries()) block.write(n, row);
  return block;
}

describe('the error bound', () => {
  it('a product of two vectors never differs from its rounded one by more than the bound', () => {
    fc.assert(
      fc.property(vectorOf(24), vectorOf(24), (probe, row) => {
        const p = new Int16Array(24);
        const x = new Int8Array(24);
        const keptProbe = quantiseProbe(probe, p);
        const kept = quantiseRow(row, x);
        const rounded =
          p.reduce((sum, value, i) => sum + value * (x[i] ?? 0), 0) * keptProbe.scale * kept.scale;
        const bound = keptProbe.norm * kept.error + keptProbe.error * kept.keptNorm;
        expect(Math.abs(cosine(probe, row) - rounded)).toBeLessThanOrEqual(bound + 1e-9);
      }),
    );
  });

  it('32-bit sums cannot overflow, whatever the vectors', () => {
    const length = 4_096;
    const most = toUnitLength(new Float32Array(length).fill(1));
    const block = blockOf([most, most.map((value) => -value)], length);
    expect(block.candidates(most, 0.999)).toEqual([0]);
  });

  it('returns few rows that are below the floor by more than a hundredth', () => {
    const length = 512;
    const random = fc.sample(vectorOf(length), { numRuns: 400, seed: 7 });
    const [probe, ...rows] = random as [Float32Array, ...Float32Array[]];
    const kept = blockOf(rows, length).candidates(probe, 0.05);
    expect(kept.filter((row) => cosine(probe, rows[row]!) < 0.03)).toEqual([]);
  });
});

describe('recall', () => {
  // Short vectors consist of the head only; long ones have a rest that the first pass leaves out.
  const pools = fc
    .oneof(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 97, max: 200 }))
    .chain((length) =>
      fc.tuple(fc.constant(length), vectorOf(length), fc.array(vectorOf(length), { maxLength: 60 })),
    );

  it('is 1.000 over random pools of any length and floor', () => {
    fc.assert(
      fc.property(pools, fc.float({ min: -1, max: 1, noNaN: true }), ([length, probe, rows], floor) => {
        const found = blockOf(rows, length).candidates(probe, floor);
        expect(reaching(rows, probe, floor).filter((row) => !found.includes(row))).toEqual([]);
        expect(found).toEqual([...new Set(found)].sort((a, b) => a - b));
      }),
      { numRuns: 300 },
    );
  });

  it('is 1.000 for rows exactly on the floor', () => {
    fc.assert(
      fc.property(
        vectorOf(128),
        fc.array(vectorOf(128), { minLength: 1, maxLength: 40 }),
        fc.double({ min: 0.2, max: 0.95, noNaN: true }),
        (probe, others, wanted) => {
          const rows = others.map((other) => atCosine(probe, other, wanted));
          const block = blockOf(rows, 128);
          for (const row of rows) {
            const floor = cosine(probe, row);
            const found = block.candidates(probe, floor);
            expect(reaching(rows, probe, floor).filter((n) => !found.includes(n))).toEqual([]);
          }
        },
      ),
      { numRuns: 200 },
    );
  });

  it('is 1.000 if all of a vector is in the rest that the first pass leaves out', () => {
    const length = 128;
    const tail = (value: number) => {
      const vector = new Float32Array(length);
      vector[length - 1] = value;
      return vector;
    };
    const block = blockOf([tail(1), tail(-1), tail(0.5)], length);
    expect(block.candidates(tail(1), 0.9)).toEqual([0]);
    expect(block.candidates(tail(1), 0.4)).toEqual([0, 2]);
    block.removeByMovingLast(0);
    expect(block.candidates(tail(1), 0.4)).toEqual([0]);
  });

  it('applies to more rows than one call of the kernel takes, and while the block grows', () => {
    const length = 16;
    const [probe, other] = fc.sample(vectorOf(length), { numRuns: 2, seed: 3 }) as [
      Float32Array,
      Float32Array,
    ];
    const near = atCosine(probe, other, 0.9);
    const far = atCosine(probe, other, 0.1);
    const block = new RowBlock(length);
    for (let row = 0; row < 150_001; row++) block.write(row, row % 30_000 === 0 ? near : far);
    expect(block.candidates(probe, 0.8)).toEqual([0, 30_000, 60_000, 90_000, 120_000, 150_000]);
    expect(block.candidates(probe, -1)).toHaveLength(150_001);
  });
});

describe('rows', () => {
  it('of another length are refused, and so are probes', () => {
    const block = new RowBlock(4);
    expect(() => block.write(0, new Float32Array(5))).toThrow(RangeError);
    expect(() => block.candidates(new Float32Array(3), 0)).toThrow(RangeError);
  });

  it('that were removed leave nothing in memory that can become a result', () => {
    const row = toUnitLength(Float32Array.of(1, 2, 3));
    const block = blockOf([row, row, row], 3);
    block.removeByMovingLast(1);
    expect(block.candidates(row, -1)).toEqual([0, 1]);
    block.removeByMovingLast(0);
    block.removeByMovingLast(0);
    expect(block.candidates(row, -1)).toEqual([]);
  });

  it('of zeros have no direction: they reach no floor above zero', () => {
    const block = blockOf([new Float32Array(3)], 3);
    expect(block.candidates(Float32Array.of(1, 0, 0), 0.1)).toEqual([]);
  });
});
