import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { MANIFEST_DIR } from '../../../scripts/assets/paths.ts';
import { readCohort } from './model-files.ts';
import { COHORT_SIZE, cosine } from '../../domain/matching/matching.ts';
import { ManifestError } from '../errors.ts';
import { parseManifest, readEngineManifests, readManifests } from './manifest.ts';

async function embedManifest(): Promise<Record<string, unknown>> {
  return JSON.parse(await readFile(join(MANIFEST_DIR, 'face-embed.json'), 'utf8')) as Record<string, unknown>;
}

describe('model manifests', () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'gatehouse-manifests-'));
  });
  afterEach(async () => {
    await rm(folder, { recursive: true, force: true });
  });

  it('in the source are valid, one for each role', () => {
    expect(readManifests(MANIFEST_DIR).map(({ role }) => role)).toEqual([
      'attack',
      'detect',
      'embed',
      'landmarks',
      'page-landmarks',
    ]);
    expect(readEngineManifests(MANIFEST_DIR).embed.embeddingLength).toBe(512);
  });

  it('name every wrong field', async () => {
    const manifest = { ...(await embedManifest()), sha256: 'x', embeddingLength: '512', surprise: 1 };
    expect(() => parseManifest(manifest, 'm.json')).toThrow(/m\.json: .*sha256.*embeddingLength/s);
    expect(() => parseManifest(manifest, 'm.json')).toThrow(/additional/);
  });

  it('list the known roles', () => {
    expect(() => parseManifest({ role: 'guess' }, 'm.json')).toThrow(/role must be one of detect, landmarks/);
    expect(() => parseManifest(null, 'm.json')).toThrow(ManifestError);
  });

  it('need a mean and a scale for each channel', async () => {
    const manifest = await embedManifest();
    const input = { ...(manifest['input'] as object), channels: 'GRAY' };
    expect(() => parseManifest({ ...manifest, input }, 'm.json')).toThrow(/1 value\(s\) for GRAY/);
  });

  it('may name a cohort: vectors of unit length next to the manifest, and no other file', async () => {
    const { embed } = readEngineManifests(MANIFEST_DIR);
    const cohort = await readCohort(MANIFEST_DIR, embed);
    expect(cohort).toHaveLength(COHORT_SIZE);
    for (const vector of cohort ?? []) expect(cosine(vector, vector)).toBeCloseTo(1, 5);
    await writeFile(join(folder, embed.cohort?.file ?? ''), new Uint8Array(512));
    await expect(readCohort(folder, embed)).rejects.toThrow(/differs from the cohort/);
    expect(await readCohort(folder, { embeddingLength: 512 })).toBeNull();
  });

  it('may leave out the source of a model that its owner provides', async () => {
    const manifest = await embedManifest();
    delete manifest['source'];
    expect(parseManifest(manifest, 'm.json').source).toBeUndefined();
  });

  it('are refused if one is missing, duplicated or not JSON', async () => {
    expect(() => readEngineManifests(folder)).toThrow(/no manifest with role detect/);
    for (const name of ['face-detect', 'face-landmarks', 'face-embed', 'face-attack']) {
      await writeFile(join(folder, `${name}.json`), await readFile(join(MANIFEST_DIR, `${name}.json`)));
    }
    expect(readEngineManifests(folder).detect.role).toBe('detect');
    await writeFile(join(folder, 'second.json'), await readFile(join(MANIFEST_DIR, 'face-embed.json')));
    expect(() => readEngineManifests(folder)).toThrow(/several manifests with role embed/);
    await writeFile(join(folder, 'second.json'), '{');
    expect(() => readEngineManifests(folder)).toThrow(/second\.json: not valid JSON/);
    expect(() => readEngineManifests(join(folder, 'none'))).toThrow(/no model manifests found/);
  });
});
