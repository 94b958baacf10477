/** What `npm start` may be told, checked before anything is fetched or opened. */
import { parseArgs } from 'node:util';
import { ConfigError, type ServerConfig, serverConfig } from '../../server/config.ts';

export const START_HELP = `Usage: npm start -- [options]

  --port N          port of the service (4180); the console takes the next one
  --console-port N  another port for the console
  --host ADDRESS    address the service listens on (127.0.0.1)
  --data-dir DIR    folder of the database and its key
  --lan             https for the venue's network (GATEHOUSE_LAN=1)
  --browser         leave the desktop window out
  --no-sandbox      let the desktop window run as root, without Chromium's sandbox`;

export type StartOptions = {
  help: boolean;
  /** The server alone, even where a desktop window could be had. */
  browserOnly: boolean;
  /** Chromium refuses to run as root with its sandbox, so root has to say that it may go without. */
  noSandbox: boolean;
  config: ServerConfig;
  /** The same choices as settings for the server's process. */
  serverEnv: Record<string, string>;
};

/** @throws ConfigError in words for whoever typed it */
export function startOptions(args: string[], env: NodeJS.ProcessEnv = process.env): StartOptions {
  const values = parse(args);
  const text = (name: 'port' | 'console-port' | 'host' | 'data-dir'): string | undefined => {
    const value = values[name];
    if (value?.trim() === '') throw new ConfigError(`--${name} needs a value.`);
    return value;
  };
  const settings = {
    GATEHOUSE_PORT: text('port'),
    GATEHOUSE_CONSOLE_PORT: text('console-port'),
    GATEHOUSE_HOST: text('host'),
    GATEHOUSE_LAN: values.lan ? '1' : undefined,
  };
  const given = {
    port: settings.GATEHOUSE_PORT,
    consolePort: settings.GATEHOUSE_CONSOLE_PORT,
    host: settings.GATEHOUSE_HOST,
    dataDir: text('data-dir'),
  };
  const config = serverConfig(defined(given), env);
  return {
    help: values.help,
    browserOnly: values.browser,
    noSandbox: values['no-sandbox'],
    config,
    serverEnv: { ...defined(settings), GATEHOUSE_DATA_DIR: config.dataDir },
  };
}

function parse(args: string[]) {
  try {
    return parseArgs({
      args,
      options: {
        port: { type: 'string' },
        'console-port': { type: 'string' },
        host: { type: 'string' },
        'data-dir': { type: 'string' },
        lan: { type: 'boolean', default: false },
        browser: { type: 'boolean', default: false },
        'no-sandbox': { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    }).values;
  } catch (error) {
    // The first sentence names the argument; the rest explains Node's parser.
    const [sentence] = (error instanceof Error ? error.message : String(error)).split(/\. |\n/);
    throw new ConfigError(`${sentence ?? 'Bad arguments'}. "npm start -- --help" lists the options.`);
  }
}

/** The entries that have a value. */
function defined(entries: Record<string, string | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(entries).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}
