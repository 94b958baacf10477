/** The disk fails: full, slow, read-only, damaged. No acknowledged data is lost, and nobody deletes a file. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, closeSync, mkdtempSync, openSync, rmSync, statSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from '@playwright/test';
import { openDatabase } from '../../server/data/folder.ts';
import { send } from '../support/http.ts';
import { apiOf, signIn } from '../support/pages/console.ts';
import { confirmation, consentedRun, initialize, settledToken } from '../support/run.ts';
import { MINUTE_MS, testClock } from '../support/service/clock.ts';
import { type Gatehouse, startGatehouse } from '../support/service/server.ts';
import { CLI } from '../support/service/command-line.ts';
import { limitMs } from '../../testing/tier.ts';
import { sqliteOnly } from '../support/sqlite-only.ts';

sqliteOnly('It fills, slows and damages the disk of the database file.');

/** A write beyond the limit fails; its signal would otherwise end the process. */
const SURVIVES_THE_LIMIT = ['sh', '-c', `trap '' XFSZ; exec "$@"`, 'sh'];
/** Fills the write-ahead log several times over. */
const MOST_CALLS = 3_000;
const PAGE_BYTES = 4_096;

/** Maximum size of the server's files. Like a full disk, it can be given more space. */
function limitFiles(pid: number, bytes: number | 'unlimited'): void {
  execFileSync('prlimit', ['--pid', String(pid), `--fsize=${bytes}:unlimited`]);
}

const isThere = async ({ baseUrl }: Gatehouse, sessionId: string): Promise<boolean> => {
  const { status } = await send(`${baseUrl}/flow/sessions/${sessionId}/open`, { body: { device: 'mobile' } });
  return status === 200;
};

async function readiness({ baseUrl }: Gatehouse) {
  const { status, body } = await send<{ status: string }>(`${baseUrl}/readyz`);
  return [status, body.status];
}

test('a full disk: writes get 503 with Retry-After, reads work, and writes work again once there is space', async () => {
  test.setTimeout(limitMs(90_000));
  await using gatehouse = await startGatehouse({ under: SURVIVES_THE_LIMIT });
  const { baseUrl, company } = gatehouse;
  const key = company.keys.sk_test;
  const token = await settledToken(gatehouse, 'alice');
  const run = await consentedRun(gatehouse, key);
  const wal = path.join(gatehouse.dataDir, 'gatehouse.db-wal');
  limitFiles(gatehouse.pid, statSync(wal).size + 64 * PAGE_BYTES);

  const acknowledged: string[] = [];
  let refusal: Awaited<ReturnType<typeof send>> | undefined;
  for (let call = 0; call < MOST_CALLS && !refusal; call++) {
    const reply = await send<{ session_id: string }>(`${baseUrl}/v3/initialize`, { key, body: {} });
    if (reply.status === 200) acknowledged.push(reply.body.session_id);
    else refusal = reply;
  }
  expect(refusal).toMatchObject({ status: 503, body: { detail: 'storage_unavailable' } });
  expect(refusal?.headers.get('retry-after')).toBe('5');
  expect(acknowledged.length).toBeGreaterThan(0);
  // A verdict that cannot be stored is not returned; stored data can be read.
  expect((await run.flow('/test-capture', { face: 'bob' })).status).toBe(503);
  expect(await confirmation(gatehouse, key, token)).toMatchObject({ verified: true });
  expect((await send(`${baseUrl}/healthz`)).status).toBe(200);
  expect(await readiness(gatehouse)).toEqual([503, 'storage_not_writable']);
  expect(gatehouse.log()).toContain('database refuses writes');

  limitFiles(gatehouse.pid, 'unlimited');
  expect((await run.flow('/test-capture', { face: 'bob' })).body).toMatchObject({ state: 'settled' });
  // Small writes that still fitted have counted as a recovery; after another refusal it takes half a minute.
  await expect.poll(() => readiness(gatehouse), { timeout: limitMs(40_000) }).toEqual([200, 'ready']);
  acknowledged.push((await initialize(gatehouse, key)).session_id);

  await gatehouse.kill9();
  await gatehouse.restart();
  const lost = await Promise.all(
    acknowledged.map(async (id) => ((await isThere(gatehouse, id)) ? [] : [id])),
  );
  expect(lost.flat()).toEqual([]);
  expect(await gatehouse.cli(['audit', 'verify'])).toMatchObject({ intact: true });
});

test('on a full disk an operator who works can read for longer than a session may be idle, and sign-in says what to do', async () => {
  using clock = await testClock();
  await using gatehouse = await startGatehouse({ under: SURVIVES_THE_LIMIT, env: clock.env });
  const operator = await signIn(gatehouse, 'admin');
  const idle = await signIn(gatehouse, 'admin');
  const wal = path.join(gatehouse.dataDir, 'gatehouse.db-wal');
  limitFiles(gatehouse.pid, statSync(wal).size);
  const { name, passphrase } = operator;
  const attempt = () =>
    send<{ error: string; message: string }>(apiOf(gatehouse, '/sign-in'), {
      body: { name, passphrase },
    });
  await expect.poll(async () => (await attempt()).body.error).toBe('storage_full');
  expect((await attempt()).body.message).toContain('Free some space');
  for (let tenMinutes = 0; tenMinutes < 3; tenMinutes++) {
    await clock.advance(10 * MINUTE_MS);
    const { database } = await operator.ok<{ database: unknown }>('/settings/system');
    expect(database).toMatchObject({ refuses_writes: true });
  }
  expect((await idle.api('/settings/system')).body).toMatchObject({ error: 'session_idle' });

  limitFiles(gatehouse.pid, 'unlimited');
  expect((await attempt()).status).toBe(200);
  await operator.ok('/settings/system');
});

test('a disk that takes seconds for a write: writes wait and succeed, reads work meanwhile', async () => {
  await using gatehouse = await startGatehouse();
  const key = gatehouse.company.keys.sk_test;
  // Another process keeps the database's only writer busy, like an overloaded disk.
  const other = await openDatabase(gatehouse.dataDir);
  try {
    const token = await settledToken(gatehouse, 'alice');
    const release = Promise.withResolvers<null>();
    const held = other.tx(() => release.promise, undefined, 'may-wait');
    let isDone = false;
    const waiting = Promise.all([
      initialize(gatehouse, key),
      consentedRun(gatehouse, key),
      initialize(gatehouse, key),
    ]).finally(() => (isDone = true));
    for (let read = 0; read < 20; read++) {
      expect(await confirmation(gatehouse, key, token)).toMatchObject({ verified: true });
    }
    expect(isDone).toBe(false);
    release.resolve(null);
    await held;
    const [first, , last] = await waiting;
    expect(await isThere(gatehouse, first.session_id)).toBe(true);
    expect(await isThere(gatehouse, last.session_id)).toBe(true);
  } finally {
    await other.close();
  }
});

test('a data folder that cannot be written: one clear sentence, nothing changed, and it starts once it can', async () => {
  const isRoot = process.getuid?.() === 0;
  await using gatehouse = await startGatehouse();
  const { dataDir } = gatehouse;
  const files = [dataDir, path.join(dataDir, 'gatehouse.db')];
  try {
    const token = await settledToken(gatehouse, 'alice');
    await gatehouse.kill9();
    for (const file of files) chmodSync(file, 0o555);
    // The superuser can write anywhere; without that capability it is like other users.
    const under = isRoot ? ['setpriv', '--bounding-set=-dac_override,-dac_read_search,-fowner', '--'] : [];
    const { code, stderr } = await serveOnce(dataDir, under);
    expect(code).toBe(1);
    expect(stderr).toMatch(/cannot be written|not writable|read-only/i);
    expect(stderr).not.toMatch(/\n\s+at /);
    for (const file of files) chmodSync(file, 0o700);
    await gatehouse.restart();
    expect(await confirmation(gatehouse, gatehouse.company.keys.sk_test, token)).toMatchObject({
      verified: true,
    });
  } finally {
    for (const file of files) chmodSync(file, 0o700);
  }
});

test('a damaged page: the start says so and names the backup, and the restored service has the acknowledged data', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'gatehouse-damage-'));
  await using gatehouse = await startGatehouse();
  const key = gatehouse.company.keys.sk_test;
  const backup = path.join(folder, 'one.gatehouse-backup');
  try {
    const token = await settledToken(gatehouse, 'alice');
    await gatehouse.cli(['backup', 'create', backup]);
    // A checkpoint moves the end of the log into the file.
    await gatehouse.kill9();
    const db = await openDatabase(gatehouse.dataDir);
    await db.close();
    damage(path.join(gatehouse.dataDir, 'gatehouse.db'));

    const { code, stderr } = await serveOnce(gatehouse.dataDir);
    expect(code).toBe(1);
    expect(stderr).toMatch(/damaged/);
    expect(stderr).toMatch(/[Rr]estore/);
    expect(stderr).not.toMatch(/\n\s+at /);

    await gatehouse.cli(['backup', 'restore', backup]);
    await gatehouse.restart();
    expect(await confirmation(gatehouse, key, token)).toMatchObject({ verified: true });
    expect(await gatehouse.cli(['audit', 'verify'])).toMatchObject({ intact: true });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test('a log damaged before its tail: the start says that results may be missing, in the log, the health and the audit log', async () => {
  await using gatehouse = await startGatehouse();
  for (const face of ['alice', 'bob', 'carol']) await settledToken(gatehouse, face);
  // The durable mark follows within a quarter of a second.
  await new Promise((resolve) => setTimeout(resolve, 600));
  await gatehouse.kill9();
  damage(path.join(gatehouse.dataDir, 'gatehouse.db-wal'));
  await gatehouse.restart();
  expect((await send(`${gatehouse.baseUrl}/readyz`)).body).toMatchObject({ details: ['log_damaged'] });
  expect(gatehouse.log()).toContain('database log is damaged');
  const admin = await signIn(gatehouse, 'admin');
  const { items } = await admin.ok<{ items: { action: string }[] }>('/audit?action=database_log.damaged');
  expect(items).toHaveLength(1);
  await gatehouse.kill9();
  await gatehouse.restart();
  expect((await admin.ok<{ items: unknown[] }>('/audit?action=database_log.damaged')).items).toHaveLength(1);
});

/** Flips bytes in the middle of the file. */
function damage(file: string): void {
  const at = Math.floor(statSync(file).size / PAGE_BYTES / 2) * PAGE_BYTES + 100;
  const handle = openSync(file, 'r+');
  writeSync(handle, Buffer.alloc(64, 0xa5), 0, 64, at);
  closeSync(handle);
}

/** Starts a server on a data folder that it must refuse. */
async function serveOnce(dataDir: string, under: readonly string[] = []) {
  const command = [...under, process.execPath, CLI, 'serve', '--port', '0', '--data-dir', dataDir];
  const child = spawn('env', command, { stdio: ['ignore', 'ignore', 'pipe'] });
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, stderr };
}
