/** Stills and their evidence, cached on disk: rendering or analysing them again would give the same. */
import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { deserialize, serialize } from 'node:v8';
import type { FrameEvidence } from '../../server/domain/capture/evidence.ts';
import type { FramePipeline } from '../../server/face/pipeline.ts';
import type { FramePurpose } from '../../server/face/protocol.ts';
import { PROJECT_ROOT } from '../../scripts/assets/paths.ts';

/** Hash in the key of a cached item. */
const KEY_CHARS = 16;
/** The module path after `from` in an import or export of values; types have no effect. */
const IMPORTED = /^(?:import|export)(?! type\b)[^'"]*?from '(\.[^']+)';$/gm;

/** @param version of the models and of the sources that analyse a picture (`analysisVersion`) */
export function evidenceCache(cache: string, version: string) {
  const kept = keptIn(join(cache, 'evidence'));
  return async (
    jpeg: Buffer,
    purpose: FramePurpose,
    analyse: FramePipeline['analyse'],
  ): Promise<FrameEvidence> => {
    const hash = createHash('sha256').update(jpeg).digest('hex');
    const bytes = await kept(`${version} ${purpose} ${hash}`, async () =>
      serialize(await analyse(jpeg, purpose)),
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

/** Hash of the sources that analyse a picture, and of the models' manifests. */
export async function analysisVersion(manifestDir: string): Promise<string> {
  const manifests = (await readdir(manifestDir)).filter((name) => name.endsWith('.json'));
  const sources = await sourcesOf('server/face/pipeline.ts');
  const hash = await hashOf([...sources, ...manifests.map((name) => join(manifestDir, name))]);
  return hash.slice(0, KEY_CHARS);
}

/** SHA-256 of the sources that turn evidence into a verdict: every rule, weight and threshold. */
export const rulesVersion = async (): Promise<string> =>
  hashOf(await sourcesOf('server/domain/capture/exchange/exchange.ts'));

/** Hash of the sources that render the built-in set. */
export async function renderingVersion(): Promise<string> {
  const hash = await hashOf(await sourcesOf('lab/evaluate/scene/actor.ts', 'lab/evaluate/scene/people.ts'));
  return hash.slice(0, KEY_CHARS);
}

/**
 * The project's files that these modules consist of, found by following their imports of values.
 * @param entries relative to the project
 * @returns absolute paths
 */
export async function sourcesOf(...entries: string[]): Promise<string[]> {
  const found = new Set(entries.map((entry) => join(PROJECT_ROOT, entry)));
  // Iterating a set includes entries added during the iteration.
  for (const path of found) {
    for (const [, imported = ''] of (await readFile(path, 'utf8')).matchAll(IMPORTED))
      found.add(resolve(path, '..', imported));
  }
  return [...found];
}

async function hashOf(paths: readonly string[]): Promise<string> {
  const hash = createHash('sha256');
  for (const path of paths.toSorted()) {
    hash.update(`${relative(PROJECT_ROOT, path)}\n`);
    hash.update(await readFile(path));
  }
  return hash.digest('hex');
}
