/** Which steps a person is asked for: unforeseeable, so that no recording made before can answer them. */
import {
  CAPTURE_PLAN,
  LIVENESS_STEPS,
  TINT_NAMES,
  type LivenessStep,
  type Tint,
} from '../../contract/flow.ts';

export type ChallengeMode = 'standard' | 'strict';

/** Steps asked for; three take an unhurried person about ten seconds. */
export const STEPS_ASKED: Record<ChallengeMode, number> = { standard: 3, strict: 5 };

/** A flat picture can be moved, tilted and brought closer, but its nose does not turn against its cheeks. */
const TURNS: readonly LivenessStep[] = ['turn_left', 'turn_right'];

/**
 * Steps in the order in which they are asked, without repeats, with at least one turn.
 * @param random an unforeseeable integer in [0, n)
 */
export function chooseSteps(random: (n: number) => number, mode: ChallengeMode): LivenessStep[] {
  const steps = drawn(TURNS, 1, random);
  const others = LIVENESS_STEPS.filter((step) => !steps.includes(step));
  steps.push(...drawn(others, STEPS_ASKED[mode] - steps.length, random));
  return drawn(steps, steps.length, random);
}

/**
 * Tints of the page, one for each neutral frame, all different.
 * @param random as above
 */
export function chooseTints(random: (n: number) => number): Tint[] {
  return drawn(TINT_NAMES, CAPTURE_PLAN.neutralFrames, random);
}

/** `count` different items in random order. */
function drawn<T>(from: readonly T[], count: number, random: (n: number) => number): T[] {
  const left = [...from];
  return Array.from({ length: count }, () => left.splice(random(left.length), 1)).flat();
}
