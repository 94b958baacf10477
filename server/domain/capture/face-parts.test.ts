import { expect, it } from 'vitest';
import { randomOf, type Random } from '../../../testing/camera/capture/random.ts';
import { normalisedMean } from '../matching/matching.ts';
import { facePartsOf, SAME_STILL } from './face-parts.ts';

const LENGTH = 512;
const FACES = 400;

const drawn = (random: Random): Float32Array =>
  normalisedMean([Float32Array.from({ length: LENGTH }, () => random.normal())]);

/** A face at this cosine to another one. */
function near(face: Float32Array, cosine: number, random: Random): Float32Array {
  const other = drawn(random);
  const along = other.reduce((sum, value, i) => sum + value * (face[i] ?? 0), 0);
  const across = normalisedMean([other.map((value, i) => value - along * (face[i] ?? 0))]);
  return across.map((value, i) => Math.sqrt(1 - cosine ** 2) * value + cosine * (face[i] ?? 0));
}

function shareWithCommonPart(of: (random: Random) => readonly [Float32Array, Float32Array]): number {
  const random = randomOf(11);
  let common = 0;
  for (let n = 0; n < FACES; n++) {
    const [a, b] = of(random).map((face) => new Set(facePartsOf(face).map((part) => part.join())));
    if (a && b && [...a].some((part) => b.has(part))) common += 1;
  }
  return common / FACES;
}

it('a face at the limit shares a part with its still nearly always, a stranger seldom', () => {
  const pairs = (cosine: number) =>
    shareWithCommonPart((random) => {
      const face = drawn(random);
      return [face, near(face, cosine, random)];
    });
  expect(pairs(SAME_STILL)).toBeGreaterThan(0.97);
  expect(pairs(0.9985)).toBe(1);
  expect(shareWithCommonPart((random) => [drawn(random), drawn(random)])).toBeLessThan(0.01);
});

it('parts are the same in every version, because nodes of two versions run side by side during an upgrade', () => {
  const face = Float32Array.from({ length: 8 }, (_, i) => (i === 2 ? 1 : 0.1 * i));
  expect(facePartsOf(face).map((part) => Buffer.from(part).toString('hex'))).toMatchInlineSnapshot(`
    [
      "003d11",
      "015f2e",
      "02bf3d",
      "037158",
      "049ec7",
      "055292",
      "06cfdd",
      "07ea87",
    ]
  `);
});
