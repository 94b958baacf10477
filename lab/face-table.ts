/**
 * `node lab/face-table.ts`: compares every face of the test photos with every other, as the product does, and
 * prints the cosines. Exits 1 unless the same person is above and different people are below the thresholds.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ensureAssets } from '../scripts/assets/ensure.ts';
import { MANIFEST_DIR, modelsDir, testPhotosDir } from '../scripts/assets/paths.ts';
import { progressOn } from '../scripts/assets/progress.ts';
import { TEST_PHOTOS } from '../scripts/assets/catalogue.ts';
import { decodeJpeg } from '../server/face/pictures/decode.ts';
import { readEngineManifests } from '../server/face/models/manifest.ts';
import { openPipeline } from '../server/face/pipeline.ts';

/** A face is named by its photo and its position, counted from the left: `1.3` is the third of sample1.jpg. */
type Face = { name: string; embedding: Float32Array; yawRad: number };
type Pair = { p: Face; q: Face; cosine: number; same: boolean };

/** Which faces are the same person, determined by looking at the photos; everyone else appears once. */
const SAME_PERSON: readonly (readonly [string, string])[] = [['1.3', '3.2']];

/** Profiles are shown but not judged, because a capture requires a face that looks at the camera. */
const MOST_YAW_RAD = 0.6;

await ensureAssets('test', progressOn(process.stderr));
const manifests = readEngineManifests(MANIFEST_DIR);
const { samePerson, near } = manifests.embed.thresholds;
const faces = await findFaces();
const pairs = comparePairs(faces);
print(faces, pairs);

const judged = pairs.filter(({ p, q }) => isFrontal(p) && isFrontal(q));
const missed = judged.filter(({ same, cosine }) => same && cosine < samePerson);
const confused = judged.filter(({ same, cosine }) => !same && cosine >= near);
for (const { p, q, cosine } of missed) console.log(`MISSED ${p.name} ${q.name} ${cosine.toFixed(3)}`);
for (const { p, q, cosine } of confused) console.log(`CONFUSED ${p.name} ${q.name} ${cosine.toFixed(3)}`);
console.log(
  `${judged.length} pairs judged: ${missed.length} of the same person below ${samePerson}, ` +
    `${confused.length} of different people at or above ${near}.`,
);
if (missed.length + confused.length > 0 || !judged.some(({ same }) => same)) process.exitCode = 1;

async function findFaces(): Promise<Face[]> {
  const pipeline = await openPipeline(manifests, modelsDir());
  const found: Face[] = [];
  for (const file of Object.keys(TEST_PHOTOS)) {
    const image = await decodeJpeg(await readFile(join(testPhotosDir(), file)));
    const boxes = (await pipeline.detect(image)).toSorted((p, q) => p.x1 - q.x1);
    for (const [i, box] of boxes.entries()) {
      const { face, embedding } = await pipeline.measure(image, box);
      found.push({ name: `${file.replace(/\D/g, '')}.${i + 1}`, embedding, yawRad: face.yawRad });
    }
  }
  await pipeline.close();
  return found;
}

function comparePairs(all: readonly Face[]): Pair[] {
  return all.flatMap((p, i) =>
    all.slice(i + 1).map((q) => ({
      p,
      q,
      cosine: p.embedding.reduce((sum, value, k) => sum + value * (q.embedding[k] ?? 0), 0),
      same: SAME_PERSON.some((names) => names.includes(p.name) && names.includes(q.name)),
    })),
  );
}

function isFrontal({ yawRad }: Face): boolean {
  return Math.abs(yawRad) <= MOST_YAW_RAD;
}

function print(all: readonly Face[], found: readonly Pair[]): void {
  console.log(['     ', ...all.map((face) => face.name + (isFrontal(face) ? ' ' : '*'))].join(' '));
  for (const q of all.slice(1)) {
    const row = found.filter((pair) => pair.q === q).map(({ cosine }) => cosine.toFixed(2).padStart(5));
    console.log(`${q.name}  ${row.join('')}`);
  }
  console.log('* turned too far to be judged\n\nHighest:');
  for (const { p, q, cosine, same } of found.toSorted((a, b) => b.cosine - a.cosine).slice(0, 8)) {
    console.log(`  ${p.name} ${q.name}  ${cosine.toFixed(3)}  ${same ? 'same person' : 'different people'}`);
  }
}
