import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openRotatingLog } from './rotating-log.ts';

let root: string;
let folder: string;
beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), 'gatehouse-log-'));
  folder = path.join(root, 'logs');
});
afterEach(() => rmSync(root, { recursive: true }));

const read = (name: string) => readFileSync(path.join(folder, name), 'utf8');

it('appends to an existing file', () => {
  for (const line of ['one', 'two']) {
    const log = openRotatingLog({ folder });
    log.write(line);
    log.close();
  }
  expect(read('gatehouse.log')).toBe('one\ntwo\n');
});

it('starts a new file before one gets too large, and keeps a few', () => {
  const log = openRotatingLog({ folder, maxBytes: 10, older: 2 });
  for (let n = 1; n <= 9; n++) log.write(`line${n}`);
  log.close();
  expect(readdirSync(folder).sort()).toEqual(['gatehouse.1.log', 'gatehouse.2.log', 'gatehouse.log']);
  expect([read('gatehouse.log'), read('gatehouse.1.log'), read('gatehouse.2.log')]).toEqual([
    'line9\n',
    'line8\n',
    'line7\n',
  ]);
});

it('accepts a line that is longer than a file', () => {
  const log = openRotatingLog({ folder, maxBytes: 4, older: 1 });
  log.write('a long line');
  log.close();
  expect(read('gatehouse.log')).toBe('a long line\n');
});

it('ignores lines after it was closed', () => {
  const log = openRotatingLog({ folder });
  log.close();
  log.write('late');
  log.close();
  expect(read('gatehouse.log')).toBe('');
});

it.skipIf(process.platform === 'win32')('can be read only by its owner', () => {
  openRotatingLog({ folder }).close();
  expect(statSync(path.join(folder, 'gatehouse.log')).mode & 0o777).toBe(0o600);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
});
