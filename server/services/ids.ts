import { hash, randomBytes, randomInt } from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';

const BASE62 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
/** Largest multiple of 62 in a byte: bytes from here on would favour the first letters. */
const FAIR_BYTES = 248;

let lastMs = -1;
let sequence = 0;

/** Time-ordered id for rows that grant nothing by themselves (decisions §1.6); in order within a millisecond too. */
export function newId(nowMs: number): string {
  sequence = nowMs === lastMs ? sequence + 1 : randomInt(0x4000_0000);
  lastMs = nowMs;
  return uuidv7({ msecs: nowMs, seq: sequence });
}

/** Base62 text from the system's CSPRNG; 32 characters carry 190 bits. */
export function randomBase62(length: number): string {
  let text = '';
  while (text.length < length) {
    for (const byte of randomBytes(length - text.length)) {
      if (byte < FAIR_BYTES) text += BASE62.charAt(byte % 62);
    }
  }
  return text;
}

export const newSessionId = (): string => `vs_${randomBase62(32)}`;
export const newFlowToken = (): string => `ft_${randomBase62(43)}`;
export const newNonce = (): string => randomBase62(32);

/** How secrets are kept and looked up. They are long and random, so a plain hash suffices. */
export function sha256(text: string): Buffer {
  return hash('sha256', text, 'buffer');
}
