/** Whether a person is at the page: its automatic calls must not keep the session active. */
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

/** Whether someone typed, clicked or scrolled within the last `withinMs`. */
export const isSomeoneHere = (withinMs = PRESENT_MS): boolean => Date.now() - lastInputMs < withinMs;
