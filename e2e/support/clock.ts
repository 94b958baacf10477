/** A clock for a server under test, so that a day passes in a moment. */
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;

export type TestClock = {
  /** Settings for `startGatehouse`. */
  readonly env: Record<string, string>;
  /** Moves it on; holds within a blink. */
  advance(byMs: number): Promise<void>;
  remove(): void;
};

export async function testClock(): Promise<TestClock> {
  const folder = await mkdtemp(path.join(tmpdir(), 'gatehouse-clock-'));
  const file = path.join(folder, 'ahead');
  let aheadMs = 0;
  writeFileSync(file, '0');
  return {
    env: {
      TEST_CLOCK_FILE: file,
      NODE_OPTIONS: `--import ${pathToFileURL(path.join(import.meta.dirname, 'moved-clock.ts')).href}`,
    },
    async advance(byMs) {
      aheadMs += byMs;
      // Renamed into place: who reads a file that is being written finds it empty, and the clock where it began.
      writeFileSync(`${file}.next`, String(aheadMs));
      renameSync(`${file}.next`, file);
      await new Promise((resolve) => setTimeout(resolve, 100));
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
