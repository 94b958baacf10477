/** Looks for a face in the picture turned, while there is none in it as it is: some cameras are mounted on their side. */

const ROTATIONS = [90, 270, 180] as const;
/** Frames without a face before the first search; a person who steps in needs none. */
const SEEKS_AFTER = 15;
/** A search costs as much as the frame's own, so only some frames are searched. */
const SEEKS_EVERY = 8;

type TurnedSearch = {
  /**
   * @param isFound a face was found in the frame as it is
   * @param look whether there is a face in the frame turned by so many degrees
   * @returns whether the last search found one
   */
  seek: (isFound: boolean, look: (rotationDegrees: number) => boolean) => boolean;
};

export function createTurnedSearch(): TurnedSearch {
  let missed = 0;
  let tries = 0;
  let found: number | null = null;
  return {
    seek(isFound, look) {
      missed = isFound ? 0 : missed + 1;
      if (isFound) found = null;
      else if (missed >= SEEKS_AFTER && missed % SEEKS_EVERY === 0) {
        const rotation = found ?? ROTATIONS[tries++ % ROTATIONS.length] ?? 0;
        found = look(rotation) ? rotation : null;
      }
      return found !== null;
    },
  };
}
