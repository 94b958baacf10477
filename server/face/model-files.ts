/** Checks the model files against their manifests before any thread opens them. */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { FaceEngineError } from './errors.ts';
import { readEngineManifests, type EngineManifests } from './manifest.ts';

/** @throws FaceEngineError `models_missing`, naming the file and what is wrong with it */
export async function loadManifests(manifestDir: string, modelDir: string): Promise<EngineManifests> {
  let manifests: EngineManifests;
  try {
    manifests = readEngineManifests(manifestDir);
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause);
    throw new FaceEngineError('models_missing', message, { cause });
  }
  await Promise.all(
    Object.values(manifests).map((manifest) => checkFile(join(modelDir, manifest.file), manifest)),
  );
  return manifests;
}

async function checkFile(path: string, manifest: EngineManifests[keyof EngineManifests]): Promise<void> {
  let bytes: Uint8Array;
  try {
    bytes = await readFile(path);
  } catch (cause) {
    throw new FaceEngineError('models_missing', `${path} is not there; \`npm run assets\` fetches it`, {
      cause,
    });
  }
  if (createHash('sha256').update(bytes).digest('hex') === manifest.sha256) return;
  throw new FaceEngineError(
    'models_missing',
    `${path} is not the file that its manifest (${manifest.version}) describes; \`npm run assets\` fetches it again`,
  );
}
