import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { storedZip } from './stored-zip.ts';
import { openZip } from './zip-reader.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gatehouse-zip-'));
});
afterEach(() => rm(folder, { recursive: true }));

async function zipOf(edit: (bytes: Uint8Array) => Uint8Array = (bytes) => bytes) {
  const path = join(folder, 'a.zip');
  const bytes = storedZip([
    { name: 'one', body: Buffer.from('first') },
    { name: 'folder/two', body: Buffer.from('second') },
  ]);
  await writeFile(path, edit(bytes));
  return openZip(path);
}

test('each entry comes back by its name', async () => {
  const zip = await zipOf();
  const contents = await Promise.all(
    zip.entries.map(async (entry) => [entry.name, (await zip.read(entry)).toString()]),
  );
  await zip.close();
  expect(contents).toEqual([
    ['one', 'first'],
    ['folder/two', 'second'],
  ]);
});

test('a damaged entry is refused', async () => {
  const zip = await zipOf((bytes) => {
    const changed = Buffer.from(bytes);
    changed[changed.indexOf('first')] = 0;
    return changed;
  });
  await expect(zip.read(zip.entries[0]!)).rejects.toThrow(/one in the archive is damaged/);
  await zip.close();
});

test('what is no archive is refused', async () => {
  await expect(zipOf(() => Buffer.alloc(100))).rejects.toThrow(/not a ZIP/);
});
