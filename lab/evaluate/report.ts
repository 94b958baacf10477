/** The report as Markdown, JSON and pictures. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ATTACK_THRESHOLDS } from '../../server/domain/capture/attack/weights.ts';
import { histogramPng } from './histogram.ts';
import { CONDITIONS, modeOf, type Condition, type Judged } from './judge.ts';
import type { Recognition } from './recognition.ts';
import { inWords, type Share } from './statistics.ts';
import { errorRates, ratesByLabel, type ErrorRates } from './tables.ts';

export type Report = {
  title: string;
  clips: number;
  attackErrors: Record<Condition, ErrorRates>;
  byLabel: ReturnType<typeof ratesByLabel>;
  recognition: Recognition;
  sameFaceThreshold: number;
  missed: { clip: string; condition: Condition; findings: string }[];
};

export function reportOf(
  title: string,
  judged: readonly Judged[],
  found: { recognition: Recognition; sameFaceThreshold: number; beyond: readonly string[] },
): Report {
  const ratesIn = (condition: Condition) =>
    errorRates(judged, condition, ATTACK_THRESHOLDS[modeOf(condition)], found.beyond);
  return {
    title,
    clips: judged.length,
    attackErrors: {
      standard: ratesIn('standard'),
      strict: ratesIn('strict'),
      standard_unlit: ratesIn('standard_unlit'),
    },
    byLabel: ratesByLabel(judged, found.beyond),
    recognition: found.recognition,
    sameFaceThreshold: found.sameFaceThreshold,
    missed: judged.flatMap(({ clip, verdicts }) =>
      CONDITIONS.filter((name) => verdicts[name].passed !== (clip.kind === 'genuine')).map((condition) => ({
        clip: clip.name,
        condition,
        findings: verdicts[condition].findings.join(', ') || 'passed',
      })),
    ),
  };
}

const UNLIT = 'standard, no light from any page';
const IN_WORDS: Record<Condition, string> = { standard: 'standard', strict: 'strict', standard_unlit: UNLIT };

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

export function markdownOf({
  title,
  clips,
  attackErrors,
  byLabel,
  recognition,
  sameFaceThreshold,
  missed,
}: Report): string {
  const { standard, strict, standard_unlit: unlit } = attackErrors;
  const each = (name: string, of: (rates: ErrorRates) => Share) => [
    name,
    inWords(of(standard)),
    inWords(of(strict)),
    inWords(of(unlit)),
  ];
  const kindRow = ({ kind }: { kind: string }) => {
    const inMode = (rates: ErrorRates) => rates.byKind.find((entry) => entry.kind === kind);
    const cell = (rates: ErrorRates, of: 'apcer' | 'byScoreAlone') => {
      const entry = inMode(rates);
      return entry ? inWords(entry[of]) : '';
    };
    return [
      kind,
      cell(standard, 'apcer'),
      cell(strict, 'apcer'),
      cell(strict, 'byScoreAlone'),
      cell(unlit, 'apcer'),
    ];
  };
  return [
    `## ${title}`,
    `${clips} clips. Shares with exact 95 % intervals (Clopper–Pearson).`,
    table(
      ['', 'standard', 'strict', UNLIT],
      [
        each('APCER, all kinds claimed', ({ apcer }) => apcer),
        each('BPCER', ({ bpcer }) => bpcer),
        each('genuine taken for an attack', ({ accused }) => accused),
      ],
    ),
    table(
      ['kind of attack', 'APCER standard', 'APCER strict', 'strict, by the attack score alone', UNLIT],
      strict.byKind.map(kindRow),
    ),
    ...(byLabel.length > 0
      ? [
          table(
            ['label', 'mode', 'APCER', 'BPCER'],
            byLabel.map(({ label, value, condition, apcer, bpcer }) => [
              `${label}: ${value}`,
              IN_WORDS[condition],
              inWords(apcer),
              inWords(bpcer),
            ]),
          ),
        ]
      : []),
    table(
      [`recognition at cosine ${sameFaceThreshold}`, ''],
      [
        ['FNMR', inWords(recognition.falseNonMatch)],
        ['FMR', inWords(recognition.falseMatch)],
        ...recognition.expectedAmong.map(({ enrolled, expected, atMost }) => [
          `false matches of one newcomer among ${enrolled}`,
          `${expected.toFixed(2)} (at most ${atMost.toFixed(1)})`,
        ]),
      ],
    ),
    missed.length === 0
      ? 'Nothing was misjudged.'
      : table(
          ['misjudged', 'mode', 'findings'],
          missed.map(({ clip, condition, findings }) => [clip, IN_WORDS[condition], findings]),
        ),
  ].join('\n\n');
}

/** Writes report.md, report.json and the histograms. */
export async function writeReport(folder: string, report: Report, judged: readonly Judged[]): Promise<void> {
  await mkdir(folder, { recursive: true });
  const scoresOf = (genuine: boolean, condition: Condition) =>
    judged
      .filter(({ clip }) => (clip.kind === 'genuine') === genuine)
      .map(({ verdicts }) => verdicts[condition].score);
  for (const condition of CONDITIONS) {
    const picture = await histogramPng(
      [
        { name: 'genuine', values: scoresOf(true, condition), colour: '#1c7c54' },
        { name: 'attacks', values: scoresOf(false, condition), colour: '#c0392b' },
      ],
      {
        title: `Attack score, ${IN_WORDS[condition]}`,
        from: 0,
        to: 1,
        marks: [{ name: 'threshold', at: ATTACK_THRESHOLDS[modeOf(condition)] }],
      },
    );
    await writeFile(join(folder, `attack-score-${condition}.png`), picture);
  }
  const { samePairs, otherPairs } = report.recognition;
  const faces = await histogramPng(
    [
      { name: 'one person', values: samePairs, colour: '#1c7c54' },
      { name: 'two people', values: otherPairs, colour: '#c0392b' },
    ],
    {
      title: 'Cosine of two clips',
      from: -0.2,
      to: 1,
      marks: [{ name: 'same person', at: report.sameFaceThreshold }],
    },
  );
  await writeFile(join(folder, 'cosines.png'), faces);
  const { falseMatch, falseNonMatch, expectedAmong } = report.recognition;
  const shares = { falseMatch, falseNonMatch, expectedAmong };
  await writeFile(
    join(folder, 'report.json'),
    `${JSON.stringify({ ...report, recognition: shares }, null, 2)}\n`,
  );
  await writeFile(join(folder, 'report.md'), `${markdownOf(report)}\n`);
}
