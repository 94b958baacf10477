/** Vitest's set-up of the project `postgres`: one server, and a database with the schema to copy for each test. */
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { openPostgres } from '../../server/store/sql/postgres.ts';
import { findPostgres, startPostgres, testUrl } from './server.ts';
import { TEMPLATE } from './lease.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The folder of PostgreSQL's socket. */
    postgresFolder: string;
  }
}

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const bin = findPostgres();
  if (bin === undefined) throw new Error('PostgreSQL is not installed.');
  const { folder, stop } = await startPostgres(bin);
  const client = new pg.Client({ connectionString: testUrl(folder, 'postgres') });
  await client.connect();
  await client.query(`CREATE DATABASE ${TEMPLATE}`);
  await client.end();
  await (await openPostgres({ url: testUrl(folder, TEMPLATE) })).close();
  project.provide('postgresFolder', folder);
  return stop;
}
