/** Which files each group contains, and which package each comes from. */
import { join } from 'node:path';
import { readManifests } from '../../server/face/manifest.ts';
import { modelsDir, testPhotosDir } from './paths.ts';
import type { PackageRef } from './tarball.ts';
import { TEST_PHOTOS, TEST_PHOTOS_PACKAGE } from './test-photos.ts';

/** `product`: required by the app. `test`: that, and files that only tests need. */
export type AssetGroup = 'product' | 'test';

/** How the file is made from the package's own: weights below `below` become 0. */
export type Flush = { originalSha256: string; below: number };

export type Asset = {
  /** Target path of the file. */
  target: string;
  sha256: string;
  /** Null for a model that its owner provides. */
  origin: { package: PackageRef; make: { path: string; flush?: Flush } | { builder: 'face-task' } } | null;
};

export function listAssets(group: AssetGroup, manifestDir: string, cache: string): Asset[] {
  const models = modelAssets(manifestDir, cache);
  return group === 'product' ? models : [...models, ...photoAssets(cache)];
}

function modelAssets(manifestDir: string, cache: string): Asset[] {
  return readManifests(manifestDir).map(({ file, sha256, source }) => {
    const target = join(modelsDir(cache), file);
    if (source === undefined) return { target, sha256, origin: null };
    const { path, builder, flush, ...ref } = source;
    // A manifest has one or the other; its reader has checked that.
    const make =
      path === undefined
        ? { builder: builder ?? 'face-task' }
        : { path, ...(flush !== undefined && { flush }) };
    return { target, sha256, origin: { package: ref, make } };
  });
}

function photoAssets(cache: string): Asset[] {
  return Object.entries(TEST_PHOTOS).map(([name, sha256]) => ({
    target: join(testPhotosDir(cache), name),
    sha256,
    origin: { package: TEST_PHOTOS_PACKAGE, make: { path: `demo/${name}` } },
  }));
}
