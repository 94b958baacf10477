/** The files of an unpacked package. */
import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { listPackage, statFile } from '@electron/asar';
import type { PackedFile } from './sizes.ts';

/** All files below the folder, with their sizes on disk. */
export async function packedFiles(folder: string): Promise<PackedFile[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return Promise.all(
    entries
      // Frameworks on macOS link to their own parts, which would count twice.
      .filter((entry) => entry.isFile())
      .map(async (entry) => {
        const file = path.join(entry.parentPath, entry.name);
        return {
          name: path.relative(folder, file).replaceAll(path.sep, '/'),
          bytes: (await stat(file)).size,
        };
      }),
  );
}

/** Leaves out files that are stored outside, in the folder `….unpacked`. */
function asarNames(archive: string): string[] {
  const names = listPackage(archive, { isPack: false }).map((name) => name.slice(1));
  const packed = names.filter((name) => {
    const entry = statFile(archive, name, false);
    return !('files' in entry) && !('unpacked' in entry && entry.unpacked);
  });
  return packed.map((name) => name.replaceAll(path.sep, '/'));
}

/** The names below the resources folder; the archive is replaced with the files inside it. */
export async function resourceNames(resources: string): Promise<string[]> {
  const onDisk = (await packedFiles(resources)).map(({ name }) => name);
  const inside = asarNames(path.join(resources, 'app.asar'));
  return [...onDisk.filter((name) => name !== 'app.asar'), ...inside.map((name) => `app.asar/${name}`)];
}
