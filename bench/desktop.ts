/**
 * The desktop app from its operator's view: start, crash and recovery, and its memory. With the tests' Electron on a
 * screen of its own, compared with the server alone on the same machine.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { type Desktop, openDesktop, type Running, whyNoDesktop } from '../e2e/electron/desktop.ts';
import { firstRun, signIn } from '../e2e/electron/first-run.ts';
import { ensureAssets } from '../scripts/assets/ensure.ts';
import { progressOn } from '../scripts/assets/progress.ts';
import { ensureBuilt } from '../scripts/run/built.ts';
import { ensureTestDesktop } from '../scripts/run/test-desktop.ts';
import { measureKiosk } from './desktop-kiosk.ts';
import { enrolMany } from './support/enrolled.ts';
import { memoryBytes, processTree } from './support/process-memory.ts';
import { type BenchResult, lowerQuartile } from './support/report.ts';
import { startMs } from './start.ts';

const ROUNDS = 5;
const LOOK_MS = 100;
/** A server cuts itself off after 10 s. */
const MOST_LOOKS = 150;
const IDLE_MS = 30_000;
const MEBIBYTE = 2 ** 20;

export async function run(): Promise<BenchResult[]> {
  await ensureAssets('product', progressOn(process.stderr));
  await ensureBuilt((line) => process.stderr.write(`${line}\n`));
  await ensureTestDesktop((line) => console.log(line));
  const missing = whyNoDesktop();
  if (missing !== null) {
    console.log(`The desktop app is not measured: ${missing}.`);
    return [];
  }
  const alone = await serverAloneMs();
  const desktop = await openDesktop();
  const results: BenchResult[] = [];
  try {
    results.push(...(await measure(desktop, alone)));
  } finally {
    await desktop.close();
  }
  return [...results, ...(await measureKiosk(alone))];
}

async function serverAloneMs(): Promise<number> {
  const { dataDir, remove } = await enrolMany(0, { model: 'none', length: 1 });
  const times: number[] = [];
  try {
    for (let round = 0; round < ROUNDS; round++) times.push(await startMs(dataDir));
  } finally {
    remove();
  }
  return lowerQuartile(times);
}

async function measure(desktop: Desktop, aloneMs: number): Promise<BenchResult[]> {
  let running = await desktop.start();
  await running.consoleShown();
  await firstRun(running.window);
  await delay(IDLE_MS);
  const pids = processTree(running.app.process().pid ?? 0);
  const memory = memoryBytes(pids) / MEBIBYTE;
  const serverMemory = memoryBytes(desktop.serverPids()) / MEBIBYTE;

  const startTimes: number[] = [];
  const serverTimes: number[] = [];
  const appTimes: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    serverTimes.push(await serverKilledMs(desktop, running));
    await quit(running);
    running = await timed(startTimes, () => usable(desktop));
    running.app.process().kill('SIGKILL');
    await running.ended;
    running = await timed(appTimes, () => usable(desktop));
    await signIn(running.window);
  }
  const shown = { unit: 'ms', baseline: aloneMs, ok: true };
  const row = (name: string, times: readonly number[]): BenchResult => {
    const value = lowerQuartile(times);
    return { ...shown, name, value, ratio: value / aloneMs };
  };
  return [
    row('desktop app: start to a console that can be used, against the server alone', startTimes),
    row('desktop app: server killed to a console that can be used, against the server alone', serverTimes),
    row(
      'desktop app: app killed and started to a console that can be used, against the server alone',
      appTimes,
    ),
    {
      name: `desktop app: memory of all its processes (${pids.length}) after 30 s of nothing, against the server’s`,
      value: memory,
      baseline: serverMemory,
      ratio: memory / serverMemory,
      unit: 'MiB',
      ok: true,
    },
  ];
}

/** Starts the app until the sign-in page can be used. */
async function usable(desktop: Desktop): Promise<Running> {
  const running = await desktop.start();
  await running.window.getByLabel('Name', { exact: true }).waitFor();
  return running;
}

async function quit({ app, ended }: Running): Promise<void> {
  await app.evaluate((electron) => electron.app.quit()).catch(() => undefined);
  await ended;
}

/** From the crash of the server until the same page of the console can be used again. */
async function serverKilledMs(desktop: Desktop, { window }: Running): Promise<number> {
  const pid = await onlyServer(desktop);
  const startedMs = performance.now();
  process.kill(pid, 'SIGKILL');
  await window.locator('.frame').waitFor({ state: 'detached' });
  await window.getByLabel('Name', { exact: true }).or(window.locator('.frame')).waitFor();
  return performance.now() - startedMs;
}

/** The server of a killed app may still be ending its threads when the next one already works. */
async function onlyServer(desktop: Desktop): Promise<number> {
  for (let looks = 0; looks < MOST_LOOKS; looks++) {
    const [pid, ...others] = desktop.serverPids();
    if (pid !== undefined && others.length === 0) return pid;
    await delay(LOOK_MS);
  }
  throw new Error('There is not one server alone on this data.');
}

async function timed<T>(times: number[], work: () => Promise<T>): Promise<T> {
  const startedMs = performance.now();
  const result = await work();
  times.push(performance.now() - startedMs);
  return result;
}
