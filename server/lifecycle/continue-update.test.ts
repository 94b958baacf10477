/** A power cut at any change that an update makes on the disk: what is left is one version that works, on whole data. */
import fs, {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { generateKeyPairSync } from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeUpdate } from '../../scripts/packaging/update.ts';
import { limitMs } from '../../testing/tier.ts';
import { tempDir } from '../../testing/store/temp-store.ts';
import product from '../../package.json' with { type: 'json' };
import { openDatabase } from '../data/folder.ts';
import { dataPaths } from '../data/location.ts';
import { systemClock } from '../services/ports/clock.ts';
import { createCompany } from '../services/companies/companies.ts';
import {
  readJournal,
  switchTo,
  type UpdateHome,
  versionFolder,
  writeJournal,
} from '../services/updates/home.ts';
import { recordUpdate } from '../services/updates/record.ts';
import { installUpdate } from '../services/updates/install.ts';
import { updateKeyOf } from '../services/updates/keys.ts';
import { SCHEMA_VERSION } from '../store/schema/migrations.ts';
import { readOrCreateKeyFile } from '../store/sql/key-file.ts';
import { connectSqlite } from '../store/sql/sqlite/connection.ts';
import { continueUpdate } from './continue-update.ts';

const [OLD, NEW] = [product.version, '9.1.0'];
const MOST_CHANGES = 80;
/** Each test makes a backup, or puts one back, about twenty times. */
const LIMIT_MS = limitMs(30_000);
const { publicKey, privateKey } = generateKeyPairSync('ed25519');

/** Promises and plain functions that change names or begin to change contents. */
const CHANGES = {
  promises: ['open', 'rename', 'rm', 'mkdir', 'symlink', 'writeFile', 'link'],
  plain: ['openSync', 'renameSync', 'rmSync', 'rmdirSync', 'mkdirSync', 'writeFileSync'],
} as const;

class PowerCut extends Error {}

/**
 * Runs `work`; its n-th change below the folder does not happen, nor does any after it, as when the power is gone: no handler can
 * tidy up.
 * @returns whether it was cut off
 */
async function cutAt(n: number, below: string, work: () => Promise<unknown>): Promise<boolean> {
  let seen = 0;
  const restore: (() => void)[] = [];
  const watch = (functions: Record<string, unknown>, name: string) => {
    const original = functions[name] as (...args: unknown[]) => unknown;
    functions[name] = (...args: unknown[]) => {
      const isOurs = args.slice(0, 2).some((arg) => typeof arg === 'string' && arg.startsWith(below));
      const isReading = name.startsWith('open') && (args[1] === undefined || args[1] === 'r');
      if (isOurs && !isReading) {
        seen += 1;
        if (seen >= n) {
          const cut = new PowerCut();
          if (name.endsWith('Sync')) throw cut;
          return Promise.reject(cut);
        }
      }
      return original(...args);
    };
    restore.push(() => (functions[name] = original));
  };
  for (const name of CHANGES.promises) watch(fs.promises, name);
  for (const name of CHANGES.plain) watch(fs, name);
  syncBuiltinESMExports();
  try {
    await work();
  } catch (error) {
    if (seen < n) throw error;
  } finally {
    for (const each of restore) each();
    syncBuiltinESMExports();
  }
  return seen >= n;
}

/** The first installation, with data and an update of one small program. */
const first = mkdtempSync(path.join(tmpdir(), 'gatehouse-first-'));
const update = path.join(first, 'new.update');
beforeAll(async () => {
  const program = path.join(first, 'program/bin');
  mkdirSync(program, { recursive: true });
  writeFileSync(path.join(program, 'gatehouse'), '#!/bin/sh\ncat > /dev/null\n', { mode: 0o755 });
  await makeUpdate(
    { folder: path.dirname(program), version: NEW, minFrom: OLD, privateKeys: [privateKey] },
    update,
  );
  const home = path.join(first, 'home');
  cpSync(path.dirname(program), path.join(home, 'versions', OLD), { recursive: true });
  symlinkSync(`versions/${OLD}`, path.join(home, 'current'));
  const db = await openDatabase(path.join(first, 'data'));
  await createCompany(db, systemClock, { name: 'Venue', actor: 'cli' });
  await db.close();
});
afterAll(() => rmSync(first, { recursive: true }));

type It = { folder: string; home: UpdateHome; data: { dataDir: string; databaseUrl: null } };

/** A copy of the first one, or of `from`. */
function installation(from = first): It {
  const folder = tempDir();
  for (const part of ['home', 'data'])
    cpSync(path.join(from, part), path.join(folder, part), { recursive: true, verbatimSymlinks: true });
  const data = { dataDir: path.join(folder, 'data'), databaseUrl: null } as const;
  return { folder, home: { folder: path.join(folder, 'home'), version: OLD }, data };
}

async function install({ home, data: { dataDir } }: It): Promise<void> {
  const db = await openDatabase(dataDir);
  try {
    const { database, backups } = dataPaths(dataDir);
    await installUpdate(
      { db, clock: systemClock },
      {
        home,
        file: update,
        actor: 'cli',
        data: { database, backups },
        isDatabaseSaved: false,
        keys: [updateKeyOf(publicKey)],
      },
    );
  } finally {
    await db.close();
  }
}

/** Makes the data newer, as the new version does at its start. */
async function migrate({ data: { dataDir } }: It): Promise<void> {
  const { database, key } = dataPaths(dataDir);
  const connection = await connectSqlite(database, readOrCreateKeyFile(key, database));
  connection.exec('CREATE TABLE later (x INTEGER); DROP TABLE settings');
  connection.pragma(`user_version = ${SCHEMA_VERSION + 1}`);
  connection.close();
}

/** What the new version does when it is about to serve. */
async function takeOver({ home, data: { dataDir } }: It): Promise<void> {
  const db = await openDatabase(dataDir);
  await recordUpdate({ db, clock: systemClock }, home);
  await db.close();
}

/** What starts next, started as often as it asks for: the version of the link, which must be whole, on all of the data. */
async function nextStart(it: It): Promise<string> {
  const current = () => path.basename(readlinkSync(path.join(it.home.folder, 'current')));
  for (let starts = 0; starts < 3; starts++) {
    const home = { ...it.home, version: current() };
    if ((await continueUpdate(home, it.data)).startsWith('switched')) continue;
    const version = current();
    if (version === NEW)
      expect(readdirSync(versionFolder(it.home, NEW), { recursive: true }).sort()).toEqual([
        'bin',
        'bin/gatehouse',
      ]);
    if (!existsSync(dataPaths(it.data.dataDir).database)) return version;
    const db = await openDatabase(it.data.dataDir);
    await recordUpdate({ db, clock: systemClock }, home);
    const companies = await db.all<{ name: string }>('SELECT name FROM companies');
    await db.close();
    expect(companies).toEqual([{ name: 'Venue' }]);
    return version;
  }
  throw new Error('It keeps asking for a restart.');
}

/** @returns the version that ran after each cut, and at last without one */
async function cutEverywhere(prepared: string, act: (it: It) => Promise<unknown>): Promise<string[]> {
  const ran: string[] = [];
  for (let n = 1; n < MOST_CHANGES; n++) {
    const it = installation(prepared);
    const wasCut = await cutAt(n, it.folder, () => act(it));
    ran.push(await nextStart(it));
    rmSync(it.folder, { recursive: true });
    if (!wasCut) return ran;
  }
  throw new Error('It makes more changes than expected.');
}

it(
  'while it is unpacked: the old version runs, or the new one once all of it is there',
  async () => {
    const ran = await cutEverywhere(first, install);
    expect(ran.length).toBeGreaterThan(8);
    expect(ran.at(-1)).toBe(NEW);
    expect(new Set(ran.slice(0, 4))).toEqual(new Set([OLD]));
  },
  LIMIT_MS,
);

it(
  'while it is tried and put in place: the old version runs until the link moves, and then the new one',
  async () => {
    const ready = installation();
    await install(ready);
    // Without data, because a backup takes long, and one that is cut off has its own tests.
    const { dataDir } = ready.data;
    rmSync(dataDir, { recursive: true });
    mkdirSync(dataDir);
    const ran = await cutEverywhere(ready.folder, (it) => continueUpdate(it.home, it.data));
    expect(ran.length).toBeGreaterThan(6);
    expect(ran.at(-1)).toBe(NEW);
    expect(new Set(ran)).toEqual(new Set([OLD, NEW]));
  },
  LIMIT_MS,
);

const STARTED = { phase: 'trying', from: OLD, to: NEW, at: 1, actor: 'cli', schema: SCHEMA_VERSION } as const;

it(
  'while the new version starts for the first time: it runs, or the old one',
  async () => {
    const tried = installation();
    await install(tried);
    await switchTo(tried.home, NEW);
    await writeJournal(tried.home, { ...STARTED, backup: null, isStarted: false });
    const ran = await cutEverywhere(tried.folder, async (it) => {
      const own = { ...it, home: { ...it.home, version: NEW } };
      expect(await continueUpdate(own.home, own.data)).toBe('serves_first');
      await takeOver(own);
    });
    expect(ran.at(-1)).toBe(NEW);
    expect(new Set(ran)).toEqual(new Set([OLD, NEW]));
  },
  LIMIT_MS,
);

it('after a first start that failed: back, unless nothing leads back', async () => {
  const tried = installation();
  await install(tried);
  const own = { ...tried.home, version: NEW };
  const failed = { ...STARTED, backup: null, isStarted: true };
  await switchTo(own, NEW);
  await writeJournal(own, { ...failed, schema: SCHEMA_VERSION - 1 });
  const postgres = { ...tried.data, databaseUrl: 'postgres://venue' };
  expect(await continueUpdate(own, postgres)).toBe('serves_first');
  await writeJournal(own, failed);
  expect(await continueUpdate(own, postgres)).toBe('switched_back');
  expect(await nextStart(tried)).toBe(OLD);
  expect(await readJournal(tried.home)).toMatchObject({ phase: 'rolled_back', why: 'not_healthy' });
  expect(existsSync(versionFolder(tried.home, NEW))).toBe(false);
});

it('an installation that was put in place is not undone by a later failure', async () => {
  const tried = installation();
  await install(tried);
  const own = { ...tried.home, version: NEW };
  await writeJournal(own, { ...STARTED, backup: null, isStarted: true });
  await takeOver({ ...tried, home: own });
  expect(readlinkSync(path.join(own.folder, 'current'))).toBe(`versions/${NEW}`);
  expect(await continueUpdate(own, tried.data)).toBe('serves');
  expect(await nextStart(tried)).toBe(NEW);
});

it(
  'while the data is put back: the old version runs on it',
  async () => {
    const tried = installation();
    await install(tried);
    const program = path.join(versionFolder(tried.home, NEW), 'bin/gatehouse');
    writeFileSync(program, '#!/bin/sh\ncat > /dev/null\nexit 3\n');
    expect(await continueUpdate(tried.home, tried.data)).toBe('serves');
    expect(await readJournal(tried.home)).toMatchObject({
      phase: 'rolled_back',
      why: 'not_healthy',
      restored: false,
    });
    // As after a power cut while the new version works on the data.
    const { backups } = dataPaths(tried.data.dataDir);
    const backup = path.join(backups, readdirSync(backups)[0] ?? '');
    await migrate(tried);
    await writeJournal(tried.home, { ...STARTED, backup, isStarted: true });
    const ran = await cutEverywhere(tried.folder, (it) => continueUpdate(it.home, it.data));
    expect(ran.length).toBeGreaterThan(6);
    expect(new Set(ran)).toEqual(new Set([OLD]));
  },
  LIMIT_MS,
);
