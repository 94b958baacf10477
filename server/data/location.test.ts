import { writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { dataFolderOf } from '../../electron/data-folder.ts';
import { tempDir } from '../../testing/store/temp-store.ts';
import { dataDirFrom } from './location.ts';

describe.runIf(process.platform === 'linux')('the default data folder', () => {
  const usual = path.join(homedir(), '.local/share/gatehouse');

  it.each([
    [{ XDG_DATA_HOME: '' }],
    [{ XDG_DATA_HOME: 'here' }],
    [{ XDG_DATA_HOME: '.' }],
    [{ GATEHOUSE_DATA_DIR: '' }],
    [{ GATEHOUSE_DATA_DIR: '', XDG_DATA_HOME: '' }],
  ])('is never the working folder, with %j', (env) => {
    expect(dataDirFrom(undefined, env)).toBe(usual);
    expect(dataFolderOf({ env, platform: 'linux', home: homedir() })).toBe(usual);
  });

  it('is that of the account where HOME is empty', () => {
    vi.stubEnv('HOME', '');
    try {
      const found = dataDirFrom(undefined, {});
      expect(path.isAbsolute(found)).toBe(true);
      expect(found.startsWith(process.cwd() + path.sep)).toBe(false);
    } finally {
      vi.unstubAllEnvs();
    }
  });
});

it.each(['', '  '])('a data folder named %j is refused', (option) => {
  expect(() => dataDirFrom(option, {})).toThrow('--data-dir is empty');
});

it.each(['', '{', '{"to": ""}', '{"to": "below"}', '"text"', 'null'])(
  'a note about moved data that holds %j is refused in words',
  (text) => {
    const folder = tempDir();
    writeFileSync(path.join(folder, 'moved.json'), text);
    expect(() => dataDirFrom(folder, {})).toThrow('should hold the new path');
  },
);
