import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { dataDirFrom } from '../server/data/location.ts';
import { dataFolderOf } from './data-folder.ts';

const here = { platform: process.platform, home: homedir() };

it.each([{}, { XDG_DATA_HOME: '/data' }, { GATEHOUSE_DATA_DIR: '/srv/gatehouse' }])(
  'is the server’s own, with %j',
  (env) => {
    expect(dataFolderOf({ ...here, env })).toBe(dataDirFrom(undefined, env));
  },
);

it('is the new folder after the data was moved, as for the server', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'gatehouse-folder-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(path.join(folder, 'moved.json'), JSON.stringify({ to: '/new/place' }));
  const env = { GATEHOUSE_DATA_DIR: folder };
  expect(dataFolderOf({ ...here, env })).toBe('/new/place');
  expect(dataDirFrom(undefined, env)).toBe('/new/place');
});
