import { hash, randomInt, randomUUID, timingSafeEqual } from 'node:crypto';
import { customAlphabet } from 'nanoid';
import { v7 as uuidv7 } from 'uuid';

const BASE62 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
let lastMs = -1;
let sequence = 0;

/** Time-ordered ID for rows that grant nothing on their own (decisions §1.6); also ordered within a millisecond. */
export function newId(nowMs: number): string {
  sequence = nowMs === lastMs ? sequence + 1 : randomInt(0x4000_0000);
  lastMs = nowMs;
  return uuidv7({ msecs: nowMs, seq: sequence });
}

/** Base62 text from the system's CSPRNG; 32 characters carry 190 bits. */
export const randomBase62: (length: number) => string = customAlphabet(BASE62);

/** Characters that hold a time in milliseconds, in base 36, until the year 5138. */
const TIME_CHARACTERS = 9;

/** 190 random bits after the time: sessions created together are stored together in the database. */
export function newSessionId(nowMs: number): string {
  return `vs_${nowMs.toString(36).padStart(TIME_CHARACTERS, '0')}${randomBase62(32)}`;
}
export const newFlowToken = (): string => `ft_${randomBase62(43)}`;
/** Of an invite, or of a link that moves a run to another device or browser. */
export const newLinkCode = (): string => randomBase62(32);
/** Identifies a user of v1 and v2; grants nothing. */
export const newConnectUserId = (): string => `bcu_${randomBase62(24)}`;
export const newNonce = (): string => randomBase62(32);

/** Names one request in its reply, in the log and in the console; grants nothing. */
export const newRequestId = (): string => `req_${randomUUID().replaceAll('-', '')}`;

/** Erases recordings, at the venue only. Without characters that people confuse. */
export const newRecordingCode: () => string = customAlphabet('ABCDEFGHJKMNPQRSTUVWXYZ23456789', 8);

/** How secrets are stored and looked up. They are long and random, so a plain hash is sufficient. */
export function sha256(text: string): Buffer {
  // By way of a string, because Node.js takes five times as long to return a buffer.
  return Buffer.from(hash('sha256', text, 'binary'), 'binary');
}

/** Whether a stored hash is the secret's, in constant time; false if nothing is stored. */
export function isHashOf(stored: Uint8Array | null, secret: string): boolean {
  return stored !== null && timingSafeEqual(stored, sha256(secret));
}

/** Of two stored hashes, each null if there is none. */
export const isSameHash = (one: Uint8Array | null, other: Uint8Array | null): boolean =>
  one === null || other === null ? one === other : timingSafeEqual(one, other);

/** In constant time. */
export const isSameSecret = (given: string, expected: string): boolean => isHashOf(sha256(expected), given);
