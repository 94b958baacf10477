import { serverConfig } from '../config.ts';
import { type CommandInput, optionalText, print } from './io.ts';

/** Everything that the end waits for has less; after this long something hangs. */
const DRAIN_MS = 10_000;
/** "Try again" (sysexits): a service manager that restarts what failed starts it on the restored data. */
const RESTART_CODE = 75;

/** Not 0, so that somebody looks. What was answered had been committed before, as before any other sudden end. */
function cutOff(): never {
  process.stderr.write(
    `gatehouse: requests still running ${DRAIN_MS / 1_000} s after shutdown began were cut off; no confirmed result is lost\n`,
  );
  process.exit(1);
}

/** Runs until SIGTERM, SIGINT or a restore from the console; prints one line of JSON when it listens. */
export async function serve(input: CommandInput): Promise<void> {
  const given = {
    dataDir: optionalText(input, 'data-dir'),
    host: optionalText(input, 'host'),
    port: optionalText(input, 'port'),
    consolePort: optionalText(input, 'console-port'),
    ...(input.values['lan'] === true ? { lan: true } : {}),
  };
  // Loaded here, so that the other commands do not wait for the models' libraries.
  const { startServer } = await import('../main.ts');
  const server = await startServer(
    serverConfig(Object.fromEntries(Object.entries(given).filter(([, v]) => v !== undefined))),
  );
  let stopping = false;
  const stop = (code: number) => {
    if (stopping) return;
    stopping = true;
    setTimeout(cutOff, DRAIN_MS).unref();
    server.close().then(
      () => process.exit(code),
      (error: unknown) => {
        process.stderr.write(`gatehouse: ${String(error)}\n`);
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', () => stop(0));
  process.on('SIGINT', () => stop(0));
  void server.restartWanted.then(() => {
    process.stderr.write('gatehouse: backup restored; the next start uses its data\n');
    stop(RESTART_CODE);
  });
  print(
    JSON.stringify({
      event: 'ready',
      base_url: server.baseUrl,
      connect_url: server.connectUrl,
      console_url: server.consoleUrl,
    }),
  );
}
