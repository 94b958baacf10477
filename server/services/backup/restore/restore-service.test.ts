/** A restore from the console, on a real database next to a running service. */
import { randomInt } from 'node:crypto';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { listAuditEntries } from '../../../store/operators/audit-query.ts';
import { readOrCreateKeyFile } from '../../../store/sql/key-file.ts';
import { readWithin } from '../../../store/backup/snapshot.ts';
import { run } from '../../../../testing/service/runs.ts';
import { openTestService } from '../../../../testing/service/temp-service.ts';
import { storePaths, tempDir } from '../../../../testing/store/temp-store.ts';
import { eraseOnePerson } from '../../people/erasure.ts';
import { openSqlite } from '../../../store/sql/sqlite/driver.ts';
import { systemClock } from '../../ports/clock.ts';
import { createCompany } from '../../companies/companies.ts';
import { createOperator } from '../../operators/operators.ts';
import { createBackup } from '../create.ts';
import { renewRecoveryPhrase } from '../recovery-setting.ts';
import { createRestoreService } from './restore-service.ts';

const ACTOR = 'operator:1';
type Desk = ReturnType<typeof createRestoreService>;

/** A venue that knows alice, its phrase, and a backup; bob comes later. */
async function venue() {
  const dir = tempDir();
  const service = await openTestService(dir);
  const { db } = service.deps;
  const { path: databasePath, keyPath } = storePaths(dir);
  const databaseKey = readOrCreateKeyFile(keyPath, databasePath);
  const enrol = (face: string) => run(service, face, { email: `${face}@example.com` });
  await enrol('alice');
  const phrase = await renewRecoveryPhrase(db, service.clock, ACTOR);
  const file = path.join(tempDir(), 'one.gatehouse-backup');
  await createBackup({ databasePath, databaseKey, target: file, nowMs: service.clock.now() });
  service.clock.advance(1_000);
  await enrol('bob');

  const target = path.join(dir, 'restored.db');
  const happened: string[] = [];
  const settled = Promise.withResolvers<undefined>();
  const desk = createRestoreService(db, service.clock, {
    source: () => ({ databasePath, databaseKey }),
    target,
    mark: async () => void happened.push('decided'),
    restart: () => {
      happened.push('restart');
      settled.resolve(undefined);
    },
    onError: () => settled.resolve(undefined),
  });
  const known = () =>
    readWithin({ path: target, key: databaseKey }, (inside) =>
      inside.all<{ id: string }>('SELECT identifier AS id FROM person_identities ORDER BY 1'),
    );
  return { service, desk, file, phrase, target, happened, settled: settled.promise, known };
}

test('a backup is verified while the service runs, and takes effect after shutdown', async () => {
  const { service, desk, file, phrase, happened, settled, known } = await venue();
  await desk.begin({ file, phrase: `  ${phrase.toUpperCase()} `, keepsAccess: false, actor: ACTOR });
  await expect(desk.begin({ file, phrase: null, keepsAccess: false, actor: ACTOR })).rejects.toThrow(
    'already',
  );
  await expect.poll(async () => (await desk.underWay())?.step).toBe('restarting');
  // Open pages have time to see it.
  expect(happened).toEqual([]);
  await settled;
  expect(happened).toEqual(['restart']);
  expect(await desk.underWay()).toMatchObject({ file, step: 'restarting' });
  await desk.decide();
  expect(happened).toEqual(['restart', 'decided']);
  expect(await known()).toEqual([{ id: 'alice@example.com' }]);
  const [entry] = await listAuditEntries(service.deps.db, { action: 'backup.restore_begun' }, null, 1);
  expect(entry).toMatchObject({ actor: ACTOR });
});

test('a person erased during unpacking does not come back', async () => {
  const { service, desk, file, settled, known } = await venue();
  const { deps, scope } = service;
  const alice = await deps.db.one<{ id: string }>(
    `SELECT person_id AS id FROM test_faces WHERE name = 'alice'`,
  );
  await desk.begin({ file, phrase: null, keepsAccess: false, actor: ACTOR });
  await settled;
  await eraseOnePerson(deps, scope('test'), alice!.id, ACTOR);
  await desk.decide();
  expect(await known()).toEqual([]);
});

test('a failed restore leaves everything unchanged, and reports why', async () => {
  const { desk, file, target, happened, settled } = await venue();
  await expect(
    desk.begin({ file, phrase: 'twelve monkeys', keepsAccess: false, actor: ACTOR }),
  ).rejects.toThrow('24 words');
  expect(await desk.underWay()).toBeNull();
  await desk.begin({ file: `${file}.gone`, phrase: null, keepsAccess: false, actor: ACTOR });
  await settled;
  expect(desk.failure()).toBe('file_not_readable');
  expect(await desk.underWay()).toBeNull();
  await desk.decide();
  expect(happened).toEqual([]);
  expect(existsSync(target)).toBe(false);
});

test('a restore that cannot be recorded does not begin, and another one can', async () => {
  const { service, desk, file } = await venue();
  await service.deps.db.close();
  await expect(desk.begin({ file, phrase: null, keepsAccess: false, actor: ACTOR })).rejects.not.toThrow(
    'already',
  );
  expect(await desk.underWay()).toBeNull();
  await expect(desk.begin({ file, phrase: null, keepsAccess: false, actor: ACTOR })).rejects.not.toThrow(
    'already',
  );
});

/** A backup of another venue, made with its own key. */
async function foreign() {
  const { path: databasePath, keyPath } = storePaths(tempDir());
  const db = await openSqlite({ path: databasePath, keyPath });
  const ports = { db, clock: systemClock, randomInt: (n: number) => randomInt(n) };
  await createOperator(ports, { name: 'Mallory', role: 'admin', origin: 'cli', actor: ACTOR });
  await createCompany(db, systemClock, { name: 'Elsewhere', actor: ACTOR });
  const phrase = await renewRecoveryPhrase(db, systemClock, ACTOR);
  await db.close();
  const file = path.join(tempDir(), 'theirs.gatehouse-backup');
  const databaseKey = readOrCreateKeyFile(keyPath, databasePath);
  await createBackup({ databasePath, databaseKey, target: file, nowMs: systemClock.now() });
  return { file, phrase };
}

test('a backup of another installation waits until its admins are confirmed', async () => {
  const { service, desk, happened, settled } = await venue();
  const theirs = await foreign();
  await desk.begin({ ...theirs, keepsAccess: false, actor: ACTOR });
  await expect.poll(async () => (await desk.underWay())?.step).toBe('asking');
  const { question } = (await desk.underWay())!;
  expect(question).toMatchObject({ proof: 'phrase', admins: [{ name: 'Mallory' }] });
  expect(question?.disabled.keys).toBeGreaterThan(0);
  await expect(desk.confirm('00000000', ACTOR)).rejects.toMatchObject({ code: 'admins_unconfirmed' });
  expect(happened).toEqual([]);
  await desk.confirm(question!.code, ACTOR);
  await expect.poll(async () => (await desk.underWay())?.step).toBe('restarting');
  await settled;
  expect(happened).toEqual(['restart']);
  await desk.decide();
  expect(happened).toEqual(['restart', 'decided']);
  const [entry] = await listAuditEntries(service.deps.db, { action: 'backup.restore_confirmed' }, null, 1);
  expect(entry).toMatchObject({ actor: ACTOR });
});

test.each([
  ['was given up', async (desk: Desk) => desk.cancel()],
  ['nobody answered before the end of the service', async () => undefined],
])('a restore that %s changes nothing', async (_name, act) => {
  const { desk, happened, target } = await venue();
  await desk.begin({ ...(await foreign()), keepsAccess: false, actor: ACTOR });
  await expect.poll(async () => (await desk.underWay())?.step).toBe('asking');
  await act(desk);
  await desk.decide();
  expect(happened).toEqual([]);
  expect(existsSync(target)).toBe(false);
});
