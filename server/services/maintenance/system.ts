/** The database and the nodes of the installation, as admins see them in the console. */
import { hostname } from 'node:os';
import product from '../../../package.json' with { type: 'json' };
import type { SystemNode, SystemState } from '../../contract/console/settings.ts';
import { readDatabase } from '../../store/maintenance/database.ts';
import { listNodes } from '../../store/maintenance/nodes.ts';
import { iso } from '../wire/values.ts';
import type { Ports } from '../ports/ports.ts';
import type { FaceIndex } from '../matching/face-index.ts';
import { NODE_SILENT_MS } from '../../store/sql/key-rotation.ts';
import type { ServiceNode } from './nodes.ts';

/** A node that died stays in the list for this long. */
const SHOWN_MS = 24 * 60 * 60_000;
const SINGLE_NODE_ID = 'single';

type Deps = Pick<Ports, 'db' | 'clock' | 'addresses'> & {
  faceIndex: FaceIndex;
  node: Pick<ServiceNode, 'status'>;
};

export async function readSystem(deps: Deps): Promise<SystemState> {
  const { db, node } = deps;
  const { version, bytes } = await readDatabase(db);
  const own = node.status();
  return {
    database: { engine: db.engine, version, bytes, refuses_writes: db.refusesWrites() },
    nodes: own === null ? [await singleNode(deps)] : await nodesOf(deps, own.id),
  };
}

async function singleNode({ clock, faceIndex, addresses }: Deps): Promise<SystemNode> {
  const now = clock.now();
  return {
    node_id: SINGLE_NODE_ID,
    name: hostname(),
    is_this: true,
    state: 'serving',
    role: 'leader',
    version: product.version,
    index_lag: await faceIndex.lag(),
    started_at: iso(now - Math.round(process.uptime() * 1_000)),
    seen_at: iso(now),
    addresses: [...addresses()],
  };
}

async function nodesOf({ db }: Deps, ownId: string): Promise<SystemNode[]> {
  const nodes = await listNodes(db, SHOWN_MS);
  return nodes.map((node) => {
    const isGone = node.silentMs >= NODE_SILENT_MS;
    return {
      node_id: node.id,
      name: node.name,
      is_this: node.id === ownId,
      state: isGone ? 'gone' : node.state,
      // The row of a dead leader still says that it leads.
      role: node.isLeader && !isGone ? 'leader' : 'member',
      version: node.version,
      index_lag: node.indexLag,
      started_at: iso(node.startedAt),
      seen_at: iso(node.seenAt),
      addresses: node.addresses,
    };
  });
}
