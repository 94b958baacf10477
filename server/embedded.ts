/**
 * Entry of the server inside the desktop app: the command line, started and stopped by messages, because Windows has
 * no SIGTERM and the database's key must not be on the command line or in the environment. Works as a child process of
 * Node and as Electron's utility process, which has a `parentPort` instead of `send`.
 */
import { setDesktopShell } from './data/desktop-shell.ts';
import { injectKey } from './data/injected-key.ts';

/** `start` comes first; its key is null if the server reads its own key file. */
type Start = { type: 'start'; key: string | null; isInstalled: boolean; recovers: boolean };
type Message = Start | { type: 'stop' };
type ParentPort = { on(event: 'message', listener: (message: { data: unknown }) => void): void };

const stop = () => {
  // Shutdown handlers are registered once start-up has finished.
  if (!process.emit('SIGTERM')) process.exit(0);
};

const { key, ...shell } = await new Promise<Start>((resolve) => {
  const take = (message: unknown) => {
    // The desktop app comes from the same build, and nothing else has this channel.
    const received = message as Message;
    if (received.type === 'start') resolve(received);
    else stop();
  };
  const { parentPort } = process as { parentPort?: ParentPort };
  parentPort?.on('message', ({ data }) => take(data));
  process.on('message', take);
  // The desktop app is gone, so nothing else would end this process.
  process.on('disconnect', stop);
});
if (key !== null) injectKey(key);
setDesktopShell(shell);

await import('./cli.ts');
// After a failed start, the message channel alone must not keep this process alive.
if (process.exitCode) process.stderr.write('', () => process.exit());
