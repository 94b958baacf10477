import { visibleLines } from '../domain/visible.ts';
import { serverConfig } from '../config.ts';
import { createLogger } from '../http/logging.ts';
import { continueUpdate, endUnlessServing } from '../lifecycle/continue-update.ts';
import { handleFaults } from '../lifecycle/faults.ts';
import { updateHome } from '../services/updates/home.ts';
import { type CommandInput, optionalText, print } from './io.ts';

/** Every step of the shutdown has less time, not counting the drain; after this long something hangs. */
const SHUTDOWN_MS = 10_000;
/** "Try again" (sysexits): a service manager that restarts failed services starts it on the restored data. */
const RESTART_CODE = 75;
const RESTART_WORDS = {
  restored: 'backup restored; the next start uses its data',
  update: 'update unpacked; the next start tries it',
} as const;

const SWITCHED_WORDS = {
  switched: 'update tried; the next start runs the new version',
  switched_back: 'the new version did not start; the next start runs the version before',
} as const;

/** Not 0, so that the operator notices. All answered requests had been committed, as in any other sudden end. */
function cutOff(): never {
  process.stderr.write(
    `gatehouse: requests still running ${SHUTDOWN_MS / 1_000} s after shutdown began were cut off; no confirmed result is lost\n`,
  );
  process.exit(1);
}

/** Runs until SIGTERM, SIGINT, a restore from the console or an update. Prints one line of JSON when it
 * listens, and another one each time its base URL changes. */
export async function serve(input: CommandInput): Promise<void> {
  const given = {
    dataDir: optionalText(input, 'data-dir'),
    host: optionalText(input, 'host'),
    port: optionalText(input, 'port'),
    consolePort: optionalText(input, 'console-port'),
    ...(input.values['lan'] === true ? { lan: true } : {}),
  };
  // Imported here so that other commands do not wait for the models’ libraries.
  const config = serverConfig(Object.fromEntries(Object.entries(given).filter(([, v]) => v !== undefined)));
  const home = updateHome();
  const next = home === null ? 'serves' : await continueUpdate(home, config);
  if (next === 'switched' || next === 'switched_back') {
    process.stderr.write(`gatehouse: ${SWITCHED_WORDS[next]}\n`);
    process.exitCode = RESTART_CODE;
    return;
  }
  if (home !== null && next === 'serves_first') endUnlessServing(home, () => process.exit(RESTART_CODE));
  const { startServer } = await import('../main.ts');
  const server = await startServer(config);
  let stopping = false;
  const stop = (code: number) => {
    if (stopping) return;
    stopping = true;
    setTimeout(cutOff, config.drainMs + SHUTDOWN_MS).unref();
    server.close().then(
      () => process.exit(code),
      (error: unknown) => {
        process.stderr.write(`gatehouse: ${visibleLines(String(error))}\n`);
        process.exit(1);
      },
    );
  };
  handleFaults(process, { log: createLogger(config.logLevel), end: () => stop(1) });
  process.on('SIGTERM', () => stop(0));
  process.on('SIGINT', () => stop(0));
  void server.restartWanted.then((reason) => {
    process.stderr.write(`gatehouse: ${RESTART_WORDS[reason]}\n`);
    stop(RESTART_CODE);
  });
  const announce = (event: 'ready' | 'moved', baseUrl: string) =>
    print(
      JSON.stringify({
        event,
        base_url: baseUrl,
        connect_url: server.connectUrl,
        console_url: server.consoleUrl,
      }),
    );
  announce('ready', server.baseUrl);
  server.onMoved((baseUrl) => announce('moved', baseUrl));
}
