/**
 * The page’s light on the scene. Skin and paper near the screen reflect it fully, the wall behind barely. A lit screen
 * reflects almost none of it, and a picture injected into the machine none.
 */
import { TINT_NAMES, type Tint } from '../../../server/contract/flow.ts';
import { TINT_LIGHT } from '../../../server/domain/capture/attack/tints.ts';
import type { Random } from '../../../testing/camera/capture/random.ts';
import { type ClipKind, INJECTED } from '../plan.ts';

/** Factors and offsets for a pixel's value, per channel. */
export type FrameLight = {
  /** On objects near the screen, and on the room. */
  near: readonly number[];
  far: readonly number[];
  /** On what a screen shows beside the person, where only the person is painted. */
  unpainted: readonly number[];
  /** The page's light that a screen's surface adds to its picture, as a share of its white, linear. */
  reflected: readonly number[];
};

/** The tints at one moment; null for the page's plain background. */
export type Tinted = {
  /** The page's current colour. */
  page: Tint | null;
  /** Light that a screen or a script paints on its face. */
  painted: Tint | null;
};

export type ClipLight = {
  /** The page changes slowly, as with reduced motion. */
  slow: boolean;
  /** The light in a recording, in order; empty if there was none. */
  recorded: readonly Tint[];
  at: (tinted: Tinted, random: Random) => FrameLight;
};

/** Of a screen, and of the camera that sees it. */
export const GAMMA = 2.2;
/** The page's own background, linear. */
const PLAIN = [0.75, 0.75, 0.75] as const;
/** Share of people with reduced motion. */
const SLOW_SHARE = 0.12;
/**
 * Standard deviation of a camera's white balance between two resting frames, as a share; it varies more over a longer
 * time.
 */
const DRIFT = { quick: 0.008, slow: 0.014 } as const;
/**
 * The page's light relative to the room's, on the face: from a phone in a bright hall to a kiosk's screen in the
 * evening.
 */
const LEAST_SHARE = 0.02;
const MOST_SHARE = 0.6;
/** Share of recordings that were made without a page with tints. */
const RECORDED_LIT_SHARE = 0.35;

const SCREENS: readonly ClipKind[] = [
  'screen',
  'fine_screen',
  'following_screen',
  'tinted_face_screen',
  'replay',
];
const RECORDINGS: readonly ClipKind[] = ['screen', 'fine_screen', 'replay'];

export function takeLight(kind: ClipKind, random: Random): ClipLight {
  const slow = random.between(0, 1) < SLOW_SHARE;
  const wasRecordedLit = random.between(0, 1) < RECORDED_LIT_SHARE && RECORDINGS.includes(kind);
  const recorded = shuffled(TINT_NAMES, random);
  const share = logBetween(random, LEAST_SHARE, MOST_SHARE);
  const paintedShare = logBetween(random, LEAST_SHARE, MOST_SHARE);
  const fallOff = random.between(0.02, 0.12);
  const reflectance = random.between(0.0005, 0.004);
  const isScreen = SCREENS.includes(kind);
  // No light of the room reaches a picture made inside the machine.
  const isInside = INJECTED.includes(kind);
  return {
    slow,
    recorded: wasRecordedLit ? recorded : [],
    at(tinted, jitter) {
      const page = isInside ? [0, 0, 0] : lightOf(tinted.page);
      // A camera's white balance varies with the scene, over the whole frame.
      const sigma = slow ? DRIFT.slow : DRIFT.quick;
      const drift = [1 + sigma * jitter.normal(), 1, 1 + sigma * jitter.normal()];
      const withDrift = (factors: readonly number[]) => factors.map((value, i) => value * (drift[i] ?? 1));
      const painted = tinted.painted ? lit(paintedShare, lightOf(tinted.painted)) : [1, 1, 1];
      return {
        near: withDrift(isScreen || isInside ? painted : lit(share, page)),
        far: withDrift(lit(share * fallOff, page)),
        unpainted: withDrift([1, 1, 1]),
        reflected: page.map((value) => (isScreen ? reflectance * value : 0)),
      };
    },
  };
}

const shuffled = <T>(items: readonly T[], random: Random): T[] =>
  items
    .map((item) => ({ item, place: random.between(0, 1) }))
    .sort((a, b) => a.place - b.place)
    .map(({ item }) => item);

const lightOf = (tint: Tint | null): readonly number[] => (tint ? TINT_LIGHT[tint] : PLAIN);

/** Factors for light of this share, with the same brightness for every colour. */
function lit(share: number, light: readonly number[]): number[] {
  const level = light.map((value) => 1 + share * value);
  const usual = level.reduce((sum, value) => sum + value, 0) / level.length;
  return level.map((value) => (value / usual) ** (1 / GAMMA));
}

const logBetween = (random: Random, from: number, to: number): number =>
  Math.exp(random.between(Math.log(from), Math.log(to)));
