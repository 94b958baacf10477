import { mkdtempSync, readdirSync, rmSync, writeFileSync, mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { dataDirFrom } from './location.ts';
import { openDatabase } from './folder.ts';
import { moveData } from './move.ts';
import { insertCompany, listCompanies } from '../store/companies/companies.ts';

let root: string;
let from: string;
beforeEach(async () => {
  root = mkdtempSync(path.join(tmpdir(), 'gatehouse-move-'));
  from = path.join(root, 'old');
  const db = await openDatabase(from);
  await db.tx((tx) => insertCompany(tx, { id: 'c', name: 'Venue', dailyLimit: 1, createdAt: 1 }));
  await db.close();
  mkdirSync(path.join(from, 'backups'));
  writeFileSync(path.join(from, 'backups/one'), 'backup');
});
afterEach(() => rmSync(root, { recursive: true }));

it('all data is in the new folder, and the old one contains its path', async () => {
  const to = path.join(root, 'new/place');
  await moveData(from, to);
  expect(readdirSync(from).sort()).toEqual(['gatehouse.lock', 'moved.json']);
  expect(readdirSync(to).sort()).toEqual(['backups', 'gatehouse.db', 'gatehouse.key']);
  const db = await openDatabase(dataDirFrom(from, {}));
  expect(await listCompanies(db)).toMatchObject([{ id: 'c' }]);
  await db.close();
});

it('nothing is moved while the data is in use', async () => {
  const db = await openDatabase(from);
  await expect(moveData(from, path.join(root, 'new'))).rejects.toThrow(/is running on/);
  await db.close();
});

it.each([
  ['a folder with something in it', () => root, /inside the other/],
  ['a folder inside', () => path.join(from, 'below'), /inside the other/],
])('%s is refused', async (_name, to, words) => {
  await expect(moveData(from, to())).rejects.toThrow(words);
});

it('a folder that is not empty is refused, and not changed', async () => {
  const to = path.join(root, 'taken');
  mkdirSync(to);
  writeFileSync(path.join(to, 'file'), 'mine');
  await expect(moveData(from, to)).rejects.toThrow(/not empty/);
  expect(readdirSync(to)).toEqual(['file']);
});
