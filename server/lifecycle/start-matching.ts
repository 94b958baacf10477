/** Starts the two slowest parts in parallel: the face engine’s threads and the face index. */
import type { Logger } from 'pino';
import type { ServerConfig } from '../config.ts';
import { createFaceEngine, createUnavailableEngine, type FaceEngine } from '../face/engine.ts';
import { readEngineManifests } from '../face/models/manifest.ts';
import { type FaceIndex, openFaceIndex } from '../services/matching/face-index.ts';
import type { Database } from '../store/sql/port.ts';
import { FaceEngineError } from '../face/errors.ts';

/** Fails with the first failure, once the other part has been closed again. */
export async function startMatching(
  config: Pick<ServerConfig, 'modelDir' | 'manifestDir'>,
  db: Database,
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

/** Without models the service still runs, and refuses only camera checks. */
async function startEngine(
  { modelDir, manifestDir }: Pick<ServerConfig, 'modelDir' | 'manifestDir'>,
  logger: Logger,
): Promise<FaceEngine> {
  try {
    return await createFaceEngine({
      modelDir,
      manifestDir,
      onEvent: (event) => {
        if (event.type === 'worker_lost') logger.warn({ face_engine: event }, 'face engine thread lost');
        else if (event.type === 'worker_starting')
          logger.info({ face_engine: event }, 'face engine thread starting');
        else if (event.type === 'worker_ready')
          logger.info({ face_engine: event }, 'face engine thread ready');
      },
    });
  } catch (error) {
    if (!(error instanceof FaceEngineError) || error.code !== 'models_missing') throw error;
    logger.error({ err: error }, 'no face models: camera checks are refused until you run "npm run assets"');
    return createUnavailableEngine({ manifestDir });
  }
}
