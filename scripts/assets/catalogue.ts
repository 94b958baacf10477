/** Which files each group contains, and which package each comes from. */
import { join } from 'node:path';
import { readManifests } from '../../server/face/models/manifest.ts';
import { modelsDir, testPhotosDir } from './paths.ts';
import type { PackageRef } from './tarball.ts';

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

/** The rights to these photos are not known, so they are fetched for tests, and neither committed nor shipped. */
const TEST_PHOTOS_PACKAGE: PackageRef = {
  package: '@vladmandic/face-api',
  version: '1.7.15',
  integrity:
    'sha512-WDMmK3CfNLo8jylWqMoQgf4nIst3M0fzx1dnac96wv/dvMTN4DxC/Pq1DGtduDk1lktCamQ3MIDXFnvrdHTXDw==',
};

/** File name in the package's `demo` folder, and SHA-256. */
export const TEST_PHOTOS: Readonly<Record<string, string>> = {
  'sample1.jpg': '8ecae4b267b2d3169e06e00c7dee97097aa2a94635d45216f7732a5f4943cb51',
  'sample2.jpg': '7d2b60ae6f13bf30f422e04df87451081a02c83de469056f25afb44b7000c691',
  'sample3.jpg': '8eb081c9efb14370fa94d9feab9e5fbeafd19a627491853a80c2bf67f7ffa936',
  'sample4.jpg': '729efa5923061d40eb4ed5f267a18cc7b8ba6f852bb2757b16d8b7e4937476fc',
  'sample5.jpg': '6d45095ebb182d8f975c0790e0e4eefd86fbb40609cf4b271776d92e12662938',
  'sample6.jpg': '9baad80f9d5e306fb9b8c0913d44445f1e95848df317530efb03d0934c57ba87',
};
