/**
 * `npm run soak -- --minutes=60`: a server with a venue's guests, killed (SIGKILL) every minute. Prints the
 * acknowledged and the lost results, and exits with 1 if any were lost. `--nodes=3` runs nodes on PostgreSQL behind a load
 * balancer, kills one of them a minute, and once the primary, whose synchronous standby takes over. `--per-minute=30`
 * guests, `--kill-every=60` seconds, `--seed=1` for the same guests and kills; `--no-camera` without the face engine.
 */
import { cpus } from 'node:os';
import { numberOption, percentile } from '../../testing/figures.ts';
import { renderClips, type Clips } from '../../testing/camera/clips.ts';
import { personA, personB } from '../../testing/camera/people.ts';
import { ensureAssets } from '../../scripts/assets/ensure.ts';
import { progressOn } from '../../scripts/assets/progress.ts';
import { runSoak } from './run.ts';

const MINUTE_MS = 60_000;
const SHOWN_FAULTS = 20;
/** High enough that a run of a few minutes has several, each of which delays its call by a minute. */
const REFUSE_ONE_IN = 25;

const people: Clips[] = [];
if (!process.argv.includes('--no-camera')) {
  await ensureAssets('test', progressOn(process.stderr));
  people.push(await renderClips(personA), await renderClips(personB));
}
const minutes = numberOption('minutes', 60);
const report = await runSoak({
  durationMs: minutes * MINUTE_MS,
  leastKills: 1,
  killEveryMs: numberOption('kill-every', 60) * 1_000,
  guestsPerMinute: numberOption('per-minute', 30),
  seed: numberOption('seed', 1),
  nodes: process.argv.some((argument) => argument.startsWith('--nodes')) ? numberOption('nodes', 3) : 0,
  people,
  refuseOneIn: REFUSE_ONE_IN,
  onKill: ({ what, readyAfterMs }, { sessions, verdicts, faults }) => {
    console.error(
      `${what} killed, ready after ${Math.round(readyAfterMs)} ms: ${sessions.size} sessions, ${verdicts.length} verdicts, ${faults.length} faults`,
    );
  },
});

const { guests, turnedAway, kills, deliveries, interrupted, captures, faults } = report;
const starts = kills.filter(({ what }) => what !== 'primary').map(({ readyAfterMs }) => readyAfterMs);
const failedStarts = kills.flatMap((kill) => kill.failedStarts);
console.log(`${cpus()[0]?.model ?? 'unknown processor'}, ${minutes} minutes, Node ${process.version}`);
console.table(
  report.findings.map(({ what, acknowledged, lost }) => ({ what, acknowledged, lost: lost.length })),
);
console.log(
  [
    `${guests} guests (${turnedAway} turned away), ${captures} real captures, ${deliveries} webhook deliveries`,
    `${kills.length} kills (${['leader', 'primary'].map((of) => `${kills.filter(({ what }) => what === of).length} of the ${of}`).join(', ')}), ${interrupted} calls cut off by one and made again`,
    `ready again after ${Math.round(percentile(starts, 0.5))} ms (median), ${Math.round(percentile(starts, 1))} ms at most, ${failedStarts.length} starts failed`,
    ...kills
      .filter(({ what }) => what === 'primary')
      .map(
        ({ readyAfterMs }) =>
          `all nodes committed again ${Math.round(readyAfterMs)} ms after the primary was killed`,
      ),
    `audit log of ${report.auditEntries} entries intact`,
  ].join('\n'),
);
const lost = report.findings.flatMap(({ what, lost: of }) => of.map((one) => `${what}: ${one}`));
for (const problem of [...lost, ...faults, ...failedStarts].slice(0, SHOWN_FAULTS)) console.error(problem);
process.exitCode = lost.length + faults.length === 0 ? 0 : 1;
