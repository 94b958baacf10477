/** A separate screen with a window manager, so that no window appears on a developer's desktop and none is needed. */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createInterface } from 'node:readline';

const XVFB = '/usr/bin/Xvfb';
/** Without one, nothing is brought to the front and nothing fills the screen. */
const WINDOW_MANAGER = '/usr/bin/openbox';

/** What is missing for a screen; null if nothing is. */
export function whyNoDisplay(): string | null {
  if (!existsSync(XVFB)) return 'Xvfb is not installed (apt-get install xvfb)';
  return existsSync(WINDOW_MANAGER) ? null : 'openbox is not installed (apt-get install openbox)';
}

export type Display = {
  /** Value of the environment variable `DISPLAY`. */
  name: string;
  close(): Promise<void>;
};

export async function openDisplay(): Promise<Display> {
  const server = spawn(XVFB, ['-displayfd', '1', '-screen', '0', '1400x900x24', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const endServer = ending(server);
  const number = await new Promise<string>((resolve, reject) => {
    server.once('error', reject);
    server.once('exit', () => reject(new Error('Xvfb ended before it had a display.')));
    createInterface({ input: server.stdout }).once('line', resolve);
  });
  const name = `:${number}`;
  const endManager = ending(
    spawn(WINDOW_MANAGER, ['--sm-disable'], { env: { ...process.env, DISPLAY: name }, stdio: 'ignore' }),
  );
  return {
    name,
    async close() {
      await endManager();
      await endServer();
    },
  };
}

/** Ends it; it also ends if the test runner is interrupted. */
function ending(child: ChildProcess): () => Promise<void> {
  const endWithUs = () => child.kill('SIGKILL');
  process.once('exit', endWithUs);
  const ended = new Promise<void>((resolve) => {
    child.once('close', () => resolve()).once('error', () => resolve());
  });
  return async () => {
    child.kill('SIGTERM');
    await ended;
    process.off('exit', endWithUs);
  };
}
