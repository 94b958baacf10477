/** Backups from an operator's view: by the command line, while a server is working. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from '@playwright/test';
import Sqlite from 'better-sqlite3';
import { limitMs, sized } from '../testing/tier.ts';
import { send } from './support/http.ts';
import { confirmation, initialize, settledToken } from './support/run.ts';
import { startGatehouse } from './support/service/server.ts';
import { CLI } from './support/service/command-line.ts';
import { sqliteOnly } from './support/sqlite-only.ts';

sqliteOnly('It backs up and restores the database file.');

type Created = { file: string; rows: number; recovery_phrase?: string };
/** Up to six processes are killed, and the data is checked after each. */
const KILLS_MS = limitMs(60_000);

let folder: string;
test.beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'gatehouse-backup-'));
});
test.afterEach(() => rmSync(folder, { recursive: true, force: true }));

const backupFile = () => path.join(folder, 'one.gatehouse-backup');

const start = (dataDir: string, args: string[]): ChildProcess =>
  spawn(process.execPath, [CLI, ...args, '--data-dir', dataDir], { stdio: 'ignore' });

async function killWhen(child: ChildProcess, isTime: () => boolean): Promise<void> {
  const ended = once(child, 'exit');
  while (child.exitCode === null && !isTime()) await new Promise((resolve) => setImmediate(resolve));
  child.kill('SIGKILL');
  await ended;
}

test('a backup under load contains everything acknowledged before it, and its phrase restores it on another machine', async () => {
  test.setTimeout(limitMs(60_000));
  await using gatehouse = await startGatehouse();
  const key = gatehouse.company.keys.sk_test;
  const tokens = await Promise.all(['alice', 'bob', 'carol'].map((face) => settledToken(gatehouse, face)));
  const { session_id: before } = await initialize(gatehouse, key);
  let isBusy = true;
  const load = Array.from({ length: 3 }, async (_, lane) => {
    for (let n = 0; isBusy; n++) await settledToken(gatehouse, `face-${lane}-${n}`);
  });
  const made = await gatehouse.cli<Created>(['backup', 'create', backupFile()]);
  isBusy = false;
  await Promise.all(load);
  expect(made.recovery_phrase?.split(' ')).toHaveLength(24);
  await expect(gatehouse.cli(['backup', 'restore', backupFile()])).rejects.toThrow(/Gatehouse is running on/);

  const phraseFile = path.join(folder, 'phrase');
  writeFileSync(phraseFile, made.recovery_phrase ?? '');
  const elsewhere = path.join(folder, 'elsewhere');
  await gatehouse.cli(['backup', 'restore', backupFile()], {
    'phrase-file': phraseFile,
    'data-dir': elsewhere,
  });
  const audit = await gatehouse.cli(['audit', 'verify', '--data-dir', elsewhere]);
  expect(audit).toMatchObject({ intact: true });
  expect(integrityOf(elsewhere)).toBe('ok');

  // The other machine continues from the state of the first.
  await gatehouse.kill9();
  rmSync(gatehouse.dataDir, { recursive: true });
  await gatehouse.cli(['data', 'move', gatehouse.dataDir, '--data-dir', elsewhere]);
  await gatehouse.restart();
  for (const token of tokens)
    expect(await confirmation(gatehouse, key, token)).toMatchObject({ verified: true });
  const opened = await send(`${gatehouse.baseUrl}/flow/sessions/${before}/open`, {
    body: { device: 'mobile' },
  });
  expect(opened.status).toBe(200);
});

test('kill −9 during a backup or a restore leaves complete data, and a complete backup', async () => {
  test.setTimeout(KILLS_MS);
  await using gatehouse = await startGatehouse();
  const early = path.join(folder, 'early.gatehouse-backup');
  const made = await gatehouse.cli<Created>(['backup', 'create', early]);
  const phraseFile = path.join(folder, 'phrase');
  writeFileSync(phraseFile, made.recovery_phrase ?? '');
  const key = gatehouse.company.keys.sk_test;
  const token = await settledToken(gatehouse, 'after-the-backup');
  copyFileSync(early, backupFile());
  await gatehouse.kill9();

  const expectWhole = async () => {
    expect(await gatehouse.cli(['audit', 'verify'])).toMatchObject({ intact: true });
    expect(integrityOf(gatehouse.dataDir)).toBe('ok');
    expect(await gatehouse.cli<unknown[]>(['company', 'list'])).toHaveLength(1);
  };
  for (const stage of sized(['.partial'], ['.snapshot', '.partial', '.check'])) {
    await killWhen(start(gatehouse.dataDir, ['backup', 'create', backupFile()]), () =>
      readdirSync(folder).some((name) => name.endsWith(stage)),
    );
    for (const name of readdirSync(folder)) {
      if (/\.(snapshot|partial|check)/.test(name)) rmSync(path.join(folder, name));
    }
    await expectWhole();
    const elsewhere = path.join(folder, 'elsewhere');
    const restore = ['backup', 'restore', backupFile(), '--phrase-file', phraseFile];
    await gatehouse.cli([...restore, '--data-dir', elsewhere]);
    rmSync(elsewhere, { recursive: true });
  }

  await gatehouse.restart();
  expect(await confirmation(gatehouse, key, token)).toMatchObject({ verified: true });
  await gatehouse.kill9();
  for (const file of sized(['restored.json'], ['restored.db', 'restored.db-wal', 'restored.json'])) {
    await killWhen(start(gatehouse.dataDir, ['backup', 'restore', early]), () =>
      existsSync(path.join(gatehouse.dataDir, file)),
    );
    await expectWhole();
  }
  await gatehouse.cli(['backup', 'restore', early]);
  await gatehouse.restart();
  await expect(confirmation(gatehouse, key, token)).rejects.toThrow();
});

function openDatabase(dataDir: string): Sqlite.Database {
  const database = new Sqlite(path.join(dataDir, 'gatehouse.db'));
  database.pragma("cipher = 'aegis'");
  database.pragma(`key = 'raw:${readFileSync(path.join(dataDir, 'gatehouse.key'), 'utf8').trim()}'`);
  return database;
}

function integrityOf(dataDir: string): unknown {
  const database = openDatabase(dataDir);
  try {
    return database.pragma('integrity_check', { simple: true });
  } finally {
    database.close();
  }
}
