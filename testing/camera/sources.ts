/**
 * Sources of the scripted camera's pictures, which `ensureAssets('test', …)` puts in the cache. The rights to the demo
 * photos are not known, so they never become part of the repository.
 */
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const CACHE = process.env['GATEHOUSE_CACHE_DIR'] || join(import.meta.dirname, '../../.cache');
export const CAMERA_CACHE_DIR = join(CACHE, 'camera');
export const VISION_PACKAGE_DIR = join(import.meta.dirname, '../../node_modules/@mediapipe/tasks-vision');

export type DemoPhoto = `sample${1 | 2 | 3 | 4 | 5 | 6}.jpg`;

export const demoPhoto = (name: DemoPhoto): Promise<Buffer> => asset(join('test-photos', name));

/** Bytes of `face_landmarker.task`. */
export const faceTask = (): Promise<Buffer> => asset('models/face_landmarker.task');

/** @throws Error that names the command which fetches what is missing */
async function asset(file: string): Promise<Buffer> {
  try {
    return await readFile(join(CACHE, file));
  } catch (cause) {
    throw new Error(`${file} is missing: run npm run assets -- --test`, { cause });
  }
}

/** Tests run in parallel, so a file appears complete or not at all. */
export async function placeFile(bytes: Uint8Array, path: string): Promise<void> {
  const part = `${path}.${process.pid}.part`;
  await writeFile(part, bytes);
  await rename(part, path);
}

/** Width and height of the scripted camera's frames, in pixels. */
export type FrameSize = { readonly width: number; readonly height: number };

export const LANDSCAPE: FrameSize = { width: 640, height: 480 };
