/** Whether a person is at the page: what it asks for without one must not keep the session from falling idle. */
const PRESENT_MS = 10_000;

let lastInputMs = 0;

/** Starts watching keys, clicks and touches. Called once, when the page starts. */
export function watchActivity(): void {
  const note = (): void => {
    lastInputMs = Date.now();
  };
  for (const kind of ['pointerdown', 'keydown', 'wheel', 'touchstart']) {
    window.addEventListener(kind, note, { passive: true, capture: true });
  }
  note();
}

/** Someone pressed, clicked or scrolled within the last `withinMs`. */
export const isSomeoneHere = (withinMs = PRESENT_MS): boolean => Date.now() - lastInputMs < withinMs;
