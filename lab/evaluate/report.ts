/** The report, as Markdown for a terminal. */
import { ATTACK_THRESHOLDS } from '../../server/domain/capture/attack/weights.ts';
import type { Judged, Recognition } from './judge.ts';
import { CLAIM_CONDITIONS, CONDITIONS, type Condition } from './plan.ts';
import { inWords, percent } from './statistics.ts';
import {
  claimResults,
  errorRates,
  ratesByLabel,
  type ClaimResults,
  type ErrorRates,
  type LabelRates,
  type TableOptions,
} from './tables.ts';

export type Report = {
  title: string;
  clips: number;
  /** People in the clips, as far as known. */
  people: number;
  /** Attacks without an identity. */
  nameless: number;
  rates: ErrorRates[];
  byLabel: LabelRates[];
  recognition: Recognition;
  samePerson: number;
  /** Of one face with one other, at the threshold of the fast lane; left out without it. */
  oneToOne?: Recognition & { threshold: number };
  /** By kind, of captures with a claim; empty without any. */
  byClaim: ClaimResults[];
  /** Clips that strict mode cannot be measured on: without tints, or with too few steps. */
  notInStrict: number;
  beyond: readonly string[];
  misjudged: { clip: string; condition: Condition; result: string }[];
};

export function reportOf(
  title: string,
  judged: readonly Judged[],
  { recognition, oneToOne, ...options }: TableOptions & Pick<Report, 'recognition' | 'oneToOne'>,
): Report {
  const conditions = [...new Set<Condition>([...CONDITIONS, ...CLAIM_CONDITIONS])].filter((name) =>
    judged.some(({ condition }) => condition === name),
  );
  const byName = [...Map.groupBy(judged, ({ clip }) => clip.name).values()];
  const identities = byName.flatMap(([first]) => (first ? [first.clip.identity] : []));
  return {
    title,
    clips: byName.length,
    people: new Set(identities.filter((identity) => identity !== null)).size,
    nameless: identities.filter((identity) => identity === null).length,
    rates: conditions.map((condition) => errorRates(judged, condition, options)),
    byLabel: conditions.flatMap((condition) => ratesByLabel(judged, condition, options)),
    recognition,
    samePerson: options.samePerson,
    ...(oneToOne && { oneToOne }),
    byClaim: claimResults(judged),
    notInStrict: byName.filter((of) => of.every(({ condition }) => condition !== 'strict')).length,
    beyond: options.beyond,
    misjudged: judged.flatMap(({ clip, condition, outcome }) => {
      if ((outcome.result === 'passed') === (clip.kind === 'genuine')) return [];
      if (outcome.result === 'review' && clip.kind !== 'genuine') return [];
      return [{ clip: clip.name, condition, result: outcome.findings.join(', ') || outcome.result }];
    }),
  };
}

const CONDITION_NAMES: Record<Condition, string> = {
  standard: 'standard',
  strict: 'strict',
  standard_unlit: 'standard, page’s light unseen',
  standard_usual_light: 'standard, page’s light usually seen',
  claim: 'fast lane',
};

export type Table = { title: string; head: readonly string[]; rows: readonly (readonly string[])[] };

/** Every table of a report, for any kind of page. */
export function tablesOf(report: Report): Table[] {
  const { rates, byLabel, recognition, samePerson, oneToOne, byClaim, beyond, misjudged } = report;
  const names = rates.map(({ condition }) => CONDITION_NAMES[condition]);
  const overall = (name: string, of: (rates: ErrorRates) => string) => [name, ...rates.map(of)];
  const kinds = [...new Set(rates.flatMap(({ species }) => species.map(({ kind }) => kind)))];
  const inEach = (kind: string, of: (entry: ErrorRates['species'][number]) => string) =>
    rates.map(({ species }) => {
      const entry = species.find((one) => one.kind === kind);
      return entry ? of(entry) : 'not measurable';
    });
  const named = (kind: string) => (beyond.includes(kind) ? `${kind} (not counted)` : kind);
  return [
    {
      title: 'Error rates',
      head: ['rate', ...names],
      rows: [
        overall('APCER, all species counted', ({ apcer }) => inWords(apcer)),
        overall('APCER, with the species not counted', ({ apcerOfAll }) => inWords(apcerOfAll)),
        overall('APCER, worst species counted', ({ worst }) =>
          worst ? `${worst.kind}: ${inWords(worst.apcer)}` : 'none to judge',
        ),
        overall('BPCER', ({ bpcer }) => inWords(bpcer)),
        overall('genuine, taken for an attack', ({ accused }) => inWords(accused)),
        overall('genuine, sent to a reviewer', ({ reviewed }) => inWords(reviewed)),
        overall('FTA, genuine', ({ fta }) => inWords(fta)),
        overall('attacks not acquired', ({ attacksNotAcquired }) => inWords(attacksNotAcquired)),
        overall('FRR', ({ falseRejects }) => inWords(falseRejects)),
      ],
    },
    {
      title: 'APCER by species',
      head: ['species', ...names, 'kiosk trust, standard'],
      rows: kinds.map((kind) => [
        named(kind),
        ...inEach(kind, ({ apcer }) => inWords(apcer)),
        inEach(kind, ({ kiosk }) => inWords(kiosk))[0] ?? '',
      ]),
    },
    {
      title: 'RIAPAR by species (IAPAR + FRR)',
      head: ['species', ...names],
      rows: kinds.map((kind) => [
        named(kind),
        ...inEach(kind, ({ riapar }) => (riapar === null ? 'none to judge' : percent(riapar))),
      ]),
    },
    {
      title: 'Results by species: passed / reviewer / refused / not acquired',
      head: ['species', ...names],
      rows: kinds.map((kind) => [
        named(kind),
        ...inEach(kind, ({ results }) => Object.values(results).join(' / ')),
      ]),
    },
    {
      title: 'By label',
      head: ['label', 'condition', 'APCER', 'BPCER', 'FTA, genuine', 'attacks not acquired'],
      rows: byLabel.map(({ label, value, condition, apcer, bpcer, fta, attacksNotAcquired }) => [
        `${label}: ${value}`,
        CONDITION_NAMES[condition],
        inWords(apcer),
        inWords(bpcer),
        inWords(fta),
        inWords(attacksNotAcquired),
      ]),
    },
    {
      title: `Recognition at cosine ${samePerson}`,
      head: ['rate', 'share of pairs of genuine clips'],
      rows: [
        ['FNMR', inWords(recognition.falseNonMatch)],
        ['FMR', inWords(recognition.falseMatch)],
      ],
    },
    {
      title: 'Fast lane, by kind: what became of captures whose ticket names the person shown',
      head: ['kind', 'passed by the shorter check', 'passed by the full check after a doubt', 'captures'],
      rows: byClaim.map(({ kind, short, full }) => [kind, inWords(short), inWords(full), String(short.of)]),
    },
    {
      title: `One to one at cosine ${oneToOne?.threshold}`,
      head: ['rate', 'share of pairs of genuine clips'],
      rows: oneToOne
        ? [
            ['FNMR', inWords(oneToOne.falseNonMatch)],
            ['FMR', inWords(oneToOne.falseMatch)],
          ]
        : [],
    },
    {
      title: 'Misjudged clips',
      head: ['clip', 'condition', 'result'],
      rows: misjudged.map(({ clip, condition, result }) => [clip, CONDITION_NAMES[condition], result]),
    },
  ];
}

export const summaryOf = ({ clips, people, nameless, notInStrict }: Report): string =>
  [
    `Clips: ${clips}, each judged under every condition that it can be measured in. People shown: ${people}.`,
    ...(nameless > 0 ? [`Attacks that do not say whom they imitate: ${nameless}.`] : []),
    ...(notInStrict > 0 ? [`Clips not measurable in strict mode: ${notInStrict}.`] : []),
    'Shares with exact 95 % intervals (Clopper–Pearson).',
    `Attack score thresholds: ${ATTACK_THRESHOLDS.standard} (standard), ${ATTACK_THRESHOLDS.strict} (strict).`,
  ].join(' ');

export const markdownOf = (report: Report): string =>
  [
    `## ${report.title}`,
    summaryOf(report),
    ...tablesOf(report)
      .filter(({ rows }) => rows.length > 0)
      .map(({ title, head, rows }) => `### ${title}\n\n${markdownTable(head, rows)}`),
  ].join('\n\n');

const markdownTable = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
