import { LIVENESS_STEPS, type LivenessStep } from '../contract/flow.ts';

export const CHALLENGE_MODES = ['standard', 'strict'] as const;
export type ChallengeMode = (typeof CHALLENGE_MODES)[number];

const STEPS_OF_MODE: Record<ChallengeMode, number> = { standard: 3, strict: 5 };

/** A plane does not turn like a head, so one of these is always asked. */
const TURNS: readonly LivenessStep[] = ['turn_left', 'turn_right'];

/**
 * Steps of one challenge, in random order and without repeats, a turn among them.
 * @param random uniform integer in [0, n)
 */
export function chooseSteps(random: (n: number) => number, mode: ChallengeMode): LivenessStep[] {
  const turn = takeOne(TURNS, random);
  const chosen: LivenessStep[] = [turn];
  let rest = LIVENESS_STEPS.filter((step) => step !== turn);
  while (chosen.length < STEPS_OF_MODE[mode]) {
    const step = takeOne(rest, random);
    rest = rest.filter((other) => other !== step);
    chosen.splice(random(chosen.length + 1), 0, step);
  }
  return chosen;
}

function takeOne(steps: readonly LivenessStep[], random: (n: number) => number): LivenessStep {
  const step = steps[random(steps.length)];
  if (!step) throw new RangeError('The random source went beyond its bound.');
  return step;
}
