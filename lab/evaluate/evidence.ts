/** Evidence of stills, kept on disk: analysing the same picture again would say the same. */
import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { deserialize, serialize } from 'node:v8';
import type { FrameEvidence } from '../../server/domain/capture/evidence.ts';
import { PROJECT_ROOT } from '../../scripts/assets/paths.ts';

/** What shapes the pictures of the built-in set. */
const RENDERING = /^(actor|camera|light|materials|people|performance|room|surface)\.ts$/;
const SOURCE = /\.(ts|json)$/;

/** @param version names everything that the evidence depends on, except the still's key */
export function stillCache(cache: string, version: string) {
  const folder = join(cache, 'stills');
  return async (key: string, measure: () => Promise<FrameEvidence>): Promise<FrameEvidence> => {
    const path = join(folder, createHash('sha256').update(`${version} ${key}`).digest('hex').slice(0, 32));
    const kept = await readFile(path).catch(() => null);
    if (kept) return deserialize(kept) as FrameEvidence;
    const evidence = await measure();
    await mkdir(folder, { recursive: true });
    const part = `${path}.${randomUUID()}.part`;
    await writeFile(part, serialize(evidence));
    await rename(part, path);
    return evidence;
  };
}

/** SHA-256 of the sources that analyse a picture, and of the models' manifests. */
export const analysisVersion = (manifestDir: string): Promise<string> =>
  hashOf([
    [join(PROJECT_ROOT, 'server/face'), SOURCE],
    [manifestDir, SOURCE],
  ]);

/** The same with the sources that render the built-in set. */
export const renderingVersion = (manifestDir: string): Promise<string> =>
  hashOf([
    [join(PROJECT_ROOT, 'server/face'), SOURCE],
    [manifestDir, SOURCE],
    [import.meta.dirname, RENDERING],
    [join(PROJECT_ROOT, 'testing/camera'), /^(expressions|head-model|projection|rasteriser|vectors)\.ts$/],
  ]);

async function hashOf(folders: readonly (readonly [folder: string, names: RegExp])[]): Promise<string> {
  const hash = createHash('sha256');
  for (const [folder, pattern] of folders) {
    const names = (await readdir(folder)).filter((name) => pattern.test(name) && !name.endsWith('.test.ts'));
    for (const name of names.sort()) hash.update(await readFile(join(folder, name)));
  }
  return hash.digest('hex').slice(0, 16);
}
