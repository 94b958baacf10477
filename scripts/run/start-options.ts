/** The options of `npm start`, checked before anything is fetched or opened. */
import { Command } from 'commander';
import { ConfigError } from '../../server/data/errors.ts';
import { type ServerConfig, serverConfig } from '../../server/config.ts';

type Given = {
  port?: string;
  consolePort?: string;
  host?: string;
  dataDir?: string;
  lan?: true;
  browser?: true;
  /** Commander's parsing of `--no-sandbox`. */
  sandbox: boolean;
  help?: true;
};

const createProgram = (): Command =>
  new Command('npm start --')
    .usage('[options]')
    .option('--port <n>', 'port of the service (4180); the console takes the next one')
    .option('--console-port <n>', 'another port for the console')
    .option('--host <address>', 'address the service listens on (127.0.0.1)')
    .option('--data-dir <dir>', 'folder of the database and its key')
    .option('--lan', 'HTTPS for the venue’s network (GATEHOUSE_LAN=1)')
    .option('--browser', 'do not open a desktop window')
    .option('--no-sandbox', 'allow root to open the desktop window, without Chromium’s sandbox')
    .helpOption(false)
    .option('--help', 'show help')
    .exitOverride()
    .configureOutput({ outputError: () => undefined });

export const START_HELP = createProgram().helpInformation();

export type StartOptions = {
  help: boolean;
  /** Only the server, even if a desktop window is possible. */
  browserOnly: boolean;
  /** Chromium refuses to run as root with its sandbox, so root has to turn it off explicitly. */
  noSandbox: boolean;
  config: ServerConfig;
  /** The options as environment of the server's process. */
  serverEnv: Record<string, string>;
};

/** @throws ConfigError with a message for the user of the command */
export function startOptions(args: string[], env: NodeJS.ProcessEnv = process.env): StartOptions {
  const values = parse(args);
  const text = (name: string, value: string | undefined): string | undefined => {
    if (value?.trim() === '') throw new ConfigError(`--${name} needs a value.`);
    return value;
  };
  const settings = {
    GATEHOUSE_PORT: text('port', values.port),
    GATEHOUSE_CONSOLE_PORT: text('console-port', values.consolePort),
    GATEHOUSE_HOST: text('host', values.host),
    GATEHOUSE_LAN: values.lan ? '1' : undefined,
  };
  const given = {
    port: settings.GATEHOUSE_PORT,
    consolePort: settings.GATEHOUSE_CONSOLE_PORT,
    host: settings.GATEHOUSE_HOST,
    dataDir: text('data-dir', values.dataDir),
  };
  const config = serverConfig(defined(given), env);
  return {
    help: values.help === true,
    browserOnly: values.browser === true,
    noSandbox: !values.sandbox,
    config,
    serverEnv: { ...defined(settings), GATEHOUSE_DATA_DIR: config.dataDir },
  };
}

function parse(args: string[]): Given {
  try {
    return createProgram().parse(args, { from: 'user' }).opts<Given>();
  } catch (error) {
    const reason = (error instanceof Error ? error.message : String(error)).replace(/^error: /, '');
    throw new ConfigError(`${reason.split('\n')[0]}. Run "npm start -- --help" for the options.`);
  }
}

/** The entries that have a value. */
function defined(entries: Record<string, string | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(entries).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}
