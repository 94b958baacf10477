/**
 * Entry of the server inside the desktop app: the command line, stopped by a message, since Windows has no SIGTERM.
 * Works as a child process of Node and as Electron's utility process, which has a `parentPort` instead of `send`.
 */
type ParentPort = { on(event: 'message', listener: (message: { data: unknown }) => void): void };

const stop = () => {
  // Whoever drains listens for the signal; nobody does while the start is still under way.
  if (!process.emit('SIGTERM')) process.exit(0);
};
const stopOn = (message: unknown) => {
  if (message === 'stop') stop();
};

const { parentPort } = process as { parentPort?: ParentPort };
parentPort?.on('message', ({ data }) => stopOn(data));
process.on('message', stopOn);
// The desktop app is gone without a word: nobody else would ever end this process.
process.on('disconnect', stop);

await import('./cli.ts');
// A start that was refused: the message channel alone must not keep this process alive.
if (process.exitCode) process.stderr.write('', () => process.exit());
