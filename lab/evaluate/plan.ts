/** Which clips the built-in set consists of; the same on every machine. */
import type { LivenessStep } from '../../server/contract/flow.ts';
import { LIVENESS_STEPS } from '../../server/contract/flow.ts';
import { chooseSteps } from '../../server/domain/capture/challenge.ts';
import { randomOf } from '../../testing/camera/capture-random.ts';
import { TRAINING_NAMES } from './people.ts';

/** The last is beyond what the signals claim to see, and is reported beside the others. */
export const ATTACK_KINDS = [
  'print',
  'bent_paper',
  'cutout_eyes',
  'warped_still',
  'screen',
  'replay',
  'fine_screen',
] as const;
export type AttackKind = (typeof ATTACK_KINDS)[number];
export const BEYOND_CLAIM: readonly string[] = ['fine_screen'];
export type ClipKind = 'genuine' | AttackKind;

export type PlannedClip = {
  kind: ClipKind;
  person: string;
  /** Number within kind and person. */
  number: number;
  seed: number;
  /** What the server asks for. */
  asked: LivenessStep[];
  /** What is performed; differs only in a replay. */
  performed: LivenessStep[];
};

/** Clips a person: the half that is reported on is the larger one. */
const COUNTS = {
  training: { genuine: 8, attack: 4 },
  reported: { genuine: 20, attack: 10 },
} as const;

export const isTraining = (person: string): boolean => TRAINING_NAMES.includes(person);

/** @param share of the set to make, 0 to 1; at least one clip of each kind and person */
export function planClips(people: readonly string[], share = 1): PlannedClip[] {
  return people.flatMap((person, personIndex) => {
    const counts = COUNTS[isTraining(person) ? 'training' : 'reported'];
    return (['genuine', ...ATTACK_KINDS] as const).flatMap((kind, kindIndex) => {
      const whole = kind === 'genuine' ? counts.genuine : counts.attack;
      const count = Math.max(1, Math.round(whole * share));
      return Array.from({ length: count }, (_, number): PlannedClip => {
        const seed = 1 + number + 1000 * kindIndex + 100_000 * personIndex;
        const random = randomOf(seed);
        const draw = () => chooseSteps((n) => Math.floor(random.between(0, n)), 'strict');
        const asked = draw();
        return {
          kind,
          person,
          number,
          seed,
          asked,
          performed: kind === 'replay' ? otherThan(asked, draw) : asked,
        };
      });
    });
  });
}

/** A recording answers what was asked when it was made. */
function otherThan(asked: readonly LivenessStep[], draw: () => LivenessStep[]): LivenessStep[] {
  for (let tries = 0; tries < LIVENESS_STEPS.length; tries++) {
    const steps = draw();
    if (steps.join() !== asked.join()) return steps;
  }
  return asked.toReversed();
}
