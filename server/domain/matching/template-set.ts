/**
 * Which views of a face to keep. Several templates of different days and poses help recognition most; one more
 * of the same day and look helps little. The first template stays, so that a set cannot drift, view by view,
 * away from the face that was first admitted.
 */
import { cosine } from './matching.ts';

/** More views of a face improve recognition; beyond this number they no longer help. */
export const MAX_TEMPLATES = 5;

/**
 * Two views of one day count as this much more similar than they are, because light, hair and camera are the
 * same.
 */
const SAME_DAY = 0.1;
const DAY_MS = 86_400_000;

export type View = { vector: Float32Array; at: number };

/**
 * Where a new view goes in a full set: the index of the kept view that it replaces, or null if the new one adds
 * least. Of the two most similar views the older is replaced, since faces age, but never the first.
 * @param kept oldest first
 */
export function placeFor(kept: readonly View[], fresh: View): number | null {
  const all = [...kept, fresh];
  let most = -Infinity;
  let goes = kept.length;
  for (const [newer, b] of all.entries()) {
    for (const [older, a] of all.slice(0, newer).entries()) {
      const alike = likeness(a, b);
      if (alike <= most) continue;
      most = alike;
      goes = older === 0 ? newer : older;
    }
  }
  return goes === kept.length ? null : goes;
}

function likeness(a: View, b: View): number {
  const isSameDay = Math.floor(a.at / DAY_MS) === Math.floor(b.at / DAY_MS);
  return cosine(a.vector, b.vector) + (isSameDay ? SAME_DAY : 0);
}

/**
 * Cosines between two views of one capture, between which the second is worth keeping: certainly the same face,
 * yet a different view.
 */
const SECOND_VIEW = { least: 0.6, most: 0.95 } as const;

/** Whether to keep the second view of a first visit: a single template gives the weakest matches. */
export function addsView(first: Float32Array, second: Float32Array): boolean {
  const alike = cosine(first, second);
  return alike >= SECOND_VIEW.least && alike <= SECOND_VIEW.most;
}

/**
 * What an approved run stores of a face: a template, or in the test partition a name. `second` is another view
 * of the same capture, which is kept if the person was not enrolled yet.
 */
export type Enrolment =
  | { kind: 'template'; model: string; vector: Float32Array; quality: number; second?: Float32Array | null }
  | { kind: 'test_face'; name: string };
