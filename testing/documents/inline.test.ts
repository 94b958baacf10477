/** What a sentence of the documentation names exists: its commands, options, settings, addresses and paths. */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { REFUSED_SWITCHES } from '../../electron/switches.ts';
import { evaluateProgram } from '../../lab/evaluate/options.ts';
import { START_HELP } from '../../scripts/run/start-options.ts';
import { createProgram } from '../../server/cli/commands.ts';
import { publicDocument } from '../../server/routes/docs/openapi.ts';
import { problemWith, problemWithCommandLine } from './commands.fixture.ts';
import { readDocuments, ROOT, textOf, withoutCodeBlocks } from './documents.ts';

const spans = readDocuments().flatMap(({ file, text }) =>
  [...withoutCodeBlocks(text).matchAll(/(?<!`)`([^`]+)`(?!`)/g)].map(([, code = '']) => ({
    file,
    code: code.replaceAll(/\s+/g, ' '),
  })),
);

const tracked = execFileSync('git', ['ls-files'], { cwd: ROOT, encoding: 'utf8' }).split('\n');
const sources = tracked
  .filter((file) => /^(bench|e2e|electron|lab|scripts|server|testing)\/.*\.ts$|^[\w.]+\.ts$/.test(file))
  .filter((file) => !file.startsWith('testing/documents/') && existsSync(path.join(ROOT, file)))
  .map(textOf)
  .join('\n');

/** @returns the inline code of the kind that has a problem, and what it is */
function problemsIn(
  kind: RegExp | ((code: string) => boolean),
  problemOf: (code: string) => string | undefined,
) {
  const found = spans.filter(({ code }) => (kind instanceof RegExp ? kind.test(code) : kind(code)));
  expect(found.length).toBeGreaterThan(10);
  return found.flatMap(({ file, code }) => {
    const problem = problemOf(code);
    return problem === undefined ? [] : [`${file}: ${code}: ${problem}`];
  });
}

const groups = createProgram().commands.map((command) => command.name());

it('every command in a sentence names a script, its options and its files', () => {
  const isCommand = (code: string) =>
    /^([A-Z_]+=\S+ |cage -- )?((npm|npx|node) |(gatehouse|gatehouse-desktop|Gatehouse\.exe) --)/.test(code) ||
    (code.startsWith('gatehouse ') && groups.includes(code.split(' ')[1] ?? ''));
  const wrong = problemsIn(isCommand, (code) =>
    code
      .replace(/^([A-Z_]+=\S+|cage --) /, '')
      .split(' && ')
      .map(problemWith)
      .find((problem) => problem !== undefined),
  );
  expect(wrong).toEqual([]);
});

it('every command of Gatehouse in a sentence exists, with its options', () => {
  const isNamed = (code: string) => code.includes(' ') && groups.includes(code.split(' ')[0] ?? '');
  expect(problemsIn(isNamed, problemWithCommandLine)).toEqual([]);
});

it('every option in a sentence is known to a program', () => {
  const known = [
    ...createProgram().commands.flatMap((group) => [group, ...group.commands]),
    evaluateProgram(),
  ].flatMap((command) => command.options.map(({ long }) => long));
  // The desktop app refuses options of Chromium. It, the soak and the benches read theirs without a parser.
  const isRead = (option: string) =>
    START_HELP.includes(option) ||
    (REFUSED_SWITCHES as readonly string[]).includes(option.slice(2)) ||
    sources.includes(`'${option}'`) ||
    sources.includes(`numberOption('${option.slice(2)}'`);
  const wrong = problemsIn(/^--/, (code) =>
    code
      .split(/[ =]/)
      .filter((word) => word.startsWith('--'))
      .find((option) => !known.includes(option) && !isRead(option)),
  );
  expect(wrong).toEqual([]);
});

it('every setting in a sentence is read from the environment', () => {
  const wrong = problemsIn(/GATEHOUSE_/, (code) =>
    code.match(/GATEHOUSE_[A-Z_]+/g)?.find((name) => !sources.includes(name)),
  );
  expect(wrong).toEqual([]);
});

const PREFIXES = ['', '/v1', '/v2', '/v3', '/console/api'];

it('every address in a sentence belongs to a route', async () => {
  const { paths } = await publicDocument('https://verify.gatehouse.test');
  const withoutNames = (route: string) => route.replaceAll(/\{\w+\}|:\w+/g, ':').replace(/(?<=.)\/$/, '');
  const written = [...sources.matchAll(/(?<=')\/[\w/:.-]*(?=')/g)].map(([route]) => route);
  const routes = new Set([...written, ...Object.keys(paths)].map(withoutNames));
  const wrong = problemsIn(/^([A-Z]+ )?\/[\w/{}-]*$/, (code) => {
    const route = withoutNames(code.split(' ').at(-1) ?? '');
    const isKnown = PREFIXES.some(
      (prefix) => route.startsWith(prefix) && routes.has(route.slice(prefix.length)),
    );
    return isKnown ? undefined : 'no route';
  });
  expect(wrong).toEqual([]);
});

/** A page about the server names its folders alone, and a page about a capability its files. */
const FOLDERS = ['', 'server', 'server/services', 'renderer', 'renderer/apps', 'renderer/apps/console'];
/** Written by a build or a run; a media type; an example. */
const NOT_IN_THE_TREE = /^(dist|\.cache|resources|application)\/|^AboutPage\.tsx$/;

it('every path in a sentence exists', () => {
  const parentsOf = (file: string) => [...file.matchAll(/\//g)].map(({ index }) => file.slice(0, index));
  const inTree = new Set(tracked.flatMap((file) => [file, ...parentsOf(file)]));
  const names = new Set(tracked.map((file) => path.posix.basename(file)));
  const wrong = problemsIn(/^[\w.-]+(\/[\w.<>-]+)+\/?$|^[\w-]+\.(tsx?|md|ya?ml|cjs)$/, (code) => {
    const named = code.replace(/\/$/, '').replace('<language>', 'de').replace(/<\w+>/, 'console');
    if (names.has(named) || NOT_IN_THE_TREE.test(named)) return undefined;
    const places = FOLDERS.map((folder) => path.posix.join(folder, named));
    return places.some((place) => inTree.has(place) || inTree.has(`${place}.ts`)) ? undefined : 'no path';
  });
  expect(wrong).toEqual([]);
});
