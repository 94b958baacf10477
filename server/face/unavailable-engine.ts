import type { FaceEngine } from './engine.ts';
import { FaceEngineError } from './errors.ts';
import { readEngineManifests } from './manifest.ts';

/** Used while the models are missing: reads their manifests, and refuses every capture. */
export function createUnavailableEngine({ manifestDir }: { manifestDir: string }): FaceEngine {
  const { embed, attack } = readEngineManifests(manifestDir);
  return {
    embeddingModel: embed.version,
    embeddingLength: embed.embeddingLength,
    cohort: null,
    thresholds: { ...embed.thresholds, genuine: attack.thresholds.genuine },
    analyse: () =>
      Promise.reject(new FaceEngineError('models_missing', 'The face models have not been fetched.')),
    stats: () => ({ workers: 0, busy: 0, queuedFrames: 0, restarts: 0 }),
    close: async () => undefined,
  };
}
