/**
 * `node lab/cohort.ts FOLDER [--out FILE]`
 *
 * Creates the cohort of the current embedding model: synthetic vectors, drawn from a normal distribution that is
 * fitted to the faces of the pictures in FOLDER. Prints how well it separates similar faces of one group: the fit uses
 * one half of the pictures, and people of the other half are searched among each other.
 */
import { createHash } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { ensureAssets } from '../scripts/assets/ensure.ts';
import { MANIFEST_DIR, modelsDir } from '../scripts/assets/paths.ts';
import { progressOn } from '../scripts/assets/progress.ts';
import {
  COHORT_SIZE,
  cosine,
  judgeMatch,
  normalisedMean,
  standout,
  strangerLevel,
  toUnitLength,
} from '../server/domain/matching/matching.ts';
import { readEngineManifests } from '../server/face/models/manifest.ts';
import { openPipeline } from '../server/face/pipeline.ts';
import { randomOf, type Random } from '../testing/camera/capture/random.ts';

const SEED = 512;
/** Share of the variance that is spread evenly, because a few hundred pictures do not span every direction. */
const EVEN_SHARE = 0.2;
const INT8_MAX = 127;

const { values, positionals } = parseArgs({ allowPositionals: true, options: { out: { type: 'string' } } });
const [folder] = positionals;
if (folder === undefined) throw new Error('usage: node lab/cohort.ts FOLDER [--out FILE]');
await ensureAssets('test', progressOn(process.stderr));
const { embed, ...others } = readEngineManifests(MANIFEST_DIR);
const faces = await embedAll(resolve(folder));
console.log(`${faces.length} faces`);
printLookAlikes(faces);

const vectors = drawCohort(faces, randomOf(SEED));
const closest = Math.max(...vectors.map((vector) => Math.max(...faces.map((face) => cosine(face, vector)))));
console.log(`Highest cosine of a vector to a picture: ${closest.toFixed(2)}`);
if (values.out !== undefined) {
  const bytes = Buffer.concat(vectors.map(quantised));
  await writeFile(values.out, bytes);
  console.log(`${values.out}: ${createHash('sha256').update(bytes).digest('hex')}`);
}

async function embedAll(root: string): Promise<Float32Array[]> {
  const pipeline = await openPipeline({ embed, ...others }, modelsDir());
  const names = await readdir(root, { recursive: true });
  const found: Float32Array[] = [];
  for (const name of names.filter((each) => /\.jpe?g$/i.test(each)).sort()) {
    const { embedding } = await pipeline.analyse(await readFile(join(root, name)));
    if (embedding) found.push(embedding);
  }
  await pipeline.close();
  return found;
}

/** Weighted sums of the deviations have the pictures' own covariance. */
function drawCohort(from: readonly Float32Array[], random: Random): Float32Array[] {
  const mean = meanOf(from);
  const deviations = from.map((face) => face.map((value, i) => value - (mean[i] ?? 0)));
  const variance = deviations.reduce((sum, each) => sum + cosine(each, each), 0) / (from.length - 1);
  const even = Math.sqrt((EVEN_SHARE * variance) / mean.length);
  const weight = Math.sqrt((1 - EVEN_SHARE) / (from.length - 1));
  return Array.from({ length: COHORT_SIZE }, () => {
    const drawn = mean.map((value) => value + even * random.normal());
    for (const deviation of deviations) {
      const share = weight * random.normal();
      for (let i = 0; i < drawn.length; i++) drawn[i] = (drawn[i] ?? 0) + share * (deviation[i] ?? 0);
    }
    return toUnitLength(drawn);
  });
}

function meanOf(from: readonly Float32Array[]): Float32Array {
  const length = from.reduce((sum, face) => sum + cosine(face, normalisedMean(from)), 0) / from.length;
  return normalisedMean(from).map((value) => value * length);
}

function quantised(vector: Float32Array): Buffer {
  const scale = INT8_MAX / Math.max(...vector.map(Math.abs));
  return Buffer.from(Int8Array.from(vector, (value) => Math.round(value * scale)).buffer);
}

/** Searches that find another person, among pictures that no vector was fitted to. */
function printLookAlikes(all: readonly Float32Array[]): void {
  const random = randomOf(SEED + 1);
  const shuffled = random.pick(all, all.length).map((face) => ({ face, at: random.between(0, 1) }));
  const ordered = shuffled.sort((a, b) => a.at - b.at).map(({ face }) => face);
  const fitted = ordered.filter((_, n) => n % 2 === 0);
  const apart = ordered.filter((_, n) => n % 2 === 1);
  const fixed = drawCohort(fitted, random);
  const rules: [string, (enrolled: readonly Float32Array[]) => readonly Float32Array[] | null][] = [
    ['the cosine alone', () => null],
    ['the fixed cohort alone', () => fixed],
    ['the enrolled, filled up with it', (enrolled) => [...enrolled, ...fixed].slice(0, COHORT_SIZE)],
  ];
  for (const people of [10, 25, 50, apart.length - 1]) {
    for (const [name, cohortOf] of rules) {
      const found = { same: 0, near: 0 };
      let searches = 0;
      for (let from = 0; from + people < apart.length; from += people + 1) {
        const pool = apart.slice(from, from + people + 1);
        for (const probe of pool) {
          searches += 1;
          const best = bestMatch(
            probe,
            pool.filter((face) => face !== probe),
            cohortOf,
          );
          if (best === 'same') found.same += 1;
          if (best !== 'other') found.near += 1;
        }
      }
      const share = (count: number) => `${((100 * count) / searches).toFixed(1)} %`;
      console.log(
        `${people} enrolled, ${name}: same ${share(found.same)}, near or same ${share(found.near)} of ${searches}`,
      );
    }
  }
}

function bestMatch(
  probe: Float32Array,
  enrolled: readonly Float32Array[],
  cohortOf: (others: readonly Float32Array[]) => readonly Float32Array[] | null,
) {
  const { near, samePerson: same } = embed.thresholds;
  const matches = enrolled.map((face) => {
    const similarity = cosine(probe, face);
    if (similarity < near) return 'other';
    const cohort = cohortOf(enrolled.filter((other) => other !== face));
    const level = cohort
      ? standout(similarity, strangerLevel(probe, cohort), strangerLevel(face, cohort))
      : Infinity;
    return judgeMatch(similarity, level, { near, same });
  });
  return (['same', 'near'] as const).find((match) => matches.includes(match)) ?? 'other';
}
