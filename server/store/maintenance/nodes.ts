/**
 * The nodes that serve one PostgreSQL database. Each node updates only its own row. The row of a dead node stays, with
 * an old time. PostgreSQL only.
 */
import { fromJson, toJson } from '../rows.ts';
import { SCHEMA_VERSION } from '../schema/migrations.ts';
import type { SqlReader, SqlTx } from '../sql/port.ts';

type ServingNode = {
  id: string;
  /** Name of the machine. */
  name: string;
  version: string;
  /** ID of the key that it seals secrets with. */
  keyId: string;
  /** IDs of all its keys. Empty on a node of an earlier version. */
  keyIds: readonly string[];
  state: 'serving' | 'draining';
  isLeader: boolean;
  /** Face changes that its index has not read yet. */
  indexLag: number;
  /** Addresses that it listens on. */
  addresses: string[];
  startedAt: number;
  /** Time of the last report, by the database's clock. */
  seenAt: number;
};

/** The database's clock, because those of two machines differ. */
const NOW = 'CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000 AS BIGINT)';

type Row = Omit<ServingNode, 'isLeader' | 'addresses' | 'keyIds'> & {
  isLeader: number;
  addresses: string;
  keyIds: string;
};

/** Nodes that reported within `silentMs`, the longest serving first. */
export async function listNodes(
  db: SqlReader,
  silentMs: number,
): Promise<(ServingNode & { silentMs: number })[]> {
  const rows = await db.all<Row & { silentMs: number }>(
    `SELECT id, name, version, key_id AS keyId, key_ids AS keyIds, state, is_leader AS isLeader, index_lag AS indexLag,
       started_at AS startedAt, seen_at AS seenAt, addresses,
       ${NOW} - seen_at AS silentMs FROM nodes WHERE seen_at >= ${NOW} - ? ORDER BY started_at, id`,
    silentMs,
  );
  return rows.map((row) => ({
    ...row,
    isLeader: row.isLeader === 1,
    addresses: fromJson<string[]>(row.addresses),
    keyIds: fromJson<string[]>(row.keyIds),
  }));
}

/** One statement without a lock, because each node writes only its own row. */
export function saveNode(
  db: Pick<SqlTx, 'run'>,
  node: Omit<ServingNode, 'startedAt' | 'seenAt'>,
): Promise<number> {
  return db.run(
    `INSERT INTO nodes (id, name, version, schema_version, key_id, key_ids, state, is_leader, index_lag, addresses,
       started_at, seen_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ${NOW}, ${NOW})
     ON CONFLICT (id) DO UPDATE SET state = excluded.state, is_leader = excluded.is_leader,
       index_lag = excluded.index_lag, addresses = excluded.addresses, seen_at = excluded.seen_at`,
    node.id,
    node.name,
    node.version,
    SCHEMA_VERSION,
    node.keyId,
    toJson(node.keyIds),
    node.state,
    node.isLeader ? 1 : 0,
    node.indexLag,
    toJson(node.addresses),
  );
}

/** Whether a node that reported within `silentMs` knows an older schema only. False on SQLite, which has no nodes. */
export async function olderNodeServes(db: SqlReader, silentMs: number): Promise<boolean> {
  if ((await db.one('SELECT 1 AS found FROM nodes LIMIT 1')) === undefined) return false;
  const older = await db.one(
    `SELECT 1 AS found FROM nodes WHERE schema_version < ? AND seen_at >= ${NOW} - ? LIMIT 1`,
    SCHEMA_VERSION,
    silentMs,
  );
  return older !== undefined;
}

/** Removes a node that stops, and those that have been silent for `silentMs`. */
export function removeNodes(db: Pick<SqlTx, 'run'>, id: string, silentMs: number): Promise<number> {
  return db.run(`DELETE FROM nodes WHERE id = ? OR seen_at < ${NOW} - ?`, id, silentMs);
}

/** The current schema version, which a newer node may have changed. PostgreSQL only. */
export async function schemaVersionNow(db: SqlReader): Promise<number> {
  return (await db.one<{ version: number }>('SELECT version FROM schema_version'))?.version ?? 0;
}
