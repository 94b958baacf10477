/**
 * Whether the resting face reflects the page's tints. The screen is near the face and far from the room, so a
 * change on the skin but not behind it, in the order that the server chose, is the screen's light on a surface
 * in front of it. A lit screen reflects almost none of it, a sheet also shows it on its background, and a
 * recording shows the tints of another check. A bright room drowns it out, so a missing reflection proves
 * nothing.
 */
import type { Tint } from '../../../contract/flow.ts';
import type { FaceGeometry, Tones } from '../evidence.ts';
import { mean, median } from '../../statistics.ts';
import { isPerson } from './surroundings.ts';
import { TINT_LIGHT } from './tints.ts';

/** One frame, and the tint that was showing when it was taken. */
export type TintedFrame = { tint: Tint; width: number; face: FaceGeometry; tones: Tones };

export type PageLight = {
  /**
   * How strongly the skin takes on the tints' colour relative to the room: roughly the page's share of the
   * light on the face; 0 for none.
   */
  gain: number;
  /** Correlation of the skin's colours with the tints, −1 to 1. */
  agreement: number;
  /** Root mean square of the skin's colour changes against the room, in natural logarithms. */
  spread: number;
};

/** With two frames, the correlation is that of one change in colour: enough for a first look, as in the fast lane. */
const LEAST_FRAMES = 3;
/** Room cells that must be visible in every frame. */
const LEAST_CELLS = 6;
/** Linear light below which colour is noise. */
const DARK = 0.006;

/** Captures of a place that are remembered. */
export const MOST_RECENT = 40;
/** Captures from which the light of a place is known. */
export const LEAST_RECENT = 20;
/** At most one in so many of them did not reflect the light. */
const LIT_PER_UNLIT = 20;

/**
 * Whether the page's light is usually seen at a place. Then its absence is no longer explained by a bright room.
 *
 * In any 40 captures in a row that pass, at most three lack a light that was usual before them. If guests lack it
 * independently of each other, that is at most 3.4 % of all guests for any share p of such guests: the maximum of
 * p · P(at most 2 of 40). With 20 known captures it is at most 4.1 %, with 39 at most 2.1 %.
 * @param recent of the last captures that passed, newest first, whether the skin reflected the light
 */
export function isLightUsual(recent: readonly boolean[]): boolean {
  const known = recent.slice(0, MOST_RECENT);
  const unlit = known.filter((isLit) => !isLit).length;
  return known.length >= LEAST_RECENT && LIT_PER_UNLIT * unlit <= known.length;
}

/** Natural logarithms of red/green and blue/green. */
type Chroma = readonly [red: number, blue: number];

/** Null if too little was visible, or in fewer frames than `least`. */
export function measurePageLight(frames: readonly TintedFrame[], least = LEAST_FRAMES): PageLight | null {
  if (frames.length < least) return null;
  const room = roomChanges(frames);
  const skin = frames.map(({ tones }) => chromaOf(tones.skin));
  if (!room || skin.some((chroma) => chroma === null)) return null;
  const seen = centred(
    skin.map((chroma, i): Chroma => {
      const [red, blue] = chroma ?? [0, 0];
      const [roomRed, roomBlue] = room[i] ?? [0, 0];
      return [red - roomRed, blue - roomBlue];
    }),
  );
  const shown = centred(
    frames.map(({ tint }): Chroma => {
      const [red, green, blue] = TINT_LIGHT[tint];
      return [red - green, blue - green];
    }),
  );
  const [both, ofShown, ofSeen] = [product(shown, seen), product(shown, shown), product(seen, seen)];
  if (ofShown === 0) return null;
  return {
    gain: both / ofShown,
    agreement: ofSeen > 0 ? both / Math.sqrt(ofShown * ofSeen) : 0,
    spread: Math.sqrt(ofSeen / frames.length),
  };
}

/**
 * How the room's colour changed since the first frame. This is the camera's own colour shift, which the skin
 * shares. Uses medians over cells, so that neither a passer-by nor a moving edge counts. Null if too little of
 * the room is visible.
 */
function roomChanges(frames: readonly TintedFrame[]): Chroma[] | null {
  const [first] = frames;
  if (!first) return null;
  const { width, height } = first.tones.tones;
  const cellPx = first.width / width;
  const colours = Array.from({ length: width * height }, (_, cell) => {
    const place = { x: (cell % width) + 0.5, y: Math.floor(cell / width) + 0.5 };
    if (frames.some(({ face }) => isPerson(face, place, cellPx))) return [];
    const seen = frames.map(({ tones }) => chromaOf(tones.tones.data.subarray(3 * cell, 3 * cell + 3)));
    return seen.some((chroma) => chroma === null) ? [] : [seen];
  }).flat();
  if (colours.length < LEAST_CELLS) return null;
  const change = (frame: number, axis: 0 | 1) =>
    median(colours.map((seen) => (seen[frame]?.[axis] ?? 0) - (seen[0]?.[axis] ?? 0)));
  return frames.map((_, frame): Chroma => [change(frame, 0), change(frame, 1)]);
}

function chromaOf([red = 0, green = 0, blue = 0]: ArrayLike<number> & Iterable<number>): Chroma | null {
  if (Math.min(red, green, blue) < DARK) return null;
  return [Math.log(red / green), Math.log(blue / green)];
}

function centred(values: readonly Chroma[]): Chroma[] {
  const [red, blue] = [mean(values.map(([value]) => value)), mean(values.map(([, value]) => value))];
  return values.map((value) => [value[0] - red, value[1] - blue]);
}

const product = (p: readonly Chroma[], q: readonly Chroma[]): number =>
  p.reduce((sum, [red, blue], i) => sum + red * (q[i]?.[0] ?? 0) + blue * (q[i]?.[1] ?? 0), 0);
