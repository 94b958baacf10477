/** The requests of a live capture, how they are drawn, and when an answer counts. */
import type { LiveMode } from '../../../contract/capture-live.ts';
import { LIVENESS_STEPS, TINT_NAMES, type LivenessStep, type Tint } from '../../../contract/flow.ts';
import type { ChallengeMode } from '../../companies/verification-config.ts';

export type Ask = { kind: 'tint'; tint: Tint } | { kind: 'step'; step: LivenessStep };

/**
 * Clean steps that end a capture without doubts. Without a landmarker the page chose no stills, so it needs one
 * more.
 */
export const stepsNeeded = (challenge: ChallengeMode, mode: LiveMode): number =>
  (challenge === 'strict' ? 3 : 2) + (mode === 'stills' ? 1 : 0);

/** Maximum of answered steps. Remaining doubts then count as they are. */
export const MOST_STEPS = 5;
/** Usable stills of the resting face, each in its own tint. */
export const TINTS_NEEDED = 4;
/** Maximum of requested tints, so that a capture in a dark room ends with a verdict that says so. */
export const MOST_TINTS = 9;

/** Stills that answer a request. Without a landmarker one, which the server has accepted. */
export const stillsWanted = (ask: Ask, mode: LiveMode): number =>
  ask.kind === 'step' && mode === 'coached' ? 2 : 1;

/** Milliseconds since the request was sent. */
export type Window = { opensMs: number; closesMs: number };

/**
 * The soonest that a person can read, react and move: simple reactions take 200 ms or more, and a head takes
 * longer than an eyelid.
 */
const STEP_OPENS_MS: Record<LivenessStep, number> = {
  turn_left: 450,
  turn_right: 450,
  look_up: 450,
  blink: 350,
  smile: 350,
  open_mouth: 350,
  move_closer: 600,
};
/** `found`: before the first still arrives, people walk up and position themselves. */
const CLOSES_MS: Record<LiveMode, Record<Ask['kind'] | 'found', number>> = {
  coached: { found: 45_000, tint: 10_000, step: 15_000 },
  stills: { found: 60_000, tint: 20_000, step: 40_000 },
};
/** By then the page's colour has changed, and a camera has taken a picture of it. */
const TINT_OPENS_MS = { quick: 150, calm: 800 } as const;
/** A slow fade takes this much longer. */
const CALM_EXTRA_MS = 4_000;

/** For a whole capture, in milliseconds. */
export const ENDS_AFTER_MS: Record<LiveMode, number> = { coached: 120_000, stills: 300_000 };

/** @param isFound a still of the face has arrived */
export function windowOf(
  ask: Ask,
  { mode, isCalm }: { mode: LiveMode; isCalm: boolean },
  isFound: boolean,
): Window {
  const closesMs = CLOSES_MS[mode][isFound ? ask.kind : 'found'];
  if (ask.kind === 'step') return { opensMs: STEP_OPENS_MS[ask.step], closesMs };
  return isCalm
    ? { opensMs: TINT_OPENS_MS.calm, closesMs: closesMs + CALM_EXTRA_MS }
    : { opensMs: TINT_OPENS_MS.quick, closesMs };
}

/** A flat picture can be moved, tilted and brought closer, but its nose does not turn against its cheeks. */
export const isTurn = (step: LivenessStep): boolean => step === 'turn_left' || step === 'turn_right';

/**
 * The next step. No step repeats, and one of the required steps is a turn, in a random position.
 * @param asked the steps before it @param stillNeeded number of steps still needed, including this one
 * @param random an unpredictable integer in [0, n)
 * @returns null when every step was requested
 */
export function drawStep(
  asked: readonly LivenessStep[],
  stillNeeded: number,
  random: (n: number) => number,
): LivenessStep | null {
  const left = LIVENESS_STEPS.filter((step) => !asked.includes(step));
  const turns = left.filter(isTurn);
  const others = left.filter((step) => !isTurn(step));
  const wantsTurn = !asked.some(isTurn);
  if (!wantsTurn || others.length === 0) return pick(left, random);
  return pick(random(Math.max(1, stillNeeded)) === 0 ? turns : others, random);
}

/** The next tint: one that has not been shown, else any but the last. */
export function drawTint(shown: readonly Tint[], random: (n: number) => number): Tint {
  const fresh = TINT_NAMES.filter((tint) => !shown.includes(tint));
  const from = fresh.length > 0 ? fresh : TINT_NAMES.filter((tint) => tint !== shown.at(-1));
  return pick(from, random) ?? 'warm';
}

function pick<T>(from: readonly T[], random: (n: number) => number): T | null {
  return from[random(Math.max(1, from.length))] ?? null;
}
