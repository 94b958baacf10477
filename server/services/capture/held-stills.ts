/** The stills that one capture keeps in memory while they may count, and which of them its kiosk signed. */
import { createHash } from 'node:crypto';
import { CAPTURE_BOUNDS } from '../../contract/capture.ts';
import type { Ask } from '../../domain/capture/exchange/requests.ts';
import type { Place } from './admission.ts';
import { type CaptureSigner, isSignedByKiosk } from './kiosk-signature.ts';

type ReceivedStill = { seq: number; request: number; signature?: string; jpeg: Buffer };

export type HeldStills = {
  /**
   * Keeps a new still. One that is held already is not replaced.
   * @param ask what the still's request asked for; undefined where no such request was made
   * @returns `too_much` beyond the bytes of one capture, `no_room` beyond those of the process
   */
  hold: (still: ReceivedStill, ask: Ask | undefined) => 'held' | 'too_much' | 'no_room';
  jpegOf: (seq: number) => Buffer | undefined;
  /** Remembered after the still is released. */
  isSigned: (seq: number) => boolean;
  /** Releases all others. */
  keepOnly: (seqs: ReadonlySet<number>) => void;
};

/** @param signer whose signatures count; null if there is none */
export function createHeldStills(place: Place, signer: CaptureSigner | null): HeldStills {
  const jpegs = new Map<number, Buffer>();
  const signed = new Set<number>();
  let heldBytes = 0;

  const isSignedNow = ({ seq, request: id, signature, jpeg }: ReceivedStill, ask: Ask | undefined) => {
    if (!signer || !ask) return false;
    const { kind, ...subject } = ask;
    const sha256 = createHash('sha256').update(jpeg).digest('hex');
    return isSignedByKiosk(signer, { request: { id, ask: kind, ...subject }, seq, sha256 }, signature);
  };
  const release = (seq: number) => {
    const jpeg = jpegs.get(seq);
    if (!jpeg) return;
    jpegs.delete(seq);
    heldBytes -= jpeg.length;
    place.free(jpeg.length);
  };

  return {
    hold(still, ask) {
      const { seq, jpeg } = still;
      if (heldBytes + jpeg.length > CAPTURE_BOUNDS.maxTotalBytes) return 'too_much';
      if (jpegs.has(seq)) return 'held';
      if (!place.hold(jpeg.length)) return 'no_room';
      heldBytes += jpeg.length;
      jpegs.set(seq, jpeg);
      if (isSignedNow(still, ask)) signed.add(seq);
      else signed.delete(seq);
      return 'held';
    },
    jpegOf: (seq) => jpegs.get(seq),
    isSigned: (seq) => signed.has(seq),
    keepOnly(seqs) {
      for (const seq of [...jpegs.keys()]) if (!seqs.has(seq)) release(seq);
    },
  };
}
