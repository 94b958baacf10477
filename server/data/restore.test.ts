/** Who gets in after a restore, and who is asked before. */
import { randomBytes, randomInt } from 'node:crypto';
import { copyFileSync, mkdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import Sqlite from 'better-sqlite3';
import { expect, it } from 'vitest';
import { kiosk as kioskRow } from '../../testing/store/rows.ts';
import { tempDir } from '../../testing/store/temp-store.ts';
import { createBackup } from '../services/backup/create.ts';
import { readBackupHeader } from '../services/backup/container/read.ts';
import { writeContainer } from '../services/backup/container/write.ts';
import { makeRecoveryPhrase, recoveryKeyOf } from '../services/backup/recovery-phrase.ts';
import { RECOVERY_SETTING, renewRecoveryPhrase } from '../services/backup/recovery-setting.ts';
import { systemClock } from '../services/ports/clock.ts';
import { createCompany } from '../services/companies/companies.ts';
import { authenticateV3 } from '../services/keys/keys.ts';
import { createOperator } from '../services/operators/operators.ts';
import { pairDevice } from '../services/venue/kiosk-pairing.ts';
import { authoriseKiosk, pairingCodeHash } from '../services/venue/kiosk-tokens.ts';
import { inspectSnapshot, takeSnapshot } from '../store/backup/snapshot.ts';
import { readSetting, writeSetting } from '../store/settings.ts';
import { SCHEMA_VERSION } from '../store/schema/migrations.ts';
import type { Database } from '../store/sql/port.ts';
import { unlock } from '../store/sql/sqlite/connection.ts';
import { insertKiosk } from '../store/venue/kiosks.ts';
import { databaseKeyOf, openDatabase } from './folder.ts';
import { databaseFiles, dataPaths } from './location.ts';
import { restoreData } from './restore.ts';

const actor = 'cli';

const addAdmin = (db: Database, name: string) =>
  createOperator(
    { db, clock: systemClock, randomInt: (n) => randomInt(n) },
    { name, role: 'admin', origin: 'cli', actor },
  );

/** An installation with one admin, a company with keys, and a kiosk that is paired. */
async function installed(admin: string) {
  const dataDir = path.join(tempDir(), 'data');
  const db = await openDatabase(dataDir);
  await addAdmin(db, admin);
  const company = await createCompany(db, systemClock, { name: 'Venue', actor });
  const id = `kiosk of ${admin}`;
  const [code, at] = ['ABCD-2345', systemClock.now()];
  await db.tx((tx) =>
    insertKiosk(
      tx,
      kioskRow(company.company_id, id, { codeHash: pairingCodeHash(code), codeExpiresAt: at + 60_000, at }),
    ),
  );
  const { device_token: token } = await pairDevice({ db, clock: systemClock }, code);
  const phrase = await renewRecoveryPhrase(db, systemClock, actor);
  return { dataDir, db, key: company.keys.sk_live, token, phrase };
}
type Installed = Awaited<ReturnType<typeof installed>>;

async function backUp({ dataDir }: Pick<Installed, 'dataDir'>): Promise<string> {
  const target = path.join(tempDir(), 'one.gatehouse-backup');
  const { database: databasePath } = dataPaths(dataDir);
  await createBackup({ databasePath, databaseKey: databaseKeyOf(dataDir), target, nowMs: systemClock.now() });
  return target;
}

type Options = Partial<Parameters<typeof restoreData>[1]>;
const restore = (dataDir: string, file: string, options: Options = {}) =>
  restoreData(dataDir, { file, phrase: null, confirmed: null, keepsAccess: false, actor, ...options });

/** The code that a refusal shows, with what it says. */
async function refused(work: Promise<unknown>): Promise<{ words: string; confirmed: string }> {
  const error = await work.then(
    () => new Error('It was not refused.'),
    (reason: unknown) => reason as Error & { code?: string },
  );
  expect(error).toMatchObject({ code: 'admins_unconfirmed' });
  return { words: error.message, confirmed: /--confirm-admins ([0-9a-f]{8})/.exec(error.message)?.[1] ?? '' };
}

/** Who and what gets in. */
async function accessTo(dataDir: string, { key, token }: Pick<Installed, 'key' | 'token'>) {
  const db = await openDatabase(dataDir);
  try {
    const admins = await db.all<{ name: string }>(
      `SELECT name FROM operators WHERE role = 'admin' AND disabled_at IS NULL ORDER BY name`,
    );
    const worksAs = (work: Promise<unknown>) => work.then(() => true).catch(() => false);
    return {
      admins: admins.map(({ name }) => name),
      key: await worksAs(authenticateV3(db, key, { secretOnly: true, nowMs: systemClock.now() })),
      kiosk: await worksAs(authoriseKiosk(db, token)),
    };
  } finally {
    await db.close();
  }
}

it('a backup of another installation is restored in its place only after its admins were confirmed', async () => {
  const [ours, theirs] = [await installed('Ada'), await installed('Mallory')];
  const file = await backUp(theirs);
  await ours.db.close();
  const before = statSync(dataPaths(ours.dataDir).database).ino;
  const { words, confirmed } = await refused(restore(ours.dataDir, file, { phrase: theirs.phrase }));
  expect(words).toContain('Admins after the restore: "Mallory"');
  expect(words).toContain('0 operators, 6 keys, 1 kiosks');
  expect(statSync(dataPaths(ours.dataDir).database).ino).toBe(before);
  await refused(restore(ours.dataDir, file, { phrase: theirs.phrase, confirmed: '00000000' }));
  const restored = await restore(ours.dataDir, file, { phrase: theirs.phrase, confirmed });
  expect(restored).toMatchObject({ proof: 'phrase', disabled: { operators: 0, keys: 6, kiosks: 1 } });
  expect(await accessTo(ours.dataDir, theirs)).toEqual({ admins: ['Mallory'], key: false, kiosk: false });
  await theirs.db.close();
});

it('what the replaced data never had keeps its access on request', async () => {
  const [ours, theirs] = [await installed('Ada'), await installed('Bob')];
  const file = await backUp(theirs);
  await ours.db.close();
  const options = { phrase: theirs.phrase, keepsAccess: true };
  const { confirmed } = await refused(restore(ours.dataDir, file, options));
  await restore(ours.dataDir, file, { ...options, confirmed });
  expect(await accessTo(ours.dataDir, theirs)).toEqual({ admins: ['Bob'], key: true, kiosk: true });
  await theirs.db.close();
});

it('a signed backup is restored into a new folder at once, with all access', async () => {
  const at = await installed('Ada');
  const file = await backUp(at);
  const other = path.join(tempDir(), 'other');
  expect(await restore(other, file, { phrase: at.phrase })).toMatchObject({
    proof: 'phrase',
    question: null,
  });
  expect(await accessTo(other, at)).toEqual({ admins: ['Ada'], key: true, kiosk: true });
  await at.db.close();
});

it.each([
  ['without the phrase', false],
  ['with the phrase', true],
])('a backup of this database is restored %s at once', async (_name, withPhrase) => {
  const at = await installed('Ada');
  const file = await backUp(at);
  await at.db.close();
  const phrase = withPhrase ? at.phrase : null;
  expect(await restore(at.dataDir, file, { phrase })).toMatchObject({ proof: 'database', question: null });
  expect(await accessTo(at.dataDir, at)).toEqual({ admins: ['Ada'], key: true, kiosk: true });
});

it.each([
  ['with the same database key, at once', true],
  ['with another database key, after a confirmation', false],
])('operators whom the data never had come back disabled from a backup made %s', async (_name, isSameKey) => {
  const at = await installed('Ada');
  const older = await backUp(at);
  await at.db.close();
  const copy = path.join(tempDir(), 'copy');
  mkdirSync(copy);
  if (isSameKey) copyFileSync(dataPaths(at.dataDir).key, dataPaths(copy).key);
  await restore(copy, older, { phrase: at.phrase });
  const db = await openDatabase(copy);
  await addAdmin(db, 'Mallory');
  await db.close();
  const target = await backUp({ dataDir: copy });
  const asked = isSameKey ? null : await refused(restore(at.dataDir, target, { phrase: at.phrase }));
  if (asked) expect(asked.words).toContain('Admins after the restore: "Ada". Disabled');
  const confirmed = asked?.confirmed ?? null;
  const restored = await restore(at.dataDir, target, { phrase: at.phrase, confirmed });
  expect(restored.disabled).toEqual({ operators: 1, keys: 0, kiosks: 0 });
  expect(await accessTo(at.dataDir, at)).toEqual({ admins: ['Ada'], key: true, kiosk: true });
});

it('what the data had before an older backup was restored by mistake keeps its access', async () => {
  const at = await installed('Ada');
  const older = await backUp(at);
  await addAdmin(at.db, 'Bob');
  const newer = await backUp(at);
  await at.db.close();
  await restore(at.dataDir, older);
  expect((await accessTo(at.dataDir, at)).admins).toEqual(['Ada']);
  await restore(at.dataDir, newer);
  expect((await accessTo(at.dataDir, at)).admins).toEqual(['Ada', 'Bob']);
});

/** With nothing but what a genuine backup's file shows, and data of their own. */
async function forge(genuine: string, theirs: Installed): Promise<string> {
  const { keys } = await readBackupHeader(genuine);
  const content = path.join(tempDir(), 'content');
  const snapshotKey = randomBytes(32);
  const source = { path: dataPaths(theirs.dataDir).database, key: databaseKeyOf(theirs.dataDir) };
  takeSnapshot(source, { path: content, key: snapshotKey });
  const contents = await inspectSnapshot({ path: content, key: snapshotKey });
  const target = path.join(tempDir(), 'forged.gatehouse-backup');
  await writeContainer(target, {
    content,
    manifest: { ...contents, snapshotKey: snapshotKey.toString('hex'), bytes: statSync(content).size },
    databaseKey: randomBytes(32),
    recovery: {
      publicKey: Buffer.from(keys.recovery?.public_key ?? '', 'hex'),
      signingKey: recoveryKeyOf(theirs.phrase).signingKey,
    },
    createdAt: systemClock.now(),
  });
  return target;
}

/** As an older version finds it. */
function writtenByNewer(dataDir: string): void {
  const newer = new Sqlite(dataPaths(dataDir).database);
  unlock(newer, databaseKeyOf(dataDir));
  newer.pragma(`user_version = ${SCHEMA_VERSION + 1}`);
  newer.close();
}

it('data that a newer version has changed is replaced by the backup from before, with its access', async () => {
  const ours = await installed('Ada');
  const file = await backUp(ours);
  await ours.db.close();
  writtenByNewer(ours.dataDir);
  await expect(openDatabase(ours.dataDir)).rejects.toMatchObject({ code: 'database_from_the_future' });
  expect(await restore(ours.dataDir, file)).toMatchObject({ proof: 'database' });
  expect(await accessTo(ours.dataDir, ours)).toEqual({ admins: ['Ada'], key: true, kiosk: true });
});

it('the same goes back with an empty database in its place, as in the app, if access is kept', async () => {
  const ours = await installed('Ada');
  const file = await backUp(ours);
  await ours.db.close();
  for (const old of databaseFiles(dataPaths(ours.dataDir).database)) rmSync(old, { force: true });
  const empty = await openDatabase(ours.dataDir);
  await addAdmin(empty, 'For now');
  await empty.close();
  expect(await restore(ours.dataDir, file, { keepsAccess: true })).toMatchObject({ proof: 'database' });
  expect(await accessTo(ours.dataDir, ours)).toEqual({ admins: ['Ada'], key: true, kiosk: true });
});

it('a backup forged with the public key of a genuine one is refused everywhere, confirmed or not', async () => {
  const [ours, theirs] = [await installed('Ada'), await installed('Mallory')];
  const forged = await forge(await backUp(ours), theirs);
  await ours.db.close();
  for (const dataDir of [ours.dataDir, path.join(tempDir(), 'new')])
    for (const confirmed of [null, '00000000'])
      await expect(restore(dataDir, forged, { phrase: ours.phrase, confirmed })).rejects.toMatchObject({
        code: 'backup_forged',
      });
  expect(await accessTo(ours.dataDir, ours)).toEqual({ admins: ['Ada'], key: true, kiosk: true });
  await theirs.db.close();
});

/** As an earlier version left the data. */
async function withEarlierPhrase(at: Installed): Promise<void> {
  await at.db.tx((tx) =>
    writeSetting(tx, RECOVERY_SETTING, {
      public_key: recoveryKeyOf(at.phrase).unsigned.publicKey.toString('hex'),
      created_at: new Date(systemClock.now()).toISOString(),
    }),
  );
}

it('a backup of a phrase from before backups were signed asks everywhere', async () => {
  const at = await installed('Ada');
  await withEarlierPhrase(at);
  const file = await backUp(at);
  const other = path.join(tempDir(), 'new');
  const { words, confirmed } = await refused(restore(other, file, { phrase: at.phrase }));
  expect(words).toContain('is not signed');
  expect(await restore(other, file, { phrase: at.phrase, confirmed })).toMatchObject({ proof: 'none' });
  await at.db.close();
});

it('a forged backup for such a phrase cannot bring in a phrase of its own', async () => {
  const [ours, theirs] = [await installed('Ada'), await installed('Mallory')];
  await withEarlierPhrase(ours);
  const forged = await forge(await backUp(ours), theirs);
  await ours.db.close();
  const other = path.join(tempDir(), 'new');
  const { words, confirmed } = await refused(restore(other, forged, { phrase: ours.phrase }));
  expect(words).toContain('"Mallory"');
  await restore(other, forged, { phrase: ours.phrase, confirmed });
  const db = await openDatabase(other);
  expect(await readSetting(db, RECOVERY_SETTING)).toBeNull();
  await db.close();
  await theirs.db.close();
});

it('the name of a forged admin does not control the terminal', async () => {
  const [ours, theirs] = [await installed('Ada'), await installed('Mallory')];
  await theirs.db.tx((tx) => tx.run(`UPDATE operators SET name = ?`, 'Ada\u001b[2K\u009b1A\u202e'));
  const file = await backUp(theirs);
  await ours.db.close();
  const { words } = await refused(restore(ours.dataDir, file, { phrase: theirs.phrase }));
  expect(words).not.toMatch(/\p{C}/u);
  await theirs.db.close();
});

it('the phrase and the key that signs are in no backup’s clear part', async () => {
  const at = await installed('Ada');
  const bytes = readFileSync(await backUp(at));
  const { signingKey } = recoveryKeyOf(at.phrase);
  for (const secret of [signingKey, signingKey.toString('hex'), at.phrase])
    expect(bytes.includes(secret)).toBe(false);
  expect(makeRecoveryPhrase()).not.toBe(at.phrase);
  await at.db.close();
});
