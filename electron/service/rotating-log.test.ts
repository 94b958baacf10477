import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
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

describe('never throws', () => {
  const LATER_MS = 5_000;

  /** A log with a clock of its own. */
  function opened() {
    let nowMs = Date.parse('2026-11-25T20:00:00Z');
    const log = openRotatingLog({ folder, now: () => nowMs });
    return { log, later: () => (nowMs += LATER_MS) };
  }

  it('without its folder, and continues once that can be made', () => {
    writeFileSync(folder, 'a file in its place');
    const { log, later } = opened();
    log.write('lost');
    later();
    log.write('lost, too');
    rmSync(folder);
    later();
    log.write('kept');
    log.close();
    expect(read('gatehouse.log')).toBe(
      '2026-11-25T20:00:10.000Z desktop: 2 lines are missing here, because the log could not be written\nkept\n',
    );
  });

  it('after its folder was removed: it makes a new one', () => {
    const { log, later } = opened();
    log.write('before');
    rmSync(folder, { recursive: true });
    later();
    log.write('after');
    log.close();
    expect(read('gatehouse.log')).toBe('after\n');
  });

  it.skipIf(process.platform !== 'linux')('on a full disk', () => {
    mkdirSync(folder);
    symlinkSync('/dev/full', path.join(folder, 'gatehouse.log'));
    const { log, later } = opened();
    for (let n = 0; n < 3; n += 1) log.write('lost');
    rmSync(path.join(folder, 'gatehouse.log'));
    later();
    log.write('kept');
    log.close();
    expect(read('gatehouse.log')).toMatch(/ 3 lines are missing here, .*\nkept\n$/);
  });

  it('if an older file cannot be replaced: the newest lines stay', () => {
    const log = openRotatingLog({ folder, maxBytes: 10, older: 1 });
    log.write('12345678');
    // A folder that is not empty can't be deleted as the oldest file.
    mkdirSync(path.join(folder, 'gatehouse.1.log', 'full'), { recursive: true });
    log.write('newest');
    log.close();
    log.close();
    expect(read('gatehouse.log')).toBe('newest\n');
  });
});
