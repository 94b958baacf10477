/** The commands of recordings on a data folder; the capture itself is in `lab/evaluate/recordings/recorded-at-a-server.test.ts`. */
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { recording } from '../../testing/service/recording.ts';
import { tempDir } from '../../testing/store/temp-store.ts';
import { openDatabase } from '../data/folder.ts';
import { listRecordings, openRecordings } from '../data/recordings.ts';
import type { Recording } from '../domain/capture/recording.ts';
import { createProgram } from './commands.ts';
import { keeperOf } from './sitting.ts';

const RECORDING = recording({
  attack: 'print',
  capture: {
    ...recording().capture,
    verdict: { passed: false, isDoubtful: true, findings: ['presentation_attack'], score: 0.9 },
  },
  stills: new Map([[0, Buffer.from('a still')]]),
});

async function folderWith(...recordings: Recording[]): Promise<string> {
  const dataDir = tempDir();
  await (await openDatabase(dataDir)).close();
  const { save } = await openRecordings(dataDir, { databaseUrl: null, databaseKeys: null });
  for (const recording of recordings) await save(recording);
  return dataDir;
}

/** What the command prints. */
async function run(dataDir: string, line: string): Promise<unknown> {
  const printed = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  onTestFinished(() => printed.mockRestore());
  await createProgram().parseAsync([...line.split(' '), '--json', '--data-dir', dataDir], { from: 'user' });
  return JSON.parse(String(printed.mock.lastCall?.[0]));
}

const RECORD = 'record --organiser Venue --identity p01';

test.each([
  ['a name that shows who it is', 'record --organiser Venue --identity Anna', '--identity must start'],
  ['an attack called genuine', `${RECORD} --attack genuine`, 'Leave out --attack'],
  ['a label without a value', `${RECORD} --label dim`, '--label must start'],
  ['a label with two values', `${RECORD} --label lamp=warm=dim`, 'not "warm=dim"'],
  ['too many days', `${RECORD} --keep-days 366`, '1 to 365'],
  ['a record without data to keep it in', RECORD, 'contains no Gatehouse data'],
  ['deleting nothing in particular', 'recordings delete', 'either --code or --all'],
  ['a code and all', 'recordings delete --code ABCD2345 --all', 'either --code or --all'],
  ['deleting a code without data', 'recordings delete --code ABCD2345', 'contains no Gatehouse data'],
  ['deleting all without data', 'recordings delete --all', 'contains no Gatehouse data'],
  ['listing without data', 'recordings list', 'contains no Gatehouse data'],
])('%s is refused', async (_, line, reason) => {
  const dataDir = tempDir();
  await expect(run(dataDir, line)).rejects.toThrow(reason);
  expect(readdirSync(dataDir)).toEqual([]);
});

test('a code that nobody has is refused', async () => {
  const line = 'recordings delete --code ZZZZ9999';
  await expect(run(await folderWith(), line)).rejects.toThrow('no recording with the code');
});

test('recordings that are left without a database can be deleted, and no database appears', async () => {
  const dataDir = await folderWith(RECORDING);
  for (const name of readdirSync(dataDir))
    if (name !== 'recordings') rmSync(path.join(dataDir, name), { recursive: true });
  const printed = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  onTestFinished(() => printed.mockRestore());
  await expect(run(dataDir, 'recordings delete --all')).rejects.toThrow('contains no Gatehouse data');
  expect(printed.mock.calls).toEqual([['{"deleted":1}\n']]);
  expect(readdirSync(dataDir)).toEqual(['recordings']);
});

test('recordings are listed with what the operator said and the server found, and deleted by their code', async () => {
  const dataDir = await folderWith(RECORDING, { ...RECORDING, code: 'EFGH2345', attack: null });
  expect(await run(dataDir, 'recordings list')).toMatchObject([
    {
      code: 'ABCD2345',
      readable: true,
      identity: 'p01',
      attack: 'print',
      result: 'presentation_attack',
      stills: 1,
    },
    { code: 'EFGH2345', attack: null, kept_until: '2027-02-21' },
  ]);
  expect(await run(dataDir, 'recordings delete --code abcd2345')).toEqual({ deleted: 1 });
  expect(await run(dataDir, 'recordings list')).toMatchObject([{ code: 'EFGH2345' }]);
  expect(await run(dataDir, 'recordings delete --all')).toEqual({ deleted: 1 });
  expect(await run(dataDir, 'recordings list')).toEqual([]);
  const db = await openDatabase(dataDir);
  const entries = await db.all<{ subject: string; details: string }>(
    "SELECT subject, details FROM audit_entries WHERE action = 'recording.delete' ORDER BY seq",
  );
  await db.close();
  expect(entries).toEqual([
    { subject: 'ABCD2345', details: '{"recordings":1}' },
    { subject: 'installation', details: '{"recordings":1}' },
  ]);
});

test('the outcome is printed even if the audit log cannot be written', async () => {
  const dataDir = await folderWith(RECORDING);
  writeFileSync(path.join(dataDir, 'gatehouse.key'), 'f'.repeat(64));
  const printed = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  onTestFinished(() => printed.mockRestore());
  await expect(run(dataDir, 'recordings delete --all')).rejects.toThrow();
  expect(printed.mock.calls).toEqual([['{"deleted":1}\n']]);
});

test('clean-up deletes what is over', async () => {
  const dataDir = await folderWith({ ...RECORDING, keptUntil: '2020-01-01' }, RECORDING);
  expect(await run(dataDir, 'retention run')).toMatchObject({ removed: { recordings: 1 } });
  expect(await run(dataDir, 'recordings list')).toHaveLength(1);
});

async function keeperIn(dataDir: string) {
  const { save } = await openRecordings(dataDir, { databaseUrl: null, databaseKeys: null });
  const { consent, capture, stills, ...about } = RECORDING;
  const keeper = keeperOf(dataDir, save, about);
  keeper.agree(consent);
  return { ...keeper, capture, stills, timedOut: { ...capture, verdict: null } };
}

test('what is still being saved when a sitting ends is kept and reported', async () => {
  const dataDir = tempDir();
  const { keep, end, timedOut, stills } = await keeperIn(dataDir);
  for (const _ of [1, 2]) void keep(timedOut, stills);
  expect(await end()).toMatchObject([{ number: 1 }, { number: 2 }]);
  expect(await listRecordings(dataDir)).toHaveLength(2);
});

test('nothing stays of a person who agrees and then declines, not even what is being saved', async () => {
  const dataDir = tempDir();
  const { keep, decline, isDone, end, capture, timedOut, stills } = await keeperIn(dataDir);
  await keep(timedOut, stills);
  void keep(capture, stills);
  decline();
  expect(await end()).toEqual([]);
  expect(isDone()).toBe(false);
  expect(await listRecordings(dataDir)).toEqual([]);
});
