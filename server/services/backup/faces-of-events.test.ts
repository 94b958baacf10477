/** After the end of an event's faces no file has them: not the database, its log, nor an automatic backup; a restore ends them again. */
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import Sqlite from 'better-sqlite3';
import { expect, it, onTestFinished, vi } from 'vitest';
import { cosine, normalisedMean } from '../../domain/matching/matching.ts';
import { insertSealedTemplate, insertTemplate } from '../../store/matching/templates.ts';
import { insertPerson } from '../../store/people/people.ts';
import { readOrCreateKeyFile } from '../../store/sql/key-file.ts';
import type { Database } from '../../store/sql/port.ts';
import { openSqlite } from '../../store/sql/sqlite/driver.ts';
import { unlock } from '../../store/sql/sqlite/connection.ts';
import { insertEvent } from '../../store/venue/events.ts';
import { startRun } from '../../../testing/service/runs.ts';
import { openTestService } from '../../../testing/service/temp-service.ts';
import { NOW, venueEvent } from '../../../testing/store/rows.ts';
import { storePaths, tempDir } from '../../../testing/store/temp-store.ts';
import { openSealed, sealFace, ticketKeyOf } from '../matching/sealed-faces.ts';
import { createCleanUp } from '../people/clean-up.ts';
import { createServiceClock } from '../ports/clock.ts';
import { readReport } from '../venue/report.ts';
import { backUpNightly, replaceBackups } from './automatic.ts';
import { readContainer } from './container/read.ts';
import { createAuditedBackup } from './create.ts';
import { manualBackupName } from './names.ts';
import { readAccess } from './restore/repeat-access.ts';
import { knownErasures } from './restore/repeat-erasures.ts';
import { restoreBackup } from './restore/restore.ts';

const HOUR_MS = 3_600_000;
const FACE = Float32Array.from({ length: 512 }, (_, n) => Math.sin(n + 0.5));
const BYTES = Buffer.from(FACE.buffer);

/** Every byte of every page of a database file with its log, without its encryption. */
function pagesOf(file: string, key: Uint8Array): Buffer {
  const copy = path.join(tempDir(), 'plain.db');
  copyFileSync(file, copy);
  if (existsSync(`${file}-wal`)) copyFileSync(`${file}-wal`, `${copy}-wal`);
  const connection = new Sqlite(copy);
  unlock(connection, key);
  connection.pragma('journal_mode = DELETE');
  connection.pragma(`rekey = ''`);
  connection.close();
  return readFileSync(copy);
}

async function evening() {
  const dir = tempDir();
  const { path: databasePath, keyPath } = storePaths(dir);
  const service = await openTestService(dir);
  const databaseKey = readOrCreateKeyFile(keyPath, databasePath);
  const { db } = service.deps;
  const scope = service.scope('test');
  const defaultFolder = path.join(path.dirname(databasePath), 'backups');
  mkdirSync(defaultFolder, { recursive: true });
  const source = { databasePath, databaseKey, defaultFolder };
  const clock = await createServiceClock(db, { wall: service.clock, onError: () => undefined });
  onTestFinished(() => clock.close());
  const cleanUp = createCleanUp({
    db,
    clock,
    backUp: async () => 'backup',
    replaceBackups: (since) => replaceBackups(db, clock, source, since),
    onHold: () => undefined,
  });
  const night = () => backUpNightly(db, clock, { ...source, deletions: clock });
  const pass = async (hours: number) => {
    for (let n = 0; n < hours; n += 1) {
      service.clock.advance(HOUR_MS);
      await clock.sync();
      await cleanUp.endEvents();
    }
  };
  const enrol = async (group = 'event-0') => {
    const event = venueEvent(scope, service.company.default_verification_id, 'event-0', { faces: 'event' });
    await db.tx((tx) => insertEvent(tx, event));
    await startRun(service, { group });
    await db.tx(async (tx) => {
      await insertPerson(tx, scope, 'guest', NOW);
      await insertTemplate(
        tx,
        { ...scope, eventId: 'event-0' },
        { personId: 'guest', passId: 'pass', model: 'test-model', vector: FACE, quality: 1, at: NOW },
      );
    });
  };
  const hasFace = async (backup: string) => {
    const opened = path.join(tempDir(), 'opened.db');
    const { manifest } = await readContainer(
      path.join(defaultFolder, backup),
      { kind: 'database', key: databaseKey },
      opened,
    );
    return pagesOf(opened, Buffer.from(manifest.snapshotKey, 'hex')).includes(BYTES);
  };
  const names = () => readdirSync(defaultFolder).sort();
  return {
    ...service,
    db,
    scope,
    clock,
    source,
    databasePath,
    databaseKey,
    defaultFolder,
    night,
    pass,
    enrol,
    hasFace,
    names,
  };
}

it('replaces those too that were made since the first check at home', async () => {
  const at = await evening();
  await at.enrol('home:event-0');
  await at.pass(20);
  const nightly = path.basename((await at.night())?.file ?? '');
  expect(await at.hasFace(nightly)).toBe(true);
  await at.pass(14);
  expect(at.names()).not.toContain(nightly);
  for (const name of at.names()) expect(await at.hasFace(name)).toBe(false);
});

it('replaces the automatic backups that have its faces, names those made by hand, and leaves earlier ones', async () => {
  const at = await evening();
  await at.pass(1);
  const before = (
    await createAuditedBackup(at.db, at.clock, at.source, {
      target: path.join(at.defaultFolder, 'nightly-2030-05-14T030000Z.gatehouse-backup'),
      actor: 'system',
    })
  ).file;
  await at.enrol();
  await at.pass(20);
  const nightly = path.basename((await at.night())?.file ?? '');
  const byHand = manualBackupName(at.clock.now());
  await createAuditedBackup(at.db, at.clock, at.source, {
    target: path.join(at.defaultFolder, byHand),
    actor: 'cli',
  });
  expect([
    await at.hasFace(nightly),
    await at.hasFace(byHand),
    await at.hasFace(path.basename(before)),
  ]).toEqual([true, true, false]);
  const truncated = vi.spyOn(at.db, 'truncateLog');
  await at.pass(14);
  const [certificate] = (await readReport({ db: at.db, clock: at.clock }, at.scope, 'event-0')).faces_ends;
  expect(certificate).toMatchObject({
    removed: { people: 1, faces: 1 },
    backups: {
      replaced: [nightly],
      by_hand: [{ file: path.join(at.defaultFolder, byHand) }],
      is_own: true,
    },
  });
  const left = at.names().filter((name) => name !== byHand);
  expect(left).toHaveLength(2);
  expect(left).toContain(path.basename(before));
  for (const name of left) expect(await at.hasFace(name)).toBe(false);
  // What the log has now was written after the faces.
  expect(truncated).toHaveBeenCalled();
  expect(pagesOf(at.databasePath, at.databaseKey).includes(BYTES)).toBe(false);
});

it('a restored backup has its faces, a sealed one for its code only, and after their time it ends them again', async () => {
  const at = await evening();
  await at.enrol();
  const pool = { ...at.scope, eventId: 'event-0' };
  const sealOf = (code: string) => ({ ticketId: 'ticket', key: ticketKeyOf(code, 'ticket') });
  const box = sealFace(sealOf('ADA-1'), 'holder', FACE);
  const OF_HOLDER = { personId: 'holder', model: 'test-model' };
  await at.db.tx(async (tx) => {
    await insertPerson(tx, at.scope, 'holder', NOW);
    await insertSealedTemplate(tx, pool, { ...OF_HOLDER, passId: 'pass', quality: 1, at: NOW, box });
  });
  const byHand = path.join(at.defaultFolder, manualBackupName(at.clock.now()));
  await createAuditedBackup(at.db, at.clock, at.source, { target: byHand, actor: 'cli' });
  const restored = async (check: (db: Database) => Promise<void>) => {
    const target = path.join(tempDir(), 'restored.db');
    await restoreBackup({
      file: byHand,
      opener: { kind: 'database', key: at.databaseKey },
      target,
      targetKey: at.databaseKey,
      erasures: () => knownErasures(at.db),
      access: () => readAccess(at.db),
      isInPlace: true,
      keepsAccess: false,
      clock: at.clock,
      actor: 'cli',
    });
    const db = await openSqlite({ path: target, keyPath: `${target}.key`, key: at.databaseKey });
    try {
      await check(db);
    } finally {
      await db.close();
    }
    const pages = pagesOf(target, at.databaseKey);
    return [pages.includes(BYTES), pages.includes(box)];
  };
  const before = await restored(async (db) => {
    const [face, other] = [
      await openSealed(db, pool, sealOf('ADA-1'), OF_HOLDER),
      await openSealed(db, pool, sealOf('BEN-2'), OF_HOLDER),
    ];
    expect([cosine(face ?? Float32Array.of(), normalisedMean([FACE])), other]).toEqual([
      expect.closeTo(1, 5),
      null,
    ]);
  });
  expect(before).toEqual([true, true]);
  await at.pass(34);
  const after = await restored(async (db) => {
    expect(await db.one('SELECT COUNT(*) AS n FROM templates')).toEqual({ n: 0 });
    expect((await readReport({ db, clock: at.clock }, at.scope, 'event-0')).faces_ends).toHaveLength(1);
  });
  expect(after).toEqual([false, false]);
});

it('an end without any check makes and deletes no backup', async () => {
  const at = await evening();
  await at.db.tx((tx) =>
    insertEvent(tx, venueEvent(at.scope, at.company.default_verification_id, 'event-0', { faces: 'event' })),
  );
  await at.pass(34);
  const [certificate] = (await readReport({ db: at.db, clock: at.clock }, at.scope, 'event-0')).faces_ends;
  expect([certificate?.backups, at.names()]).toEqual([{ replaced: [], by_hand: [], is_own: true }, []]);
});
