/** Error rates by species and by label; names as in ISO/IEC 30107-3 (this is no test by that standard). */
import { cosine } from '../../server/domain/matching/matching.ts';
import { RESULTS, type Condition, type Judged, type Result } from './judge.ts';
import { shareOf, type Share } from './statistics.ts';

export type SpeciesRates = {
  kind: string;
  /** Attacks that passed without a reviewer. */
  apcer: Share;
  /** The same where only paired kiosks are trusted (`capture.trust`), which no injected picture comes from. */
  kiosk: Share;
  /** Attacks that passed and were recognised as the person whom they imitate. */
  iapar: Share;
  /** `iapar` plus the share of that people's genuine captures that were refused or not recognised. */
  riapar: number;
  results: Record<Result, number>;
};

export type ErrorRates = {
  condition: Condition;
  /** Genuine captures that were refused, or could not be judged. Those that a reviewer decides are not counted here. */
  bpcer: Share;
  /** Of the genuine captures, those that were taken for an attack. */
  accused: Share;
  /** Of the genuine captures, those that a reviewer decides. */
  reviewed: Share;
  /** Failure to acquire: captures, genuine or not, that gave no basis for a judgement. */
  fta: Share;
  /** Of the species that the signals claim to see. */
  apcer: Share;
  /** The highest of these species' APCER, which is the figure that the standard asks for. */
  worst: { kind: string; apcer: Share } | null;
  /** Genuine captures that were refused, or not recognised as the same person. */
  falseRejects: Share;
  species: SpeciesRates[];
};

export type TableOptions = {
  /** Species that are listed but not counted into `apcer`. */
  beyond: readonly string[];
  /** Species that reach the server without a camera. */
  injected: readonly string[];
  /** Cosine from which two faces are one person. */
  samePerson: number;
};

export function errorRates(
  judged: readonly Judged[],
  condition: Condition,
  { beyond, injected, samePerson }: TableOptions,
): ErrorRates {
  const clips = judged.filter(({ outcomes }) => outcomes[condition] !== undefined);
  const is = (clip: Judged, result: Result) => clip.outcomes[condition]?.result === result;
  const share = (of: readonly Judged[], fits: (clip: Judged) => boolean) =>
    shareOf(of.filter(fits).length, of.length);
  const genuine = clips.filter(({ clip }) => clip.kind === 'genuine');
  const attacks = clips.filter(({ clip }) => clip.kind !== 'genuine');
  const counted = attacks.filter(({ clip }) => !beyond.includes(clip.kind));
  const passes = (clip: Judged) => is(clip, 'passed');
  // Each face is compared with another clip of the person, as somebody who comes again.
  const isRecognised = (one: Judged) => {
    const enrolled = judged.find(
      ({ clip, template }) =>
        clip.kind === 'genuine' &&
        clip.identity === one.clip.identity &&
        clip.name !== one.clip.name &&
        template !== null,
    );
    return enrolled?.template && one.template ? cosine(enrolled.template, one.template) >= samePerson : null;
  };
  const falseRejects = share(
    genuine,
    (clip) => is(clip, 'refused') || is(clip, 'not_acquired') || isRecognised(clip) === false,
  );
  const species = [...new Set(attacks.map(({ clip }) => clip.kind))].map((kind): SpeciesRates => {
    const ofKind = attacks.filter(({ clip }) => clip.kind === kind);
    const iapar = share(ofKind, (clip) => passes(clip) && isRecognised(clip) !== false);
    return {
      kind,
      apcer: share(ofKind, passes),
      kiosk: share(ofKind, (clip) => passes(clip) && !injected.includes(kind)),
      iapar,
      riapar: iapar.share + falseRejects.share,
      results: resultsOf(ofKind, condition),
    };
  });
  const worst = species
    .filter(({ kind }) => !beyond.includes(kind))
    .toSorted((a, b) => b.apcer.share - a.apcer.share)[0];
  return {
    condition,
    bpcer: share(genuine, (clip) => is(clip, 'refused') || is(clip, 'not_acquired')),
    accused: share(
      genuine,
      ({ outcomes }) => outcomes[condition]?.findings.includes('presentation_attack') ?? false,
    ),
    reviewed: share(genuine, (clip) => is(clip, 'review')),
    fta: share(clips, (clip) => is(clip, 'not_acquired')),
    apcer: share(counted, passes),
    worst: worst ? { kind: worst.kind, apcer: worst.apcer } : null,
    falseRejects,
    species,
  };
}

function resultsOf(judged: readonly Judged[], condition: Condition): Record<Result, number> {
  const count = (result: Result) =>
    judged.filter(({ outcomes }) => outcomes[condition]?.result === result).length;
  return Object.fromEntries(RESULTS.map((result) => [result, count(result)])) as Record<Result, number>;
}

export type LabelRates = { label: string; value: string } & Pick<
  ErrorRates,
  'condition' | 'apcer' | 'bpcer' | 'fta'
>;

/** For each label and value that any clip carries. */
export function ratesByLabel(
  judged: readonly Judged[],
  condition: Condition,
  options: TableOptions,
): LabelRates[] {
  const pairs = new Set(
    judged.flatMap(({ clip }) => Object.entries(clip.labels).map((pair) => pair.join('\t'))),
  );
  return [...pairs].sort().map((pair) => {
    const [label = '', value = ''] = pair.split('\t');
    const clips = judged.filter(({ clip }) => clip.labels[label] === value);
    const { apcer, bpcer, fta } = errorRates(clips, condition, options);
    return { label, value, condition, apcer, bpcer, fta };
  });
}
