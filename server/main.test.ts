import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { tempDir } from '../testing/store/temp-store.ts';
import { withoutRoot } from '../testing/service/without-root.ts';
import { serverConfig } from './config.ts';
import { previousDatabaseName } from './data/finish-restore.ts';
import { openDatabase } from './data/folder.ts';
import { ownDataDir } from './data/lock.ts';
import { startServer } from './main.ts';
import { createCompany } from './services/companies/companies.ts';

const DAY_MS = 86_400_000;

const start = (dataDir: string, consolePort: number) =>
  startServer({
    ...serverConfig({ dataDir, port: '0', consolePort: String(consolePort) }),
    // Without models the service starts anyway, and much faster.
    modelDir: path.join(dataDir, 'none'),
    pagesDir: path.join(dataDir, 'none'),
    logLevel: 'silent',
  });

it('a start that fails stops what was started: the data is free, and the next start works', async () => {
  const dataDir = tempDir();
  const other = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void other.close());
  await once(other, 'listening');
  const { port } = other.address() as AddressInfo;
  await expect(start(dataDir, port)).rejects.toThrow(`Port ${port} on 127.0.0.1 is in use`);
  ownDataDir(dataDir).release();

  const server = await start(dataDir, 0);
  expect((await fetch(new URL('/console/api/setup', server.consoleUrl))).status).toBe(200);
  await server.close();
  await expect(fetch(server.consoleUrl)).rejects.toThrow();
  ownDataDir(dataDir).release();
});

it('a replaced database that cannot be deleted does not prevent the backup of the night', async () => {
  const dataDir = tempDir();
  const db = await openDatabase(dataDir);
  const at = Date.now() - 2 * DAY_MS;
  await createCompany(db, { now: () => at }, { name: 'Venue', actor: 'cli' });
  await db.close();
  const stuck = path.join(dataDir, previousDatabaseName(at - 30 * DAY_MS));
  mkdirSync(stuck);
  writeFileSync(path.join(stuck, 'gatehouse.db'), 'old');
  chmodSync(stuck, 0o500);
  const backups = path.join(dataDir, 'backups');
  await withoutRoot(dataDir, async () => {
    const server = await start(dataDir, 0);
    await expect.poll(() => existsSync(backups) && readdirSync(backups)).toHaveLength(1);
    await server.close();
  });
  expect(existsSync(stuck)).toBe(true);
  chmodSync(stuck, 0o700);
});
