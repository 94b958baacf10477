/**
 * A few seconds of the soak (`npm run soak` is the long one): the checked properties hold, and the check itself is
 * reliable.
 */
import { expect, test } from '@playwright/test';
import { runSoak } from '../soak/run.ts';
import { findPostgres } from '../../testing/postgres/server.ts';
import { NIGHTLY, limitMs } from '../../testing/tier.ts';
import { prerequisite } from '../support/prerequisite.ts';
import { sqliteOnly } from '../support/sqlite-only.ts';

/** How long guests arrive; starts after kills, current visits and the rest of the outbox take additional time. */
const DURATION_MS = 15_000;
const MOST_MS = limitMs(75_000);

async function expectNothingLost(nodes: number): Promise<string[]> {
  test.setTimeout(MOST_MS);
  const report = await runSoak({
    durationMs: DURATION_MS,
    leastKills: nodes === 0 ? 1 : 2,
    killEveryMs: 5_000,
    guestsPerMinute: 120,
    seed: 1,
    nodes,
    people: [],
    refuseOneIn: 0,
  });
  test.info().annotations.push({
    type: 'measured',
    description: `${report.kills.length} kills, ${report.guests} guests, ${report.interrupted} calls cut off`,
  });
  expect(report.findings.filter(({ lost }) => lost.length > 0)).toEqual([]);
  expect(report.faults).toEqual([]);
  const acknowledged = new Map(report.findings.map(({ what, acknowledged: count }) => [what, count]));
  for (const what of ['sessions', 'verdicts', 'admitted once', 'webhooks'])
    expect(acknowledged.get(what)).toBeGreaterThan(0);
  return report.kills.map(({ what }) => what);
}

test(
  'guests of every generation under kill -9: no acknowledged data is lost, nothing is announced twice',
  { tag: NIGHTLY },
  async () => {
    sqliteOnly('Its checks read the database file; the test below reads PostgreSQL.');
    expect(await expectNothingLost(0)).toContain('server');
  },
);

test.describe('on PostgreSQL', () => {
  prerequisite(
    findPostgres() === undefined ? 'PostgreSQL is not installed (apt-get install postgresql).' : null,
  );
  test('three nodes, the leader and the primary killed: nothing acknowledged is lost, nobody is let in twice', async () => {
    expect(await expectNothingLost(3)).toEqual(expect.arrayContaining(['leader', 'primary']));
  });
});
