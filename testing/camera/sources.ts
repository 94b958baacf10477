/**
 * Sources of the scripted camera's pictures. The rights to the demo photos are not known, so they are fetched when a
 * test runs and never become part of the repository.
 */
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pacote from 'pacote';
import { buildFaceTask, FACE_MESH_PACKAGE } from '../../scripts/assets/face-task.ts';

const CACHE = join(import.meta.dirname, '../../.cache');
export const PHOTO_DIR = join(CACHE, 'test-photos');
export const CAMERA_CACHE_DIR = join(CACHE, 'camera');
export const VISION_PACKAGE_DIR = join(import.meta.dirname, '../../node_modules/@mediapipe/tasks-vision');
const FACE_TASK = join(CACHE, 'models/face_landmarker.task');

const PHOTO_PACKAGE = {
  spec: '@vladmandic/face-api@1.7.15',
  integrity:
    'sha512-WDMmK3CfNLo8jylWqMoQgf4nIst3M0fzx1dnac96wv/dvMTN4DxC/Pq1DGtduDk1lktCamQ3MIDXFnvrdHTXDw==',
};
const MESH_PACKAGE = {
  spec: FACE_MESH_PACKAGE,
  integrity:
    'sha512-Jdza+77HjDH4SQ6/DAYmnKUYdh2fU1GbhuGqXZbkK5rnJKpZLZe5KQeJmwUq9dmkYkCPSq4oe9vmcuveRPpwag==',
};

export type DemoPhoto = `sample${1 | 2 | 3 | 4 | 5 | 6}.jpg`;

/** Bytes of a demo photo, from the cache or the npm registry. */
export async function demoPhoto(name: DemoPhoto): Promise<Buffer> {
  const path = join(PHOTO_DIR, name);
  if (!existsSync(path)) {
    await unpacked(PHOTO_PACKAGE, async (dir) => {
      await mkdir(PHOTO_DIR, { recursive: true });
      await placeFile(await readFile(join(dir, 'demo', name)), path);
    });
  }
  return readFile(path);
}

/** Bytes of face_landmarker.task, built if the assets were not fetched yet. */
export async function faceTask(): Promise<Buffer> {
  if (!existsSync(FACE_TASK)) {
    await unpacked(MESH_PACKAGE, async (dir) => {
      await mkdir(join(CACHE, 'models'), { recursive: true });
      await placeFile(buildFaceTask(dir), FACE_TASK);
    });
  }
  return readFile(FACE_TASK);
}

async function unpacked(
  { spec, integrity }: { spec: string; integrity: string },
  use: (dir: string) => Promise<void>,
): Promise<void> {
  await mkdir(CACHE, { recursive: true });
  const dir = await mkdtemp(join(CACHE, 'unpack-'));
  try {
    await pacote.extract(spec, dir, { integrity, cache: join(CACHE, 'npm') });
    await use(dir);
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

/** Tests run in parallel, so a file appears complete or not at all. */
export async function placeFile(bytes: Uint8Array, path: string): Promise<void> {
  const part = `${path}.${process.pid}.part`;
  await writeFile(part, bytes);
  await rename(part, path);
}
