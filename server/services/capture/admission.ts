/** Limits the live captures of one process, per address and in total, and the bytes of their stills. */

import { LIVE_LIMITS } from '../../contract/capture-live.ts';
import type { Clock } from '../clock.ts';

export type AdmissionLimits = {
  /** Captures of this process. */
  captures: number;
  /** Captures of one network address. */
  perAddress: number;
  /** Bytes of all stills that this process holds for current captures. */
  heldBytes: number;
  /** Share of `heldBytes` that one address may use, so that others always have room. */
  addressShare: number;
  /** Captures of one session that may be abandoned after a step was shown, before the next one has to wait. */
  givenUp: number;
};

/** A whole venue may share one address. */
export const ADMISSION_LIMITS: AdmissionLimits = {
  captures: 400,
  perAddress: 120,
  heldBytes: 256e6,
  addressShare: 0.5,
  givenUp: 8,
};

/** Time after which a refused capture may try again, in milliseconds. */
const FULL_RETRY_MS = 5_000;
/** How long a session waits after too many abandoned captures, in milliseconds. Each wait forgives one. */
const GIVEN_UP_RETRY_MS = 60_000;
/** Sessions with abandoned captures; the oldest are dropped. */
const MOST_REMEMBERED = 10_000;

/** `unseen`: ended without a verdict, before a step was shown. */
export type CaptureEnd = 'verdict' | 'given_up' | 'unseen';

/** A capture's slot: reserved before it begins, and released once. */
export type Place = {
  /**
   * Reserves room for a still.
   * @returns false if there is none; the still then has to be sent again later
   */
  hold: (bytes: number) => boolean;
  free: (bytes: number) => void;
  /** Releases the slot, after all stills were released. */
  leave: (end: CaptureEnd) => void;
};

type Admission = {
  /** @returns the slot, or how long the session has to wait for one, in milliseconds */
  enter: (sessionId: string, address: string) => Place | { retryInMs: number };
  stats: () => { captures: number; heldBytes: number };
};

export function createAdmission(limits: AdmissionLimits, clock: Clock): Admission {
  const addresses = new Map<string, { captures: number; heldBytes: number }>();
  const givenUp = new Map<string, { count: number; atMs: number }>();
  const addressBytes = limits.heldBytes * limits.addressShare;
  let captures = 0;
  let heldBytes = 0;

  const rememberGivenUp = (sessionId: string) => {
    const count = (givenUp.get(sessionId)?.count ?? 0) + 1;
    givenUp.delete(sessionId);
    // Every one beyond the limit waits one interval after the last.
    givenUp.set(sessionId, { count: Math.min(count, limits.givenUp), atMs: clock.now() });
    const [oldest] = givenUp.keys();
    if (oldest !== undefined && givenUp.size > MOST_REMEMBERED) givenUp.delete(oldest);
  };
  const waitMs = (sessionId: string, address: string): number => {
    const here = addresses.get(address);
    const isFull = captures >= limits.captures || heldBytes + LIVE_LIMITS.maxStillBytes > limits.heldBytes;
    const isAddressFull =
      here !== undefined &&
      (here.captures >= limits.perAddress || here.heldBytes + LIVE_LIMITS.maxStillBytes > addressBytes);
    if (isFull || isAddressFull) return FULL_RETRY_MS;
    const past = givenUp.get(sessionId);
    if (!past || past.count < limits.givenUp) return 0;
    return Math.max(0, past.atMs + GIVEN_UP_RETRY_MS - clock.now());
  };

  return {
    enter(sessionId, address) {
      const retryInMs = waitMs(sessionId, address);
      if (retryInMs > 0) return { retryInMs };
      const here = addresses.get(address) ?? { captures: 0, heldBytes: 0 };
      addresses.set(address, here);
      captures += 1;
      here.captures += 1;
      const add = (bytes: number) => {
        heldBytes += bytes;
        here.heldBytes += bytes;
      };
      return {
        hold(bytes) {
          if (heldBytes + bytes > limits.heldBytes || here.heldBytes + bytes > addressBytes) return false;
          add(bytes);
          return true;
        },
        free: (bytes) => add(-bytes),
        leave(end) {
          captures -= 1;
          here.captures -= 1;
          if (here.captures === 0) addresses.delete(address);
          if (end === 'given_up') rememberGivenUp(sessionId);
          // A verdict costs an attempt. Anything less resets nothing, or a page could clear its count by leaving
          // early.
          else if (end === 'verdict') givenUp.delete(sessionId);
        },
      };
    },
    stats: () => ({ captures, heldBytes }),
  };
}
