/**
 * Every code block of the documentation is checked. Commands, code and output are run by `e2e/docs/documentation.spec.ts`; commands that
 * take too long or need another machine are marked `check: reason`, and each of their words is checked here.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { createProgram } from '../../server/cli/commands.ts';
import { problemWith } from './commands.fixture.ts';
import { codeBlocksOf, readDocuments, ROOT, textOf } from './documents.ts';

const documents = readDocuments();
const blocks = documents.flatMap(({ file, text }) =>
  codeBlocksOf(text).map((block) => ({ ...block, place: `${file}:${block.line}` })),
);
const inLanguage = (language: string) => blocks.filter((block) => block.language === language);

const { dependencies, devDependencies } = JSON.parse(textOf('package.json')) as Record<
  'dependencies' | 'devDependencies',
  Record<string, string>
>;

/** Marks that a block of the language may have. */
const MARKS: Record<string, RegExp> = {
  sh: /^(run( (first start|first result|stopped|restarted|typed|database|company|file))*|check: \S.*)$/,
  js: /^run$/,
  json: /^(run|check: \S.*)$/,
  ini: /^run( database)?$/,
  // Each of these has its own test, which finds it by the language.
  caddy: /^$/,
  haproxy: /^$/,
  nginx: /^$/,
  html: /^$/,
  mermaid: /^$/,
  yaml: /^$/,
};

it('every code block is run or checked by a test', () => {
  const fences = documents.flatMap(({ text }) => text.match(/^ *(```|~~~)/gm) ?? []).length;
  expect(fences, 'a code block without a language, or an unclosed one').toBe(blocks.length * 2);
  const unchecked = blocks.filter(({ language, mark }) => MARKS[language]?.test(mark) !== true);
  expect(unchecked.map(({ place, language, mark }) => `${place}: ${language} ${mark}`)).toEqual([]);
  const single = ['caddy', 'haproxy', 'html', 'nginx', 'yaml'].map((language) => inLanguage(language).length);
  expect(single, 'their tests read one block each').toEqual([1, 1, 1, 1, 1]);
});

it('every command that is not run names a script, its options and its files', () => {
  const commands = blocks
    .filter(({ mark }) => mark.startsWith('check:'))
    .filter(({ language }) => language === 'sh')
    .flatMap(({ place, code }) =>
      code
        .split('\n')
        .flatMap((line) => line.replace(/\s+#.*$/, '').split('&&'))
        .map((command) => ({ place, command: command.trim() }))
        .filter(({ command }) => command !== ''),
    );
  expect(commands.length).toBeGreaterThan(10);
  const wrong = commands.flatMap(({ place, command }) => {
    const problem = problemWith(command);
    return problem === undefined ? [] : [`${place}: ${command}: ${problem}`];
  });
  expect(wrong).toEqual([]);
});

it('the continuous integration runs the commands that pages leave to it', () => {
  const left = blocks.filter(({ mark }) => mark === 'check: the continuous integration runs it');
  const run = textOf('.ci/run').replaceAll(/ --[a-z-]+/g, '');
  expect(left.map(({ code }) => code.trim())).toEqual(['npm ci && npm test']);
  for (const command of ['npm ci', 'npm test']) expect(run).toContain(`\n${command}\n`);
  const lock = JSON.parse(textOf('package-lock.json')) as { packages: Record<string, object> };
  expect(lock.packages['']).toMatchObject({ dependencies, devDependencies });
});

it('every unit starts a command of Gatehouse with known settings and options of Node.js', () => {
  const settings = textOf('docs/reference/settings.md');
  const wrong = inLanguage('ini').flatMap(({ place, code }) => {
    const lines = code.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
    const malformed = lines.filter((line) => !/^(\[\w+\]|[A-Z]\w*=\S.*)$/.test(line));
    const command = /^ExecStart=(.+)$/m.exec(code)?.[1]?.split(' ') ?? [];
    const folder = /^WorkingDirectory=(.+)$/m.exec(code)?.[1] ?? '';
    const [node = '', ...rest] = command;
    const options = rest.filter((word) => word.startsWith('--'));
    const [program = '', subcommand] = rest.filter((word) => !word.startsWith('--'));
    const isRunnable =
      node.startsWith(`${folder}/`) &&
      program === 'dist/server/cli.js' &&
      createProgram().commands.some((known) => known.name() === subcommand) &&
      options.every((option) => process.allowedNodeEnvironmentFlags.has(option.split('=')[0] ?? ''));
    const unknown = [...code.matchAll(/GATEHOUSE_[A-Z_]+/g)]
      .map(([name]) => name)
      .filter((name) => !settings.includes(`\`${name}\``));
    return [...malformed, ...(isRunnable ? [] : [command.join(' ')]), ...unknown].map(
      (line) => `${place}: ${line}`,
    );
  });
  expect(wrong).toEqual([]);
});

/** Runs a checker on a file with this text. */
function complaintsOf(program: string, args: readonly string[], name: string, text: string): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'gatehouse-blocks-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = path.join(folder, name);
  writeFileSync(file, text);
  const { error, status, stderr } = spawnSync(program, [...args, file], { encoding: 'utf8' });
  if (error) throw error;
  return status === 0 ? '' : stderr;
}

/** In continuous integration, which installs it, a missing program fails the test. */
const isMissing = (program: string) =>
  process.env['CI'] === undefined && spawnSync(program, ['--version']).error !== undefined;

it.skipIf(isMissing('systemd-analyze'))('systemd accepts every unit', () => {
  for (const { place, code } of inLanguage('ini')) {
    const unit = code.replaceAll('/opt/gatehouse', ROOT).replace(/^User=.*$/m, 'User=root');
    expect(complaintsOf('systemd-analyze', ['verify', '--man=no'], 'gatehouse.service', unit), place).toBe(
      '',
    );
  }
});

it.skipIf(isMissing('haproxy'))('HAProxy accepts the configuration of the load balancer', () => {
  for (const { place, code } of inLanguage('haproxy')) {
    // No certificate exists for the name in the page.
    const plain = code.replace(/^( *bind) \S+ ssl crt \S+\.pem$/m, '$1 127.0.0.1:8443');
    expect(plain).not.toBe(code);
    expect(complaintsOf('haproxy', ['-c', '-f'], 'haproxy.cfg', plain), place).toBe('');
  }
});

it('every diagram declares the parts that its arrows connect', () => {
  const undeclared = inLanguage('mermaid').flatMap(({ place, code }) => {
    const declared = new Set(
      [...code.matchAll(/^ *(?:participant )?(\w+)(?=[[(]| as )/gm)].map(([, name = '']) => name),
    );
    const named = [...code.matchAll(/^ *(\w+) *-+>*(?: |>|".*"|[^>\n]*--?>)+ *(\w+)/gm)].flatMap(
      ([, from = '', to = '']) => [from, to],
    );
    const subgraphs = [...code.matchAll(/^ *subgraph (\w+)/gm)].map(([, name = '']) => name);
    return named
      .filter((name) => !declared.has(name) && !subgraphs.includes(name))
      .map((name) => `${place}: ${name}`);
  });
  expect(undeclared).toEqual([]);
});
