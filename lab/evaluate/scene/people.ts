/** Heads of the people who are played: the mesh of each picture is found once and kept. */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile } from 'node:fs/promises';
import { join, parse } from 'node:path';
import { MANIFEST_DIR, modelsDir } from '../../../scripts/assets/paths.ts';
import { decodeJpeg } from '../../../server/face/pictures/decode.ts';
import { loadManifests } from '../../../server/face/models/model-files.ts';
import { openPipeline, type FramePipeline } from '../../../server/face/pipeline.ts';
import { demoPhoto, faceTask, LANDSCAPE, placeFile } from '../../../testing/camera/sources.ts';
import { meshTriangles, type Triangle } from '../../../testing/camera/mesh-triangles.ts';
import { PEOPLE } from '../../../testing/camera/people.ts';
import { stills, type Cut, type Still } from '../../../testing/camera/still.ts';

export type Sitter = { name: string; still: Still; triangles: Triangle[] };

/** Demo people of the training half; the others are in the reported half. */
export const TRAINING_NAMES: readonly string[] = ['personA', 'personC', 'personE'];
/** Height of the cut-out over that of the face. */
const CROP_PER_FACE = 1.9;
/** A face that is smaller in its picture is blurred in a frame. */
const LEAST_FACE_PX = 260;
/** The mesh of a head that is turned further lacks one side. */
const MOST_YAW_RAD = 0.2;

type Model = {
  name: string;
  /** Names the kept still. */
  key: string;
  /** Null if the picture is not suitable. */
  picture: (pipeline: FramePipeline) => Promise<Picture | null>;
};
type Picture = { photo: Buffer; cut: Cut };

/**
 * The five people of the demo photos, and one person for each suitable JPEG in `portraits`: one face, turned little, and large enough.
 * @param version of the sources that render (`renderingVersion`)
 */
export async function sitters(cache: string, version: string, portraits?: string): Promise<Sitter[]> {
  const models = [...demoPeople(), ...(portraits === undefined ? [] : await portraitPeople(portraits))];
  const folder = join(cache, 'stills');
  await mkdir(folder, { recursive: true });
  const pathOf = ({ name, key }: Model) =>
    join(folder, `${name}-${createHash('sha256').update(`${version} ${key}`).digest('hex').slice(0, 12)}`);
  const missing = models.filter((model) => !existsSync(pathOf(model)));
  if (missing.length > 0) await makeStills(missing, pathOf);
  const triangles = meshTriangles(await faceTask());
  const all: Sitter[] = [];
  for (const model of models) {
    const still = stillIn(await readFile(pathOf(model)));
    if (still) all.push({ name: model.name, still, triangles });
  }
  return all;
}

const demoPeople = (): Model[] =>
  PEOPLE.map(({ photo, ...cut }) => ({
    name: cut.name,
    key: JSON.stringify({ photo, ...cut }),
    picture: async () => ({ photo: await demoPhoto(photo), cut }),
  }));

async function portraitPeople(folder: string): Promise<Model[]> {
  const files = (await readdir(folder)).filter((file) => /\.jpe?g$/i.test(file)).sort();
  return Promise.all(
    files.map(async (file): Promise<Model> => {
      const photo = await readFile(join(folder, file));
      const { name } = parse(file);
      return {
        name,
        key: createHash('sha256').update(photo).digest('hex'),
        picture: (pipeline) => placed(name, photo, pipeline),
      };
    }),
  );
}

async function placed(name: string, photo: Buffer, pipeline: FramePipeline): Promise<Picture | null> {
  const image = await decodeJpeg(photo);
  const [box, ...others] = await pipeline.detect(image);
  if (!box || others.length > 0 || box.y2 - box.y1 < LEAST_FACE_PX) return null;
  const { face } = await pipeline.measure(image, box);
  if (Math.abs(face.yawRad) > MOST_YAW_RAD) return null;
  const middle = { x: (box.x1 + box.x2) / 2, y: (box.y1 + box.y2) / 2 };
  return { photo, cut: { name, face: middle, cropHeight: CROP_PER_FACE * (box.y2 - box.y1), brighten: 1 } };
}

/** All in one browser. What is not suitable is kept as nothing. */
async function makeStills(models: readonly Model[], pathOf: (model: Model) => string): Promise<void> {
  const pipeline = await openPipeline(await loadManifests(MANIFEST_DIR, modelsDir()), modelsDir());
  const pictures: { model: Model; picture: Picture | null }[] = [];
  try {
    for (const model of models) pictures.push({ model, picture: await model.picture(pipeline) });
  } finally {
    await pipeline.close();
  }
  const suitable = pictures.flatMap(({ model, picture }) => (picture ? [{ model, ...picture }] : []));
  const made = await stills(suitable, LANDSCAPE);
  const stillFor = new Map(suitable.map(({ model }, place) => [model, made[place] ?? null]));
  for (const { model } of pictures) await placeFile(bytesOf(stillFor.get(model) ?? null), pathOf(model));
}

function bytesOf(still: Still | null): Buffer {
  if (!still) return Buffer.alloc(0);
  const { pixels, ...rest } = still;
  return Buffer.concat([Buffer.from(`${JSON.stringify(rest)}\n`), pixels]);
}

function stillIn(bytes: Buffer): Still | null {
  const end = bytes.indexOf('\n');
  if (end === -1) return null;
  const rest = JSON.parse(bytes.toString('utf8', 0, end)) as Omit<Still, 'pixels'>;
  return { ...rest, pixels: new Uint8Array(bytes.subarray(end + 1)) };
}
