/** This process as one of the nodes that serve a PostgreSQL database: what it reports, and how it drains. */
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { SCHEMA_VERSION } from '../../store/schema/migrations.ts';
import { listNodes, removeNodes, saveNode, schemaVersionNow } from '../../store/maintenance/nodes.ts';
import { confirmKey, currentKey, keysInUse, NODE_SILENT_MS } from '../../store/sql/key-rotation.ts';
import { type Database, TOPICS } from '../../store/sql/port.ts';
import type { FaceIndex } from '../matching/face-index.ts';

/** How often a node reports. */
export const NODE_EVERY_MS = 3_000;
/** A report that takes longer waits for a disk or a standby that hangs, and so would everything else. */
const REPORT_MAY_TAKE_MS = 5_000;

export type NodeStatus = {
  id: string;
  role: 'leader' | 'member';
  /** Face changes that the node's index had not read at the last report; each search reads them first. */
  indexLag: number;
  /**
   * `outdated`: a newer version has changed the schema, so this node must be replaced. `key_missing`: others seal with a
   * key that this node lacks, which can only be if it was stopped for a while.
   */
  state: 'serving' | 'draining' | 'outdated' | 'key_missing';
  /** Whether its last report was committed in time. */
  commits: boolean;
};

export type ServiceNode = {
  /** Null on SQLite, which one node serves alone. */
  status: () => NodeStatus | null;
  /** Updates the node's row. A node that finds a newer schema becomes `outdated` and resigns as leader. */
  report: (index: Pick<FaceIndex, 'lag'>) => Promise<void>;
  /**
   * Announces the node and the key that it seals with. Call it again before the node listens: a start that takes longer
   * than `NODE_SILENT_MS` looks like a dead node, whose key a rotation may retire.
   * @throws StoreError `database_key_missing`
   */
  announce: () => Promise<void>;
  /**
   * Resigns as leader and answers `/readyz` with 503. With other nodes serving, resolves after the time that a load
   * balancer needs to notice; until then this node serves as before.
   */
  drain: () => Promise<void>;
  /** Removes the node's row. */
  remove: () => Promise<void>;
};

export const SINGLE_NODE: ServiceNode = {
  status: () => null,
  report: async () => undefined,
  announce: async () => undefined,
  drain: async () => undefined,
  remove: async () => undefined,
};

export type NodeDeps = {
  db: Database;
  lead: { isLeader: () => boolean; resign: () => Promise<void> };
  version: string;
  /** Addresses that it listens on; empty until then. */
  addresses: () => readonly string[];
  /** Time between the 503 of `/readyz` and the end of the listeners. */
  drainMs: number;
  wait: (ms: number) => Promise<unknown>;
};

/**
 * Announces this process as a node. Call it before the process encrypts anything: once announced, its
 * key is not retired.
 */
export async function startNode({
  db,
  lead,
  version,
  addresses,
  drainMs,
  wait,
}: NodeDeps): Promise<ServiceNode> {
  const id = randomUUID();
  const keyId = currentKey(db);
  let state: NodeStatus['state'] = 'serving';
  const isServing = () => state === 'serving';
  let lag = 0;
  /** When the first report that is not committed yet began. */
  let waitsSinceMs: number | null = null;

  async function save(): Promise<void> {
    waitsSinceMs ??= performance.now();
    await saveNode(
      { run: db.write },
      {
        id,
        name: hostname(),
        version,
        keyId,
        keyIds: db.secrets.keyIds,
        state: state === 'serving' ? 'serving' : 'draining',
        isLeader: lead.isLeader(),
        indexLag: lag,
        addresses: [...addresses()],
      },
    );
    waitsSinceMs = null;
  }

  /** A key that others began to use while this process was stopped and counted as gone. */
  async function findState(): Promise<NodeStatus['state']> {
    if ((await schemaVersionNow(db)) > SCHEMA_VERSION) return 'outdated';
    const isKnown = (id: string) => db.secrets.keyIds.includes(id);
    return (await keysInUse(db)).every(isKnown) ? 'serving' : 'key_missing';
  }

  async function leave(): Promise<boolean> {
    await lead.resign();
    await save();
    const nodes = await listNodes(db, NODE_SILENT_MS);
    return nodes.some((node) => node.id !== id && node.state === 'serving');
  }

  async function announce(): Promise<void> {
    await save();
    // A rotation that did not see the row yet may have retired the key.
    await confirmKey(db);
    // If it was killed, its last commits were perhaps not announced to the others.
    for (const topic of TOPICS) db.announce(topic);
  }

  await announce();
  return {
    announce,
    status: () => ({
      id,
      role: lead.isLeader() ? 'leader' : 'member',
      indexLag: lag,
      state,
      commits: waitsSinceMs === null || performance.now() - waitsSinceMs < REPORT_MAY_TAKE_MS,
    }),
    async report(index) {
      if (isServing()) {
        const found = await findState();
        // It may have begun to drain meanwhile.
        if (isServing()) state = found;
        if (found !== 'serving') await lead.resign();
      }
      // First, because a rebuild of the index can delay the count below.
      await save();
      // The statement could fail on a newer schema.
      if (isServing()) lag = await index.lag();
    },
    async drain() {
      state = 'draining';
      const isOver = wait(drainMs);
      // If PostgreSQL does not answer, other nodes may still serve.
      const hasOthers = leave().catch(() => true);
      await Promise.race([isOver, hasOthers.then((others) => (others ? isOver : undefined))]);
    },
    remove: async () => {
      await removeNodes({ run: db.write }, id, NODE_SILENT_MS);
    },
  };
}
