/** The stills of a capture that the server has not judged yet. Each is kept, and sent again where necessary. */
import { stillPrefix, type CaptureRequest, type StillHeader } from '../../../server/contract/capture.ts';

/** Signs a text; base64url. */
export type Sign = (text: string) => Promise<string>;

type StillOutbox = {
  size: () => number;
  /** @param request that the still answers; null if it is no longer open, which sends the still unsigned */
  add: (requestId: number, request: CaptureRequest | null, jpeg: Blob) => void;
  /** Forgets a still that was judged. */
  remove: (seq: number) => void;
  sendAgainIn: (seq: number, delayMs: number) => void;
  /** Sends stills that the server has not received. @param signNonce null if it asks for no signatures */
  resume: (serverNextSeq: number, signNonce: string | null) => void;
  /** Sends nothing again until `resume`. */
  pause: () => void;
  /** Forgets all stills and numbers the next ones from zero. */
  clear: () => void;
};

/**
 * @param post sends the bytes, or does nothing while there is no connection
 * @param signer of a paired kiosk; null if the device has no key
 */
export function createStillOutbox(
  post: (still: Blob) => void,
  signer?: () => Promise<Sign | null>,
): StillOutbox {
  /** By `seq`; without a header until it is signed. */
  const stills = new Map<number, { header: StillHeader | null; jpeg: Blob }>();
  const timers = new Map<number, ReturnType<typeof setTimeout>>();
  let nextSeq = 0;
  let signNonce: string | null = null;
  let signing = Promise.resolve();

  const send = (seq: number) => {
    const still = stills.get(seq);
    if (!still?.header) return;
    post(new Blob([stillPrefix(still.header), still.jpeg], { type: 'application/octet-stream' }));
  };

  return {
    size: () => stills.size,
    add(requestId, request, jpeg) {
      const header = { type: 'still', request: requestId, seq: nextSeq } as const;
      nextSeq += 1;
      const still: { header: StillHeader | null; jpeg: Blob } = { header: null, jpeg };
      stills.set(header.seq, still);
      const ready = (signature: string | null) => {
        still.header = { ...header, ...(signature !== null && { signature }) };
        if (stills.get(header.seq) === still) send(header.seq);
      };
      if (signNonce === null || signer === undefined || request === null) {
        ready(null);
        return;
      }
      const nonce = signNonce;
      // One at a time, because the server expects stills in order. One that can't be signed is judged anyway, and the
      // capture then counts as untrusted.
      signing = signing
        .then(() => signatureOf(signer, nonce, request, header.seq, jpeg))
        .then(ready, () => ready(null));
    },
    remove: (seq) => void stills.delete(seq),
    sendAgainIn(seq, delayMs) {
      clearTimeout(timers.get(seq));
      timers.set(
        seq,
        setTimeout(() => send(seq), delayMs),
      );
    },
    resume(serverNextSeq, nonce) {
      signNonce = nonce;
      for (const seq of [...stills.keys()]) {
        if (seq < serverNextSeq) stills.delete(seq);
        else send(seq);
      }
      nextSeq = Math.max(nextSeq, serverNextSeq);
    },
    pause() {
      for (const timer of timers.values()) clearTimeout(timer);
      timers.clear();
    },
    clear() {
      stills.clear();
      nextSeq = 0;
    },
  };
}

/** Signs the content that `docs/explanation/capture.md` specifies; null if the device has no key. */
async function signatureOf(
  signer: () => Promise<Sign | null>,
  nonce: string,
  { id, ask, tint, step }: CaptureRequest,
  seq: number,
  jpeg: Blob,
): Promise<string | null> {
  const sign = await signer();
  if (sign === null) return null;
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', await jpeg.arrayBuffer()));
  const sha256 = Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return sign(['gatehouse still 1', nonce, `${id} ${ask} ${tint ?? step ?? '-'}`, seq, sha256].join('\n'));
}
