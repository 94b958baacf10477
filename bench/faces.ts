/** Faces for benchmarks: unit vectors drawn from a seed. */
import { cosine, toUnitLength } from '../server/domain/matching/matching.ts';

export function seededFaces(seed: number): (length: number) => Float32Array {
  let state = seed >>> 0;
  const uniform = (): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  return (length) => {
    const face = new Float32Array(length);
    // The sum of three uniform numbers approximates a normal one.
    for (let i = 0; i < length; i++) face[i] = uniform() + uniform() + uniform() - 1.5;
    return toUnitLength(face);
  };
}

/** A unit vector at this cosine to `face`, on the side of `other`. */
export function atCosine(face: Float32Array, other: Float32Array, wanted: number): Float32Array {
  const along = cosine(face, other);
  const across = toUnitLength(other.map((value, i) => value - along * (face[i] ?? 0)));
  const rest = Math.sqrt(1 - wanted * wanted);
  return toUnitLength(across.map((value, i) => wanted * (face[i] ?? 0) + rest * value));
}
