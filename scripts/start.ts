/**
 * `npm start`: fetches and builds what is missing, then runs the desktop app, or the server if there is no desktop.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { onReadyLine, type ServerAddresses } from '../electron/service/ready-line.ts';
import { ConfigError } from '../server/data/errors.ts';
import { SERVER_MEMORY_ENV, SERVER_NODE_ARGS } from '../electron/service/runtime.ts';
import { StoreError } from '../server/store/sql/port.ts';
import { compiledDir, PROJECT_ROOT } from './assets/paths.ts';
import { SERVER } from './run/built.ts';
import { type Desktop, findDesktop } from './run/desktop.ts';
import { checkDatabase, makeFirstCompany, mintTestLink } from './run/first-company.ts';
import { prepareServer } from './run/prepare.ts';
import { START_HELP, startOptions, type StartOptions } from './run/start-options.ts';
import { firstCompanyMessage, runningMessage } from './run/start-messages.ts';

/** The server ends with it once a restored backup is ready (`serve.ts`). */
const RESTART_CODE = 75;

let child: ChildProcess | undefined;
let stopping = false;
const stop = () => {
  stopping = true;
  // Before anything runs there is nothing to drain.
  if (!child) process.exit(0);
  child.kill('SIGTERM');
};
process.on('SIGTERM', stop).on('SIGINT', stop);

const tell = (line: string) => process.stderr.write(`${line}\n`);

async function main(): Promise<number> {
  const options = startOptions(process.argv.slice(2));
  if (options.help) {
    console.log(START_HELP);
    return 0;
  }
  await checkDatabase(options.config.dataDir);
  await prepareServer();
  const desktop: Desktop = options.browserOnly
    ? { unavailable: '--browser was given' }
    : await findDesktop(options, tell);
  if ('unavailable' in desktop) return runServer(options, desktop.unavailable);
  const ended = await run(options, null, desktop.program, [...desktop.args, PROJECT_ROOT]);
  if (ended.wasReady || ended.code === 0 || stopping) return ended.code;
  return runServer(options, `Electron ended with ${ended.code} before it was ready`);
}

async function runServer(options: StartOptions, whyNoWindow: string): Promise<number> {
  for (;;) {
    const { code } = await run(options, whyNoWindow, process.execPath, [
      ...SERVER_NODE_ARGS,
      SERVER,
      'serve',
    ]);
    if (code !== RESTART_CODE || stopping) return code;
    tell('gatehouse: starting again with the restored data');
  }
}

/** Runs the program until it ends; prints its addresses when it is ready. */
async function run(
  { config, serverEnv }: StartOptions,
  whyNoWindow: string | null,
  program: string,
  args: string[],
): Promise<{ code: number; wasReady: boolean }> {
  let wasReady = false;
  const started = spawn(program, args, {
    // The terminal is for people, so it shows only the important part of the server's log.
    env: {
      GATEHOUSE_LOG_LEVEL: 'warn',
      NODE_COMPILE_CACHE: compiledDir(),
      ...SERVER_MEMORY_ENV,
      ...process.env,
      ...serverEnv,
      GATEHOUSE_SERVER_NODE: process.execPath,
      GATEHOUSE_SUPERVISED: '1',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  child = started;
  onReadyLine(started.stdout, (addresses) => {
    wasReady = true;
    introduce(addresses, config.dataDir, whyNoWindow).catch((error: unknown) => tell(explain(error)));
  });
  const code = await new Promise<number>((resolve) => {
    started.once('error', (error) => {
      tell(`gatehouse: ${program} cannot be started (${error.message}).`);
      resolve(1);
    });
    started.once('exit', (exitCode) => resolve(exitCode ?? 1));
  });
  return { code, wasReady };
}

/**
 * Keys are created after the server is ready, so that a failed start creates none unseen. With a window, its first
 * page creates the company and shows the keys.
 */
async function introduce(
  addresses: ServerAddresses,
  dataDir: string,
  whyNoWindow: string | null,
): Promise<void> {
  console.log(runningMessage(addresses, dataDir, whyNoWindow));
  if (whyNoWindow === null) return;
  const company = await makeFirstCompany(dataDir);
  if (!company) return;
  const { baseUrl } = addresses;
  console.log(firstCompanyMessage(company, baseUrl, await mintTestLink(baseUrl, company.keys.sk_test)));
}

function explain(error: unknown): string {
  const isExpected = error instanceof ConfigError || error instanceof StoreError;
  return `gatehouse: ${isExpected ? error.message : ((error as Error).stack ?? String(error))}`;
}

try {
  process.exitCode = await main();
} catch (error) {
  tell(explain(error));
  process.exitCode = 1;
}
