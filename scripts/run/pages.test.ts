import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ensurePages } from './pages.ts';

let root: string;
let builds: number;

beforeEach(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'gatehouse-pages-'));
  builds = 0;
  await mkdir(path.join(root, 'renderer/apps/hosted'), { recursive: true });
  await writeFile(path.join(root, 'renderer/apps/hosted/main.tsx'), 'one');
});
afterEach(() => rm(root, { recursive: true, force: true }));

const build = async () => {
  builds += 1;
  await mkdir(path.join(root, 'dist/hosted'), { recursive: true });
  await writeFile(path.join(root, 'dist/hosted/index.html'), 'page');
};
const ensure = () => ensurePages(() => undefined, { root, build, lock: path.join(root, 'lock') });

describe('pages are built', () => {
  it('when there are none, and not again while nothing changes', async () => {
    await ensure();
    await ensure();
    expect(builds).toBe(1);
  });

  it('once when two processes ask at the same time', async () => {
    await Promise.all([ensure(), ensure()]);
    expect(builds).toBe(1);
  });

  it('again when a source has other contents, however old it looks', async () => {
    await ensure();
    const source = path.join(root, 'renderer/apps/hosted/main.tsx');
    await writeFile(source, 'two');
    await utimes(source, 0, 0);
    await ensure();
    expect(builds).toBe(2);
  });

  it('again when a source came or went', async () => {
    await ensure();
    const source = path.join(root, 'renderer/apps/hosted/more.ts');
    await writeFile(source, '');
    await ensure();
    await rm(source);
    await ensure();
    expect(builds).toBe(3);
  });

  it('again when a built file is gone', async () => {
    await ensure();
    await rm(path.join(root, 'dist/hosted/index.html'));
    await ensure();
    expect(builds).toBe(2);
  });

  it('not again for new times or changed tests', async () => {
    await ensure();
    await utimes(path.join(root, 'renderer/apps/hosted/main.tsx'), 1, 1);
    await writeFile(path.join(root, 'renderer/apps/hosted/main.test.tsx'), 'test');
    await ensure();
    expect(builds).toBe(1);
  });

  it('again after a build that failed', async () => {
    const failing = ensurePages(() => undefined, {
      root,
      build: () => Promise.reject(new Error('broken')),
      lock: path.join(root, 'lock'),
    });
    await expect(failing).rejects.toThrow('broken');
    await ensure();
    expect(builds).toBe(1);
  });
});
