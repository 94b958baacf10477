import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { tempDir } from '../testing/store/temp-store.ts';
import { limitMs } from '../testing/tier.ts';
import { withoutRoot } from '../testing/service/without-root.ts';
import { serverConfig } from './config.ts';
import { previousDatabaseName } from './data/finish-restore.ts';
import { openDatabase } from './data/folder.ts';
import { ownDataDir } from './data/lock.ts';
import { startServer } from './main.ts';
import { lastAutomaticBackup } from './services/backup/automatic.ts';
import { backupHistory } from './services/backup/history.ts';
import { createCompany } from './services/companies/companies.ts';
import { writeSetting } from './store/settings.ts';

const DAY_MS = 86_400_000;
const BALLAST_BYTES = 4 * 1024 ** 2;
const TWO_STARTS = { timeout: limitMs(30_000) };

/** A data folder whose last backup would be two days old. */
async function folderOfTwoDays(): Promise<{ dataDir: string; at: number }> {
  const dataDir = tempDir();
  const db = await openDatabase(dataDir);
  const at = Date.now() - 2 * DAY_MS;
  await createCompany(db, { now: () => at }, { name: 'Venue', actor: 'cli' });
  await db.close();
  return { dataDir, at };
}

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
  const { dataDir, at } = await folderOfTwoDays();
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

/** In a process of its own, because servers of one process would share its locks. Resolves when it serves. */
async function startProcess(dataDir: string): Promise<ChildProcess> {
  const at = (file: string) => JSON.stringify(path.join(import.meta.dirname, file));
  const none = JSON.stringify(path.join(dataDir, 'none'));
  const script = `
    import { serverConfig } from ${at('config.ts')};
    import { startServer } from ${at('main.ts')};
    const config = serverConfig({ dataDir: ${JSON.stringify(dataDir)}, port: '0', consolePort: '0' });
    const server = await startServer({ ...config, modelDir: ${none}, pagesDir: ${none}, logLevel: 'silent' });
    process.once('SIGTERM', () => void server.close());
    process.stdout.write('serving');`;
  // Not as an argument, which the server’s threads would inherit.
  const file = path.join(tempDir(), 'serve.mjs');
  writeFileSync(file, script);
  const child = spawn(process.execPath, [file], { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child.stdout, 'data');
  return child;
}

/** A folder whose backup of the night takes a while. */
async function folderWithBallast(): Promise<{ dataDir: string; backups: () => string[] }> {
  const { dataDir } = await folderOfTwoDays();
  const db = await openDatabase(dataDir);
  const ballast = randomBytes(4 * BALLAST_BYTES).toString('base64');
  await db.tx((tx) => writeSetting(tx, 'ballast', ballast));
  await db.close();
  const folder = path.join(dataDir, 'backups');
  return { dataDir, backups: () => (existsSync(folder) ? readdirSync(folder) : []) };
}

const DRAFT = { timeout: limitMs(10_000), interval: 2 };

it('the end of the service gives up the backup of the night, and leaves nothing of it', async () => {
  const { dataDir, backups } = await folderWithBallast();
  const server = await start(dataDir, 0);
  await expect.poll(backups, DRAFT).not.toEqual([]);
  await server.close();
  expect(backups()).toEqual([]);
  const db = await openDatabase(dataDir);
  onTestFinished(() => db.close());
  expect(await backupHistory(db)).toEqual({ lastGoodAt: null, failure: null });
});

const KILLED = { timeout: limitMs(45_000) };

it('what a killed backup left is removed by the next start, and nothing else', KILLED, async () => {
  const { dataDir, backups } = await folderWithBallast();
  const killed = await startProcess(dataDir);
  await expect.poll(backups, DRAFT).not.toEqual([]);
  const end = once(killed, 'exit');
  killed.kill('SIGKILL');
  await end;
  const left = backups();
  expect(left.join()).toMatch(/\.(snapshot|partial|check)/);
  const others = [
    'letter.snapshot',
    left[0]!.replace(/\.[0-9a-f]{16}-/, '.0123456789abcdef-'),
    'by-hand-2030-05-15T030000Z.gatehouse-backup',
  ];
  for (const name of others) writeFileSync(path.join(dataDir, 'backups', name), 'mine');
  const server = await start(dataDir, 0);
  const nightly = /^nightly-[^.]+\.gatehouse-backup$/;
  await expect
    .poll(() => backups().filter((name) => !others.includes(name)), { timeout: limitMs(20_000) })
    .toEqual([expect.stringMatching(nightly)]);
  expect(backups()).toEqual(expect.arrayContaining(others));
  await server.close();
});

it('of two servers on one data folder, one makes the backup of the night', TWO_STARTS, async () => {
  const { dataDir } = await folderOfTwoDays();
  const db = await openDatabase(dataDir);
  onTestFinished(() => db.close());
  // Makes the backup take longer than the difference between the two starts.
  const ballast = randomBytes(BALLAST_BYTES).toString('base64');
  await db.tx((tx) => writeSetting(tx, 'ballast', ballast));
  const servers = await Promise.all([startProcess(dataDir), startProcess(dataDir)]);
  await expect.poll(() => lastAutomaticBackup(db), TWO_STARTS).not.toBeNull();
  // An unfinished backup has further files.
  await expect.poll(() => readdirSync(path.join(dataDir, 'backups')), TWO_STARTS).toHaveLength(1);
  const made = "SELECT COUNT(*) AS made FROM audit_entries WHERE action = 'backup.create'";
  expect(await db.one(made)).toEqual({ made: 1 });
  const ends = servers.map((server) => once(server, 'exit'));
  for (const server of servers) server.kill();
  expect(await Promise.all(ends)).toEqual([
    [0, null],
    [0, null],
  ]);
});
