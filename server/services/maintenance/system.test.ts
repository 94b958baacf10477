import { expect, it } from 'vitest';
import { testInstallation } from '../../../testing/service/installation.ts';
import { openTestService } from '../../../testing/service/temp-service.ts';
import { onSqlite } from '../../../testing/store/temp-store.ts';
import { SINGLE_NODE, startNode } from './nodes.ts';
import { readSystem } from './system.ts';

it.runIf(onSqlite)('on SQLite, one node leads and serves', async () => {
  const { deps, clock } = await openTestService();
  const system = await readSystem({ ...deps, ...testInstallation(deps.db, clock), node: SINGLE_NODE });
  expect(system.database).toMatchObject({
    engine: 'sqlite',
    refuses_writes: false,
    version: expect.stringMatching(/^3\./) as string,
  });
  expect(system.database.bytes).toBeGreaterThan(100_000);
  expect(system.nodes).toMatchObject([
    { is_this: true, state: 'serving', role: 'leader', index_lag: 0, addresses: ['127.0.0.1:4180'] },
  ]);
});

it.skipIf(onSqlite)(
  'on PostgreSQL, every node is listed, and one that stopped reporting is gone',
  async () => {
    const { deps, clock } = await openTestService();
    const start = (isLeader: boolean, port: number) =>
      startNode({
        db: deps.db,
        lead: { isLeader: () => isLeader, resign: async () => undefined },
        version: '2.0.0',
        addresses: () => [`10.0.0.1:${port}`],
        drainMs: 0,
        wait: async () => undefined,
      });
    const own = await start(true, 4180);
    await start(false, 4190);
    await deps.db.write('UPDATE nodes SET seen_at = seen_at - 60000, is_leader = 1 WHERE is_leader = 0');
    const system = await readSystem({ ...deps, ...testInstallation(deps.db, clock), node: own });
    expect(system.database).toMatchObject({
      engine: 'postgres',
      version: expect.stringMatching(/^\d/) as string,
    });
    expect(system.database.bytes).toBeGreaterThan(100_000);
    // Nodes of one moment are listed in any order.
    expect(system.nodes.toSorted((a, b) => (a.addresses < b.addresses ? -1 : 1))).toMatchObject([
      { is_this: true, state: 'serving', role: 'leader', version: '2.0.0', addresses: ['10.0.0.1:4180'] },
      { is_this: false, state: 'gone', role: 'member', version: '2.0.0', addresses: ['10.0.0.1:4190'] },
    ]);
  },
);
