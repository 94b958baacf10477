/** A few seconds of the soak (`npm run soak` is the long one): what it checks holds, and the check itself can be relied on. */
import { expect, test } from '@playwright/test';
import { runSoak } from '../../scripts/soak/run.ts';
import { NIGHTLY } from '../../testing/tier.ts';

/** Visitors come for so long; starts after kills, visits under way and the outbox's end come on top. */
const DURATION_MS = 15_000;
const MOST_MS = 300_000;

test(
  'visitors of every generation under kill -9: nothing acknowledged is lost, nothing told twice',
  { tag: NIGHTLY },
  async () => {
    test.setTimeout(MOST_MS);
    const report = await runSoak({
      durationMs: DURATION_MS,
      killEveryMs: 5_000,
      visitorsPerMinute: 120,
      seed: 1,
      people: [],
      refuseOneIn: 0,
    });
    test.info().annotations.push({
      type: 'measured',
      description: `${report.kills} kills, ${report.visitors} visitors, ${report.interrupted} calls cut off`,
    });
    expect(report.findings.filter(({ lost }) => lost.length > 0)).toEqual([]);
    expect(report.faults).toEqual([]);
    expect(report.kills).toBeGreaterThan(0);
    const acknowledged = new Map(report.findings.map(({ what, acknowledged: count }) => [what, count]));
    for (const what of ['sessions', 'verdicts', 'webhooks'])
      expect(acknowledged.get(what)).toBeGreaterThan(0);
  },
);
