/**
 * Runs commands of the real command line one after the other in one process, which starts and loads the product only once.
 * Each run evaluates the command line itself, with the arguments, the environment and the output of a process of its own.
 */
import { pathToFileURL } from 'node:url';

export type HostRequest = { id: number; cli: string; args: readonly string[]; env: NodeJS.ProcessEnv };
export type HostReply = { id: number; code: number; stdout: string; stderr: string };

/** The exit code of a command, which sets it before it ends. */
const exitCode = (): number => Number(process.exitCode ?? 0);

async function run({ id, cli, args, env }: HostRequest): Promise<HostReply> {
  const written = { stdout: '', stderr: '' };
  const restore = (['stdout', 'stderr'] as const).map((name) => {
    const write = process[name].write.bind(process[name]);
    process[name].write = (chunk: string | Uint8Array): boolean => {
      written[name] += typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString();
      return true;
    };
    return () => void (process[name].write = write);
  });
  process.env = { ...env };
  process.argv = [process.execPath, cli, ...args];
  process.exitCode = 0;
  try {
    // A new URL each time, because a module is evaluated once per URL.
    await import(`${pathToFileURL(cli).href}?run=${id}`);
    return { id, code: exitCode(), ...written };
  } finally {
    for (const undo of restore) undo();
    process.exitCode = 0;
  }
}

let queue: Promise<void> = Promise.resolve();
process.on('message', (request: HostRequest) => {
  queue = queue.then(async () => {
    const reply = await run(request).catch((error: unknown): HostReply => ({
      id: request.id,
      code: 1,
      stdout: '',
      stderr: String(error),
    }));
    process.send?.(reply);
  });
});
process.on('disconnect', () => process.exit());
