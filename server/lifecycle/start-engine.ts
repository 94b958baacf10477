import type { Logger } from 'pino';
import type { ServerConfig } from '../config.ts';
import { createFaceEngine, type FaceEngine } from '../face/engine.ts';
import { FaceEngineError } from '../face/errors.ts';
import { createUnavailableEngine } from '../face/unavailable-engine.ts';

/** Without models the service still runs, and refuses only camera checks. */
export async function startEngine(
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
