/** This process among the nodes that serve one PostgreSQL: what it reports of itself, and when it drains. */
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { SCHEMA_VERSION } from '../../store/schema/migrate.ts';
import { removeNodes, saveNode, schemaVersionNow } from '../../store/maintenance/nodes.ts';
import type { Database } from '../../store/sql/port.ts';
import type { Clock } from '../clock.ts';
import type { FaceIndex } from '../matching/face-index.ts';

/** After this long without a report, a node counts as gone. It reports several times within it. */
export const NODE_SILENT_MS = 60_000;

export type NodeStatus = {
  id: string;
  role: 'leader' | 'member';
  /** Changes of faces that the node's index had not read at the last report; each search reads them first. */
  indexLag: number;
  /** `outdated`: a newer version has changed the schema, so this node must be replaced. */
  state: 'serving' | 'draining' | 'outdated';
};

export type ServiceNode = {
  /** Null on SQLite, which one node serves alone. */
  status: () => NodeStatus | null;
  /** Writes the node's row, and looks whether a newer version has changed the schema. */
  report: () => Promise<void>;
  /** From now on `/readyz` says so, and the load balancer sends nothing more. */
  drain: () => Promise<void>;
  /** Removes the node's row. */
  remove: () => Promise<void>;
};

export const SINGLE_NODE: ServiceNode = {
  status: () => null,
  report: async () => undefined,
  drain: async () => undefined,
  remove: async () => undefined,
};

/** @param of the key that this node seals with, by its id, and the version of Gatehouse */
export function createNode(
  { db, clock, faceIndex }: { db: Database; clock: Clock; faceIndex: Pick<FaceIndex, 'lag' | 'catchUpAll'> },
  isLeader: () => boolean,
  of: { keyId: string; version: string },
): ServiceNode {
  const id = randomUUID();
  const startedAt = clock.now();
  let state: NodeStatus['state'] = 'serving';
  let indexLag = 0;

  const save = () =>
    saveNode(
      { run: db.write },
      {
        ...of,
        id,
        name: hostname(),
        state: state === 'serving' ? 'serving' : 'draining',
        isLeader: isLeader(),
        indexLag,
        startedAt,
        seenAt: clock.now(),
      },
    );

  return {
    status: () => ({ id, role: isLeader() ? 'leader' : 'member', indexLag, state }),
    async report() {
      if (state === 'serving' && (await schemaVersionNow(db)) > SCHEMA_VERSION) state = 'outdated';
      indexLag = await faceIndex.lag();
      await save();
      // A statement of an outdated node could fail on the newer schema.
      if (state === 'serving') await faceIndex.catchUpAll();
    },
    async drain() {
      state = 'draining';
      await save();
    },
    remove: async () => {
      await removeNodes({ run: db.write }, id, clock.now() - NODE_SILENT_MS);
    },
  };
}
