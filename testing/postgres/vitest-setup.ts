/** Vitest's set-up of the project `postgres`: one server, and a database with the schema to copy for each test. */
import type { TestProject } from 'vitest/node';
import { openPostgres } from '../../server/store/sql/postgres/driver.ts';
import { createTestDatabase, findPostgres, startPostgres, testKeys } from './server.ts';
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
  await (await openPostgres({ url: await createTestDatabase(folder, TEMPLATE), keys: testKeys })).close();
  project.provide('postgresFolder', folder);
  return stop;
}
