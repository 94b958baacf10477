/**
 * Databases for tests on PostgreSQL. A worker creates few and empties them for the next test, which is much faster.
 */
import pg from 'pg';
import { inject, onTestFinished } from 'vitest';
import { createTestDatabase, testKeys, testUrl } from './server.ts';

export const TEMPLATE = 'gatehouse_template';

/** Databases in use, by the folder of the test that uses them. */
const leased = new Map<string, string>();
const free: string[] = [];
let made = 0;

/**
 * Keeps the schema and the key of the sealed columns, without which the next start would check all of them. Identities
 * begin at 1 again. Triggers and foreign keys are disabled meanwhile.
 */
const EMPTY = `DO $empty$ DECLARE entry record; BEGIN
  SET LOCAL session_replication_role = replica;
  FOR entry IN SELECT tablename FROM pg_tables WHERE schemaname = 'public' AND tablename <> 'schema_version' LOOP
    EXECUTE format('DELETE FROM %I', entry.tablename);
  END LOOP;
  FOR entry IN SELECT sequencename FROM pg_sequences WHERE schemaname = 'public' LOOP
    PERFORM setval(entry.sequencename::regclass, 1, false);
  END LOOP;
  INSERT INTO secret_keys (id) VALUES ('${testKeys.current}');
END $empty$`;

/** They stay open until the worker ends, because the first statements of a connection take four times as long. */
const connections = new Map<string, pg.Client>();

async function empty(url: string): Promise<void> {
  let client = connections.get(url);
  if (client === undefined) {
    client = new pg.Client({ connectionString: url });
    client.on('error', () => connections.delete(url));
    await client.connect();
    connections.set(url, client);
  }
  await client.query(EMPTY);
}

/** The address of an empty database, the same for the same folder until the running test ends. */
export async function leaseDatabase(folder: string): Promise<string> {
  const socket = inject('postgresFolder');
  const known = leased.get(folder);
  if (known !== undefined) return testUrl(socket, known);
  const reused = free.pop();
  const name = reused ?? `gatehouse_${process.pid}_${made++}`;
  leased.set(folder, name);
  onTestFinished(() => {
    leased.delete(folder);
    free.push(name);
  });
  if (reused === undefined) return createTestDatabase(socket, name, TEMPLATE);
  await empty(testUrl(socket, name));
  return testUrl(socket, name);
}
