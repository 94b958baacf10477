/** What a capture can ask for, and when an answer to it counts. */
import type { CaptureMode } from '../../../contract/capture.ts';
import { DOUBLE_STEP, LIVENESS_STEPS, type LivenessStep } from '../../../contract/flow.ts';
import type { Ask, ExchangePlan } from './state.ts';

export type { Ask };

/**
 * Clean steps that end a capture without doubts. With recorded videos of five of the seven steps, all of three would be among
 * them in 30 % of captures, all of four in 15 %. Without a landmarker the page chose no stills, so it needs one more.
 */
export const stepsNeeded = ({ challenge, mode, moreSteps = 0, claim }: StepsPlan): number =>
  claim ? 1 : (challenge === 'strict' ? 4 : 2) + (mode === 'stills' ? 1 : 0) + moreSteps;

/** Usable stills of the resting face, each in its own tint. */
export const tintsNeeded = ({ claim }: Pick<ExchangePlan, 'claim'>): number => (claim ? 2 : 4);

/** Most different steps that are answered. Remaining doubts then count as they are. */
export const mostSteps = (plan: StepsPlan): number =>
  Math.min(LIVENESS_STEPS.length, Math.max(MOST_STEPS, stepsNeeded(plan) + 2));
const MOST_STEPS = 5;

type StepsPlan = Pick<ExchangePlan, 'challenge' | 'mode' | 'moreSteps' | 'claim'>;

/** Stills that answer a request. Without a landmarker one, which the server has accepted. */
export const stillsWanted = (ask: Ask, mode: CaptureMode): number =>
  ask.kind === 'step' && mode === 'coached' ? 2 : 1;

/** Milliseconds since the request was sent. */
type Window = { opensMs: number; closesMs: number };

/**
 * The soonest that a person can read, react and move: simple reactions take 200 ms or more, and a head takes
 * longer than an eyelid.
 */
const STEP_OPENS_MS: Record<LivenessStep, number> = {
  turn_left: 450,
  turn_right: 450,
  look_up: 450,
  look_up_smile: 450,
  blink: 350,
  smile: 350,
  open_mouth: 350,
  move_closer: 600,
};
/** `found`: before the first still arrives, people walk up and position themselves. */
const CLOSES_MS: Record<CaptureMode, Record<Ask['kind'] | 'found', number>> = {
  coached: { found: 45_000, tint: 10_000, step: 15_000 },
  stills: { found: 60_000, tint: 20_000, step: 40_000 },
};
/** By then the page's colour has changed, and a camera has taken a picture of it. */
const TINT_OPENS_MS = { quick: 150, calm: 800 } as const;
/** A slow fade takes this much longer. */
const CALM_EXTRA_MS = 4_000;

/** For a whole capture, in milliseconds. */
export const ENDS_AFTER_MS: Record<CaptureMode, number> = { coached: 120_000, stills: 300_000 };

/** @param isFound a still of the face has arrived */
export function windowOf(
  ask: Ask,
  { mode, isCalm }: { mode: CaptureMode; isCalm: boolean },
  isFound: boolean,
): Window {
  const closesMs = CLOSES_MS[mode][isFound ? ask.kind : 'found'];
  if (ask.kind === 'step') return { opensMs: STEP_OPENS_MS[ask.step], closesMs };
  return isCalm
    ? { opensMs: TINT_OPENS_MS.calm, closesMs: closesMs + CALM_EXTRA_MS }
    : { opensMs: TINT_OPENS_MS.quick, closesMs };
}

/** The steps that somebody who does this one shows with it. */
export const showsWith = (step: LivenessStep): readonly LivenessStep[] =>
  step === DOUBLE_STEP ? [step, 'look_up', 'smile'] : [step];

/** A flat picture can be moved, tilted and brought closer, but its nose does not turn against its cheeks. */
export const isTurn = (step: LivenessStep): boolean => step === 'turn_left' || step === 'turn_right';
