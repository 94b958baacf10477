/** The clips of the built-in set; the same on every machine. */
import { createHash } from 'node:crypto';
import type { ChallengeMode } from '../../server/domain/companies/verification-config.ts';
import { PEOPLE } from '../../testing/camera/people.ts';
import { TRAINING_NAMES } from './scene/people.ts';

/** A script that plays found videos of so many different steps on request. */
const SCRIPTS = ['scripted_2', 'scripted_3', 'scripted_4', 'scripted_5', 'scripted_6', 'scripted_7'] as const;

/** Species of attack. Those of `INJECTED` reach the server without a camera. */
export const ATTACK_KINDS = [
  'print',
  'bent_paper',
  'cutout_eyes',
  'lit_mask',
  'screen',
  'fine_screen',
  'following_screen',
  'tinted_face_screen',
  'replay',
  'warped_still',
  'prepared_warp',
  'slow_warp',
  'live_warp',
  'blind_loop',
  ...SCRIPTS,
] as const;
export type AttackKind = (typeof ATTACK_KINDS)[number];

/** Attacks that a script sends: their pictures never come from a kiosk's camera, and no kiosk signs them. */
export const INJECTED: readonly string[] = [
  'warped_still',
  'prepared_warp',
  'slow_warp',
  'live_warp',
  'blind_loop',
  ...SCRIPTS,
];
/** Attacks that the signals are not claimed to detect; listed, and not counted in the overall rate. */
export const BEYOND_CLAIM: readonly string[] = [
  'fine_screen',
  'following_screen',
  'tinted_face_screen',
  'live_warp',
  ...SCRIPTS.slice(2),
];

/** How many different steps the found videos show that a script plays on request. */
const OWNED = /^scripted_(\d)$/;
export const ownedSteps = (kind: ClipKind): number | null => {
  const [, count] = OWNED.exec(kind) ?? [];
  return count === undefined ? null : Number(count);
};
/** Species of which one person's chance of the right steps is small: more clips of each show more. */
const BY_CHANCE: readonly ClipKind[] = ['blind_loop', 'scripted_3'];
const CLIPS_BY_CHANCE = 12;

export type ClipKind = 'genuine' | AttackKind;
export const CLIP_KINDS: readonly ClipKind[] = ['genuine', ...ATTACK_KINDS];

/**
 * The reported conditions: both modes, the standard mode with the page's light invisible, as in sunlight, which an
 * attacker may cause, and the standard mode where the last captures saw the light.
 */
export const CONDITIONS = ['standard', 'strict', 'standard_unlit', 'standard_usual_light'] as const;
/** Of guests who come back with their ticket, whose claim the fast lane checks one to one; with `--claim`, beside the full check. */
export const CLAIM_CONDITIONS = ['standard', 'claim'] as const;
export type Condition = (typeof CONDITIONS)[number] | (typeof CLAIM_CONDITIONS)[number];

export const modeOf = (condition: Condition): ChallengeMode =>
  condition === 'strict' ? 'strict' : 'standard';

/** One capture of the set. Its pictures depend only on this plan and the server's requests. */
export type PlannedClip = {
  kind: ClipKind;
  person: string;
  /** Number within kind and person. */
  number: number;
  seed: number;
  condition: Condition;
};

/** Clips a person. Of portraits there may be many; of the demo photos' people, the reported half is the larger one. */
const COUNTS = {
  portrait: { genuine: 2, attack: 1 },
  training: { genuine: 8, attack: 4 },
  reported: { genuine: 20, attack: 10 },
} as const;

export const HALVES = ['training', 'reported'] as const;
export type Half = (typeof HALVES)[number];

/** Nobody is in both halves. The half of a portrait follows from its name, so that it never changes. */
export const isTraining = (person: string): boolean =>
  isDemo(person) ? TRAINING_NAMES.includes(person) : hashOf(person) % 2 === 0;

/** Whether somebody is one of the demo photos' people, not a portrait of `--portraits`. */
export const isDemo = (person: string): boolean => PEOPLE.some(({ name }) => name === person);

const hashOf = (key: string): number => createHash('sha256').update(key).digest().readUInt32LE();

/** With which a person's ticket was bound: another of their genuine clips. */
export const boundBy = ({ kind, person, number }: PlannedClip): PlannedClip => {
  const other = kind === 'genuine' && number === 0 ? 1 : 0;
  return {
    kind: 'genuine',
    person,
    number: other,
    seed: seedOf('genuine', person, other),
    condition: 'standard',
  };
};

const seedOf = (kind: ClipKind, person: string, number: number): number =>
  hashOf(`${person} ${kind} ${number}`);

/** @param sample maximum of clips for each kind and person; all by default @param kinds all by default */
export function planClips(
  people: readonly string[],
  sample = Infinity,
  kinds: readonly ClipKind[] = CLIP_KINDS,
  conditions: readonly Condition[] = CONDITIONS,
): PlannedClip[] {
  return people.flatMap((person) => {
    const half = isTraining(person) ? 'training' : 'reported';
    const counts = COUNTS[isDemo(person) ? half : 'portrait'];
    return kinds.flatMap((kind) => {
      const ofAttack = BY_CHANCE.includes(kind) && isDemo(person) ? CLIPS_BY_CHANCE : counts.attack;
      const whole = kind === 'genuine' ? counts.genuine : ofAttack;
      return Array.from({ length: Math.min(whole, sample) }, (_, number) => {
        const seed = seedOf(kind, person, number);
        return conditions.map((condition): PlannedClip => ({ kind, person, number, seed, condition }));
      }).flat();
    });
  });
}
