/** Clocks for a server under test, so that a day passes in a moment. */
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { ClockLead } from './moved-clock.ts';

export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;

export type TestClock = Disposable & {
  /** Settings for `startGatehouse`. */
  readonly env: Record<string, string>;
  /** Sets the wall clock ahead, or back if negative. Takes effect before it resolves. */
  advance(byMs: number): Promise<void>;
  /** Lets time pass, on the steady clock as well. Timers do not move. Takes effect before it resolves. */
  pass(byMs: number): Promise<void>;
  remove(): void;
};

/** The server reads the file again within 20 ms. */
const TAKES_EFFECT_MS = 100;

export async function testClock(): Promise<TestClock> {
  const folder = await mkdtemp(path.join(tmpdir(), 'gatehouse-clock-'));
  const file = path.join(folder, 'lead');
  const lead: ClockLead = { setMs: 0, passedMs: 0 };
  const write = () => {
    // Renamed into place, because a reader could find a half-written file empty.
    writeFileSync(`${file}.next`, JSON.stringify(lead));
    renameSync(`${file}.next`, file);
  };
  const move = async (clock: keyof ClockLead, byMs: number) => {
    lead[clock] += byMs;
    write();
    await new Promise((resolve) => setTimeout(resolve, TAKES_EFFECT_MS));
  };
  write();
  const remove = () => rmSync(folder, { recursive: true, force: true });
  return {
    env: {
      TEST_CLOCK_FILE: file,
      NODE_OPTIONS: `--import ${pathToFileURL(path.join(import.meta.dirname, 'moved-clock.ts')).href}`,
    },
    advance: (byMs) => move('setMs', byMs),
    pass: (byMs) => move('passedMs', byMs),
    remove,
    [Symbol.dispose]: remove,
  };
}
