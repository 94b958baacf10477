/** The command line of decisions §7. Answers on stdout, everything else on stderr; exit 0, or 1 with the reason. */
import { text } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import { COMMANDS, HELP, REPEATABLE } from './cli/commands.ts';
import { CliError, print } from './cli/io.ts';
import { ConfigError } from './config.ts';
import { injectKey } from './data/injected-key.ts';
import { BackupError } from './services/backup/errors.ts';
import { ServiceError } from './services/errors.ts';
import { StoreError } from './store/sql/port.ts';

async function run(argv: string[]): Promise<void> {
  const words = argv.filter((word, index) => index < 2 && !word.startsWith('-'));
  const [first, second] = words;
  if (first === undefined || first === 'help' || argv.includes('--help')) {
    print(HELP);
    return;
  }
  const name = COMMANDS.has(first) ? first : `${first} ${second ?? ''}`.trim();
  const command = COMMANDS.get(name);
  if (!command) throw new CliError(`There is no command "${name}". "gatehouse help" lists them.`);
  const { values, positionals } = parse(argv.slice(name.split(' ').length), command.options);
  if (values['key-stdin'] === true) injectKey(await text(process.stdin));
  await command.run({ values, positionals });
}

function parse(args: string[], options: readonly string[]) {
  const known = Object.fromEntries(
    options.map((option) => [option, { type: 'string' as const, multiple: REPEATABLE.has(option) }]),
  );
  try {
    return parseArgs({
      args,
      options: {
        ...known,
        'data-dir': { type: 'string' },
        json: { type: 'boolean' },
        'key-stdin': { type: 'boolean' },
        default: { type: 'boolean' },
        lan: { type: 'boolean' },
        'confirm-clock': { type: 'boolean' },
        'second-factor': { type: 'boolean' },
      },
      allowPositionals: true,
    });
  } catch (error) {
    throw new CliError(error instanceof Error ? error.message : String(error));
  }
}

try {
  await run(process.argv.slice(2));
} catch (error) {
  const isExpected =
    error instanceof CliError ||
    error instanceof ConfigError ||
    error instanceof StoreError ||
    error instanceof BackupError ||
    error instanceof ServiceError;
  process.stderr.write(
    `gatehouse: ${isExpected ? error.message : ((error as Error).stack ?? String(error))}\n`,
  );
  process.exitCode = 1;
}
