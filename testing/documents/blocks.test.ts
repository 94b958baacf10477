/**
 * Every code block of the documentation is checked. Commands, code and output are run by `e2e/documentation.spec.ts`; commands that
 * take too long or need another machine are marked `check: reason`, and each of their words is checked here.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { kioskOptionsOf } from '../../electron/kiosk/options.ts';
import { evaluateProgram } from '../../lab/evaluate/options.ts';
import { createProgram } from '../../server/cli/commands.ts';
import { serverConfig } from '../../server/config.ts';
import { codeBlocksOf, readDocuments, ROOT } from './documents.ts';

const documents = readDocuments();
const textOf = (file: string) => readFileSync(path.join(ROOT, file), 'utf8');
const blocks = documents.flatMap(({ file, text }) =>
  codeBlocksOf(text).map((block) => ({ ...block, place: `${file}:${block.line}` })),
);
const inLanguage = (language: string) => blocks.filter((block) => block.language === language);

const { scripts, dependencies, devDependencies } = JSON.parse(textOf('package.json')) as Record<
  'scripts' | 'dependencies' | 'devDependencies',
  Record<string, string>
>;

/** Marks that a block of the language may have. */
const MARKS: Record<string, RegExp> = {
  sh: /^(run( (first start|stopped|restarted|typed|database|file))*|check: \S.*)$/,
  ts: /^run$/,
  json: /^(run|check: \S.*)$/,
  ini: /^run( database)?$/,
  // Each of these has its own test, which finds it by the language.
  haproxy: /^$/,
  html: /^$/,
  mermaid: /^$/,
  yaml: /^$/,
};

it('every code block is run or checked by a test', () => {
  const fences = documents.flatMap(({ text }) => text.match(/^ *(```|~~~)/gm) ?? []).length;
  expect(fences, 'a code block without a language, or an unclosed one').toBe(blocks.length * 2);
  const unchecked = blocks.filter(({ language, mark }) => MARKS[language]?.test(mark) !== true);
  expect(unchecked.map(({ place, language, mark }) => `${place}: ${language} ${mark}`)).toEqual([]);
  const single = ['haproxy', 'html', 'yaml'].map((language) => inLanguage(language).length);
  expect(single, 'their tests read one block each').toEqual([1, 1, 1]);
});

/** A problem with the arguments of a script in package.json; undefined if there is none. */
const SCRIPT_ARGUMENTS: Record<string, (args: readonly string[]) => string | undefined> = {
  bench: (args) => {
    const sources = readdirSync(path.join(ROOT, 'bench')).map((file) => textOf(`bench/${file}`));
    return args.find((arg) => {
      const option = /^--([a-z]+)(=\d+)?$/.exec(arg)?.[1];
      if (option === undefined) return !textOf('bench/run.ts').includes(`${arg}: () => import(`);
      return !sources.some(
        (source) =>
          source.includes(`numberOption('${option}'`) ||
          source.includes(`process.argv.includes('--${option}')`),
      );
    });
  },
  evaluate: (args) => {
    evaluateProgram()
      .exitOverride()
      .configureOutput({ writeErr: () => undefined })
      .parse(args, { from: 'user' });
    return undefined;
  },
  // The targets of electron-builder.yml
  package: (args) =>
    args.find(
      (arg) => !/^--\w+$/.test(arg) || !textOf('electron-builder.yml').includes(`\n${arg.slice(2)}:`),
    ),
};

const NPX_ARGUMENTS: Record<string, (args: readonly string[]) => string | undefined> = {
  vitest: ([run, ...folders]) =>
    run === 'run' ? folders.find((folder) => !existsSync(path.join(ROOT, folder))) : run,
  playwright: ([test, option, ...files]) =>
    test === 'test' && option === '-c' ? files.find((file) => !existsSync(path.join(ROOT, file))) : option,
};

const COMMAND_LINE = 'npm run -s gatehouse -- ';

function problemWithArguments(text: string): string | undefined {
  const words = text.replaceAll(/"[^"]*"/g, 'value').split(' ');
  const group = createProgram().commands.find((known) => known.name() === words[0]);
  const command = group?.commands.find((known) => known.name() === words[1]) ?? group;
  if (command === undefined) return 'is unknown';
  const known = command.options.map(({ long }) => long);
  return words.find((word) => word.startsWith('--') && !known.includes(word));
}

/** @returns the problem; undefined if the command would run */
function problemWith(command: string): string | undefined {
  const [program = '', ...words] = command.split(' ');
  if (command === 'npm ci') return undefined;
  if (command.startsWith(COMMAND_LINE)) return problemWithArguments(command.slice(COMMAND_LINE.length));
  if (program === 'npm') {
    const [script = '', ...rest] = words[0] === 'run' ? words.slice(1) : words;
    if (scripts[script] === undefined) return `npm has no script ${script}`;
    const all = rest.filter((word) => word !== '--');
    return all.length === 0 ? undefined : (SCRIPT_ARGUMENTS[script] ?? (() => 'takes no arguments'))(all);
  }
  if (program === 'npx') return (NPX_ARGUMENTS[words[0] ?? ''] ?? (() => words[0]))(words.slice(1));
  if (program === 'gatehouse') {
    const pairs = (begin: string) =>
      [...begin.split(':'), ...Array.from({ length: 30 }, () => 'EF')].join(':');
    const options = kioskOptionsOf(
      words.map((word) => word.replace(/(AB:CD):…/, (_, begin: string) => pairs(begin))),
    );
    return options === null ? 'does not start a kiosk' : undefined;
  }
  if (program === 'export') {
    const [, name = '', value = ''] = /^(\w+)='(.*)'$/.exec(words.join(' ')) ?? [];
    const folder = mkdtempSync(path.join(tmpdir(), 'gatehouse-keys-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const keys = path.join(folder, 'keys');
    writeFileSync(keys, '5a'.repeat(32), { mode: 0o600 });
    const { databaseUrl } = serverConfig({}, { [name]: value, GATEHOUSE_DATABASE_KEY_FILE: keys });
    return databaseUrl === value ? undefined : 'is not what the server reads';
  }
  return 'is unknown to this test';
}

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
