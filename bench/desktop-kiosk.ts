/** The app as a kiosk after a crash: how long it cannot be used. */
import { setTimeout as delay } from 'node:timers/promises';
import { type Desktop, openDesktop, type Running } from '../e2e/electron/desktop.ts';
import { newKioskOf } from '../e2e/electron/own-kiosk.ts';
import { startButton } from '../e2e/support/pages/kiosk.ts';
import { type BenchResult, lowerQuartile } from './support/report.ts';

const ROUNDS = 5;
const LOOK_EVERY_MS = 50;
/** A query to a page whose process ends meanwhile is never answered. */
const ANSWER_WITHIN_MS = 2_000;
const KIOSK = ['--kiosk'];

/** @param aloneMs start time of the server alone, for comparison */
export async function measureKiosk(aloneMs: number): Promise<BenchResult[]> {
  const desktop = await openDesktop();
  const pageTimes: number[] = [];
  const appTimes: number[] = [];
  try {
    let running = await paired(desktop);
    for (let round = 0; round < ROUNDS; round++) {
      pageTimes.push(await pageKilledMs(running));
      const startedMs = performance.now();
      running.app.process().kill('SIGKILL');
      await running.ended;
      running = await desktop.start(KIOSK);
      await startButton(running.window).waitFor();
      appTimes.push(performance.now() - startedMs);
    }
  } finally {
    await desktop.close();
  }
  const row = (name: string, times: readonly number[]): BenchResult => {
    const value = lowerQuartile(times);
    return { name, value, baseline: aloneMs, ratio: value / aloneMs, unit: 'ms', ok: true };
  };
  return [
    row('kiosk: page killed to a kiosk that can be touched, against the server’s start', pageTimes),
    row('kiosk: app killed and started to a kiosk that can be touched, against the server’s start', appTimes),
  ];
}

async function paired(desktop: Desktop): Promise<Running> {
  const running = await desktop.start(KIOSK);
  const { code } = await newKioskOf(desktop, running);
  const { window } = running;
  await window.getByLabel('Pairing code').fill(code);
  await window.getByRole('button', { name: 'Pair', exact: true }).click();
  await startButton(window).waitFor();
  return running;
}

/**
 * From the crash of the kiosk's page to the same screen again. Queries the app, because the driver has lost the page.
 */
async function pageKilledMs({ app }: Running): Promise<number> {
  const pid = await app.evaluate(
    ({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.webContents.getOSProcessId() ?? 0,
  );
  const startedMs = performance.now();
  process.kill(pid, 'SIGKILL');
  while (!(await isBack(app, pid))) await delay(LOOK_EVERY_MS);
  return performance.now() - startedMs;
}

function isBack(app: Running['app'], killedPid: number): Promise<boolean> {
  return app.evaluate(
    async ({ BrowserWindow }, { pid, withinMs }) => {
      const contents = BrowserWindow.getAllWindows()[0]?.webContents;
      if (!contents || contents.isCrashed() || contents.isLoading() || contents.getOSProcessId() === pid)
        return false;
      const unanswered = new Promise<boolean>((resolve) => setTimeout(resolve, withinMs, false));
      const shown = contents.executeJavaScript('document.querySelector(".attract__start") !== null');
      return Promise.race([shown as Promise<boolean>, unanswered]);
    },
    { pid: killedPid, withinMs: ANSWER_WITHIN_MS },
  );
}
