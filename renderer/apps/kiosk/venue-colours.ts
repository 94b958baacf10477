/** The venue's colour on the kiosk's screens, changed only as far as WCAG contrast requires. */
import { between, relativeLuminance, type Rgb, rgbOf } from '../../ui/colour.ts';

export type VenueColours = {
  /** Behind the text of the main button. */
  fill: string;
  onFill: string;
  /** Lines and text on the page's background. */
  ink: string;
};

/** Background of the first screen, as in `ui/tokens.css`. */
export const GROUND = '#f7f5f2';
const BLACK = '#000000';
const WHITE = '#ffffff';
/** WCAG 2.2, 1.4.6: enhanced contrast of text. */
export const LEAST_CONTRAST = 7;
const STEPS = 50;

/** @param hex `#rrggbb`; null for anything else @param ground what lies behind lines and words */
export function venueColours(hex: string, ground = GROUND): VenueColours | null {
  const own = rgbOf(hex);
  if (own === null) return null;
  const darker = nearest(own, BLACK, WHITE);
  const lighter = nearest(own, WHITE, BLACK);
  const isDark = darker.steps <= lighter.steps;
  return {
    fill: isDark ? darker.colour : lighter.colour,
    onFill: isDark ? WHITE : BLACK,
    ink: nearest(own, BLACK, ground).colour,
  };
}

/** Words on the start screen and the usual colour of its lines, as in `ui/tokens.css`. */
const WORDS = '#24211d';
const ACTION = '#0b5c5e';

type Veil = VenueColours & {
  /** 0 to 1, of a layer in the colour of the ground over the picture. */
  opacity: number;
  /** The darkest that a pixel looks through it. */
  ground: string;
};

/** The thinnest veil through which words stay readable on every pixel. @param darkest, colour `#rrggbb` */
export function veilOf(darkest: string, colour: string | null): Veil {
  const { colour: ground, steps } = nearest(rgbOf(darkest) ?? [0, 0, 0], GROUND, WORDS);
  const colours = venueColours(colour ?? ACTION, ground) ?? { fill: WORDS, onFill: WHITE, ink: WORDS };
  return { ...colours, opacity: steps / STEPS, ground };
}

/** The first colour between `from` and `towards` with enough contrast to `against`. */
function nearest(from: Rgb, towards: string, against: string): { colour: string; steps: number } {
  const end = rgbOf(towards) ?? from;
  for (let steps = 0; steps < STEPS; steps++) {
    const colour = hexOf(between(from, end, steps / STEPS));
    if (contrast(colour, against) >= LEAST_CONTRAST) return { colour, steps };
  }
  return { colour: towards, steps: STEPS };
}

/** WCAG 2.2 contrast ratio, 1 to 21. @param one, other `#rrggbb` */
export function contrast(one: string, other: string): number {
  const [first, second] = [one, other].map((hex) => relativeLuminance(rgbOf(hex) ?? [0, 0, 0]) + 0.05);
  if (first === undefined || second === undefined) return 1;
  return Math.max(first, second) / Math.min(first, second);
}

const hexOf = (rgb: Rgb): string => `#${rgb.map((part) => part.toString(16).padStart(2, '0')).join('')}`;
