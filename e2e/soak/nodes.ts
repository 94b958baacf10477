/** Nodes on a PostgreSQL with a synchronous standby, behind a load balancer. */
import { setTimeout as sleep } from 'node:timers/promises';
import { send } from '../support/http.ts';
import { initialize } from '../support/run.ts';
import { type Gatehouse, startGatehouse } from '../support/service/server.ts';
import { openPostgres } from '../../server/store/sql/postgres/driver.ts';
import { startPostgresPair } from '../../testing/postgres/pair.ts';
import { findPostgres, testKeys } from '../../testing/postgres/server.ts';
import { startLoadBalancer } from './load-balancer.ts';
import { type Kill, READY_TIMEOUT_MS, restart, type Site } from './site.ts';

const LOOK_MS = 50;
/** Beyond this, the nodes have not found the new primary. */
const FAIL_OVER_MS = 60_000;

/**
 * Kills one node at a time, by turns the leader and any other, and once in the second half the primary, whose standby is
 * promoted.
 * @throws where PostgreSQL is not installed
 */
export async function startNodes(count: number, env: Record<string, string>): Promise<Site> {
  const bin = findPostgres();
  if (bin === undefined) throw new Error('PostgreSQL is not installed (apt-get install postgresql).');
  const balancer = await startLoadBalancer();
  const databases = await startPostgresPair(bin);
  const nodes: Gatehouse[] = [];
  const stop = async () => {
    await balancer.close();
    try {
      await Promise.all(nodes.map((node) => node.stop()));
    } finally {
      await databases.stop();
    }
  };
  try {
    const url = await databases.newDatabase('gatehouse');
    const settings = { ...env, GATEHOUSE_DATABASE_URL: url, GATEHOUSE_DRAIN_SECONDS: '0' };
    for (let n = 0; n < count; n += 1)
      nodes.push(await startGatehouse({ env: settings, readyTimeoutMs: READY_TIMEOUT_MS }));
    balancer.serve(nodes.map(({ baseUrl }) => baseUrl));
    const [first] = nodes as [Gatehouse];

    let running: Promise<unknown> = Promise.resolve();
    let kills = 0;
    let isPromoted = false;

    async function failOver(): Promise<Kill> {
      const back = Promise.withResolvers<null>();
      running = back.promise;
      isPromoted = true;
      balancer.cutFailures(true);
      const startMs = performance.now();
      try {
        await databases.failOver();
        await Promise.all(nodes.map((node) => commitsAgain(node)));
      } finally {
        balancer.cutFailures(false);
        back.resolve(null);
      }
      return { what: 'primary', readyAfterMs: performance.now() - startMs, failedStarts: [] };
    }

    return {
      baseUrl: balancer.url,
      company: first.company,
      cli: (args) => first.cli(args),
      running: () => running,
      async kill(random, isSecondHalf) {
        if (isSecondHalf && !isPromoted) return failOver();
        kills += 1;
        const roles = await Promise.all(nodes.map(roleOf));
        const leader = roles.indexOf('leader');
        const drawn = Math.floor(random.between(0, count));
        const chosen = kills % 2 === 1 && leader !== -1 ? leader : drawn;
        const what = chosen === leader ? 'leader' : 'node';
        return { what, ...(await restart(nodes[chosen] as Gatehouse)) };
      },
      openDatabase: () => openPostgres({ url, keys: testKeys }),
      async end() {
        await Promise.all(nodes.map((node) => node.kill9()));
        return [];
      },
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function roleOf({ baseUrl }: Gatehouse): Promise<string> {
  const { body } = await send<{ node?: { role: string } }>(`${baseUrl}/readyz`);
  return body.node?.role ?? 'unknown';
}

/** Waits until the node commits again. @throws where it does not */
async function commitsAgain({ baseUrl, company }: Gatehouse): Promise<void> {
  const deadlineMs = Date.now() + FAIL_OVER_MS;
  for (;;) {
    try {
      await initialize({ baseUrl }, company.keys.sk_test);
      return;
    } catch (error) {
      if (Date.now() > deadlineMs) throw error;
      await sleep(LOOK_MS);
    }
  }
}
