/** Checks the model files against their manifests before anything uses them. */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { FaceEngineError } from '../errors.ts';
import { type EmbedManifest, readEngineManifests, type EngineManifests } from './manifest.ts';
import { toUnitLength } from '../../domain/matching/matching.ts';

/** @throws FaceEngineError `models_missing`, with the file and the problem */
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
    throw new FaceEngineError('models_missing', `${path} is missing; \`npm run assets\` fetches it`, {
      cause,
    });
  }
  if (isFile(bytes, manifest)) return;
  throw new FaceEngineError(
    'models_missing',
    `${path} differs from its manifest (${manifest.version}); \`npm run assets\` fetches it again`,
  );
}

const isFile = (bytes: Uint8Array, { sha256 }: { sha256: string }): boolean =>
  createHash('sha256').update(bytes).digest('hex') === sha256;

/**
 * The embedding model's cohort as vectors of unit length; null if its manifest names none.
 * @throws FaceEngineError `models_missing` if the file does not match the manifest
 */
export async function readCohort(
  manifestDir: string,
  { cohort, embeddingLength }: Pick<EmbedManifest, 'cohort' | 'embeddingLength'>,
): Promise<Float32Array[] | null> {
  if (!cohort) return null;
  const path = join(manifestDir, cohort.file);
  const bytes = await readFile(path).catch(() => null);
  if (!bytes || !isFile(bytes, cohort) || bytes.length % embeddingLength !== 0) {
    throw new FaceEngineError('models_missing', `${path} differs from the cohort in its model's manifest`);
  }
  const values = Float32Array.from(new Int8Array(bytes.buffer, bytes.byteOffset, bytes.length));
  return Array.from({ length: bytes.length / embeddingLength }, (_, row) =>
    toUnitLength(values.subarray(row * embeddingLength, (row + 1) * embeddingLength)),
  );
}
