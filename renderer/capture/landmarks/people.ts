/** How many people the landmarker's faces are. */
import type { FaceMeasures } from './measure.ts';

/** Height next to the main face's from which a face counts, as on the server: people queuing behind do not. */
const BYSTANDER_HEIGHT = 0.35;
/** A smaller box covered to this share by another one is a second look at the same face. */
const SAME_FACE_SHARE = 0.5;

type Box = FaceMeasures['box'];

const area = ({ left, right, top, bottom }: Box): number =>
  Math.max(0, right - left) * Math.max(0, bottom - top);

const shared = (p: Box, q: Box): number =>
  area({
    left: Math.max(p.left, q.left),
    right: Math.min(p.right, q.right),
    top: Math.max(p.top, q.top),
    bottom: Math.min(p.bottom, q.bottom),
  });

/** The largest first. */
export const bySize = (faces: readonly FaceMeasures[]): FaceMeasures[] =>
  faces.toSorted((p, q) => q.size - p.size);

export function countPeople(faces: readonly FaceMeasures[]): number {
  const people: FaceMeasures[] = [];
  for (const face of bySize(faces)) {
    const isNear = face.size >= BYSTANDER_HEIGHT * (people[0]?.size ?? 0);
    const isOther = people.every(
      ({ box }) => shared(box, face.box) < SAME_FACE_SHARE * Math.min(area(box), area(face.box)),
    );
    if (isNear && isOther) people.push(face);
  }
  return people.length;
}
