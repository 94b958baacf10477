import { expect, it } from 'vitest';
import { openTestService } from '../../../testing/service/temp-service.ts';
import { onSqlite } from '../../../testing/service/temp-store.ts';
import { testKeys } from '../../../testing/postgres/server.ts';
import { listNodes } from '../../store/maintenance/nodes.ts';
import { createNode, NODE_SILENT_MS } from './nodes.ts';
import { OldKeyInUse, rotateDatabaseKey } from './database-key.ts';

it.skipIf(onSqlite)(
  'a node reports itself, drains for a newer schema, and is gone when it stops',
  async () => {
    const { deps, clock } = await openTestService();
    const { db } = deps;
    const node = createNode(deps, () => true, { keyId: 'old', version: '1.0.0' });
    await node.report();
    const [row] = await listNodes(db, clock.now() - NODE_SILENT_MS);
    expect(row).toMatchObject({ keyId: 'old', version: '1.0.0', state: 'serving', isLeader: true });
    const rotation = { reason: 'test', actor: 'cli', onProgress: () => undefined } as const;
    await expect(rotateDatabaseKey(db, clock, testKeys, rotation)).rejects.toBeInstanceOf(OldKeyInUse);
    await db.write('UPDATE schema_version SET version = version + 1');
    await node.report();
    expect(node.status()?.state).toBe('outdated');
    await db.write('UPDATE schema_version SET version = version - 1');
    await node.remove();
    expect(await listNodes(db, 0)).toEqual([]);
  },
);
