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

/** Cosines between two views of one capture: certainly the same face, yet a different view. */
const FURTHER_VIEW = { least: 0.6, most: 0.95 } as const;
/** Views of the first visit that are kept beside its probe. */
const MOST_FURTHER = 2;

/**
 * Which further views of a first visit to keep, because a single template gives the weakest matches: those that differ most
 * from the first and from each other.
 */
export function furtherViews(first: Float32Array, views: readonly Float32Array[]): Float32Array[] {
  const kept = [first];
  let left = views.filter((view) => cosine(first, view) >= FURTHER_VIEW.least);
  const nearest = (view: Float32Array) => Math.max(...kept.map((one) => cosine(one, view)));
  while (kept.length <= MOST_FURTHER) {
    const [next] = left.toSorted((a, b) => nearest(a) - nearest(b));
    if (!next || nearest(next) > FURTHER_VIEW.most) break;
    kept.push(next);
    left = left.filter((view) => view !== next);
  }
  return kept.slice(1);
}

/**
 * What an approved run stores of a face: a template, or in the test partition a name. `views` are other views of the same
 * capture, of which some are kept if the person was not enrolled yet.
 */
export type Enrolment =
  | {
      kind: 'template';
      model: string;
      vector: Float32Array;
      quality: number;
      views?: readonly Float32Array[];
    }
  | { kind: 'test_face'; name: string };
