/**
 * A person from rendered clips at the camera, without a browser: a normal capture, and the attacks that the
 * server must detect.
 */
import type { CaptureRequest } from '../../../server/contract/capture.ts';
import { LIVENESS_STEPS, type LivenessStep } from '../../../server/contract/flow.ts';
import type { Timeline } from '../../../server/domain/capture/liveness-segments.ts';
import { BLURRED, CLEAR, DARK, GLARING, HELD_STILL, photograph, savedAgain, takeStance } from './optics.ts';
import { randomOf } from './random.ts';
import type { Clips, Frame } from '../clips.ts';
import type { WirePerson } from './exchange-client.ts';

const ATTACKS = [
  /** One still in every frame, held without moving. */
  'frozen_still',
  /** A step other than the requested one. */
  'other_step',
  /** The first still of a request is sent again for the others. */
  'duplicate_frames',
  /** The same, but saved again as another JPEG. */
  'reencoded_duplicates',
] as const;
type Attack = (typeof ATTACKS)[number];

const LIGHT = { clear: CLEAR, dark: DARK, glaring: GLARING, blurred: BLURRED } as const;

export type CameraOptions = {
  attack?: Attack;
  picture?: keyof typeof LIGHT;
  /** Another person performs the steps; the resting face is still the first person's. */
  stepsBy?: Clips;
  /** For a repeatable capture; by default each capture is different. */
  seed?: number;
  /** From the earliest allowed answer to the answer, in milliseconds. */
  reactionMs?: number;
};

/** The part of a request that a person needs. */
type Asked = Pick<CaptureRequest, 'step'>;
type CameraPerson = WirePerson & { show: (request: Asked, place: number) => Promise<Buffer> };

/** The page's light does not reach the person. */
export function personBefore(
  clips: Clips,
  { attack, picture = 'clear', stepsBy = clips, seed, reactionMs = 60 }: CameraOptions = {},
): CameraPerson {
  const random = randomOf(seed);
  const stance = takeStance(random);
  const isFrozen = attack === 'frozen_still';
  const optics = isFrozen ? HELD_STILL : LIGHT[picture];
  const stills = isFrozen ? random.pick(clips.clips.idle, 1) : clips.clips.idle;
  const isRepeating = attack === 'duplicate_frames' || attack === 'reencoded_duplicates';
  let first: Buffer = Buffer.of();
  const take = async (step: LivenessStep | undefined): Promise<Buffer> => {
    const shown = step && attack === 'other_step' ? otherThan(step) : step;
    const [frame] = random.pick(shown && !isFrozen ? peakOf(stepsBy, shown) : stills, 1);
    if (!frame) throw new Error('The clips hold no such frame.');
    return photograph(frame.jpeg, clips.size, optics, { stance, random });
  };
  return {
    react: ({ opens_in_ms: opensMs }) => new Promise((resolve) => setTimeout(resolve, opensMs + reactionMs)),
    async show({ step }, place) {
      if (place > 0 && isRepeating) return attack === 'duplicate_frames' ? first : savedAgain(first);
      const jpeg = await take(step);
      if (place === 0) first = jpeg;
      return jpeg;
    },
  };
}

/** A flat clip has no peak for what paper cannot do, so any of its frames is used. */
const peakOf = (clips: Clips, step: LivenessStep): Frame[] =>
  clips.clips[step].filter(({ atPeak }) => atPeak);

function otherThan(step: LivenessStep): LivenessStep {
  const next = (LIVENESS_STEPS.indexOf(step) + 1) % LIVENESS_STEPS.length;
  return LIVENESS_STEPS[next] ?? step;
}

/** A whole capture: stills of the resting face, then those of each step. */
export type Capture = { frames: Buffer[]; timeline: Timeline };

export const RESTING_STILLS = 4;
export const STILLS_OF_STEP = 2;
/** Times of a person who reads, in milliseconds. */
const FIRST_STILL_MS = 1_400;
const BETWEEN_STILLS_MS = 140;
const BETWEEN_STEPS_MS = 2_300;

export async function captureFor(
  clips: Clips,
  steps: readonly LivenessStep[],
  options: CameraOptions = {},
): Promise<Capture> {
  const person = personBefore(clips, options);
  const asked: Asked[] = [{}, ...steps.map((step) => ({ step }))];
  const frames: Buffer[] = [];
  const entries: Timeline['frames'][number][] = [];
  for (const [part, request] of asked.entries()) {
    const count = part === 0 ? RESTING_STILLS : STILLS_OF_STEP;
    for (let place = 0; place < count; place += 1) {
      // A resting face is requested once in each tint.
      frames.push(await person.show(request, part === 0 ? 0 : place));
      const atMs = FIRST_STILL_MS + part * BETWEEN_STEPS_MS + place * BETWEEN_STILLS_MS;
      entries.push({ step: part === 0 ? null : part - 1, at_ms: atMs });
    }
  }
  return { frames, timeline: { frames: entries } };
}

/** An earlier capture sent again with every frame saved as another JPEG. */
export async function replayedReencoded({ frames, timeline }: Capture): Promise<Capture> {
  return { frames: await Promise.all(frames.map(savedAgain)), timeline };
}
