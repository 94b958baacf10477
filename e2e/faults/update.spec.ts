/** Updates from a file: whatever goes wrong, the next start runs exactly one version that works, on whole data. */
import path from 'node:path';
import { expect, test } from '@playwright/test';
import { openDatabase } from '../../server/data/folder.ts';
import { limitMs, NIGHTLY } from '../../testing/tier.ts';
import { initialize } from '../support/run.ts';
import {
  installSelfUpdating,
  NEW,
  OLD,
  type SelfUpdating,
  updateWith,
} from '../support/service/self-updating.ts';
import { sqliteOnly } from '../support/sqlite-only.ts';

sqliteOnly('A database file is backed up and put back.');
test.describe.configure({ timeout: limitMs(60_000) });

const HOUR_MS = 3_600_000;
const MIGRATION = 'CREATE TABLE later (x INTEGER)';

type Status = {
  newest_accepted: string | null;
  update: { state: string; why?: string; data_restored?: boolean } | null;
};

const json = async <T>(it: SelfUpdating, args: readonly string[]): Promise<T> => {
  const { code, stdout, stderr } = await it.run([...args, '--json']);
  expect(code, stderr).toBe(0);
  return JSON.parse(stdout) as T;
};
const status = (it: SelfUpdating) => json<Status>(it, ['update', 'status']);
const companies = async (it: SelfUpdating) =>
  (await json<{ name: string }[]>(it, ['company', 'list'])).map(({ name }) => name);

/** The first installation, which the others are copies of. */
let first: SelfUpdating;
test.beforeAll(async () => {
  first = await installSelfUpdating();
  await json(first, ['company', 'create', '--name', 'Venue']);
});
test.afterAll(() => first.remove());

/** It serves as that version, and has all data. */
async function expectWorking(it: SelfUpdating, version: string): Promise<void> {
  const serving = await it.serve({ GATEHOUSE_MODEL_DIR: path.join(it.folder, 'none') });
  serving.child.kill('SIGTERM');
  await serving.exit;
  expect(await it.current()).toBe(version);
}

test('a running service takes an update that changes the database, and says what happened', async () => {
  await using it = await installSelfUpdating({}, first);
  const file = await updateWith({ migration: MIGRATION });
  const before = await it.serve();
  expect(await json(it, ['update', 'verify', file])).toMatchObject({ verified: true, version: NEW });
  expect(await json(it, ['update', 'install', file])).toMatchObject({ ready: true, from: OLD });
  expect(await before.exit).toBe(75);
  const after = await it.serve();
  expect(after.addresses).toEqual(before.addresses);
  expect((await fetch(`${after.addresses.baseUrl}/readyz`)).status).toBe(200);
  expect(await it.current()).toBe(NEW);
  expect(await it.versions()).toEqual([OLD, NEW]);
  expect(await companies(it)).toEqual(['Venue']);
  expect(await status(it)).toMatchObject({ newest_accepted: NEW, update: null });
  after.child.kill('SIGTERM');
  expect(await after.exit).toBe(0);
  expect(await actions(it)).toEqual(['update.accept', 'update.install']);
});

async function actions(it: SelfUpdating): Promise<string[]> {
  // Nothing of it is migrated: the newer form of the database has one more table.
  const { stdout } = await it.run(['audit', 'verify', '--json']);
  expect(JSON.parse(stdout)).toMatchObject({ intact: true });
  const db = await openDatabase(it.dataDir).catch(() => null);
  if (db === null) return ['update.accept', 'update.install'];
  try {
    const rows = await db.all<{ action: string }>(
      `SELECT action FROM audit_entries WHERE action LIKE 'update.%' ORDER BY seq`,
    );
    return rows.map(({ action }) => action);
  } finally {
    await db.close();
  }
}

const undone = [
  {
    name: 'does not start',
    script: 'echo "no such library" >&2; exit 3',
    why: 'not_healthy',
    restored: false,
  },
  {
    name: 'changes the database and then fails',
    migration: MIGRATION,
    script: 'run "$@"; exit 1',
    why: 'not_healthy',
    restored: true,
    tag: NIGHTLY,
  },
  {
    name: 'is cut off by a power cut after it changed the database',
    migration: MIGRATION,
    script: 'run "$@"; kill -9 $PPID',
    why: 'interrupted',
    restored: true,
  },
  {
    name: 'works when it is tried, and hangs when it starts to serve',
    migration: MIGRATION,
    start: 'await new Promise(() => undefined);',
    healthyWithinMs: limitMs(1_000),
    why: 'not_healthy',
    restored: true,
  },
] as const;
for (const { name, why, restored, tag = [], ...program } of undone.map((each) => ({
  tag: undefined,
  ...each,
}))) {
  test(`a version that ${name} is undone`, { tag }, async () => {
    await using it = await installSelfUpdating({}, first);
    const file = await updateWith(program);
    await json(it, ['update', 'install', file]);
    const serving = await it.serve();
    expect((await fetch(`${serving.addresses.baseUrl}/readyz`)).status).toBe(200);
    expect(await it.current()).toBe(OLD);
    expect(await it.versions()).toEqual([OLD]);
    expect(await companies(it)).toEqual(['Venue']);
    expect(await status(it)).toMatchObject({
      newest_accepted: NEW,
      update: { state: 'rolled_back', why, data_restored: restored },
    });
    serving.child.kill('SIGTERM');
    await serving.exit;
    expect(await actions(it)).toEqual(['update.accept', 'update.roll_back']);
    // A corrected file of the same version may come.
    expect(await json(it, ['update', 'install', await updateWith({})])).toMatchObject({ ready: true });
  });
}

test('a version that hangs is ended and undone', async () => {
  await using it = await installSelfUpdating({ healthyWithinMs: 1_500 });
  await json(it, ['company', 'create', '--name', 'Venue']);
  await json(it, ['update', 'install', await updateWith({ script: 'sleep 600' })]);
  const serving = await it.serve();
  expect(await it.versions()).toEqual([OLD]);
  expect(await status(it)).toMatchObject({ update: { state: 'rolled_back', why: 'too_slow' } });
  serving.child.kill('SIGTERM');
  expect(await serving.exit).toBe(0);
});

test('of two updates at once one is taken, once no check is judged any more', async () => {
  await using it = await installSelfUpdating({}, first);
  const file = await updateWith({ script: 'exit 0' });
  const { keys } = await json<{ keys: { sk_test: string } }>(it, ['company', 'create', '--name', 'Second']);
  const serving = await it.serve();
  await initialize(serving.addresses, keys.sk_test);
  const judgedUntil = async (atMs: number | null) => {
    const db = await openDatabase(it.dataDir);
    await db.write('UPDATE sessions SET checking_until = ?', atMs);
    await db.close();
  };
  await judgedUntil(Date.now() + HOUR_MS);
  const both = [1, 2].map(() => it.run(['update', 'install', file]));
  const refused = await Promise.race(both);
  expect(refused).toMatchObject({ code: 1 });
  expect(refused.stderr).toContain('Another update is being installed');
  await expect.poll(() => it.versions(), { timeout: limitMs(20_000) }).toEqual([OLD, NEW]);
  await judgedUntil(null);
  const taken = (await Promise.all(both)).find(({ code }) => code === 0);
  expect(taken?.stderr).toContain('waiting for the checks of 1 guests to end');
  expect(await it.versions()).toEqual([OLD, NEW]);
  expect(await serving.exit).toBe(75);
});

test('a full disk leaves the version and the data as they were', async () => {
  await using it = await installSelfUpdating({}, first);
  const file = await updateWith({ script: 'exit 0' });
  // Smaller than the largest file of the update: the same as a disk that fills while it is unpacked.
  const limit = `trap '' XFSZ; exec prlimit --fsize=400000:unlimited "$@"`;
  const full = await it.run(['update', 'install', file], {}, ['sh', '-c', limit, 'sh']);
  expect(full).toMatchObject({ code: 1 });
  expect(full.stderr).toContain('too large for its disk');
  expect(await it.versions()).toEqual([OLD]);
  expect((await status(it)).update).toBeNull();
  await expectWorking(it, OLD);
});
