/**
 * The page as a lamp: soft tints, one for each neutral still, that a face before the screen takes on. Whoever asks for
 * less motion, for their own colours, or for none of this on the page, is not shown them.
 */
import { TINTS, type Tint } from '../../server/contract/flow.ts';

/** A tint fades in and settles, and the camera gets used to it: fewer than two changes a second (WCAG 2.3.1 allows three). */
export const TINT_SHOWN_MS = 650;

const PREFERRED = ['(prefers-reduced-motion: reduce)', '(forced-colors: active)', '(prefers-contrast: more)'];

/** Whether the person's device asks for a page that stays as it is. */
export const prefersCalm = (): boolean => PREFERRED.some((query) => matchMedia(query).matches);

/** Tints the whole page; null gives it back its own ground. */
export function lightPage(tint: Tint | null, root: HTMLElement = document.documentElement): void {
  if (tint === null) {
    delete root.dataset['tint'];
    root.style.removeProperty('--page-light');
    return;
  }
  root.dataset['tint'] = tint;
  root.style.setProperty('--page-light', TINTS[tint]);
}
