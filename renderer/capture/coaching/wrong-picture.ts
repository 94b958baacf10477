/** Notices a camera whose picture is rotated or mirrored: no person can follow the instructions in it. */
import type { Observation } from '../landmarks/protocol.ts';
import { degrees } from './gestures.ts';

/** No head tilts so far for longer than a moment. */
const TURNED_FROM_RAD = degrees(60);
const TURNED_AFTER_MS = 900;

/** @returns a function of each frame: whether the picture is turned by a quarter, or upside down */
export function createTurnedWatch(): (observation: Observation) => boolean {
  let sinceMs: number | null = null;
  return ({ face, isTurned, atMs }) => {
    const seems = isTurned || (face !== null && Math.abs(face.rollRad) > TURNED_FROM_RAD);
    sinceMs = seems ? (sinceMs ?? atMs) : null;
    return sinceMs !== null && atMs - sinceMs >= TURNED_AFTER_MS;
  };
}

/** Share of a turn, to the wrong side, from which it is one. */
const WRONG_FROM = -0.8;
/** Share up to which the head counts as turned back. */
const BACK_FROM = -0.3;
const WRONG_AFTER_MS = 700;
/** A person may mistake left and right once. */
const MIRRORED_AFTER = 2;

export type SideWatch = {
  /** @param progress of a turn, negative to the wrong side @returns whether the head is at the wrong side */
  observe: (progress: number, atMs: number) => boolean;
  /** Another step: the head may still be on its way back from the one before. */
  begin: () => void;
  isMirrored: () => boolean;
};

export function createSideWatch(): SideWatch {
  let sinceMs: number | null = null;
  let isWrong = false;
  let wrongTurns = 0;
  return {
    observe(progress, atMs) {
      if (progress > BACK_FROM) {
        sinceMs = null;
        isWrong = false;
      } else if (progress <= WRONG_FROM) sinceMs ??= atMs;
      if (!isWrong && sinceMs !== null && atMs - sinceMs >= WRONG_AFTER_MS) {
        isWrong = true;
        wrongTurns += 1;
      }
      return isWrong;
    },
    begin() {
      sinceMs = null;
      isWrong = false;
    },
    isMirrored: () => wrongTurns >= MIRRORED_AFTER,
  };
}
