/**
 * The page as a lamp: soft tints, one for each neutral still, which a face near the screen reflects. With reduced
 * motion, forced colours or slow changes, the page shows the same tints in long fades. It never leaves them out,
 * because an attacker would choose that setting.
 */
import { TINTS, type Tint } from '../../../server/contract/flow.ts';
import { between, relativeLuminance, type Rgb, rgbOf } from '../../ui/colour.ts';

/** Times of one tint in milliseconds. */
export type LightPace = {
  /** From the previous colour to this one. */
  fadeMs: number;
  /** From its beginning to the still, for the camera to adapt. */
  shownMs: number;
  /** Minimum time from one change to the next. */
  apartMs: number;
};

export const LIGHT_PACES = {
  /**
   * Fewer than three changes a second; a flash of WCAG 2.3.1, which allows three, is two of them, and of unequal brightness. A
   * camera has 240 ms from the end of a fade to the still, which is sent to the server while its tint is shown.
   */
  quick: { fadeMs: 100, shownMs: 340, apartMs: 350 },
  /** No change is sudden. */
  slow: { fadeMs: 1_600, shownMs: 2_000, apartMs: 2_000 },
} as const satisfies Record<string, LightPace>;

/** Dark text is more readable than light text on this background. */
export const wantsDarkWords = (rgb: Rgb): boolean => relativeLuminance(rgb) > EVEN_LUMINANCE;

/** Black and white text have the same contrast to this. */
const EVEN_LUMINANCE = 0.18;

/** The page as a light source. */
type LitPage = {
  /** Its own background, as CSS writes it. */
  ground: () => string;
  light: (colour: Rgb) => void;
  restore: () => void;
};

type PageLight = {
  /**
   * Call it with each frame of the camera, because the fades consist of these calls. Null fades back to the page's own
   * background.
   */
  show: (tint: Tint | null, pace: LightPace, atMs: number) => void;
  /** Restores the page immediately. */
  off: () => void;
};

type Fade = { tint: Tint | null; from: Rgb; to: Rgb; sinceMs: number };

type TintSchedule = {
  /** @returns when the tint, or null for none, is first shown */
  next: (tint: Tint | null, pace: LightPace, nowMs: number) => number;
  /** The current colour; null for none. */
  at: (nowMs: number) => Tint | null;
};

/** Keeps changes apart, however quickly they are requested. */
export function createTintSchedule(): TintSchedule {
  let present: Tint | null = null;
  let coming: { tint: Tint | null; fromMs: number } = { tint: null, fromMs: -Infinity };
  const at = (nowMs: number) => {
    if (nowMs >= coming.fromMs) present = coming.tint;
    return present;
  };
  return {
    at,
    next(tint, { apartMs }, nowMs) {
      const isWaiting = nowMs < coming.fromMs;
      if (at(nowMs) === tint && !isWaiting) return nowMs;
      coming = { tint, fromMs: isWaiting ? coming.fromMs : Math.max(nowMs, coming.fromMs + apartMs) };
      return coming.fromMs;
    },
  };
}

export function createPageLight(page: LitPage = documentPage()): PageLight {
  let ground: Rgb | null = null;
  let fade: Fade | null = null;
  const off = () => {
    ground = null;
    fade = null;
    page.restore();
  };
  return {
    off,
    show(tint, { fadeMs }, atMs) {
      if (fade === null && tint === null) return;
      ground ??= rgbOf(page.ground()) ?? WHITE;
      const present = fade === null ? ground : at(fade, fadeMs, atMs);
      if (fade?.tint !== tint) {
        const to = (tint && rgbOf(TINTS[tint])) ?? ground;
        fade = { tint, from: present, to, sinceMs: atMs };
      }
      if (tint === null && atMs - fade.sinceMs >= fadeMs) off();
      else page.light(at(fade, fadeMs, atMs));
    },
  };
}

const WHITE: Rgb = [255, 255, 255];

const at = ({ from, to, sinceMs }: Fade, fadeMs: number, atMs: number): Rgb =>
  between(from, to, (atMs - sinceMs) / fadeMs);

/** The dependent styles are in `capture.css`. */
function documentPage(root: HTMLElement = document.documentElement): LitPage {
  return {
    ground: () => getComputedStyle(root).getPropertyValue('--ground'),
    light(colour) {
      root.dataset['lit'] = wantsDarkWords(colour) ? 'bright' : 'dim';
      root.style.setProperty('--page-light', `rgb(${colour.join(' ')})`);
    },
    restore() {
      delete root.dataset['lit'];
      root.style.removeProperty('--page-light');
    },
  };
}
