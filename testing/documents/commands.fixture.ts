/** Checks a command of the documentation against the program that it starts, without running it. */
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Command } from 'commander';
import { kioskOptionsOf } from '../../electron/kiosk/options.ts';
import { isRecovery } from '../../electron/switches.ts';
import { evaluateProgram } from '../../lab/evaluate/options.ts';
import { startOptions } from '../../scripts/run/start-options.ts';
import { createProgram } from '../../server/cli/commands.ts';
import { serverConfig } from '../../server/config.ts';
import { ROOT, textOf } from './documents.ts';

const { scripts } = JSON.parse(textOf('package.json')) as { scripts: Record<string, string> };

/** @returns a problem with the arguments; undefined if there is none */
type Check = (args: readonly string[]) => string | undefined;

/** Options with a number, or without a value, that the sources in a folder read. */
const readsOptions =
  (folder: string, rest: Check): Check =>
  (args) => {
    const sources = readdirSync(path.join(ROOT, folder)).filter((file) => file.endsWith('.ts'));
    const text = sources.map((file) => textOf(`${folder}/${file}`)).join('\n');
    const isRead = (arg: string) => {
      const [, option = ''] = /^--([a-z-]+)(=\d+)?$/.exec(arg) ?? [];
      return text.includes(`numberOption('${option}'`) || text.includes(`argv.includes('--${option}')`);
    };
    return (
      args.find((arg) => arg.startsWith('--') && !isRead(arg)) ??
      rest(args.filter((arg) => !arg.startsWith('--')))
    );
  };

const noArguments: Check = ([first]) => first;

const NPM_SCRIPTS: Record<string, Check> = {
  bench: readsOptions('bench', (args) =>
    args.find((arg) => !new RegExp(`\\b${arg}'?: \\(\\) => import`).test(textOf('bench/run.ts'))),
  ),
  e2e: (args) => args.find((arg) => !/^--project=\w+$/.test(arg)),
  evaluate: (args) => {
    const program = evaluateProgram()
      .exitOverride()
      .configureOutput({ writeErr: () => undefined });
    return problemOf(() => program.parse(args, { from: 'user' }));
  },
  'package:update': (args) => nodeScript(['scripts/packaging/update.ts', ...args]),
  // The targets of electron-builder.yml
  'package:deb': (args) => nodeScript(['scripts/packaging/deb.ts', ...args]),
  package: ([target = '', ...rest]) =>
    [target, ...rest.filter((arg) => arg !== 'dir')].find(
      (arg) => !/^--\w+$/.test(arg) || !textOf('electron-builder.yml').includes(`\n${arg.slice(2)}:`),
    ),
  soak: readsOptions('e2e/soak', noArguments),
  start: (args) => problemOf(() => startOptions([...args], {})),
};

function problemOf(work: () => unknown): string | undefined {
  try {
    work();
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : 'failed';
  }
}

const exists = (file: string) => existsSync(path.join(ROOT, file));

const PLAYWRIGHT_OPTIONS = ['-g', '--trace'];

const NPX_PROGRAMS: Record<string, Check> = {
  vitest: ([run, ...rest]) => {
    const at = rest.indexOf('--project');
    const [, project] = at === -1 ? [] : rest.splice(at, 2);
    if (project !== undefined && !textOf('vitest.config.ts').includes(`name: '${project}'`)) return project;
    return run === 'run' ? rest.find((folder) => !exists(folder)) : run;
  },
  playwright: ([test, option, ...rest]) =>
    test === 'test' && option === '-c'
      ? rest.find(
          (word, index) =>
            !exists(word) &&
            !PLAYWRIGHT_OPTIONS.includes(word) &&
            !PLAYWRIGHT_OPTIONS.includes(rest[index - 1] ?? ''),
        )
      : option,
};

/** Scripts without an entry in package.json, with the options that their sources name. */
const nodeScript: Check = ([file = '', ...args]) => {
  if (file === 'dist/server/cli.js') return undefined;
  if (!exists(file)) return `${file} does not exist`;
  return args.find(
    (arg) => arg.startsWith('--') && !new RegExp(`'${arg}'|\\b${arg.slice(2)}: \\{ type`).test(textOf(file)),
  );
};

function commandOf([first, second]: readonly string[]): Command | undefined {
  const group = createProgram().commands.find((known) => known.name() === first);
  const inner = group?.commands.find((known) => known.name() === second);
  // One with options runs alone as well: `demo`, beside `demo remove`.
  const runsAlone = group !== undefined && (group.commands.length === 0 || group.options.length > 0);
  return inner ?? (runsAlone ? group : undefined);
}

/** `audit verify` or another command of Gatehouse, with its options. */
export function problemWithCommandLine(text: string): string | undefined {
  const words = text.split(' ');
  const command = commandOf(words);
  if (command === undefined) return 'is unknown';
  const known = command.options.map(({ long }) => long);
  return words.find((word) => word.startsWith('--') && !known.includes(word));
}

function problemWithApp(words: readonly string[]): string | undefined {
  if (isRecovery(words)) return words.find((word) => !isRecovery([word]));
  const pairs = (begin: string) => [...begin.split(':'), ...Array.from({ length: 30 }, () => 'EF')].join(':');
  const options = kioskOptionsOf(
    words.map((word) => word.replace(/(AB:CD):…/, (_, begin: string) => pairs(begin))),
  );
  return options === null ? 'does not start a kiosk' : undefined;
}

function problemWithSetting(name: string, value: string): string | undefined {
  if (name !== 'GATEHOUSE_DATABASE_URL') return 'is not checked here';
  const folder = mkdtempSync(path.join(tmpdir(), 'gatehouse-keys-'));
  try {
    const keys = path.join(folder, 'keys');
    writeFileSync(keys, '5a'.repeat(32), { mode: 0o600 });
    const { databaseUrl } = serverConfig({}, { [name]: value, GATEHOUSE_DATABASE_KEY_FILE: keys });
    return databaseUrl === value ? undefined : 'is not what the server reads';
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const COMMAND_LINE = 'npm run -s gatehouse -- ';
const BESIDE_THE_SERVICE = /^sudo -u (\S+) (GATEHOUSE_DATA_DIR=\S+) (\S+) \S+\/dist\/server\/cli\.js (.+)$/;

/** A command beside the service of the unit that `install.md` shows: same account, data folder and Node.js. */
function problemBesideService([, user = '', folder = '', node = '', line = '']: readonly string[]) {
  const unit = textOf('docs/how-to/install.md');
  const missing = [`User=${user}\n`, `Environment=${folder}\n`, `ExecStart=${node} `].find(
    (text) => !unit.includes(text),
  );
  return missing === undefined ? problemWithCommandLine(line) : `the unit has no ${missing}`;
}

/** Installs a package that `npm run package:deb` makes, or names its folder as a source. */
function problemWithApt(command: string): string | undefined {
  const file = /(?:\.\/dist\/packages\/)?gatehouse(?:-server)?(?:_[\d.]+_amd64\.deb)?/.source;
  const installs = new RegExp(`^apt-get (update|install ${file})$`);
  return installs.test(command) || command.startsWith("echo 'deb [trusted=yes] file:") ? undefined : command;
}

/** @returns the problem; undefined if the command would run */
export function problemWith(command: string): string | undefined {
  const [program = '', ...words] = command.replaceAll(/"[^"]*"/g, 'value').split(' ');
  if (command === 'npm ci') return undefined;
  // A setting of npm itself
  if (/^npm config set script-shell \S+$/.test(command)) return undefined;
  const beside = BESIDE_THE_SERVICE.exec(command);
  if (beside !== null) return problemBesideService(beside);
  if (command.startsWith(COMMAND_LINE)) return problemWithCommandLine(command.slice(COMMAND_LINE.length));
  if (program === 'npm') {
    const [script = '', ...rest] = words[0] === 'run' ? words.slice(1) : words;
    if (scripts[script] === undefined) return `npm has no script ${script}`;
    return (NPM_SCRIPTS[script] ?? noArguments)(rest.filter((word) => word !== '--'));
  }
  if (program === 'npx') return (NPX_PROGRAMS[words[0] ?? ''] ?? noArguments)(words.slice(1));
  if (program === 'node') return nodeScript(words);
  if (program === 'gatehouse' && commandOf(words) !== undefined) {
    return problemWithCommandLine(words.join(' '));
  }
  if (['gatehouse-desktop', 'Gatehouse.exe'].includes(program)) return problemWithApp(words);
  // The system's own, with files of another machine.
  if (['mkdir', 'tar', 'mv', 'ln', 'chown'].includes(program)) return undefined;
  if (program === 'apt-get' || program === 'echo') return problemWithApt(command);
  if (program === 'export') {
    const [, name = '', value = ''] = /^(\w+)='(.*)'$/.exec(words.join(' ')) ?? [];
    return problemWithSetting(name, value);
  }
  return 'is unknown to this test';
}
