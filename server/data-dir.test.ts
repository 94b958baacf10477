import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ConfigError } from './config.ts';
import { prepareDataDir } from './data-dir.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'gatehouse-data-dir-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

it('is made with the folders above it, for its owner alone', () => {
  const dataDir = path.join(folder, 'a/b/c');
  prepareDataDir(dataDir);
  prepareDataDir(dataDir);
  expect(statSync(dataDir).isDirectory()).toBe(true);
  if (process.platform !== 'win32') expect(statSync(dataDir).mode & 0o777).toBe(0o700);
});

it('is refused in a sentence where a file stands in its way', () => {
  const file = path.join(folder, 'file');
  writeFileSync(file, '');
  expect(() => prepareDataDir(file)).toThrow(ConfigError);
  expect(() => prepareDataDir(path.join(file, 'below'))).toThrow(/cannot be written \(ENOTDIR\)/);
});

it.runIf(process.platform === 'linux')(
  'is refused where nothing can be made, however the system says so',
  () => {
    expect(() => prepareDataDir('/proc/gatehouse')).toThrow(/cannot be written \(ENOENT\)/);
  },
);
