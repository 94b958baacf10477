/** Error rates of attack detection, by kind and by label (names as in ISO/IEC 30107-3; this is no test by it). */
import { CONDITIONS, type Condition, type Judged } from './judge.ts';
import { shareOf, type Share } from './statistics.ts';

export type ErrorRates = {
  /** Genuine clips that did not pass, whatever the reason. */
  bpcer: Share;
  /** Of these, those that were taken for an attack. */
  accused: Share;
  /** Attacks that passed. */
  apcer: Share;
  byKind: {
    kind: string;
    apcer: Share;
    /** What would have passed had the steps not been checked: the attack score alone. */
    byScoreAlone: Share;
  }[];
};

/** @param beyond kinds that are listed but do not count into `apcer` */
export function errorRates(
  judged: readonly Judged[],
  condition: Condition,
  threshold: number,
  beyond: readonly string[],
): ErrorRates {
  const genuine = judged.filter(({ clip }) => clip.kind === 'genuine');
  const attacks = judged.filter(({ clip }) => clip.kind !== 'genuine');
  const counted = attacks.filter(({ clip }) => !beyond.includes(clip.kind));
  const kinds = [...new Set(attacks.map(({ clip }) => clip.kind))];
  const passed = (clips: readonly Judged[]) =>
    clips.filter(({ verdicts }) => verdicts[condition].passed).length;
  return {
    bpcer: shareOf(genuine.length - passed(genuine), genuine.length),
    accused: shareOf(
      genuine.filter(({ verdicts }) => verdicts[condition].findings.includes('presentation_attack')).length,
      genuine.length,
    ),
    apcer: shareOf(passed(counted), counted.length),
    byKind: kinds.map((kind) => {
      const clips = attacks.filter(({ clip }) => clip.kind === kind);
      const below = clips.filter(({ verdicts }) => verdicts[condition].score < threshold).length;
      return {
        kind,
        apcer: shareOf(passed(clips), clips.length),
        byScoreAlone: shareOf(below, clips.length),
      };
    }),
  };
}

export type LabelRates = { label: string; value: string; condition: Condition; bpcer: Share; apcer: Share };

/** For each label and value that any clip carries. */
export function ratesByLabel(judged: readonly Judged[], beyond: readonly string[]): LabelRates[] {
  const pairs = new Set(
    judged.flatMap(({ clip }) => Object.entries(clip.labels).map((pair) => pair.join('\t'))),
  );
  return [...pairs].sort().flatMap((pair) => {
    const [label = '', value = ''] = pair.split('\t');
    const clips = judged.filter(({ clip }) => clip.labels[label] === value);
    return CONDITIONS.map((condition) => ({
      label,
      value,
      condition,
      ...errorRates(clips, condition, 1, beyond),
    }));
  });
}
