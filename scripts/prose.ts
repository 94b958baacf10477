/**
 * Counts the phrases of `prose/rules.ts` in messages, documents, the command line’s texts, comments and test names.
 * `prose/remaining.json` has the allowed counts, which may only decrease. `--write` lowers them.
 */
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { PROJECT_ROOT } from './assets/paths.ts';
import { commentsIn, findingsIn, PROSE_RULES, proseOf, stringsIn, testNamesIn } from './prose/rules.ts';

type Area = { name: string; files: string | string[]; textOf: (source: string) => string };

const SOURCES = '{server,renderer,electron,scripts,bench,e2e,lab,testing,locales}/**/*.{ts,tsx,css}';
const TESTS = '{server,renderer,electron,scripts,lab,testing,locales,e2e}/**/*.{test,spec}.{ts,tsx}';
const whole = (text: string): string => text;

const AREAS: readonly Area[] = [
  { name: 'messages', files: 'locales/en/*.json', textOf: whole },
  { name: 'documents', files: ['*.md', 'docs/**/*.md'], textOf: proseOf },
  {
    name: 'command line',
    files: ['server/cli.ts', 'server/cli/**/*.ts', 'scripts/run/*.ts'],
    textOf: stringsIn,
  },
  { name: 'comments', files: SOURCES, textOf: commentsIn },
  { name: 'test names', files: TESTS, textOf: testNamesIn },
];

const REMAINING = path.join(PROJECT_ROOT, 'scripts/prose/remaining.json');

type Counts = Record<string, Record<string, number>>;

/** Where each rule matches, by area and rule: one entry per match. */
type Places = Map<string, Map<string, string[]>>;

function placesIn(areas: readonly Area[]): Places {
  const places: Places = new Map();
  for (const { name, files, textOf } of areas) {
    const byRule = new Map<string, string[]>();
    for (const file of globSync(files, { cwd: PROJECT_ROOT }).sort()) {
      // The rules contain the phrases that they look for.
      if (file.startsWith('scripts/prose')) continue;
      const text = textOf(readFileSync(path.join(PROJECT_ROOT, file), 'utf8'));
      for (const [rule, count] of findingsIn(text)) {
        const list = byRule.get(rule) ?? [];
        byRule.set(rule, [...list, ...Array<string>(count).fill(file)]);
      }
    }
    places.set(name, byRule);
  }
  return places;
}

const countsOf = (places: Places): Counts =>
  Object.fromEntries(
    [...places].map(([area, byRule]) => [
      area,
      Object.fromEntries([...byRule].sort().map(([rule, files]) => [rule, files.length])),
    ]),
  );

function problemsOf(places: Places, allowed: Counts): string[] {
  return [...places].flatMap(([area, byRule]) =>
    [...byRule].flatMap(([rule, files]) => {
      const most = allowed[area]?.[rule] ?? 0;
      if (files.length <= most) return [];
      const { instead = '' } = PROSE_RULES.find(({ name }) => name === rule) ?? {};
      return [
        `${area}: “${rule}” ${files.length} times, at most ${most}. Write ${instead}. In: ${[...new Set(files)].join(', ')}`,
      ];
    }),
  );
}

const places = placesIn(AREAS);
if (process.argv.includes('--write')) {
  writeFileSync(REMAINING, `${JSON.stringify(countsOf(places), null, 2)}\n`);
} else {
  const problems = problemsOf(places, JSON.parse(readFileSync(REMAINING, 'utf8')) as Counts);
  for (const problem of problems) console.log(problem);
  process.exitCode = problems.length === 0 ? 0 : 1;
}
