/** Error rates by species and by label; names as in ISO/IEC 30107-3 (this is not a test by that standard). */
import { cosine } from '../../server/domain/matching/matching.ts';
import { RESULTS, type Judged, type Result } from './judge.ts';
import type { Condition } from './plan.ts';
import { shareOf, type Share } from './statistics.ts';

type SpeciesRates = {
  kind: string;
  /** Of the acquired attacks, those that passed without a reviewer. */
  apcer: Share;
  /** The same if only paired kiosks are trusted (`capture.trust`), which no injected picture comes from. */
  kiosk: Share;
  /** Of all attacks, those that passed and were recognised as the imitated person. */
  iapar: Share;
  /** `iapar` plus `falseRejects`; null without attacks or genuine captures. */
  riapar: number | null;
  results: Record<Result, number>;
};

/**
 * A capture that was not acquired is a failure to acquire, not a classification: APCER and BPCER leave it out (ISO/IEC
 * 30107-3). False rejects and IAPAR are about whole transactions, and count it (ISO/IEC 19795-1).
 */
export type ErrorRates = {
  condition: Condition;
  /** Of the acquired genuine captures, those that were refused. A reviewer's cases are neither passed nor refused. */
  bpcer: Share;
  /** Of the acquired genuine captures, those that were mistaken for an attack. */
  accused: Share;
  /** Of the acquired genuine captures, those that a reviewer decides. */
  reviewed: Share;
  /** Failure to acquire: genuine captures that could not be judged. */
  fta: Share;
  /** The same for attacks. */
  attacksNotAcquired: Share;
  /** Of the acquired attacks of species that the signals are claimed to detect, those that passed. */
  apcer: Share;
  /** APCER over all species, including those that the signals are not claimed to detect. */
  apcerOfAll: Share;
  /** The highest of these species' APCER, which is the figure that the standard requires. */
  worst: { kind: string; apcer: Share } | null;
  /** Genuine captures that were not acquired, refused, or not recognised as the same person. */
  falseRejects: Share;
  species: SpeciesRates[];
};

export type TableOptions = {
  /** Species that are listed but not counted in `apcer`. */
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
  const clips = judged.filter((one) => one.condition === condition);
  const is = ({ outcome }: Judged, result: Result) => outcome.result === result;
  const isAcquired = (one: Judged) => !is(one, 'not_acquired');
  const passes = (one: Judged) => is(one, 'passed');
  const share = (of: readonly Judged[], fits: (one: Judged) => boolean) =>
    shareOf(of.filter(fits).length, of.length);
  const genuine = clips.filter(({ clip }) => clip.kind === 'genuine');
  const attacks = clips.filter(({ clip }) => clip.kind !== 'genuine');
  const judgedGenuine = genuine.filter(isAcquired);
  const judgedAttacks = attacks.filter(isAcquired);
  // Each face is compared with another clip of the person, as on a return visit.
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
    (one) => is(one, 'refused') || !isAcquired(one) || isRecognised(one) === false,
  );
  const species = [...new Set(attacks.map(({ clip }) => clip.kind))].map((kind): SpeciesRates => {
    const isOfKind = ({ clip }: Judged) => clip.kind === kind;
    const acquired = judgedAttacks.filter(isOfKind);
    const iapar = share(attacks.filter(isOfKind), (one) => passes(one) && isRecognised(one) !== false);
    return {
      kind,
      apcer: share(acquired, passes),
      kiosk: share(acquired, (one) => passes(one) && !injected.includes(kind)),
      iapar,
      riapar: genuine.length > 0 ? iapar.share + falseRejects.share : null,
      results: resultsOf(attacks.filter(isOfKind)),
    };
  });
  const worst = species
    .filter(({ kind, apcer }) => !beyond.includes(kind) && apcer.of > 0)
    .toSorted((a, b) => b.apcer.share - a.apcer.share)[0];
  return {
    condition,
    bpcer: share(judgedGenuine, (one) => is(one, 'refused')),
    accused: share(judgedGenuine, ({ outcome }) => outcome.findings.includes('presentation_attack')),
    reviewed: share(judgedGenuine, (one) => is(one, 'review')),
    fta: share(genuine, (one) => !isAcquired(one)),
    attacksNotAcquired: share(attacks, (one) => !isAcquired(one)),
    apcer: share(
      judgedAttacks.filter(({ clip }) => !beyond.includes(clip.kind)),
      passes,
    ),
    apcerOfAll: share(judgedAttacks, passes),
    worst: worst ? { kind: worst.kind, apcer: worst.apcer } : null,
    falseRejects,
    species,
  };
}

function resultsOf(judged: readonly Judged[]): Record<Result, number> {
  const count = (result: Result) => judged.filter(({ outcome }) => outcome.result === result).length;
  return Object.fromEntries(RESULTS.map((result) => [result, count(result)])) as Record<Result, number>;
}

export type LabelRates = { label: string; value: string } & Pick<
  ErrorRates,
  'condition' | 'apcer' | 'bpcer' | 'fta' | 'attacksNotAcquired'
>;

/** For each label and value that any clip has. */
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
    return { label, value, ...errorRates(clips, condition, options) };
  });
}

export type ClaimResults = { kind: string; short: Share; full: Share };

/** What became of the captures with a claim, for each kind. */
export function claimResults(judged: readonly Judged[]): ClaimResults[] {
  const claimed = judged.filter(({ condition }) => condition === 'claim');
  return [...Map.groupBy(claimed, ({ clip }) => clip.kind)].map(([kind, of]) => {
    const passed = of.filter(({ outcome }) => outcome.result === 'passed');
    const short = passed.filter(({ isShort }) => isShort === true).length;
    return { kind, short: shareOf(short, of.length), full: shareOf(passed.length - short, of.length) };
  });
}
