/**
 * A scanner that types like a keyboard: keys within moments of each other, then Enter. People type more slowly, so
 * nothing has to have the focus.
 */

/** Between two keys of a scanner. */
const MOST_APART_MS = 50;
/** A person may hit two keys at once. */
const FEWEST_CHARACTERS = 4;
const MOST_CHARACTERS = 1_024;

export type Wedge = {
  /** @returns whether the key is a scanner's, so that nothing else may act on it */
  key: (key: string, atMs: number) => boolean;
};

export function createWedge(onCode: (text: string) => void): Wedge {
  let text = '';
  let lastMs = -Infinity;
  return {
    key(key, atMs) {
      const isNext = atMs - lastMs <= MOST_APART_MS;
      // Shift and the like come in between.
      if (key.length > 1 && key !== 'Enter') return false;
      lastMs = atMs;
      if (key !== 'Enter') {
        const isScanner = isNext && text !== '';
        text = isNext && text.length < MOST_CHARACTERS ? text + key : key;
        return isScanner;
      }
      const code = isNext ? text : '';
      text = '';
      if (code.length < FEWEST_CHARACTERS) return false;
      onCode(code);
      return true;
    },
  };
}

/** Listens on the page, except where somebody types into a field. @returns a function that stops it */
export function followWedge(onCode: (text: string) => void): () => void {
  const wedge = createWedge(onCode);
  const listen = (event: KeyboardEvent) => {
    const { target } = event;
    const isField = target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement;
    if (isField || event.ctrlKey || event.altKey || event.metaKey) return;
    if (!wedge.key(event.key, event.timeStamp)) return;
    event.preventDefault();
    event.stopPropagation();
  };
  window.addEventListener('keydown', listen, { capture: true });
  return () => window.removeEventListener('keydown', listen, { capture: true });
}
