/**
 * Clips in a folder:
 *
 * genuine/<identity>/<clip>/frame-*.jpg [clip.json] attacks/<kind>/[…/]<clip>/frame-*.jpg [clip.json]
 *
 * A folder with JPEG files is one clip, its frames sorted by name. `clip.json` may contain `{identity, steps, tints,
 * timeline, labels}`: the requested steps, which frame shows which step (`timeline.frames[n].step`, an index into
 * `steps`, null at rest), the page's tint in each resting frame, and labels for separate reporting. Without steps a
 * clip is a series of pictures, judged only by checks that need no steps.
 */
import { readdir, readFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { Type, type Static } from 'typebox';
import { Errors } from 'typebox/value';
import type { Recording } from '../../../server/domain/capture/recording.ts';
import { LIVENESS_STEPS, TINT_NAMES, type LivenessStep, type Tint } from '../../../server/contract/flow.ts';

const Timeline = Type.Object({
  frames: Type.Array(Type.Object({ step: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()]) })),
});

const ClipFile = Type.Object({
  identity: Type.Optional(Type.String()),
  steps: Type.Optional(
    Type.Array(Type.Unsafe<LivenessStep>({ type: 'string', enum: [...LIVENESS_STEPS] }), {
      maxItems: LIVENESS_STEPS.length,
    }),
  ),
  timeline: Type.Optional(Timeline),
  tints: Type.Optional(
    Type.Array(Type.Unsafe<Tint>({ type: 'string', enum: [...TINT_NAMES] }), { maxItems: 8 }),
  ),
  labels: Type.Optional(Type.Record(Type.String(), Type.String())),
});

export type FoundClip = {
  /** Path inside the set. */
  name: string;
  /** `genuine`, or the kind of attack. */
  kind: string;
  /** Null for an attack whose `clip.json` has no identity. */
  identity: string | null;
  steps: LivenessStep[];
  /** For each resting frame; empty if none were shown. */
  tints: Tint[];
  /** For each frame the index of its step, null at rest; empty if the clip has no steps. */
  stepOfFrame: (number | null)[];
  labels: Record<string, string>;
  /** Loads the frames, and of a recorded live capture everything that the server received. */
  read: () => Promise<{ frames: Buffer[]; recording?: Pick<Recording, 'capture' | 'stills'> }>;
};

export class ClipFolderError extends Error {
  override readonly name = 'ClipFolderError';
}

/** @throws ClipFolderError if there is no clip, or a `clip.json` is wrong */
export async function findClips(root: string): Promise<FoundClip[]> {
  const clips: FoundClip[] = [];
  for (const branch of ['genuine', 'attacks']) await search(root, join(root, branch), clips);
  if (clips.length === 0) throw new ClipFolderError(`${root}: no genuine/… or attacks/… clips here`);
  return clips;
}

async function search(root: string, folder: string, found: FoundClip[]): Promise<void> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const frames = entries
    .filter((entry) => entry.isFile() && /\.jpe?g$/i.test(entry.name))
    .map(({ name }) => name);
  if (frames.length > 0) found.push(await clipOf(root, folder, frames.sort()));
  for (const entry of entries.toSorted((a, b) => a.name.localeCompare(b.name))) {
    if (entry.isDirectory()) await search(root, join(folder, entry.name), found);
  }
}

async function clipOf(root: string, folder: string, frames: readonly string[]): Promise<FoundClip> {
  const name = relative(root, folder);
  const [branch, second = 'unnamed'] = name.split(sep);
  const about = await readClipFile(join(folder, 'clip.json'));
  const { steps = [], tints = [], timeline = null, labels = {} } = about;
  if (steps.length > 0 && timeline?.frames.length !== frames.length) {
    throw new ClipFolderError(
      `${name}: the timeline needs one entry for each of the ${frames.length} frames`,
    );
  }
  const genuine = branch === 'genuine';
  return {
    name,
    kind: genuine ? 'genuine' : second,
    identity: about.identity ?? (genuine ? second : null),
    steps,
    tints,
    stepOfFrame: timeline?.frames.map(({ step }) => step) ?? [],
    labels,
    read: async () => ({
      frames: await Promise.all(frames.map((frame) => readFile(join(folder, frame)))),
    }),
  };
}

async function readClipFile(path: string): Promise<Static<typeof ClipFile>> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch {
    return {};
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new ClipFolderError(`${path}: not valid JSON`, { cause });
  }
  const [problem] = Errors(ClipFile, value);
  if (problem) throw new ClipFolderError(`${path}: ${problem.instancePath || 'the file'} ${problem.message}`);
  return value as Static<typeof ClipFile>;
}
