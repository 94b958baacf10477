/**
 * Steps around the packaging of each system (`beforePack` and `afterPack` in `electron-builder.yml`): the contents are
 * built first, and a package with too much or too little is refused.
 */
import { copyFile, mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { type AfterPackContext, Arch } from 'electron-builder';
import { ensureAssets } from '../assets/ensure.ts';
import { progressOn } from '../assets/progress.ts';
import { ensureBuilt } from '../run/built.ts';
import { complaints } from './contents.ts';
import { packedFiles, resourceNames } from './packed.ts';
import { writeSbom } from './sbom.ts';
import { overBudget, sizeRows, sizeTable } from './sizes.ts';

/** The first Electron whose own Node.js runs the server. */
const FIRST_WITH_OWN_NODE = 38;
/** The default app that an unpacked Electron starts if it has no app. */
const DEFAULT_APPS = ['app', 'default_app.asar'];

/** Fetches the models and builds pages and server, using the cache where it is valid. */
export async function beforePack(): Promise<void> {
  await ensureAssets('product', progressOn(process.stderr));
  await ensureBuilt((line) => process.stderr.write(`${line}\n`));
}

/** @throws if the package must not be released */
export async function afterPack({
  appOutDir,
  arch,
  electronPlatformName: platform,
  packager,
}: AfterPackContext): Promise<void> {
  const resources = packager.getResourcesDir(appOutDir);
  for (const name of DEFAULT_APPS) await rm(path.join(resources, name), { recursive: true, force: true });
  if (Number.parseInt(packager.info.framework.version) < FIRST_WITH_OWN_NODE)
    await addNode(resources, platform);

  await writeSbom(resources, packager.info.framework.version);

  const files = await packedFiles(appOutDir);
  const rows = sizeRows(files);
  process.stdout.write(`${sizeTable(rows)}\n`);
  const wrong = [
    ...complaints(await resourceNames(resources), { platform, arch: Arch[arch] }),
    ...overBudget(rows).map((part) => `over its budget: ${part}`),
  ];
  if (wrong.length > 0) throw new Error(`The package has these problems:\n  ${wrong.join('\n  ')}`);
}

/** An Electron whose own Node.js is too old gets the one that runs this; the shell finds it there. */
async function addNode(resources: string, platform: string): Promise<void> {
  if (platform !== process.platform) {
    throw new Error(
      `Only ${platform} itself can pack an Electron before ${FIRST_WITH_OWN_NODE}: it needs a Node.js beside it.`,
    );
  }
  const folder = path.join(resources, 'node');
  await mkdir(folder, { recursive: true });
  await copyFile(process.execPath, path.join(folder, platform === 'win32' ? 'node.exe' : 'node'));
}
