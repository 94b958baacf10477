/**
 * `npm run soak -- --minutes=60`: a server at a venue's rate of visitors, killed (SIGKILL) every minute. Prints the
 * acknowledged and the lost results; exits 1 if any are lost. `--per-minute=30` visitors, `--kill-every=60` seconds,
 * `--seed=1`: the same visitors and kills again; `--no-camera` leaves the face engine out.
 */
import { cpus } from 'node:os';
import { numberOption } from '../bench/options.ts';
import { percentile } from '../bench/result.ts';
import { renderClips, type Clips } from '../testing/camera/clips.ts';
import { personA, personB } from '../testing/camera/people.ts';
import { ensureAssets } from './assets/ensure.ts';
import { progressOn } from './assets/progress.ts';
import { runSoak } from './soak/run.ts';

const MINUTE_MS = 60_000;
const SHOWN_FAULTS = 20;
/** Enough that a run of some minutes meets several, each of which holds its call for a minute. */
const REFUSE_ONE_IN = 25;

const people: Clips[] = [];
if (!process.argv.includes('--no-camera')) {
  await ensureAssets('test', progressOn(process.stderr));
  people.push(await renderClips(personA), await renderClips(personB));
}
const minutes = numberOption('minutes', 60);
const report = await runSoak({
  durationMs: minutes * MINUTE_MS,
  killEveryMs: numberOption('kill-every', 60) * 1_000,
  visitorsPerMinute: numberOption('per-minute', 30),
  seed: numberOption('seed', 1),
  people,
  refuseOneIn: REFUSE_ONE_IN,
  onKill: (kills, { sessions, verdicts, faults }) => {
    console.error(
      `kill ${kills}: ${sessions.size} sessions, ${verdicts.length} verdicts, ${faults.length} faults`,
    );
  },
});

const { visitors, turnedAway, kills, restartsMs, failedStarts, deliveries, interrupted, captures, faults } =
  report;
console.log(`${cpus()[0]?.model ?? 'unknown processor'}, ${minutes} minutes, Node ${process.version}`);
console.table(
  report.findings.map(({ what, acknowledged, lost }) => ({ what, acknowledged, lost: lost.length })),
);
console.log(
  [
    `${visitors} visitors (${turnedAway} turned away), ${captures} real captures, ${deliveries} webhook deliveries`,
    `${kills} kills, ${interrupted} calls cut off by one and made again`,
    `ready again after ${Math.round(percentile(restartsMs, 0.5))} ms (median), ${Math.round(percentile(restartsMs, 1))} ms at most, ${failedStarts.length} starts failed`,
    `audit log of ${report.auditEntries} entries intact, database of ${Math.round(report.databaseBytes / 1_024)} KiB`,
  ].join('\n'),
);
const lost = report.findings.flatMap(({ what, lost: of }) => of.map((one) => `${what}: ${one}`));
for (const problem of [...lost, ...faults, ...failedStarts].slice(0, SHOWN_FAULTS)) console.error(problem);
process.exitCode = lost.length + faults.length === 0 ? 0 : 1;
