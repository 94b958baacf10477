/** The report as one page for a buyer or an auditor. The same input gives the same bytes: no date, machine or path. */
import type { EngineManifests } from '../../server/face/models/manifest.ts';
import { summaryOf, tablesOf, type Report, type Table } from './report.ts';

type PageOptions = {
  version: string;
  /** How the captures were made, one sentence each. */
  conditions: readonly string[];
  manifests: EngineManifests;
  /** SHA-256 of the sources that make a verdict (`rulesVersion`). */
  rules: string;
};

const NOT_TESTED = [
  'Masks of silicone or resin, make-up, twins, and deepfakes that are injected through a virtual camera.',
  'Differences between skin tones, ages, glasses, beards and veils, unless labels above report them.',
  'Sunlight, coloured lamps and screens behind the person.',
  'This is not a test according to ISO/IEC 30107-3: no accredited laboratory was involved.',
];

/** @returns HTML with its own styles, without scripts or external resources */
export function pageOf(
  reports: readonly Report[],
  { version, conditions, manifests, rules }: PageOptions,
): string {
  const body = [
    '<h1>Gatehouse: liveness and recognition, measured</h1>',
    `<p>Version ${escaped(version)}.</p>`,
    '<h2>Conditions</h2>',
    list(conditions),
    ...reports.flatMap((report) => [
      `<h2>${escaped(report.title)}</h2>`,
      `<p>${escaped(summaryOf(report))}</p>`,
      ...tablesOf(report)
        .filter(({ rows }) => rows.length > 0)
        .map(htmlTable),
    ]),
    '<h2>Models and rules</h2>',
    htmlTable({
      title: 'SHA-256',
      head: ['part', 'version', 'SHA-256'],
      rows: [
        ...Object.entries(manifests).map(([name, manifest]) => [name, manifest.version, manifest.sha256]),
        ['rules, weights and thresholds (sources)', version, rules],
      ],
    }),
    '<h2>Not tested</h2>',
    list(NOT_TESTED),
    '<h2>Terms</h2>',
    list([
      'APCER: share of the attacks acquired that pass. BPCER: share of the genuine captures acquired that are refused.',
      'A capture that goes to a reviewer is neither passed nor refused: it counts among the captures acquired only.',
      'FTA: share of captures that cannot be judged. APCER and BPCER leave them out, as ISO/IEC 30107-3 does.',
      'IAPAR: share of all attacks that pass and are recognised as the person imitated, or imitate nobody known. FRR: share of all genuine captures that are not acquired, refused or not recognised. RIAPAR: IAPAR + FRR.',
      'Kiosk trust: only pictures signed by a paired kiosk count (capture.trust).',
    ]),
  ];
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Gatehouse: liveness and recognition, measured</title>
<style>
:root { color-scheme: light dark; font: 14px/1.5 system-ui, sans-serif; }
body { margin: 2rem auto; max-width: 70rem; padding: 0 1rem; }
div { overflow-x: auto; }
table { border-collapse: collapse; margin: 0.5rem 0 1.5rem; width: 100%; }
caption { font-weight: 600; padding: 0.25rem 0; text-align: left; }
th, td { border-bottom: 1px solid color-mix(in srgb, currentColor 25%, transparent); padding: 0.25rem 0.75rem 0.25rem 0; text-align: left; vertical-align: top; }
td { font-variant-numeric: tabular-nums; overflow-wrap: anywhere; }
@media print { body { margin: 0; } div { overflow: visible; } }
</style>
</head>
<body>
${body.join('\n')}
</body>
</html>
`;
}

const list = (items: readonly string[]): string =>
  `<ul>${items.map((item) => `<li>${escaped(item)}</li>`).join('')}</ul>`;

function htmlTable({ title, head, rows }: Table): string {
  const heads = head.map((cell) => `<th scope="col">${escaped(cell)}</th>`).join('');
  const lines = rows.map(
    ([first = '', ...others]) =>
      `<tr><th scope="row">${escaped(first)}</th>${others.map((cell) => `<td>${escaped(cell)}</td>`).join('')}</tr>`,
  );
  return `<div tabindex="0" role="region" aria-label="${escaped(title)}"><table><caption>${escaped(title)}</caption><thead><tr>${heads}</tr></thead><tbody>\n${lines.join('\n')}\n</tbody></table></div>`;
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escaped = (text: string): string => text.replaceAll(/[&<>"]/g, (char) => ENTITIES[char] ?? char);
