/**
 * Notices a picture that is turned, as of a camera mounted on its side or upside down. The landmarker finds a face turned by a
 * quarter, but may find none in one upside down, or fits an upright one onto it. Asked about the picture turned by a quarter, it
 * fits the right one.
 */

const QUARTER_DEG = 90;
const ROTATIONS_DEG = [90, 270, 180] as const;
/** Frames without a face before the first search; a person who steps in needs none. */
const SEEKS_AFTER = 15;
/** A search costs as much as the frame's own, so only some frames are searched. */
const SEEKS_EVERY = 8;
/** A face is checked on these frames after it was found, before the first step; then only if it seems upside down. */
const CHECKS_UNTIL = 3 * SEEKS_EVERY;
/** Agreeing checks that are needed. */
const ENOUGH = 2;
const TURNED_RAD = Math.PI / 3;
const UPSIDE_DOWN_RAD = (2 * Math.PI) / 3;

type TurnedSearch = {
  /**
   * @param isFound a face was found in the frame as it is
   * @param look the roll of the face in the frame turned by so many degrees, as in the frame itself; null without a face
   * @returns whether the picture seems turned
   */
  seek: (isFound: boolean, look: (rotationDegrees: number) => number | null) => boolean;
};

export function createTurnedSearch(): TurnedSearch {
  let missed = 0;
  let seen = 0;
  let tries = 0;
  let agreeing = 0;
  let isTurned = false;
  const search = (look: (rotationDegrees: number) => number | null) => {
    const rollRad = look(ROTATIONS_DEG[tries++ % ROTATIONS_DEG.length] ?? 0);
    if (rollRad !== null) isTurned = Math.abs(rollRad) > TURNED_RAD;
  };
  const check = (look: (rotationDegrees: number) => number | null) => {
    const rollRad = look(QUARTER_DEG);
    agreeing = rollRad !== null && Math.abs(rollRad) > UPSIDE_DOWN_RAD ? agreeing + 1 : 0;
    isTurned = agreeing >= ENOUGH;
  };
  return {
    seek(isFound, look) {
      missed = isFound ? 0 : missed + 1;
      if (isFound) {
        seen += 1;
        const isDue = seen <= CHECKS_UNTIL || agreeing > 0;
        if (isDue && seen % SEEKS_EVERY === 0) check(look);
      } else if (missed >= SEEKS_AFTER) {
        seen = 0;
        agreeing = 0;
        if (missed % SEEKS_EVERY === 0) search(look);
      }
      return isTurned;
    },
  };
}
