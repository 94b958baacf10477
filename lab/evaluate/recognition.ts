/** How often two faces of one person do not match and faces of two people do, over all pairs of genuine clips. */
import { cosine } from '../../server/domain/matching/matching.ts';
import type { Judged } from './judge.ts';
import { shareOf, type Share } from './statistics.ts';

export type Recognition = { falseNonMatch: Share; falseMatch: Share };

/** @param threshold cosine from which two faces are one person */
export function recognition(judged: readonly Judged[], threshold: number): Recognition {
  const genuine = judged.filter(({ clip, template }) => clip.kind === 'genuine' && template !== null);
  // A clip is judged under several conditions, but shows its face once.
  const clips = [...Map.groupBy(genuine, ({ clip }) => clip.name).values()].flatMap(([first]) => first ?? []);
  const pairs = clips.flatMap((p, index) =>
    clips.slice(index + 1).flatMap((q) =>
      p.template && q.template
        ? {
            isSame: p.clip.identity === q.clip.identity,
            isMatch: cosine(p.template, q.template) >= threshold,
          }
        : [],
    ),
  );
  const share = (isSame: boolean, isMatch: boolean) => {
    const of = pairs.filter((pair) => pair.isSame === isSame);
    return shareOf(of.filter((pair) => pair.isMatch === isMatch).length, of.length);
  };
  return { falseNonMatch: share(true, false), falseMatch: share(false, true) };
}
