/**
 * Parts under which a face is stored and searched, so that one still of a face is found among a day's without comparing
 * all. A part says for some fixed directions on which side of each the face lies (locality-sensitive hashing).
 */

/**
 * Cosine from which two resting stills show one picture, perhaps cropped, turned or saved again. Of another still of the
 * person, 1.5 s or more later, 6 of 3,748 reached it (docs/explanation/real-clips.md).
 */
export const SAME_STILL = 0.99;

/** At a cosine of 0.99 a side is equal in 95 %, all of a part in 48 %, and at least one part in 99.4 %. */
const PARTS = 8;
const SIDES = 16;
const BYTES = SIDES / 8;

/** The number of the part, then its sides. */
export function facePartsOf(face: Float32Array): Uint8Array[] {
  const directions = directionsFor(face.length);
  const isBeyond = (direction: number): boolean => {
    let sum = 0;
    const from = direction * face.length;
    for (let i = 0; i < face.length; i++) sum += (face[i] ?? 0) * (directions[from + i] ?? 0);
    return sum > 0;
  };
  return Array.from({ length: PARTS }, (_, part) => {
    const sides = new Uint8Array(1 + BYTES);
    sides[0] = part;
    for (let side = 0; side < SIDES; side++) {
      const at = 1 + (side >> 3);
      if (isBeyond(part * SIDES + side)) sides[at] = (sides[at] ?? 0) | (1 << (side & 7));
    }
    return sides;
  });
}

const known = new Map<number, Int8Array>();

/** The same on every node and in every version: a fixed generator (splitmix32), one sign a component. */
function directionsFor(length: number): Int8Array {
  const made = known.get(length);
  if (made) return made;
  let state = 0x9e3779b9;
  const directions = Int8Array.from({ length: PARTS * SIDES * length }, () => {
    state = (state + 0x9e3779b9) | 0;
    let mixed = Math.imul(state ^ (state >>> 16), 0x85ebca6b);
    mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
    return ((mixed ^ (mixed >>> 16)) & 1) === 1 ? 1 : -1;
  });
  known.set(length, directions);
  return directions;
}
