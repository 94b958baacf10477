/** Starts the two slowest parts in parallel: the face engine’s threads and the face index. */
import type { Logger } from 'pino';
import type { ServerConfig } from '../config.ts';
import type { FaceEngine } from '../face/engine.ts';
import { readEngineManifests } from '../face/manifest.ts';
import { type FaceIndex, openFaceIndex } from '../services/matching/face-index.ts';
import { startEngine } from './start-engine.ts';
import type { SqlReader } from '../store/sql/port.ts';

/** Fails with the first failure, once the other part has been closed again. */
export async function startMatching(
  config: Pick<ServerConfig, 'modelDir' | 'manifestDir'>,
  db: SqlReader,
  logger: Logger,
): Promise<{ faces: FaceEngine; faceIndex: FaceIndex }> {
  const { embed } = readEngineManifests(config.manifestDir);
  const model = { id: embed.version, embeddingLength: embed.embeddingLength };
  const [faces, faceIndex] = await Promise.allSettled([
    startEngine(config, logger),
    openFaceIndex(db, model),
  ]);
  if (faces.status === 'fulfilled' && faceIndex.status === 'fulfilled') {
    return { faces: faces.value, faceIndex: faceIndex.value };
  }
  for (const part of [faces, faceIndex]) if (part.status === 'fulfilled') await part.value.close();
  throw faces.status === 'rejected' ? faces.reason : (faceIndex as PromiseRejectedResult).reason;
}
