import { hostname } from 'node:os';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { leaseDatabase } from '../../../testing/postgres/lease.ts';
import { testKeys } from '../../../testing/postgres/server.ts';
import { onSqlite, openTempStore, tempDir } from '../../../testing/store/temp-store.ts';
import { listNodes } from '../../store/maintenance/nodes.ts';
import { keysInUse, NODE_SILENT_MS } from '../../store/sql/key-rotation.ts';
import type { Database } from '../../store/sql/port.ts';
import { openPostgres } from '../../store/sql/postgres/driver.ts';
import type { Secrets } from '../../store/sql/sealed-columns.ts';
import { createKeyRing, createSecrets, type KeyRing } from '../../store/sql/secrets.ts';
import { systemClock } from '../ports/clock.ts';
import { OldKeyInUse, rotateDatabaseKey } from './database-key.ts';
import { type NodeDeps, startNode } from './nodes.ts';

const rotation = { reason: 'test', actor: 'cli', onProgress: () => undefined } as const;
const DRAIN_MS = 3_000;

/** A node that leads until it resigns, with a delay that the test ends. */
async function start(db: Database, change: Partial<NodeDeps> = {}) {
  const waited = Promise.withResolvers<undefined>();
  const waits: number[] = [];
  let leads = true;
  const node = await startNode({
    db,
    lead: {
      isLeader: () => leads,
      resign: async () => {
        leads = false;
      },
    },
    version: '1.0.0',
    addresses: () => ['127.0.0.1:4180'],
    drainMs: DRAIN_MS,
    wait: (ms) => {
      waits.push(ms);
      return waited.promise;
    },
    ...change,
  });
  return { ...node, waits, endWait: () => waited.resolve(undefined) };
}

const lagOf = (changes: number) => ({ lag: () => Promise.resolve(changes) });

describe.skipIf(onSqlite)('a node', () => {
  it('has a row from its start until it is removed', async () => {
    const db = await openTempStore();
    const node = await start(db);
    expect(await listNodes(db, NODE_SILENT_MS)).toMatchObject([
      { keyId: testKeys.current, version: '1.0.0', state: 'serving', isLeader: true },
    ]);
    await node.remove();
    expect(await listNodes(db, NODE_SILENT_MS)).toEqual([]);
  });

  it('reports itself before it counts the changes that its index has not read', async () => {
    const db = await openTempStore();
    const node = await start(db);
    const silent = () => db.write('UPDATE nodes SET seen_at = 0');
    await silent();
    const index = { lag: () => Promise.reject(new Error('rebuilding')) };
    await expect(node.report(index)).rejects.toThrow('rebuilding');
    expect(await listNodes(db, NODE_SILENT_MS)).toHaveLength(1);
  });

  it('resigns as leader when a newer version has changed the schema', async () => {
    const db = await openTempStore();
    const node = await start(db);
    await node.report(lagOf(7));
    expect(node.status()).toMatchObject({ state: 'serving', role: 'leader', indexLag: 7 });
    await db.write('UPDATE schema_version SET version = version + 1');
    await node.report(lagOf(0));
    await db.write('UPDATE schema_version SET version = version - 1');
    expect(node.status()).toMatchObject({ state: 'outdated', role: 'member' });
    expect(await listNodes(db, NODE_SILENT_MS)).toMatchObject([{ state: 'draining', isLeader: false }]);
  });

  it('whose report is not committed says so until one is', async () => {
    const db = await openTempStore();
    const [begun, committed] = [Promise.withResolvers<undefined>(), Promise.withResolvers<number>()];
    let hangs = false;
    const write: Database['write'] = (...statement) => {
      if (!hangs) return db.write(...statement);
      begun.resolve(undefined);
      return committed.promise;
    };
    const node = await start({ ...db, write });
    hangs = true;
    const reporting = node.report(lagOf(0));
    await begun.promise;
    expect(node.status()).toMatchObject({ commits: true });
    const later = performance.now() + 6_000;
    const now = vi.spyOn(performance, 'now').mockReturnValue(later);
    expect(node.status()).toMatchObject({ commits: false });
    now.mockRestore();
    committed.resolve(1);
    await reporting;
    expect(node.status()).toMatchObject({ commits: true });
  });

  it('drains immediately when it is alone', async () => {
    const node = await start(await openTempStore());
    await node.drain();
    expect(node.status()).toMatchObject({ state: 'draining', role: 'member' });
  });

  it('with other nodes serving, drains after the load balancer has noticed', async () => {
    const db = await openTempStore();
    const [node] = [await start(db), await start(db)];
    const drained = node.drain();
    await expect.poll(async () => (await listNodes(db, NODE_SILENT_MS))[0]?.state).toBe('draining');
    expect(node.waits).toEqual([DRAIN_MS]);
    node.endWait();
    await drained;
  });
});

describe.skipIf(onSqlite)('a new first key', () => {
  const newKey = Buffer.alloc(32, 9);
  const oldKeys = [...testKeys.keys.values()];
  const openWith = async (url: string, keys: readonly Buffer[]) => {
    const db = await openPostgres({ url, keys: createKeyRing(keys), poolSize: 3 });
    onTestFinished(() => db.close());
    return db;
  };

  it('that a running node lacks is refused, and by its own name', async () => {
    const url = await leaseDatabase(tempDir());
    const old = await openWith(url, oldKeys);
    const node = await start(old);
    await expect(openWith(url, [newKey, ...oldKeys])).rejects.toMatchObject({
      code: 'database_key_missing',
      message: expect.stringContaining(hostname()) as string,
    });
    expect(await keysInUse(old)).toEqual([testKeys.current]);
    await node.remove();
    await openWith(url, [newKey, ...oldKeys]);
  });

  it('is refused while a node of an earlier version runs, which does not say which keys it has', async () => {
    const url = await leaseDatabase(tempDir());
    const old = await openWith(url, [...oldKeys, newKey]);
    await start(old);
    await old.write(`UPDATE nodes SET key_ids = '[]'`);
    await expect(openWith(url, [newKey, ...oldKeys])).rejects.toMatchObject({ code: 'database_key_missing' });
  });

  it('that every running node has is accepted', async () => {
    const url = await leaseDatabase(tempDir());
    await start(await openWith(url, [...oldKeys, newKey]));
    await start(await openWith(url, [newKey, ...oldKeys]));
  });

  it('of two nodes that start together, with a key each that the other lacks, is accepted for one at most', async () => {
    const url = await leaseDatabase(tempDir());
    const otherKey = Buffer.alloc(32, 8);
    const [one, other] = [
      await openWith(url, [...oldKeys, newKey]),
      await openWith(url, [...oldKeys, otherKey]),
    ];
    // As if each had begun to start with its new key before the other had a row.
    const rings = [createKeyRing([newKey, ...oldKeys]), createKeyRing([otherKey, ...oldKeys])] as const;
    const started = await Promise.allSettled([
      start({ ...one, tx: withSecrets(one, createSecrets(rings[0])), secrets: createSecrets(rings[0]) }),
      start({ ...other, tx: withSecrets(other, createSecrets(rings[1])), secrets: createSecrets(rings[1]) }),
    ]);
    expect(started.filter(({ status }) => status === 'fulfilled').length).toBeLessThan(2);
  });

  it('that others began to use while a node was stopped makes that node not ready', async () => {
    const url = await leaseDatabase(tempDir());
    const old = await openWith(url, oldKeys);
    const node = await start(old);
    await old.write('UPDATE nodes SET seen_at = 0');
    await openWith(url, [newKey, ...oldKeys]);
    await node.report(lagOf(0));
    expect(node.status()).toMatchObject({ state: 'key_missing', role: 'member' });
  });
});

/** A process whose transactions seal with other keys. */
const withSecrets =
  (db: Database, secrets: Secrets): Database['tx'] =>
  (work, lock) =>
    db.tx((tx) => work({ ...tx, secrets }), lock);

describe.skipIf(onSqlite)('the rotation of the key', () => {
  async function openWith(url: string, keys: KeyRing): Promise<Database> {
    const db = await openPostgres({ url, keys, poolSize: 3 });
    onTestFinished(() => db.close());
    return db;
  }
  const newer = createKeyRing([Buffer.alloc(32, 7), ...testKeys.keys.values()]);
  const newerLast = createKeyRing([...testKeys.keys.values(), Buffer.alloc(32, 7)]);

  it('is refused while a node seals with another key', async () => {
    const url = await leaseDatabase(tempDir());
    await start(await openWith(url, newerLast));
    const rotated = rotateDatabaseKey(await openWith(url, newer), systemClock, rotation);
    await expect(rotated).rejects.toBeInstanceOf(OldKeyInUse);
  });

  it('keeps the key of a node whose slow start made it look dead', async () => {
    const url = await leaseDatabase(tempDir());
    const [old, rotating] = [await openWith(url, newerLast), await openWith(url, newer)];
    const node = await start(old);
    await old.write('UPDATE nodes SET seen_at = 0');
    await rotateDatabaseKey(rotating, systemClock, rotation);
    expect(await keysInUse(old)).toEqual([newer.current]);
    await node.announce();
    expect(await keysInUse(old)).toContain(testKeys.current);
    const again = rotateDatabaseKey(rotating, systemClock, rotation);
    await expect(again).rejects.toBeInstanceOf(OldKeyInUse);
  });

  it('never retires the key of a node that starts meanwhile', async () => {
    const url = await leaseDatabase(tempDir());
    const [old, rotating] = [await openWith(url, newerLast), await openWith(url, newer)];
    const rotate = () =>
      rotateDatabaseKey(rotating, systemClock, rotation).catch((error: unknown) => {
        expect(error).toBeInstanceOf(OldKeyInUse);
      });
    // The old process has opened the database but is not a node yet.
    await rotate();
    expect(await keysInUse(old)).toEqual([newer.current]);
    for (let round = 0; round < 10; round += 1) {
      const [node] = await Promise.all([start(old), rotate()]);
      expect(await keysInUse(old)).toContain(testKeys.current);
      await node.remove();
    }
  });
});
