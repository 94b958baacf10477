/** Renders a person's clips once and keeps them under .cache/camera, keyed by everything that affects them. */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { CAMERA_CACHE_DIR, demoPhoto, faceTask, type FrameSize, LANDSCAPE, placeFile } from './sources.ts';
import { headModel } from './head-model.ts';
import { meshTriangles } from './mesh-triangles.ts';
import { CLIP_NAMES, clipFrames, type ClipName } from './motion.ts';
import type { Person } from './people.ts';
import { project, type HeadState } from './projection.ts';
import { Rasteriser } from './rasteriser.ts';
import { still } from './still.ts';

export type Frame = {
  jpeg: Buffer;
  /** Ground truth: the head's state in this frame, and whether its gesture is at its peak. */
  state: HeadState;
  atPeak: boolean;
};

export type Clips = {
  person: string;
  size: FrameSize;
  /** Whether this is a photograph held up rather than a head. */
  flat: boolean;
  clips: Record<ClipName, Frame[]>;
};

type RenderOptions = { size?: FrameSize; flat?: boolean };

const JPEG_QUALITY = 90;
/** Files of this folder whose changes do not affect the pictures. Those in the folders below it show them. */
const NOT_RENDERING = /(\.test|^people)\.ts$/;

/** The first call takes about 15 s per person on one core, later ones come from the cache. */
export async function renderClips(
  person: Person,
  { size = LANDSCAPE, flat = false }: RenderOptions = {},
): Promise<Clips> {
  const path = join(CAMERA_CACHE_DIR, `${person.name}-${await cacheKey(person, size, flat)}.clips`);
  if (!existsSync(path)) {
    await mkdir(CAMERA_CACHE_DIR, { recursive: true });
    await placeFile(pack(await render(person, size, flat)), path);
  }
  return unpack(await readFile(path), { person: person.name, size, flat });
}

async function render(person: Person, size: FrameSize, flat: boolean): Promise<Clips['clips']> {
  const head = headModel(await still(person, size), meshTriangles(await faceTask()), flat);
  const rasteriser = new Rasteriser(head);
  const frameOf = async (state: HeadState, atPeak: boolean): Promise<Frame> => {
    const pixels = rasteriser.draw(project(head, state, flat), Math.min(1, state.jaw * 1.6));
    const jpeg = await sharp(pixels, { raw: { ...size, channels: 3 } })
      .jpeg({ quality: JPEG_QUALITY })
      .toBuffer();
    return { jpeg, state, atPeak };
  };
  const rendered = await Promise.all(
    CLIP_NAMES.map(async (clip) => {
      const frames: Frame[] = [];
      for (const { state, atPeak } of clipFrames(clip, flat)) frames.push(await frameOf(state, atPeak));
      return [clip, frames] as const;
    }),
  );
  return Object.fromEntries(rendered) as Clips['clips'];
}

async function cacheKey(person: Person, size: FrameSize, flat: boolean): Promise<string> {
  const hash = createHash('sha256').update(JSON.stringify({ person, size, flat }));
  hash.update(await demoPhoto(person.photo)).update(await faceTask());
  const sources = (await readdir(import.meta.dirname)).filter(
    (name) => name.endsWith('.ts') && !NOT_RENDERING.test(name),
  );
  for (const name of sources.sort()) hash.update(await readFile(join(import.meta.dirname, name)));
  return hash.digest('hex').slice(0, 16);
}

type Listing = { clip: ClipName; bytes: number; state: HeadState; atPeak: boolean }[];

/** A line of JSON that lists the frames, then their bytes. */
function pack(clips: Clips['clips']): Buffer {
  const frames = CLIP_NAMES.flatMap((clip) => clips[clip].map((frame) => ({ clip, frame })));
  const listing: Listing = frames.map(({ clip, frame: { jpeg, state, atPeak } }) => ({
    clip,
    bytes: jpeg.length,
    state,
    atPeak,
  }));
  return Buffer.concat([
    Buffer.from(`${JSON.stringify(listing)}\n`),
    ...frames.map(({ frame }) => frame.jpeg),
  ]);
}

function unpack(packed: Buffer, about: Omit<Clips, 'clips'>): Clips {
  let at = packed.indexOf('\n') + 1;
  const listing = JSON.parse(packed.toString('utf8', 0, at)) as Listing;
  const clips = Object.fromEntries(CLIP_NAMES.map((clip) => [clip, [] as Frame[]])) as Clips['clips'];
  for (const { clip, bytes, state, atPeak } of listing) {
    clips[clip].push({ jpeg: packed.subarray(at, at + bytes), state, atPeak });
    at += bytes;
  }
  return { ...about, clips };
}
