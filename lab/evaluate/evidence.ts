/** Stills and their evidence, kept on disk: rendering or analysing them again would give the same. */
import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { deserialize, serialize } from 'node:v8';
import type { FrameEvidence } from '../../server/domain/capture/evidence.ts';
import { PROJECT_ROOT } from '../../scripts/assets/paths.ts';

/** What shapes the pictures of the built-in set. */
const RENDERING = /^(actor|camera|light|materials|people|performance|room|surface)\.ts$/;
const SOURCE = /\.(ts|json)$/;

/** @param version of the models and of the sources that analyse a picture (`analysisVersion`) */
export function evidenceCache(cache: string, version: string) {
  const kept = keptIn(join(cache, 'evidence'));
  return async (jpeg: Buffer, analyse: (jpeg: Buffer) => Promise<FrameEvidence>): Promise<FrameEvidence> => {
    const bytes = await kept(`${version} ${createHash('sha256').update(jpeg).digest('hex')}`, async () =>
      serialize(await analyse(jpeg)),
    );
    return deserialize(bytes) as FrameEvidence;
  };
}

/** Files named by the hash of their key. */
export function keptIn(folder: string) {
  return async (key: string, make: () => Promise<Buffer>): Promise<Buffer> => {
    const path = join(folder, createHash('sha256').update(key).digest('hex').slice(0, 32));
    const kept = await readFile(path).catch(() => null);
    if (kept) return kept;
    const bytes = await make();
    await mkdir(folder, { recursive: true });
    const part = `${path}.${randomUUID()}.part`;
    await writeFile(part, bytes);
    await rename(part, path);
    return bytes;
  };
}

/** SHA-256 of the sources that analyse a picture, and of the models' manifests. */
export const analysisVersion = (manifestDir: string): Promise<string> =>
  hashOf([
    [join(PROJECT_ROOT, 'server/face'), SOURCE],
    [manifestDir, SOURCE],
  ]);

/** SHA-256 of the sources that render the built-in set. */
export const renderingVersion = (): Promise<string> =>
  hashOf([
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
