import { existsSync, mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import Sqlite from 'better-sqlite3';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { DeletionTime } from '../../domain/clock.ts';
import { startRun, run } from '../../../testing/service/runs.ts';
import { storePaths, tempDir } from '../../../testing/store/temp-store.ts';
import { openTestService, type TestService } from '../../../testing/service/temp-service.ts';
import { unlock } from '../../store/sql/sqlite/connection.ts';
import { readOrCreateKeyFile } from '../../store/sql/key-file.ts';
import { readWithin } from '../../store/backup/snapshot.ts';
import { insertFaceRows } from '../../store/matching/face-rows.ts';
import { eraseOnePerson } from '../people/erasure.ts';
import { backUpNightly, lastAutomaticBackup, storeBackupSettings } from './automatic.ts';
import { readContainer } from './container/read.ts';
import { createAuditedBackup, createBackup } from './create.ts';
import { backupsToRemove, cleanUpBackupName, migrationBackupName } from './names.ts';
import { renewRecoveryPhrase } from './recovery-setting.ts';
import { readAccess } from './restore/repeat-access.ts';
import { knownErasures } from './restore/repeat-erasures.ts';
import { restoreBackup } from './restore/restore.ts';

const HOUR_MS = 3_600_000;

async function venue({ hasOwnKey = false } = {}) {
  const dir = tempDir();
  const { path: databasePath, keyPath } = storePaths(dir);
  // The databases of tests are copies of one, with its key.
  if (hasOwnKey) readOrCreateKeyFile(keyPath, databasePath);
  const service = await openTestService(dir);
  const databaseKey = readOrCreateKeyFile(keyPath, databasePath);
  const target = path.join(tempDir(), 'one.gatehouse-backup');
  return { dir, service, source: { databasePath, databaseKey }, target };
}

const actor = 'cli';

const restore = ({ service, source }: Awaited<ReturnType<typeof venue>>, file: string, target: string) =>
  restoreBackup({
    file,
    opener: { kind: 'database', key: source.databaseKey },
    target,
    targetKey: source.databaseKey,
    erasures: () => knownErasures(service.deps.db),
    access: () => readAccess(service.deps.db),
    isInPlace: true,
    keepsAccess: false,
    clock: service.clock,
    actor,
  });

/** The header contains its own length, after a magic number and the format. */
function withNewerSchema(bytes: Buffer): Buffer {
  const start = 12;
  const end = start + bytes.readUInt32BE(start - 4);
  const header = JSON.parse(bytes.subarray(start, end).toString()) as object;
  const changed = Buffer.from(JSON.stringify({ ...header, schema_version: 9_999 }));
  const length = Buffer.alloc(4);
  length.writeUInt32BE(changed.length);
  return Buffer.concat([bytes.subarray(0, start - 4), length, changed, bytes.subarray(end)]);
}

/** The person of a test face, with an address to search for. */
async function enrol(service: TestService, face: string): Promise<string> {
  await run(service, face, { email: `${face}@secret-garden.example`, metadata: { name: `Name of ${face}` } });
  const person = await service.deps.db.one<{ id: string }>(
    'SELECT person_id AS id FROM test_faces WHERE name = ?',
    face,
  );
  return person!.id;
}

describe('a backup', () => {
  it('contains all data, and is recorded', async () => {
    const at = await venue();
    await enrol(at.service, 'alice');
    const { db } = at.service.deps;
    const made = await createAuditedBackup(db, at.service.clock, at.source, { target: at.target, actor });
    expect(readdirSync(path.dirname(at.target))).toEqual([path.basename(at.target)]);
    const target = path.join(at.dir, 'restored.db');
    const restored = await restore(at, at.target, target);
    expect(restored).toMatchObject({ rows: made.rows, erasedAgain: 0 });
    const people = await readWithin({ path: target, key: at.source.databaseKey }, (inside) =>
      inside.all('SELECT identifier FROM person_identities'),
    );
    expect(people).toEqual([{ identifier: 'alice@secret-garden.example' }]);
    expect(await db.one(`SELECT actor FROM audit_entries WHERE action = 'backup.create'`)).toEqual({ actor });
  });

  it('made after an erasure contains nothing about the person in any page', async () => {
    const at = await venue();
    const { service, source } = at;
    const [alice] = [await enrol(service, 'alice'), await enrol(service, 'bob')];
    await eraseOnePerson(service.deps, service.scope('test'), alice, actor);
    await createBackup({ ...source, target: at.target, nowMs: service.clock.now() });
    const opened = path.join(at.dir, 'opened.db');
    const { manifest } = await readContainer(
      at.target,
      { kind: 'database', key: source.databaseKey },
      opened,
    );
    // Not encrypted, so that every byte of every page can be searched.
    const connection = new Sqlite(opened);
    unlock(connection, Buffer.from(manifest.snapshotKey, 'hex'));
    connection.pragma(`rekey = ''`);
    connection.close();
    const pages = readFileSync(opened);
    expect(pages.includes('bob@secret-garden.example')).toBe(true);
    for (const trace of ['alice@secret-garden.example', 'Name of alice']) {
      expect(pages.includes(trace)).toBe(false);
    }
  });

  it('has neither the rows of the face index nor the pages that they filled', async () => {
    const at = await venue();
    const { service, source } = at;
    const { db } = service.deps;
    const person = await enrol(service, 'alice');
    const scope = service.scope('test');
    const row = (n: number) => ({ personId: `${person}-${n}`, packed: new Uint8Array(600).fill(0xa7) });
    await db.tx((tx) =>
      insertFaceRows(
        tx,
        scope,
        'm',
        Array.from({ length: 500 }, (_, n) => row(n)),
      ),
    );
    await createBackup({ ...source, target: at.target, nowMs: service.clock.now() });
    const opened = path.join(at.dir, 'opened.db');
    const { manifest } = await readContainer(
      at.target,
      { kind: 'database', key: source.databaseKey },
      opened,
    );
    const connection = new Sqlite(opened);
    onTestFinished(() => void connection.close());
    unlock(connection, Buffer.from(manifest.snapshotKey, 'hex'));
    expect(connection.prepare('SELECT count(*) AS n FROM face_rows').get()).toEqual({ n: 0 });
    expect(connection.pragma('freelist_count', { simple: true })).toBe(0);
    expect(connection.pragma('integrity_check', { simple: true })).toBe('ok');
  });

  it('is made without waiting for those who write, of a restored database, too', async () => {
    const at = await venue();
    const { source } = at;
    const nowMs = at.service.clock.now();
    await createBackup({ ...source, target: at.target, nowMs });
    const databasePath = path.join(at.dir, 'restored.db');
    await restore(at, at.target, databasePath);
    const writer = new Sqlite(databasePath);
    onTestFinished(() => void writer.close());
    unlock(writer, source.databaseKey);
    writer.pragma('journal_mode = WAL');
    writer.exec('BEGIN IMMEDIATE');
    const target = path.join(path.dirname(at.target), 'two.gatehouse-backup');
    await createBackup({ ...source, databasePath, target, nowMs });
    expect(existsSync(target)).toBe(true);
  });

  it('does not bring back people erased after it was made', async () => {
    const at = await venue();
    const { service, source } = at;
    const alice = await enrol(service, 'alice');
    await enrol(service, 'bob');
    await createBackup({ ...source, target: at.target, nowMs: service.clock.now() });
    service.clock.advance(HOUR_MS);
    await eraseOnePerson(service.deps, service.scope('test'), alice, actor);
    const target = path.join(at.dir, 'restored.db');
    expect(await restore(at, at.target, target)).toMatchObject({ erasedAgain: 1 });
    const people = await readWithin({ path: target, key: source.databaseKey }, (inside) =>
      inside.all('SELECT identifier FROM person_identities'),
    );
    expect(people).toEqual([{ identifier: 'bob@secret-garden.example' }]);
  });

  it('does not bring back someone erased by a clock that has been set back since', async () => {
    const at = await venue();
    const { service, source } = at;
    const alice = await enrol(service, 'alice');
    await createBackup({ ...source, target: at.target, nowMs: service.clock.now() + 24 * HOUR_MS });
    await eraseOnePerson(service.deps, service.scope('test'), alice, actor);
    const target = path.join(at.dir, 'restored.db');
    expect(await restore(at, at.target, target)).toMatchObject({ erasedAgain: 1 });
  });

  it('does not bring back someone erased after it was made, even if an older one was restored first', async () => {
    const at = await venue();
    const { service, source } = at;
    const older = path.join(path.dirname(at.target), 'older.gatehouse-backup');
    await createBackup({ ...source, target: older, nowMs: service.clock.now() });
    const alice = await enrol(service, 'alice');
    await createBackup({ ...source, target: at.target, nowMs: service.clock.now() });
    await eraseOnePerson(service.deps, service.scope('test'), alice, actor);
    const wrong = path.join(at.dir, 'wrong.db');
    expect(await restore(at, older, wrong)).toMatchObject({ erasedAgain: 0 });
    const present = { path: wrong, key: source.databaseKey };
    const restored = await restoreBackup({
      ...{ file: at.target, target: path.join(at.dir, 'right.db'), targetKey: present.key, actor },
      opener: { kind: 'database', key: present.key },
      erasures: () => readWithin(present, knownErasures),
      access: async () => null,
      isInPlace: true,
      keepsAccess: false,
      clock: service.clock,
    });
    expect(restored).toMatchObject({ erasedAgain: 1 });
  });

  it.each([
    ['that was cut off', (bytes: Buffer) => bytes.subarray(0, -1), 'damaged or incomplete'],
    ['of a newer schema', withNewerSchema, 'made by a newer version of Gatehouse'],
  ])('%s is refused, and nothing is restored', async (_kind, change, reason) => {
    const at = await venue();
    await createBackup({ ...at.source, target: at.target, nowMs: 0 });
    writeFileSync(at.target, change(readFileSync(at.target)));
    const target = path.join(at.dir, 'restored.db');
    await expect(restore(at, at.target, target)).rejects.toThrow(reason);
    expect(existsSync(target)).toBe(false);
  });

  it('that fails leaves the previous one unchanged', async () => {
    const at = await venue();
    await createBackup({ ...at.source, target: at.target, nowMs: 0 });
    const before = readFileSync(at.target);
    const wrong = { ...at.source, databaseKey: Buffer.alloc(32, 1) };
    const failing = createBackup({ ...wrong, target: at.target, mayReplace: true, nowMs: 0 });
    await expect(failing).rejects.toMatchObject({
      code: 'database_damaged',
    });
    expect(readFileSync(at.target)).toEqual(before);
    expect(readdirSync(path.dirname(at.target))).toHaveLength(1);
  });

  it('opens with the recovery phrase, once one was created', async () => {
    const at = await venue();
    const { db } = at.service.deps;
    const first = await createBackup({ ...at.source, target: at.target, nowMs: 0 });
    expect(first.hasRecovery).toBe(false);
    const phrase = await renewRecoveryPhrase(db, at.service.clock, actor);
    const second = await createBackup({ ...at.source, target: at.target, mayReplace: true, nowMs: 0 });
    expect(second.hasRecovery).toBe(true);
    const everything = await db.all('SELECT name, value FROM settings');
    expect(JSON.stringify(everything)).not.toContain(phrase.split(' ').slice(0, 2).join(' '));
  });

  it('does not stop runs in progress', async () => {
    const at = await venue();
    const making = createBackup({ ...at.source, target: at.target, nowMs: 0 });
    const sessions = await Promise.all(Array.from({ length: 20 }, () => startRun(at.service)));
    await making;
    expect(new Set(sessions.map(({ id }) => id)).size).toBe(20);
  });
});

describe('the nightly backup', () => {
  it('is made once per night, keeps the newest, and leaves other files alone', async () => {
    const { service, source, dir } = await venue();
    const { db } = service.deps;
    const defaultFolder = path.join(dir, 'backups');
    const night = () =>
      backUpNightly(db, service.clock, { ...source, defaultFolder, deletions: service.clock });
    expect(await night()).toBeNull();
    await db.tx((tx) => storeBackupSettings(tx, service.clock, { isOn: true, folder: null, keep: 2 }, actor));
    service.clock.advance(24 * HOUR_MS);
    expect(await night()).toMatchObject({ hasRecovery: false });
    expect(await night()).toBeNull();
    writeFileSync(path.join(defaultFolder, 'holiday.gatehouse-backup'), 'mine');
    for (let n = 0; n < 2; n++) {
      service.clock.advance(24 * HOUR_MS);
      await night();
    }
    const names = readdirSync(defaultFolder).sort();
    expect(names).toHaveLength(3);
    expect(names[0]).toBe('holiday.gatehouse-backup');
    expect((await lastAutomaticBackup(db))?.file).toBe(path.join(defaultFolder, names[2]!));
  });

  it('deletes what a killed backup left, and nothing that is being written', async () => {
    const { service, source } = await venue();
    const dir = tempDir();
    const { db } = service.deps;
    const file = (name: string) => path.join(dir, name);
    const [left, written] = [
      'a.gatehouse-backup.12-0123abcd.snapshot',
      'b.gatehouse-backup.12-0123abcd.partial',
    ];
    for (const name of [left, written, 'my.snapshot']) writeFileSync(file(name), 'half');
    service.clock.advance(48 * HOUR_MS);
    const seconds = (ageHours: number) => service.clock.now() / 1_000 - ageHours * 3_600;
    for (const name of [left, 'my.snapshot']) utimesSync(file(name), seconds(25), seconds(25));
    utimesSync(file(written), seconds(1), seconds(1));
    await db.tx((tx) =>
      storeBackupSettings(tx, { now: () => 0 }, { isOn: true, folder: dir, keep: 7 }, actor),
    );
    await backUpNightly(db, service.clock, { ...source, defaultFolder: dir, deletions: service.clock });
    expect(existsSync(file(left))).toBe(false);
    expect(existsSync(file(written))).toBe(true);
    expect(existsSync(file('my.snapshot'))).toBe(true);
  });

  it('deletes those made before an upgrade or a clean-up after 30 days, even if it is turned off', async () => {
    const { service, source, dir } = await venue();
    const { db } = service.deps;
    const defaultFolder = path.join(dir, 'backups');
    mkdirSync(defaultFolder);
    const of = (ageDays: number) => service.clock.now() - ageDays * 24 * HOUR_MS;
    const names = (ageDays: number) => [migrationBackupName(36, of(ageDays)), cleanUpBackupName(of(ageDays))];
    for (const name of [...names(31), ...names(29)])
      writeFileSync(path.join(defaultFolder, name), 'a backup');
    await db.tx((tx) => storeBackupSettings(tx, service.clock, { isOn: false, folder: dir, keep: 7 }, actor));
    await backUpNightly(db, service.clock, { ...source, defaultFolder, deletions: service.clock });
    expect(readdirSync(defaultFolder).sort()).toEqual(names(29).sort());
  });

  it('deletes only its own where two installations share a folder', async () => {
    const folder = tempDir();
    const night = async ({ service, source, dir }: Awaited<ReturnType<typeof venue>>) => {
      service.clock.advance(24 * HOUR_MS);
      const defaultFolder = path.join(dir, 'backups');
      const made = await backUpNightly(service.deps.db, service.clock, {
        ...source,
        defaultFolder,
        deletions: service.clock,
      });
      return path.basename(made!.file);
    };
    const [one, other] = [await venue(), await venue({ hasOwnKey: true })];
    other.service.clock.advance(HOUR_MS);
    for (const { service } of [one, other])
      await service.deps.db.tx((tx) =>
        storeBackupSettings(tx, service.clock, { isOn: true, folder, keep: 1 }, actor),
      );
    await night(one);
    const ofOther = await night(other);
    const newest = await night(one);
    expect(readdirSync(folder).sort()).toEqual([ofOther, newest].sort());
  });

  it('can be turned off', async () => {
    const { service, source, dir } = await venue();
    const { db } = service.deps;
    await db.tx((tx) =>
      storeBackupSettings(tx, service.clock, { isOn: false, folder: null, keep: 7 }, actor),
    );
    service.clock.advance(48 * HOUR_MS);
    expect(
      await backUpNightly(db, service.clock, { ...source, defaultFolder: dir, deletions: service.clock }),
    ).toBeNull();
  });

  it('removes only files that it named itself', () => {
    const time = Date.UTC(2030, 4, 15) as DeletionTime;
    const mine = (day: string) => `nightly-2030-05-${day}T030000Z.gatehouse-backup`;
    const names = [
      mine('03'),
      mine('01'),
      'notes.txt',
      'before-upgrade-of-schema-3.gatehouse-backup',
      mine('02'),
    ];
    expect(backupsToRemove(names, 1, time)).toEqual([mine('01'), mine('02')]);
    expect(backupsToRemove(names, 5, time)).toEqual([]);
  });
});
