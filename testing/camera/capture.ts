/**
 * A capture as the hosted page would upload it, without a browser: neutral frames, then frames at each step's peak.
 * The attacks are those which the server must see through.
 */
import { CAPTURE_PLAN, type LivenessStep, type Timeline } from '../../server/contract/flow.ts';
import {
  BLURRED,
  CLEAR,
  DARK,
  GLARING,
  HELD_STILL,
  photograph,
  savedAgain,
  takeStance,
} from './capture-optics.ts';
import { CALM, timelineOf, type Pace } from './capture-pace.ts';
import { randomOf } from './capture-random.ts';
import type { Clips, Frame } from './clips.ts';
import type { LivePerson } from './live-client.ts';

export type Capture = { frames: Buffer[]; timeline: Timeline };

export const ATTACKS = [
  /** One still in every frame, held without moving. */
  'frozen_still',
  /** The steps in another order than asked. */
  'wrong_order',
  /** Each step's last frame is sent twice. */
  'duplicate_frames',
  /** As before, but saved again as another JPEG. */
  'reencoded_duplicates',
] as const;
export type Attack = (typeof ATTACKS)[number];

const LIGHT = { clear: CLEAR, dark: DARK, glaring: GLARING, blurred: BLURRED } as const;

export type CaptureOptions = {
  attack?: Attack;
  picture?: keyof typeof LIGHT;
  /** Somebody else performs the steps; the neutral frames stay the first person's. */
  stepsBy?: Clips;
  pace?: Pace;
  /** For a repeatable capture; without it each capture differs from every other. */
  seed?: number;
};

export async function captureFor(
  clips: Clips,
  steps: readonly LivenessStep[],
  { attack, picture = 'clear', stepsBy = clips, pace = CALM, seed }: CaptureOptions = {},
): Promise<Capture> {
  const random = randomOf(seed);
  const optics = attack === 'frozen_still' ? HELD_STILL : LIGHT[picture];
  const stance = takeStance(random);
  const shown = attack === 'wrong_order' ? [...steps.slice(1), ...steps.slice(0, 1)] : steps;
  const [onlyStill] = random.pick(clips.clips.idle, 1);
  const choose = (from: readonly Frame[], count: number): Frame[] =>
    attack === 'frozen_still' ? Array.from({ length: count }, () => onlyStill!) : random.pick(from, count);
  const chosen = [
    ...choose(clips.clips.idle, CAPTURE_PLAN.neutralFrames),
    ...shown.flatMap((step) => choose(peakOf(stepsBy, step), CAPTURE_PLAN.framesPerStep)),
  ];
  const frames: Buffer[] = [];
  for (const { jpeg } of chosen) frames.push(await photograph(jpeg, clips.size, optics, { stance, random }));
  if (attack === 'duplicate_frames') await repeatLast(frames, (jpeg) => jpeg);
  if (attack === 'reencoded_duplicates') await repeatLast(frames, savedAgain);
  return { frames, timeline: timelineOf(steps, pace, random) };
}

/** A flat clip has no peak for what paper cannot do: any frame of it serves. */
function peakOf(clips: Clips, step: LivenessStep): Frame[] {
  return clips.clips[step].filter(({ atPeak }) => atPeak);
}

/** Frames by upload order; a step's last frame replaces the ones before it in that step. */
async function repeatLast(frames: Buffer[], copy: (jpeg: Buffer) => Buffer | Promise<Buffer>): Promise<void> {
  const { neutralFrames, framesPerStep } = CAPTURE_PLAN;
  for (let last = neutralFrames + framesPerStep - 1; last < frames.length; last += framesPerStep) {
    for (let index = last - framesPerStep + 1; index < last; index++)
      frames[index] = await copy(frames[last]!);
  }
}

export type LiveCameraOptions = Pick<CaptureOptions, 'picture' | 'stepsBy' | 'seed'> & {
  /** From the moment at which an answer may come to the answer, in milliseconds. */
  reactionMs?: number;
};

/** A person of rendered clips before a live capture. The page's light does not reach them. */
export function personBefore(
  clips: Clips,
  { picture = 'clear', stepsBy = clips, seed, reactionMs = 60 }: LiveCameraOptions = {},
): LivePerson {
  const random = randomOf(seed);
  const stance = takeStance(random);
  return {
    react: ({ opens_in_ms: opensMs }) => new Promise((resolve) => setTimeout(resolve, opensMs + reactionMs)),
    async show({ step }) {
      const [frame] = random.pick(step ? peakOf(stepsBy, step) : clips.clips.idle, 1);
      if (!frame) throw new Error('The clips hold no such frame.');
      return photograph(frame.jpeg, clips.size, LIGHT[picture], { stance, random });
    },
  };
}

/** An earlier capture sent again, byte by byte. */
export const replayed = ({ frames, timeline }: Capture): Capture => ({ frames: [...frames], timeline });

/** An earlier capture sent again with every frame saved as another JPEG. */
export async function replayedReencoded({ frames, timeline }: Capture): Promise<Capture> {
  return { frames: await Promise.all(frames.map(savedAgain)), timeline };
}
