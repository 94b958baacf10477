/**
 * The page's own light on what is before it. Skin and paper near the screen give it back in full, the wall behind hardly,
 * a lit screen gives back next to nothing of it, and a picture made inside the machine nothing at all.
 */
import type { Tint } from '../../server/contract/flow.ts';
import { chooseTints } from '../../server/domain/capture/challenge.ts';
import { TINT_LIGHT } from '../../server/domain/capture/attack/tints.ts';
import type { Random } from '../../testing/camera/capture-random.ts';
import type { PlannedClip } from './plan.ts';

/** Factors and terms on a pixel's value, per channel. */
export type FrameLight = {
  /** On what is near the screen, and on the room. */
  near: readonly number[];
  far: readonly number[];
  /** Light of the page that a screen's surface adds to what it shows, as a share of its white, linear. */
  reflected: readonly number[];
};

export type ClipLight = {
  /** What the server chose. */
  tints: Tint[];
  /** The page changed slowly, as whoever wants less motion has it. */
  slow: boolean;
  /** In the neutral frame of that number; null in a step's frame, where the page is as usual. */
  inFrame: (neutral: number | null, random: Random) => FrameLight;
};

const GAMMA = 2.2;
/** The page's own ground, linear. */
const PLAIN = [0.75, 0.75, 0.75] as const;
/** Part of people who ask for less motion. */
const SLOW_SHARE = 0.12;
/** Standard deviation of a camera's white balance between two neutral frames, as a share; it wanders further in a longer time. */
const DRIFT = { quick: 0.008, slow: 0.014 } as const;
/** The page's light over the room's, on the face: a phone in a bright hall, up to a kiosk's screen in the evening. */
const LEAST_SHARE = 0.02;
const MOST_SHARE = 0.6;

/** Kinds that only show a recorded face, which some other capture's tints may have lit. */
const MAYBE_RECORDED_LIT: readonly string[] = ['screen', 'fine_screen', 'replay'];
/** No light of this room reaches what is made in the machine. */
const UNLIT: readonly string[] = ['warped_still'];

export function takeLight({ kind }: PlannedClip, random: Random): ClipLight {
  const draw = () => chooseTints((n) => Math.floor(random.between(0, n)));
  const tints = draw();
  const recorded = draw();
  const slow = random.between(0, 1) < SLOW_SHARE;
  const wasRecordedLit = random.between(0, 1) < 0.35 && MAYBE_RECORDED_LIT.includes(kind);
  const share = Math.exp(random.between(Math.log(LEAST_SHARE), Math.log(MOST_SHARE)));
  const recordedShare = Math.exp(random.between(Math.log(LEAST_SHARE), Math.log(MOST_SHARE)));
  const fallOff = random.between(0.02, 0.12);
  const reflectance = random.between(0.0005, 0.004);
  const isScreen = MAYBE_RECORDED_LIT.includes(kind);
  return {
    tints,
    slow,
    inFrame(neutral, jitter) {
      const of = (list: readonly Tint[]) => {
        const tint = neutral === null ? undefined : list[neutral];
        return tint === undefined ? PLAIN : TINT_LIGHT[tint];
      };
      const page = UNLIT.includes(kind) ? [0, 0, 0] : of(tints);
      // A camera's white balance wanders with what it sees; it does so over the whole frame.
      const sigma = slow ? DRIFT.slow : DRIFT.quick;
      const drift = [1 + sigma * jitter.normal(), 1, 1 + sigma * jitter.normal()];
      const lit = (by: number, light: readonly number[]) => {
        const level = light.map((value) => 1 + by * value);
        const usual = level.reduce((sum, value) => sum + value, 0) / level.length;
        return level.map((value) => (value / usual) ** (1 / GAMMA));
      };
      const shown = wasRecordedLit ? lit(recordedShare, of(recorded)) : [1, 1, 1];
      const onFace = isScreen ? shown : lit(share, page);
      const withDrift = (factors: readonly number[]) => factors.map((value, i) => value * (drift[i] ?? 1));
      return {
        near: withDrift(onFace),
        far: withDrift(lit(share * fallOff, page)),
        reflected: page.map((value) => (isScreen ? reflectance * value : 0)),
      };
    },
  };
}
