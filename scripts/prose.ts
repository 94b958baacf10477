/**
 * Reports the phrases of `prose/rules.ts` in messages, documents, the command line’s texts, comments and test names, and
 * subjects of recent commits that are too long.
 */
import { execFileSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { PROJECT_ROOT } from './assets/paths.ts';
import { commentsIn, findingsIn, longSubjectsIn, proseOf, stringsIn, testNamesIn } from './prose/rules.ts';

const SOURCES = '{server,renderer,electron,scripts,sdk,bench,e2e,lab,testing,locales}/**/*.{ts,tsx,css}';
const TESTS = '{server,renderer,electron,scripts,lab,testing,locales,e2e}/**/*.{test,spec}.{ts,tsx}';

const AREAS: readonly { files: string | string[]; textOf: (source: string) => string }[] = [
  { files: 'locales/en/*.json', textOf: (text) => text },
  { files: ['*.md', 'docs/**/*.md'], textOf: proseOf },
  { files: ['server/cli.ts', 'server/cli/**/*.ts', 'scripts/run/*.ts'], textOf: stringsIn },
  { files: SOURCES, textOf: commentsIn },
  { files: TESTS, textOf: testNamesIn },
];

/** About two days of work. */
const RECENT_COMMITS = 50;

const phrases = AREAS.flatMap(({ files, textOf }) =>
  globSync(files, { cwd: PROJECT_ROOT })
    .sort()
    // The rules contain the phrases that they look for.
    .filter((file) => !file.startsWith('scripts/prose'))
    .flatMap((file) =>
      findingsIn(textOf(readFileSync(path.join(PROJECT_ROOT, file), 'utf8'))).map(
        ({ found, instead }) => `${file}: “${found}”. Write ${instead}.`,
      ),
    ),
);

/** Empty for a copy of the sources without history. */
function recentSubjects(): string {
  try {
    const args = ['log', '--no-merges', `-${RECENT_COMMITS}`, '--format=%s'];
    return execFileSync('git', args, {
      cwd: PROJECT_ROOT,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
  } catch {
    return '';
  }
}

const problems = [
  ...phrases,
  ...longSubjectsIn(recentSubjects()).map((subject) => `Commit subject of over 72 characters: “${subject}”.`),
];
for (const problem of problems) console.log(problem);
process.exitCode = problems.length === 0 ? 0 : 1;
