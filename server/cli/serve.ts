import { serverConfig } from '../config.ts';
import { type CommandInput, optionalText, print } from './io.ts';

/** After this long a request that still runs is cut off. */
const DRAIN_MS = 10_000;

/** Runs until SIGTERM or SIGINT; prints one line of JSON when it listens. */
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
  const stop = () => {
    if (stopping) return;
    stopping = true;
    setTimeout(() => process.exit(1), DRAIN_MS).unref();
    server.close().then(
      () => process.exit(0),
      (error: unknown) => {
        process.stderr.write(`gatehouse: ${String(error)}\n`);
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  print(
    JSON.stringify({
      event: 'ready',
      base_url: server.baseUrl,
      connect_url: server.connectUrl,
      console_url: server.consoleUrl,
    }),
  );
}
