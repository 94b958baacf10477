/** Limits the captures of one process, per address and in total, and the bytes of their stills. */

import { CAPTURE_BOUNDS } from '../../contract/capture.ts';
import { placeOf } from '../../domain/address.ts';
import type { Clock } from '../ports/clock.ts';

export type AdmissionRoom = {
  /** Captures of this process. */
  captures: number;
  /** Captures of one network address. */
  perAddress: number;
  /** Bytes of all stills that this process holds for current captures. */
  heldBytes: number;
  /** Share of `heldBytes` that one address may use, so that others always have room. */
  addressShare: number;
  /** Captures of one session or invite that may be left after a step was shown, before the next one has to wait. */
  givenUp: number;
  /** The same for one address, or for a link that many people use. A verdict that ends a check there takes one off. */
  givenUpShared: number;
};

/** A whole venue may share one address. */
export const ADMISSION_ROOM: AdmissionRoom = {
  captures: 400,
  perAddress: 120,
  heldBytes: 256e6,
  addressShare: 0.5,
  givenUp: 8,
  givenUpShared: 24,
};

/** Time after which a refused capture may try again, in milliseconds. */
const FULL_RETRY_MS = 5_000;
/** How long a session waits after too many abandoned captures, in milliseconds. Each wait forgives one. */
const GIVEN_UP_RETRY_MS = 60_000;
/**
 * Delay of each capture at an address or link with too many abandoned ones, in milliseconds. Others there may be honest,
 * so a guest's wait never grows with what the others do.
 */
const SHARED_DELAY_MS = 15_000;
/** When a count of an address or a shared link is forgotten, in milliseconds after the last capture that was left. */
const SHARED_FORGOTTEN_MS = 3_600_000;
/** Most that one count reaches, as a multiple of its limit. */
const SHARED_MOST = 2;
/** Subjects with abandoned captures, and sessions that wait; the oldest are dropped. */
const MOST_REMEMBERED = 10_000;

/** Who begins a capture. */
export type Entrant = {
  sessionId: string;
  address: string;
  /** It runs at a paired kiosk, where many guests follow each other at one address. */
  isKiosk: boolean;
  /** An invite belongs to one person; a verification's own link to many. */
  link: { kind: 'invite' | 'verification'; id: string } | null;
};

/** `failed`: a verdict that leaves an attempt. `unseen`: ended without a verdict, before a step was shown. */
export type CaptureEnd = 'verdict' | 'failed' | 'given_up' | 'unseen';

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
  /** Captures were left too often at its address or on its link. */
  isSuspect: boolean;
};

type Admission = {
  /** @returns the slot, or how long the session has to wait for one, in milliseconds */
  enter: (entrant: Entrant) => Place | { retryInMs: number };
  stats: () => { captures: number; heldBytes: number };
};

export function createAdmission(room: AdmissionRoom, clock: Clock): Admission {
  const addresses = new Map<string, { captures: number; heldBytes: number }>();
  /** By subject. */
  const givenUp = new Map<string, { count: number; atMs: number }>();
  /** When a session that was told to wait for a shared count may begin. */
  const dueAtMs = new Map<string, number>();
  const addressBytes = room.heldBytes * room.addressShare;
  let captures = 0;
  let heldBytes = 0;

  const countGivenUp = (subject: string, most: number) => {
    const count = (givenUp.get(subject)?.count ?? 0) + 1;
    remember(givenUp, subject, { count: Math.min(count, most), atMs: clock.now() });
  };
  const takeOff = (subject: string) => {
    const past = givenUp.get(subject);
    if (past && past.count > 1) past.count -= 1;
    else givenUp.delete(subject);
  };
  const isCrowded = (subject: string) => {
    const past = givenUp.get(subject);
    return (
      past !== undefined && past.count >= room.givenUpShared && clock.now() - past.atMs < SHARED_FORGOTTEN_MS
    );
  };
  const isFull = (place: string): boolean => {
    const here = addresses.get(place);
    const lacksRoom = captures >= room.captures || heldBytes + CAPTURE_BOUNDS.maxStillBytes > room.heldBytes;
    const isAddressFull =
      here !== undefined &&
      (here.captures >= room.perAddress || here.heldBytes + CAPTURE_BOUNDS.maxStillBytes > addressBytes);
    return lacksRoom || isAddressFull;
  };
  /** Every one beyond the limit waits one interval after the last. */
  const ownWaitMs = (subject: string): number => {
    const past = givenUp.get(subject);
    if (!past || past.count < room.givenUp) return 0;
    return past.atMs + GIVEN_UP_RETRY_MS - clock.now();
  };
  const sharedWaitMs = (sessionId: string): number => {
    const due = dueAtMs.get(sessionId) ?? clock.now() + SHARED_DELAY_MS;
    remember(dueAtMs, sessionId, due);
    return due - clock.now();
  };

  return {
    enter(entrant) {
      const address = placeOf(entrant.address);
      const { own, shared } = subjectsOf(entrant);
      if (isFull(address)) return { retryInMs: FULL_RETRY_MS };
      const isSuspect = shared.some(isCrowded);
      const waits = [...own.map(ownWaitMs), ...(isSuspect ? [sharedWaitMs(entrant.sessionId)] : [])];
      const retryInMs = Math.max(0, ...waits);
      if (retryInMs > 0) return { retryInMs };
      dueAtMs.delete(entrant.sessionId);
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
          if (heldBytes + bytes > room.heldBytes || here.heldBytes + bytes > addressBytes) return false;
          add(bytes);
          return true;
        },
        free: (bytes) => add(-bytes),
        isSuspect,
        leave(end) {
          captures -= 1;
          here.captures -= 1;
          if (here.captures === 0) addresses.delete(address);
          if (end === 'given_up') {
            for (const subject of own) countGivenUp(subject, room.givenUp);
            for (const subject of shared) countGivenUp(subject, SHARED_MOST * room.givenUpShared);
          }
          // A verdict costs an attempt. Anything less resets nothing, or a page could clear its count by leaving
          // early. A failed one takes nothing off where others count too: a script could fail between two captures that
          // it leaves.
          if (end === 'verdict' || end === 'failed') for (const subject of own) givenUp.delete(subject);
          if (end === 'verdict') shared.forEach(takeOff);
        },
      };
    },
    stats: () => ({ captures, heldBytes }),
  };
}

/** The subjects that an entrant's abandoned captures count against: of one person, or shared by many. */
function subjectsOf({ sessionId, address, isKiosk, link }: Entrant): { own: string[]; shared: string[] } {
  const own = [`session ${sessionId}`, ...(link?.kind === 'invite' ? [`invite ${link.id}`] : [])];
  const shared = isKiosk
    ? []
    : [`address ${placeOf(address)}`, ...(link?.kind === 'verification' ? [`verification ${link.id}`] : [])];
  return { own, shared };
}

/** Puts it last, and drops the oldest beyond what is remembered. */
function remember<T>(map: Map<string, T>, key: string, value: T): void {
  map.delete(key);
  map.set(key, value);
  const [oldest] = map.keys();
  if (oldest !== undefined && map.size > MOST_REMEMBERED) map.delete(oldest);
}
