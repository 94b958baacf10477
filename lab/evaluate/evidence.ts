/** Evidence of clips from the product's own engine, kept by the frames' content and the engine's sources. */
import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { deserialize, serialize } from 'node:v8';
import { placeFile } from '../../testing/camera/sources.ts';
import type { FrameEvidence } from '../../server/domain/capture/evidence.ts';
import type { FaceEngine } from '../../server/face/engine.ts';
import { PROJECT_ROOT } from '../../scripts/assets/paths.ts';

export type EvidenceStore = { of: (frames: readonly Buffer[]) => Promise<FrameEvidence[]> };

export async function evidenceStore(
  cache: string,
  manifestDir: string,
  engine: Pick<FaceEngine, 'analyse'>,
): Promise<EvidenceStore> {
  const folder = join(cache, 'evidence');
  const version = await sourcesHash(manifestDir);
  await mkdir(folder, { recursive: true });
  return {
    async of(frames) {
      const hash = createHash('sha256').update(version);
      for (const frame of frames) hash.update(createHash('sha256').update(frame).digest());
      const path = join(folder, hash.digest('hex').slice(0, 32));
      const kept = await readFile(path).catch(() => null);
      if (kept) return deserialize(kept) as FrameEvidence[];
      const evidence = await engine.analyse(frames);
      await placeFile(serialize(evidence), path);
      return evidence;
    },
  };
}

async function sourcesHash(manifestDir: string): Promise<Buffer> {
  const hash = createHash('sha256');
  for (const folder of [join(PROJECT_ROOT, 'server/face'), manifestDir]) {
    const names = (await readdir(folder)).filter(
      (name) => /\.(ts|json)$/.test(name) && !name.endsWith('.test.ts'),
    );
    for (const name of names.sort()) hash.update(await readFile(join(folder, name)));
  }
  return hash.digest();
}
