/** How often faces of one person are told apart and faces of two are taken for one, over all pairs of clips. */
import { cosine } from '../../server/domain/matching/matching.ts';
import type { Judged } from './judge.ts';
import { shareOf, type Share } from './statistics.ts';

export type Recognition = {
  samePairs: number[];
  otherPairs: number[];
  falseNonMatch: Share;
  falseMatch: Share;
  /** Upper bound of the false matches that one newcomer meets among N enrolled, from the interval's upper end. */
  expectedAmong: { enrolled: number; expected: number; atMost: number }[];
};

const ENROLLED = [100, 1_000, 10_000] as const;

/** @param threshold cosine from which two faces are one person */
export function recognition(judged: readonly Judged[], threshold: number): Recognition {
  const genuine = judged.filter(({ clip, template }) => clip.kind === 'genuine' && template !== null);
  const samePairs: number[] = [];
  const otherPairs: number[] = [];
  genuine.forEach((p, index) => {
    for (const q of genuine.slice(index + 1)) {
      if (!p.template || !q.template) continue;
      const similarity = cosine(p.template, q.template);
      (p.clip.identity === q.clip.identity ? samePairs : otherPairs).push(similarity);
    }
  });
  const falseMatch = shareOf(otherPairs.filter((value) => value >= threshold).length, otherPairs.length);
  return {
    samePairs,
    otherPairs,
    falseNonMatch: shareOf(samePairs.filter((value) => value < threshold).length, samePairs.length),
    falseMatch,
    expectedAmong: ENROLLED.map((enrolled) => ({
      enrolled,
      expected: enrolled * falseMatch.share,
      atMost: enrolled * falseMatch.high,
    })),
  };
}
