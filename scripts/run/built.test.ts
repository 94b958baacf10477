import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { PROJECT_ROOT } from '../assets/paths.ts';
import { ensureBuilt, fingerprint, SOURCES } from './built.ts';

let root: string;
let builds: string[];

beforeEach(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'gatehouse-built-'));
  builds = [];
  await mkdir(path.join(root, 'renderer/apps/hosted'), { recursive: true });
  await mkdir(path.join(root, 'server'));
  await writeFile(path.join(root, 'renderer/apps/hosted/main.tsx'), 'one');
});
afterEach(() => rm(root, { recursive: true, force: true }));

const BUILT = { pages: 'dist/hosted/index.html', server: 'dist/server/cli.js' };
const run = async ({ name }: { name: keyof typeof BUILT }) => {
  builds.push(name);
  const file = path.join(root, BUILT[name]);
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, 'built');
};
const ensure = () => ensureBuilt(() => undefined, { root, run, lock: path.join(root, 'lock') });

it('every source of the project is found, also a file without an extension', async () => {
  expect(await fingerprint(PROJECT_ROOT, SOURCES)).toMatch(/^[0-9a-f]{64}$/);
  await writeFile(path.join(root, 'LICENSE'), 'one');
  const before = await fingerprint(root, ['LICENSE']);
  await writeFile(path.join(root, 'LICENSE'), 'two');
  expect(await fingerprint(root, ['LICENSE'])).not.toBe(before);
});

describe('pages and server are built', () => {
  it('when there are none, and not again while nothing changes', async () => {
    await ensure();
    await ensure();
    expect(builds).toEqual(['pages', 'server']);
  });

  it('once when two processes ask at the same time', async () => {
    await Promise.all([ensure(), ensure()]);
    expect(builds).toEqual(['pages', 'server']);
  });

  it('the server alone when only its sources changed', async () => {
    await ensure();
    await writeFile(path.join(root, 'server/main.ts'), 'one');
    await ensure();
    expect(builds).toEqual(['pages', 'server', 'server']);
  });

  it('again when a source has other contents, however old it looks', async () => {
    await ensure();
    const source = path.join(root, 'renderer/apps/hosted/main.tsx');
    await writeFile(source, 'two');
    await utimes(source, 0, 0);
    await ensure();
    expect(builds).toEqual(['pages', 'server', 'pages']);
  });

  it('again when a source came or went', async () => {
    await ensure();
    const source = path.join(root, 'renderer/apps/hosted/more.ts');
    await writeFile(source, '');
    await ensure();
    await rm(source);
    await ensure();
    expect(builds).toEqual(['pages', 'server', 'pages', 'pages']);
  });

  it('again when a built file is gone', async () => {
    await ensure();
    await rm(path.join(root, 'dist/hosted/index.html'));
    await ensure();
    expect(builds).toEqual(['pages', 'server', 'pages']);
  });

  it('not again for new times or changed tests', async () => {
    await ensure();
    await utimes(path.join(root, 'renderer/apps/hosted/main.tsx'), 1, 1);
    await writeFile(path.join(root, 'renderer/apps/hosted/main.test.tsx'), 'test');
    await ensure();
    expect(builds).toEqual(['pages', 'server']);
  });

  it('again after a build that failed', async () => {
    const failing = ensureBuilt(() => undefined, {
      root,
      run: () => Promise.reject(new Error('broken')),
      lock: path.join(root, 'lock'),
    });
    await expect(failing).rejects.toThrow('broken');
    await ensure();
    expect(builds).toEqual(['pages', 'server']);
  });
});
