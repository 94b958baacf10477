/** Heads of the demo photos' people: the mesh of each still is found once and kept. */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { LANDSCAPE } from '../../testing/camera/frame-size.ts';
import { meshTriangles, type Triangle } from '../../testing/camera/mesh-triangles.ts';
import { PEOPLE, type Person } from '../../testing/camera/people.ts';
import { faceTask, placeFile } from '../../testing/camera/sources.ts';
import { still, type Still } from '../../testing/camera/still.ts';

export type Sitter = { name: string; still: Still; triangles: Triangle[] };

/** Weights and thresholds are chosen on the first half and reported on the other: nobody is in both. */
export const TRAINING_NAMES: readonly string[] = ['personA', 'personC', 'personE'];

/** @param version of the sources that render (`renderingVersion`) */
export async function sitters(cache: string, version: string): Promise<Sitter[]> {
  const triangles = meshTriangles(await faceTask());
  const all: Sitter[] = [];
  for (const person of PEOPLE)
    all.push({ name: person.name, still: await keptStill(person, cache, version), triangles });
  return all;
}

async function keptStill(person: Person, cache: string, version: string): Promise<Still> {
  const key = createHash('sha256')
    .update(`${version} ${JSON.stringify(person)}`)
    .digest('hex')
    .slice(0, 12);
  const path = join(cache, 'stills', `${person.name}-${key}`);
  if (!existsSync(path)) {
    const { pixels, ...rest } = await still(person, LANDSCAPE);
    await mkdir(join(cache, 'stills'), { recursive: true });
    await placeFile(Buffer.concat([Buffer.from(`${JSON.stringify(rest)}\n`), pixels]), path);
  }
  const bytes = await readFile(path);
  const end = bytes.indexOf('\n');
  const rest = JSON.parse(bytes.toString('utf8', 0, end)) as Omit<Still, 'pixels'>;
  return { ...rest, pixels: new Uint8Array(bytes.subarray(end + 1)) };
}
